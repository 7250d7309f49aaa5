// The largest packet from node to node: a row for each that sends, a column for each that receives.
Ext.define('PVE.rdma.MtuPeers', {
    extend: 'Ext.grid.Panel',
    alias: 'widget.pveRdmaMtuPeers',

    title: gettext('From node to node'),
    emptyText: gettext('No two nodes share a network, or only one node answered.'),
    viewConfig: { enableTextSelection: true, deferEmptyText: false },
    columns: [],

    initComponent: function () {
        this.store = Ext.create('Ext.data.Store', { fields: ['id', 'from', 'cells'] });
        this.callParent();
    },

    // Cells as GET /cluster/rdma gives them, or the task of POST /cluster/rdma/mtu, which adds `probe`.
    setMatrix: function (cells) {
        let me = this;
        let names = [...new Set(cells.flatMap((cell) => [cell.from, cell.to]))].sort();
        let known = JSON.stringify(names);
        if (known !== me.known) {
            me.known = known;
            me.reconfigure(me.columnsFor(names));
        }
        PVE.rdma.Sync.grid(
            me.store,
            names.map((from) => ({ id: from, from, cells: cells.filter((cell) => cell.from === from) })),
        );
    },

    columnsFor: function (names) {
        let text = PVE.rdma.Text;
        return [
            { text: gettext('From \\ to'), dataIndex: 'from', width: 120, renderer: (from) => `<b>${text.encode(from)}</b>` },
            ...names.map((to) => ({
                text: text.encode(to),
                dataIndex: 'cells',
                minWidth: 90,
                flex: 1,
                sortable: false,
                renderer: (cells, meta, record) => this.cell(cells.filter((cell) => cell.to === to), meta, record.get('from') === to),
            })),
        ];
    },

    cell: function (cells, meta, same) {
        let text = PVE.rdma.Text;
        if (same || !cells.length) {
            return same ? '' : text.cell(undefined);
        }
        let words = cells.map((cell) => `${cell.network}: ${cell.message ?? Ext.String.format(gettext('{0}, not probed'), cell.mtu)}`);
        meta.tdAttr = `data-qtip="${Ext.htmlEncode(words.map(text.encode).join('<br>'))}"`;
        return cells
            .map((cell) => {
                if (!cell.probe) {
                    return text.encode(cell.mtu);
                }
                let good = cell.probe.verdict === 'passes';
                let icon = good ? text.icon('fa-check good', gettext('passes')) : text.icon('fa-times-circle critical', cell.probe.verdict);
                return `${icon} ${text.cell(cell.probe.reached)}`;
            })
            .join(' / ');
    },
});
