// What a packet passes below each address: one group for each, a step for each link, the smallest marked.
Ext.define('PVE.rdma.MtuLadder', {
    extend: 'Ext.grid.Panel',
    alias: 'widget.pveRdmaMtuLadder',

    title: gettext('From an address down to the cable'),
    emptyText: gettext('No address was found.'),
    viewConfig: { enableTextSelection: true },

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        me.store = Ext.create('Ext.data.Store', {
            fields: ['id', 'chain', 'name', 'kind', 'depth', 'mtu', 'limit', 'smallest', 'note', 'role'],
            groupField: 'chain',
        });
        me.features = [{ ftype: 'grouping', groupHeaderTpl: ['{[this.encode(values.name)]}', { encode: text.encode }], collapsible: true }];
        me.columns = [
            {
                text: gettext('Step'),
                dataIndex: 'name',
                flex: 2,
                minWidth: 180,
                sortable: false,
                renderer: function (name, meta, record) {
                    let depth = record.get('depth');
                    return `<span style="padding-left: ${depth * 18}px">${depth ? '└ ' : ''}${text.encode(name)}</span>`;
                },
            },
            { text: gettext('Type'), dataIndex: 'kind', width: 100, sortable: false, renderer: text.renderer },
            { text: gettext('MTU'), dataIndex: 'mtu', width: 90, sortable: false, renderer: text.renderer },
            {
                text: gettext('Carries'),
                dataIndex: 'limit',
                width: 130,
                sortable: false,
                tooltip: gettext('The largest packet of the address above that passes this step.'),
                renderer: function (limit, meta, record) {
                    let mark = record.get('smallest') ? ` ${text.icon('fa-arrow-left warning', gettext('the smallest'))}` : '';
                    return text.encode(limit) + mark;
                },
            },
            {
                text: gettext('Note'),
                dataIndex: 'note',
                flex: 2,
                sortable: false,
                cellWrap: true,
                renderer: (note, meta, record) => text.encode(note || record.get('role')),
            },
        ];
        me.callParent();
    },

    // Chains as GET mtu gives them. The smallest is marked where something is smaller than what is sent.
    setChains: function (chains) {
        let rows = chains
            .filter((chain) => chain.link !== 'lo')
            .flatMap((chain) =>
                chain.hops.map((hop, index) => ({
                    id: `${chain.link} ${index}`,
                    chain: `${chain.link}: ${chain.addresses.join(', ')} · ${chain.message}`,
                    ...hop,
                    smallest: hop.name === chain.smallest && chain.mtu < chain.sent,
                })),
            );
        PVE.rdma.Sync.grid(this.store, rows);
    },
});
