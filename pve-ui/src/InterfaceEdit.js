// One link's settings. What was changed becomes a document; nothing is sent from here.
//   Ext.create('PVE.rdma.InterfaceEdit', { row, done: (document, title) => ... })
Ext.define('PVE.rdma.InterfaceEdit', {
    extend: 'Ext.window.Window',

    modal: true,
    width: 520,
    layout: 'fit',
    resizable: false,
    referenceHolder: true,
    defaultButton: 'plan', // Enter

    initComponent: function () {
        let me = this;
        let row = me.row;
        me.title = PVE.rdma.Text.encode(Ext.String.format(gettext('Edit: {0}'), row.name));
        me.was = {
            mode: row.mode,
            mtu: row.mtu,
            autonegotiation: Boolean(row.autonegotiation),
            fec: row.fec ?? '',
            vfs: row.vfs,
            addresses: PVE.rdma.Document.addressLines(row.addresses),
        };
        me.form = Ext.create('Ext.form.Panel', {
            border: false,
            bodyPadding: 12,
            defaults: { anchor: '100%', labelWidth: 140, msgTarget: 'under' },
            items: me.fields(),
        });
        me.items = [me.form];
        me.buttons = [{ text: gettext('Show plan'), iconCls: 'fa fa-list-ol', reference: 'plan', handler: () => me.submit() }];
        me.defaultFocus = 'field[name=mtu]';
        me.callParent();
    },

    // A field that this card or kernel cannot do is off, and says why.
    unlessOff: function (why, field) {
        if (!why) {
            return field;
        }
        return {
            ...field,
            disabled: true,
            autoEl: { tag: 'div', 'data-qtip': Ext.htmlEncode(PVE.rdma.Text.encode(why)) },
            ...(field.xtype === 'checkbox'
                ? { boxLabel: PVE.rdma.Text.encode(why) }
                : { afterSubTpl: `<div style="padding-top: 2px">${PVE.rdma.Text.encode(why)}</div>` }),
        };
    },

    fields: function () {
        let me = this;
        let row = me.row;
        let why = PVE.rdma.InterfaceRows.why;
        let choice = (name, label, values) => ({
            xtype: 'combobox',
            name,
            fieldLabel: label,
            value: me.was[name],
            store: values,
            editable: false,
            forceSelection: true,
        });
        let ethernet = ['ether'].includes(row.kind) || row.autonegotiation !== undefined;
        let fields = [
            {
                xtype: 'numberfield',
                name: 'mtu',
                fieldLabel: gettext('MTU'),
                value: row.mtu,
                minValue: row.min_mtu || 68,
                maxValue: row.max_mtu || 65535,
                allowDecimals: false,
                allowBlank: false,
            },
        ];
        if (['ipoib', 'infiniband'].includes(row.kind)) {
            fields.unshift(me.unlessOff(why.ipoib(row), choice('mode', gettext('Mode'), ['datagram', 'connected'])));
        }
        if (ethernet && !['bond', 'bridge', 'vlan', 'ipoib', 'infiniband'].includes(row.kind)) {
            fields.push(
                me.unlessOff(why.autonegotiation(row), {
                    xtype: 'checkbox',
                    name: 'autonegotiation',
                    fieldLabel: gettext('Autonegotiation'),
                    checked: me.was.autonegotiation,
                }),
                me.unlessOff(why.fec(row), choice('fec', gettext('FEC'), ['auto', 'off', 'rs', 'baser'])),
                me.unlessOff(why.vfs(row), {
                    xtype: 'numberfield',
                    name: 'vfs',
                    fieldLabel: gettext('Virtual functions'),
                    value: row.vfs ?? 0,
                    minValue: 0,
                    maxValue: row.vfs_max || 0,
                    allowDecimals: false,
                }),
            );
        }
        fields.push({
            xtype: 'textarea',
            name: 'addresses',
            fieldLabel: gettext('Addresses'),
            value: me.was.addresses,
            height: 80,
            emptyText: '192.0.2.1/24 metric 10',
            validator: function (lines) {
                try {
                    PVE.rdma.Document.addresses([], lines);
                    return true;
                } catch (error) {
                    return error.message;
                }
            },
        });
        return fields;
    },

    submit: function () {
        let me = this;
        if (!me.form.isValid()) {
            return;
        }
        // A box that is not ticked has a value too, which a form leaves out.
        let fields = me.form.query('field').filter((field) => !field.disabled);
        let { addresses, ...settings } = Object.fromEntries(fields.map((field) => [field.name, field.getValue()]));
        let wish = PVE.rdma.Document.link(me.row.name, me.was, settings);
        if (addresses !== undefined && addresses !== me.was.addresses) {
            let changed = PVE.rdma.Document.addresses(me.row.addresses, addresses);
            wish = changed.length ? { ...(wish ?? { name: me.row.name }), addresses: changed } : wish;
        }
        me.close();
        if (wish) {
            me.done({ links: [wish] }, me.row.name);
        }
    },
});
