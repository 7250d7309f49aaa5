// Routes with metrics to edit in place, and the picture of who carries what. Fires propose(document, title).
Ext.define('PVE.rdma.Routes', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaRoutes',

    title: gettext('Routes'),
    layout: 'border',

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        me.planButton = Ext.create('Ext.button.Button', {
            text: gettext('Show plan'),
            iconCls: 'fa fa-list-ol',
            disabled: true,
            handler: () => me.fireEvent('propose', PVE.rdma.RouteRows.document(me.rows()), gettext('Routes')),
        });
        me.undoButton = Ext.create('Ext.button.Button', {
            text: gettext('Revert'),
            iconCls: 'fa fa-undo',
            disabled: true,
            handler: () => me.revert(),
        });
        me.grid = Ext.create('Ext.grid.Panel', {
            region: 'center',
            ariaLabel: gettext('Routes'),
            store: {
                fields: ['id', 'family', 'dst', 'gateway', 'dev', 'metric', 'was', 'table', 'protocol', 'src', 'address', 'order'],
                sorters: [{ property: 'dst' }, { property: 'metric' }],
            },
            viewConfig: { enableTextSelection: true, deferEmptyText: true },
            emptyText: gettext('No route was found.'),
            plugins: PVE.rdma.Api.mayModify() ? [me.editing()] : [],
            tbar: [
                { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.nodeData.load() },
                me.planButton,
                me.undoButton,
                '->',
                { xtype: 'tbtext', itemId: 'count', html: '' },
            ],
            columns: [
                { text: gettext('Destination'), dataIndex: 'dst', flex: 2, minWidth: 160, renderer: text.renderer },
                { text: gettext('Gateway'), dataIndex: 'gateway', flex: 1, minWidth: 120, renderer: (gateway) => text.encode(gateway) },
                { text: gettext('Device'), dataIndex: 'dev', width: 120, renderer: text.renderer },
                {
                    text: gettext('Metric'),
                    dataIndex: 'metric',
                    width: 100,
                    tooltip: gettext('The smallest one of a destination decides. Press Enter or click to edit.'),
                    renderer: (metric, meta, record) => me.metric(metric, record),
                    editor: { xtype: 'numberfield', minValue: 0, maxValue: 4294967295, allowDecimals: false, allowBlank: false, hideTrigger: true },
                },
                { text: gettext('Table'), dataIndex: 'table', width: 80, renderer: text.renderer },
                { text: gettext('Made by'), dataIndex: 'protocol', width: 100, renderer: text.renderer },
            ],
            listeners: { selectionchange: () => me.draw() },
        });
        me.picture = Ext.create('PVE.rdma.RoutePicture', {});
        me.items = [
            me.grid,
            {
                xtype: 'panel',
                region: 'south',
                title: gettext('Paths'),
                height: 250,
                split: true,
                collapsible: true,
                animCollapse: false,
                layout: 'fit',
                items: [me.picture],
            },
        ];
        me.callParent();
        me.mon(me.nodeData, { report: () => me.showRows(), failed: () => me.grid.setLoading(false) });
        me.on('activate', () => me.showRows());
    },

    editing: function () {
        let me = this;
        return {
            ptype: 'cellediting',
            clicksToEdit: 1,
            listeners: {
                beforeedit: (plugin, context) => PVE.rdma.RouteRows.editable(context.record.data),
                edit: () => me.changed(),
            },
        };
    },

    metric: function (metric, record) {
        let text = PVE.rdma.Text;
        let was = record.get('was');
        let pencil = PVE.rdma.RouteRows.editable(record.data) ? ' <i class="fa fa-pencil" style="opacity: .4" aria-hidden="true"></i>' : '';
        if (metric === was) {
            return text.encode(metric) + pencil;
        }
        return `<b>${text.encode(metric)}</b> <s>${text.encode(was)}</s>${pencil}`;
    },

    rows: function () {
        return this.grid.getStore().getRange().map((record) => record.data);
    },

    showRows: function () {
        let me = this;
        if (!me.nodeData.report || !me.rendered) {
            return;
        }
        let edited = new Map(me.rows().filter((row) => row.metric !== row.was).map((row) => [row.id, row.metric]));
        let rows = PVE.rdma.RouteRows.rows(me.nodeData.report);
        PVE.rdma.Sync.grid(
            me.grid.getStore(),
            rows.map((row) => (edited.has(row.id) ? { ...row, metric: edited.get(row.id) } : row)),
        );
        me.down('#count').setHtml(PVE.rdma.Text.encode(Ext.String.format(gettext('{0} routes'), rows.length)));
        me.changed();
    },

    changed: function () {
        let me = this;
        let changed = me.rows().some((row) => row.metric !== row.was);
        me.planButton.setDisabled(!changed);
        me.undoButton.setDisabled(!changed);
        me.draw();
    },

    revert: function () {
        this.grid.getStore().each((record) => record.set('metric', record.get('was'), { commit: true }));
        this.changed();
    },

    draw: function () {
        let [chosen] = this.grid.getSelection();
        this.picture.draw(PVE.rdma.RouteRows.pictured(this.rows(), chosen?.data), this.nodeData.nodename);
    },
});
