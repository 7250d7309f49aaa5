// A new P_Key child of an IPoIB port, or a bond of IPoIB ports.
//   Ext.create('PVE.rdma.InterfaceCreate', { kind: 'pkey' | 'bond', rows, done: (document, title) => ... })
Ext.define('PVE.rdma.InterfaceCreate', {
    extend: 'Ext.window.Window',

    modal: true,
    width: 480,
    layout: 'fit',
    resizable: false,
    referenceHolder: true,
    defaultButton: 'plan', // Enter

    initComponent: function () {
        let me = this;
        me.title = me.kind === 'pkey' ? gettext('Create: P_Key child') : gettext('Create: Bond of InfiniBand ports');
        let ports = me.rows.filter((row) => ['ipoib', 'infiniband'].includes(row.kind) && !row.parent).map((row) => row.name);
        me.form = Ext.create('Ext.form.Panel', {
            border: false,
            bodyPadding: 12,
            defaults: { anchor: '100%', labelWidth: 120, msgTarget: 'under' },
            items: me.kind === 'pkey' ? me.pkeyFields(ports) : me.bondFields(ports),
        });
        me.items = [me.form];
        me.buttons = [{ text: gettext('Show plan'), iconCls: 'fa fa-list-ol', reference: 'plan', handler: () => me.submit() }];
        me.callParent();
    },

    address: () => ({
        xtype: 'textfield',
        name: 'address',
        fieldLabel: gettext('Address'),
        emptyText: '192.0.2.1/24',
        regex: /^\S+\/\d+$/,
        regexText: gettext('An address with its prefix length: 192.0.2.1/24'),
    }),

    pkeyFields: function (ports) {
        return [
            { xtype: 'combobox', name: 'parent', fieldLabel: gettext('Parent'), store: ports, value: ports[0], editable: false, allowBlank: false },
            {
                xtype: 'textfield',
                name: 'pkey',
                fieldLabel: 'P_Key',
                value: '0x8001',
                allowBlank: false,
                regex: /^0x[0-9a-fA-F]{4}$/,
                regexText: gettext('Four hexadecimal digits behind 0x, as 0x8001'),
            },
            this.address(),
        ];
    },

    bondFields: function (ports) {
        return [
            { xtype: 'textfield', name: 'name', fieldLabel: gettext('Name'), value: 'bond0', regex: /^bond\d{1,4}$/, allowBlank: false },
            {
                xtype: 'tagfield',
                name: 'ports',
                fieldLabel: gettext('Ports'),
                store: ports,
                value: ports.slice(0, 2),
                allowBlank: false,
            },
            { xtype: 'displayfield', fieldLabel: gettext('Mode'), value: 'active-backup', submitValue: false },
            this.address(),
        ];
    },

    submit: function () {
        let me = this;
        if (!me.form.isValid()) {
            return;
        }
        let { address, ...set } = me.form.getForm().getFieldValues();
        let addresses = address ? { addresses: [{ address }] } : {};
        let link =
            me.kind === 'pkey'
                ? // Not ib0.8001, which Proxmox takes for a VLAN.
                  { name: `${set.parent}p${set.pkey.slice(2)}`, kind: 'ipoib', parent: set.parent, pkey: set.pkey, up: true, ...addresses }
                : { name: set.name, kind: 'bond', mode: 'active-backup', ports: set.ports, miimon: 100, up: true, ...addresses };
        me.close();
        me.done({ links: [link] }, link.name);
    },
});
