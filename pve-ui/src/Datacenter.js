// Datacenter > RDMA: what the nodes are, side by side; what differs is marked; a node that did not answer says so.
Ext.define('PVE.rdma.Datacenter', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaDatacenter',

    layout: 'border',

    initComponent: function () {
        let me = this;
        me.summary = Ext.create('Ext.toolbar.TextItem', { html: '', ariaRole: 'status' });
        me.probeButton = Ext.create('Ext.button.Button', {
            text: gettext('Probe all paths'),
            iconCls: 'fa fa-search',
            disabled: !Ext.state.Manager.get('GuiCap')?.dc?.['Sys.Modify'],
            handler: () => PVE.rdma.Busy.run(me.probeButton, () => me.probe()),
        });
        me.tbar = [
            { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.load() },
            me.probeButton,
            '->',
            me.summary,
        ];
        me.grid = Ext.create('Ext.grid.Panel', me.gridConfig());
        me.findings = Ext.create('PVE.rdma.Findings', { region: 'east', width: 360, split: true, collapsible: true, animCollapse: false });
        me.findings.prepareButton.hide();
        me.matrix = Ext.create('PVE.rdma.MtuPeers', { region: 'south', height: 230, split: true });
        me.items = [me.grid, me.findings, me.matrix];
        me.callParent();
        me.on('afterrender', () => me.load(), me, { single: true });
        me.on('resize', () => Ext.Element.getViewportWidth() < 1100 && me.findings.collapse());
    },

    gridConfig: function () {
        let me = this;
        let text = PVE.rdma.Text;
        let column = (title, field, width) => ({
            text: title,
            dataIndex: field,
            flex: width ? undefined : 1,
            width,
            minWidth: width ?? 90,
            cellWrap: true,
            renderer: (value, meta, record) => me.cell(field, value, record),
        });
        return {
            region: 'center',
            store: { fields: ['id', 'node', 'error', 'mtu', 'mode', 'rate', 'firmware', 'driver', 'sm', 'severity', 'counts', 'differs'], sorters: 'node' },
            viewConfig: { enableTextSelection: true },
            columns: [
                {
                    text: gettext('Node'),
                    dataIndex: 'node',
                    width: 110,
                    renderer: (node) => `<b>${text.encode(node)}</b>`,
                },
                column(gettext('MTU'), 'mtu', 80),
                column(gettext('Mode'), 'mode', 100),
                column(gettext('Rate'), 'rate', 90),
                column(gettext('Firmware'), 'firmware'),
                column(gettext('Driver'), 'driver', 100),
                column(gettext('SM'), 'sm', 80),
                {
                    text: gettext('Findings'),
                    dataIndex: 'counts',
                    flex: 1,
                    minWidth: 130,
                    cellWrap: true,
                    renderer: (counts, meta, record) =>
                        record.get('error')
                            ? `${text.severityIcon('warning')} ${text.encode(Ext.String.format(gettext('no answer: {0}'), record.get('error')))}`
                            : `${text.severityIcon(record.get('severity'))} ${text.encode(counts)}`,
                },
            ],
            listeners: {
                itemdblclick: (view, record) => me.drillDown(record),
                itemkeydown: (view, record, item, index, event) => event.getKey() === event.ENTER && me.drillDown(record),
            },
        };
    },

    cell: function (field, value, record) {
        let text = PVE.rdma.Text;
        if (record.get('error')) {
            return '';
        }
        let shown = text.cell(value).replace(/\n/g, '<br>');
        let differs = (record.get('differs') ?? []).includes(field);
        return differs ? `${text.icon('fa-exclamation warning', gettext('differs from other nodes'))}${shown}` : shown;
    },

    load: async function () {
        let me = this;
        me.setLoading(gettext('Asking the nodes...'));
        try {
            let cluster = await PVE.rdma.Api.request('GET', '/cluster/rdma', {}, { owner: me });
            me.showCluster(cluster);
        } catch (failure) {
            me.summary.setHtml(PVE.rdma.Text.encode(failure.message));
        }
        me.setLoading(false);
    },

    showCluster: function (cluster) {
        let me = this;
        PVE.rdma.Sync.grid(me.grid.getStore(), PVE.rdma.Datacenter.rows(cluster));
        me.findings.setFindings(cluster.findings, cluster.unjudged ?? []);
        me.matrix.setMatrix(cluster.matrix ?? []);
        let missing = cluster.missing.length ? Ext.String.format(gettext('{0} did not answer'), cluster.missing.join(', ')) : '';
        me.summary.setHtml(PVE.rdma.Text.encode([PVE.rdma.Text.counts(cluster.findings), missing].filter(Boolean).join(' · ')));
    },

    probe: async function () {
        let me = this;
        try {
            let upid = await PVE.rdma.Api.request('POST', '/cluster/rdma/mtu', {}, { owner: me });
            let node = upid.split(':')[1];
            let reply = await PVE.rdma.Api.task(node, upid, (line) => me.summary.setHtml(PVE.rdma.Text.encode(Ext.String.ellipsis(line, 80))), { owner: me });
            me.matrix.setMatrix(reply.matrix);
        } catch (failure) {
            me.summary.setHtml(PVE.rdma.Text.encode(failure.message));
        }
    },

    // The node's own panel, at our tab.
    drillDown: function (record) {
        Ext.state.Manager.getProvider().set('nodetab', { value: 'rdma' });
        this.up('viewport')?.selectById?.(`node/${record.get('node')}`);
    },

    statics: {
        rows: function (cluster) {
            let rows = cluster.nodes.map(({ node, report, error }) => this.row(node, report, error, cluster.findings));
            for (const field of ['mtu', 'mode', 'rate', 'firmware', 'driver', 'sm']) {
                let known = rows.filter((row) => row[field]);
                if (new Set(known.map((row) => row[field])).size > 1) {
                    known.forEach((row) => row.differs.push(field));
                }
            }
            return rows;
        },

        row: function (node, report, error, findings) {
            if (!report) {
                return { id: node, node, error: error ?? gettext('no report'), differs: [] };
            }
            let each = (values) => [...new Set(values.filter((value) => value !== undefined && value !== null && value !== ''))].sort().join('\n');
            let ports = (report.devices ?? []).flatMap((device) => device.ports ?? []);
            let ours = (report.links ?? []).filter((link) => PVE.rdma.Model.isPhysical(link));
            let own = findings.filter((finding) => finding.node === (report.system?.hostname ?? node));
            return {
                id: node,
                node,
                error: '',
                mtu: each(ours.map((link) => link.mtu)),
                mode: each(ours.map((link) => link.ipoib?.mode)),
                rate: each(ports.map((port) => PVE.rdma.Text.rate(port.rate_gbps))),
                firmware: each((report.devices ?? []).map((device) => device.fw_ver)),
                driver: each((report.devices ?? []).map((device) => device.driver)),
                sm: each(ports.map((port) => port.sm_lid || undefined)),
                severity: PVE.rdma.Text.worst(own) ?? '',
                counts: PVE.rdma.Text.counts(own),
                differs: [],
            };
        },
    },
});
