// Devices, ports and network cards, with the findings beside them.
Ext.define('PVE.rdma.Overview', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaOverview',

    title: gettext('Overview'),
    layout: 'border',
    // In a window narrower than this the findings are folded away.
    narrow: 1100,

    initComponent: function () {
        let me = this;
        me.summary = Ext.create('Ext.toolbar.TextItem', { html: '', ariaRole: 'status' });
        me.recordButton = Ext.create('Ext.button.Button', {
            text: gettext('Record report'),
            iconCls: 'fa fa-download',
            disabled: true,
            tooltip: gettext('Saves what was read as a file that pve-rdma diagnose takes.'),
            handler: () => me.record(),
        });
        me.tbar = [
            { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.nodeData.load() },
            me.recordButton,
            '->',
            me.summary,
        ];
        me.tree = Ext.create('Ext.tree.Panel', me.treeConfig());
        me.empty = Ext.create('PVE.rdma.EmptyState', { region: 'north', hidden: true });
        me.findings = Ext.create('PVE.rdma.Findings', {
            region: 'east',
            width: '36%',
            minWidth: 230,
            split: true,
            collapsible: true,
            animCollapse: false,
            listeners: {
                subject: (finding) => me.mark(finding),
                prepare: (document, title) => me.fireEvent('propose', document, title),
            },
        });
        me.items = [me.empty, me.tree, me.findings];
        me.callParent();
        me.mon(me.nodeData, {
            loading: () => me.tree.setLoading(!me.nodeData.report),
            report: (report) => me.setReport(report),
            findings: (findings, unjudged) => me.setFindings(findings, unjudged),
            unjudged: (failure) => me.summary.setHtml(PVE.rdma.Text.encode(failure.message)),
            failed: (failure) => me.fail(failure),
        });
        me.on('resize', () => me.fold(Ext.Element.getViewportWidth()));
    },

    treeConfig: function () {
        let me = this;
        let text = PVE.rdma.Text;
        return {
            region: 'center',
            rootVisible: false,
            ariaLabel: gettext('Devices and ports'),
            store: {
                fields: ['text', 'detail', 'state', 'rate', 'width', 'mtu', 'firmware', 'note', 'severity', 'links', 'place'],
                root: { expanded: true, children: [] },
            },
            viewConfig: { enableTextSelection: true },
            columns: [
                {
                    xtype: 'treecolumn',
                    text: gettext('Device / port'),
                    dataIndex: 'text',
                    flex: 2,
                    minWidth: 124,
                    renderer: function (value, meta, record) {
                        meta.tdAttr = `data-qtip="${Ext.htmlEncode(text.encode(record.get('detail')))}"`;
                        let detail = record.get('leaf') ? '' : ` ${text.encode(record.get('detail'))}`;
                        return text.encode(value) + detail;
                    },
                },
                {
                    text: '',
                    dataIndex: 'severity',
                    width: 40,
                    menuDisabled: true,
                    ariaLabel: gettext('Findings'),
                    renderer: (severity) => text.severityIcon(severity),
                },
                { text: gettext('State'), dataIndex: 'state', width: 92, renderer: (state) => me.state(state) },
                { text: gettext('Rate'), dataIndex: 'rate', width: 78, renderer: (rate) => text.cell(text.rate(rate)) },
                { text: gettext('Width'), dataIndex: 'width', width: 68, renderer: text.renderer },
                { text: gettext('MTU'), dataIndex: 'mtu', width: 62, renderer: text.renderer },
                {
                    text: gettext('Firmware'),
                    dataIndex: 'firmware',
                    flex: 1,
                    minWidth: 84,
                    cellWrap: true,
                    renderer: (firmware, meta, record) => me.firmware(firmware, record),
                },
            ],
            listeners: {
                selectionchange: (model, [record]) => record && !me.marking && me.showFindingsOf(record),
            },
        };
    },

    state: function (state) {
        let text = PVE.rdma.Text;
        if (!state) {
            return text.cell(state);
        }
        let good = ['ACTIVE', 'UP'].includes(state);
        let icon = good ? 'fa-check-circle good' : state === 'DOWN' ? 'fa-minus-circle' : 'fa-question-circle warning';
        return `<i class="fa fa-fw ${icon}" aria-hidden="true"></i> ${text.encode(text.word(state))}`;
    },

    // Beside the firmware what holds the port or the slot back.
    firmware: function (firmware, record) {
        let text = PVE.rdma.Text;
        let note = record.get('note');
        if (!note) {
            return text.cell(firmware);
        }
        let sign = record.get('place').includes('/ports/') ? '' : `${text.icon('fa-exclamation-triangle warning', gettext('Warning'))} `;
        return [firmware ? text.encode(firmware) : '', sign + text.encode(note)].filter(Boolean).join(' ');
    },

    setReport: function (report) {
        let me = this;
        me.recordButton.enable();
        me.rows = PVE.rdma.Model.rows(report);
        Ext.suspendLayouts();
        me.withSeverities();
        PVE.rdma.Sync.tree(me.tree.getRootNode(), me.rows);
        me.empty.hide();
        if (!me.rows.length) {
            me.empty.say(
                gettext('No RDMA device or fast NIC found.'),
                Ext.String.format(gettext('Looked at: {0}.'), PVE.rdma.Model.lookedAt(report).join(', ')),
            );
        }
        Ext.resumeLayouts(true);
        me.tree.setLoading(false);
        me.summary.setHtml(PVE.rdma.Text.encode(gettext('judging...')));
    },

    // Rows carry the worst that was found of them, so a reload changes a row only when that changes.
    withSeverities: function () {
        let me = this;
        let worst = new Map();
        for (const finding of me.nodeData.findings) {
            for (const id of PVE.rdma.Model.rowsOf(finding, me.rows, me.nodeData.report)) {
                worst.set(id, PVE.rdma.Text.worst([finding, { severity: worst.get(id) }]));
            }
        }
        let give = (row) => {
            row.severity = worst.get(row.id) ?? '';
            (row.children ?? []).forEach(give);
        };
        me.rows.forEach(give);
    },

    setFindings: function (findings, unjudged) {
        let me = this;
        me.withSeverities();
        PVE.rdma.Sync.tree(me.tree.getRootNode(), me.rows);
        me.findings.setFindings(findings, unjudged, me.nodeData.report);
        let manager = PVE.rdma.Model.manager(me.nodeData.report);
        me.summary.setHtml(PVE.rdma.Text.encode([PVE.rdma.Text.counts(findings), manager].filter(Boolean).join(' · ')));
    },

    fail: function (failure) {
        let me = this;
        me.tree.setLoading(false);
        me.summary.setHtml('');
        me.empty.fail(failure, me.nodeData.nodename);
    },

    mark: function (finding) {
        let me = this;
        let [id] = PVE.rdma.Model.rowsOf(finding, me.rows ?? [], me.nodeData.report);
        let node = id && me.tree.getStore().getNodeById(id);
        me.marking = true;
        if (node) {
            me.tree.ensureVisible(node.getPath(), { select: true });
        } else {
            me.tree.getSelectionModel().deselectAll();
        }
        me.marking = false;
    },

    showFindingsOf: function (record) {
        let me = this;
        me.findings.showFor((finding) =>
            PVE.rdma.Model.rowsOf(finding, me.rows, me.nodeData.report).includes(record.getId()),
        );
    },

    record: function () {
        let text = JSON.stringify(this.nodeData.report, null, 1);
        let link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
        link.download = `${this.nodeData.nodename}-rdma-report.json`;
        link.click();
        URL.revokeObjectURL(link.href);
    },

    // Only when the width passes the limit: who unfolds it again keeps it so.
    fold: function (width) {
        let narrow = width < this.narrow;
        if (narrow !== this.wasNarrow) {
            this.wasNarrow = narrow;
            this.findings[narrow ? 'collapse' : 'expand']();
        }
    },
});
