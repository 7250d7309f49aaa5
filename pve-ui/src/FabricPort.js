// Both ends of a link, PortInfo side by side; what differs is marked.
//   Ext.create('PVE.rdma.FabricPort', { nodename, ends: [{ target, label }, ...], autoShow: true })
Ext.define('PVE.rdma.FabricPort', {
    extend: 'Ext.window.Window',

    modal: true,
    width: 720,
    height: 520,
    layout: 'fit',

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        me.title = text.encode(me.ends.map((end) => end.label).join(' – '));
        me.grid = Ext.create('Ext.grid.Panel', {
            border: false,
            store: { fields: ['id', 'field', 'values', 'differs'] },
            emptyText: gettext('Neither end answers.'),
            viewConfig: {
                enableTextSelection: true,
                deferEmptyText: true,
                getRowClass: (record) => (record.get('differs') ? 'proxmox-warning-row' : ''),
            },
            columns: [
                { text: gettext('Field'), dataIndex: 'field', flex: 1, renderer: text.renderer },
                ...me.ends.map((end, index) => ({
                    text: text.encode(end.label),
                    dataIndex: 'values',
                    flex: 1,
                    sortable: false,
                    cellWrap: true,
                    renderer: (values) => text.cell(values[index]),
                })),
                {
                    text: '',
                    dataIndex: 'differs',
                    width: 34,
                    renderer: (differs) => (differs ? text.icon('fa-not-equal fa-exclamation warning', gettext('differs')) : ''),
                },
            ],
        });
        me.items = [me.grid];
        me.callParent();
        me.on('show', () => me.load(), me, { single: true });
    },

    // What must be alike at both ends of a link; the rest may differ.
    alike: new Set(['state', 'width', 'speed', 'neighbor_mtu', 'mtu_cap', 'vl_cap', 'sm_lid']),

    load: async function () {
        let me = this;
        me.setLoading(true);
        let infos = await Promise.all(
            me.ends.map((end) =>
                PVE.rdma.Api.get(me.nodename, 'fabric/port', { target: end.target })
                    .then((reply) => reply.fabric.info ?? {})
                    .catch((failure) => ({ [gettext('no answer')]: failure.message })),
            ),
        );
        if (me.destroyed) {
            return;
        }
        let value = (info, field) => (Ext.isArray(info[field]) ? info[field].join(' ') : info[field]);
        let fields = [...new Set(infos.flatMap((info) => Object.keys(info)))].filter((field) => !/_code$/.test(field));
        me.grid.getStore().loadData(
            fields.map((field) => {
                let values = infos.map((info) => value(info, field));
                return { id: field, field, values, differs: me.alike.has(field) && values[0] !== values[1] };
            }),
        );
        me.setLoading(false);
    },
});
