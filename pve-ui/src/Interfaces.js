// Links and their settings; an edit becomes a plan. Fires propose(document, title).
Ext.define('PVE.rdma.Interfaces', {
    extend: 'Ext.grid.Panel',
    alias: 'widget.pveRdmaInterfaces',

    title: gettext('Interfaces'),
    emptyText: gettext('No link of this kind was found.'),
    viewConfig: { enableTextSelection: true },

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        let may = PVE.rdma.Api.mayModify();
        me.store = Ext.create('Ext.data.Store', {
            fields: ['id', 'name', 'kind', 'kindText', 'up', 'mode', 'mtu', 'addresses', 'ports', 'master', 'pkey', 'vfs', 'autonegotiation'],
            sorters: 'name',
        });
        me.editButton = Ext.create('Ext.button.Button', {
            text: gettext('Edit'),
            iconCls: 'fa fa-pencil',
            disabled: true,
            handler: () => me.edit(),
        });
        me.removeButton = Ext.create('Ext.button.Button', {
            text: gettext('Remove'),
            iconCls: 'fa fa-trash-o',
            disabled: true,
            tooltip: gettext('Plans to take the interface away.'),
            handler: () => me.askRemove(),
        });
        let create = (kind) => () => Ext.create('PVE.rdma.InterfaceCreate', { kind, rows: me.rows ?? [], done: me.done(), autoShow: true });
        me.createMenu = Ext.create('Ext.button.Button', {
            text: gettext('Create'),
            iconCls: 'fa fa-plus',
            disabled: !may,
            menu: [
                { text: gettext('P_Key child'), itemId: 'pkey', handler: create('pkey') },
                { text: gettext('Bond of InfiniBand ports'), itemId: 'bond', handler: create('bond') },
            ],
        });
        me.tbar = [
            { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.reload() },
            me.createMenu,
            me.editButton,
            me.removeButton,
        ];
        me.columns = [
            { text: gettext('Name'), dataIndex: 'name', width: 105, renderer: text.renderer },
            { text: gettext('Type'), dataIndex: 'kindText', width: 78, renderer: text.renderer },
            {
                text: gettext('State'),
                dataIndex: 'up',
                width: 60,
                renderer: (up) => text.encode(up ? gettext('up') : gettext('down')),
            },
            { text: gettext('Mode'), dataIndex: 'mode', width: 110, renderer: (mode) => text.encode(mode) },
            { text: gettext('MTU'), dataIndex: 'mtu', width: 65, renderer: text.renderer },
            {
                text: gettext('Addresses'),
                dataIndex: 'addresses',
                flex: 2,
                minWidth: 140,
                cellWrap: true,
                renderer: (addresses) => text.encode(PVE.rdma.Document.addressLines(addresses)).replace(/\n/g, '<br>'),
            },
            {
                text: gettext('Ports / parent'),
                dataIndex: 'ports',
                flex: 1,
                minWidth: 105,
                renderer: (ports, meta, record) =>
                    text.encode([...(ports ?? []), record.get('parent'), record.get('pkey')].filter(Boolean).join(' ')),
            },
            { text: gettext('Part of'), dataIndex: 'master', width: 75, renderer: (master) => text.encode(master) },
            { text: gettext('VFs'), dataIndex: 'vfs', width: 52, renderer: (vfs) => text.encode(vfs ?? '') },
        ];
        me.listeners = {
            ...me.listeners,
            selectionchange: (model, [record]) => me.chosen(record),
            itemdblclick: () => me.edit(),
            activate: () => me.load(),
        };
        me.callParent();
        me.mon(me.nodeData, {
            report: () => me.showRows(),
            network: () => me.showRows(),
            failed: () => me.setLoading(false),
        });
        me.getView().on('itemkeydown', (view, record, item, index, event) => {
            if (event.getKey() === event.ENTER) {
                me.setSelection(record); // the row that has the focus need not be the chosen one
                me.edit();
            }
        });
    },

    done: function () {
        return (wanted, title) => this.fireEvent('propose', wanted, title);
    },

    load: async function () {
        let me = this;
        me.setLoading(!me.rows);
        try {
            await me.nodeData.loadMissing();
        } catch (failure) {
            if (me.destroyed) {
                return;
            }
            me.getView().emptyText = `<div class="x-grid-empty">${PVE.rdma.Text.encode(failure.message)}</div>`;
            me.getView().refresh();
        }
        if (!me.destroyed) {
            me.showRows();
            me.setLoading(false);
        }
    },

    reload: function () {
        this.nodeData.loadNetwork().catch(() => undefined);
        this.nodeData.load();
    },

    showRows: function () {
        let me = this;
        if (me.nodeData.report) {
            me.rows = PVE.rdma.InterfaceRows.rows(me.nodeData.report, me.nodeData.network?.network);
            PVE.rdma.Sync.grid(me.store, me.rows);
            me.chosen(me.getSelection()[0]);
        }
    },

    chosen: function (record) {
        // Without the document it is not known what would be changed.
        let may = PVE.rdma.Api.mayModify() && Boolean(record) && Boolean(this.nodeData.network);
        let made = record && (record.get('kind') === 'bond' || record.get('parent'));
        this.editButton.setDisabled(!may);
        this.removeButton.setDisabled(!may || !made);
    },

    edit: function () {
        let [record] = this.getSelection();
        if (record && !this.editButton.disabled) {
            Ext.create('PVE.rdma.InterfaceEdit', { row: record.data, done: this.done(), autoShow: true });
        }
    },

    askRemove: function () {
        let [record] = this.getSelection();
        let name = record.get('name');
        this.fireEvent('propose', { links: [{ name, state: 'absent' }] }, name);
    },
});
