// What is wrong, the worst first. A row opens to its evidence and its remedy. Fires
//   subject(finding), prepare(document, title)
Ext.define('PVE.rdma.Findings', {
    extend: 'Ext.grid.Panel',
    alias: 'widget.pveRdmaFindings',

    title: gettext('Findings'),
    emptyText: gettext('Nothing is wrong, as far as it could be judged.'),
    hideHeaders: true,
    stateful: false,
    rowLines: true,
    viewConfig: { enableTextSelection: true, deferEmptyText: true },

    initComponent: function () {
        let me = this;
        me.store = Ext.create('Ext.data.Store', {
            fields: ['id', 'rule', 'severity', 'certainty', 'subject', 'message', 'remedy', 'evidence', 'rank'],
            sorters: [{ property: 'rank', direction: 'DESC' }],
        });
        me.columns = [
            {
                dataIndex: 'severity',
                width: 42,
                renderer: (severity) => PVE.rdma.Text.severityIcon(severity),
            },
            {
                dataIndex: 'message',
                flex: 1,
                cellWrap: true,
                renderer: function (message, meta, record) {
                    let sure = record.get('certainty');
                    let doubt = sure && sure !== 'certain' ? ` (${PVE.rdma.Text.encode(gettext(sure))})` : '';
                    return `<b>${PVE.rdma.Text.encode(record.get('subject'))}</b>${doubt}<br>${PVE.rdma.Text.encode(message)}`;
                },
            },
        ];
        me.plugins = [
            {
                ptype: 'rowexpander',
                expandOnDblClick: true,
                expandOnEnter: true,
                rowBodyTpl: ['{[this.details(values)]}', { details: (values) => me.details(values) }],
            },
        ];
        me.prepareButton = Ext.create('Ext.button.Button', {
            text: gettext('Prepare change'),
            iconCls: 'fa fa-pencil',
            disabled: true,
            tooltip: gettext('Makes a plan of what would put this right. Nothing is applied.'),
            handler: () => me.prepare(),
        });
        me.bbar = [me.prepareButton, '->', { xtype: 'tbtext', itemId: 'unjudged', html: '' }];
        me.callParent();
        me.on('selectionchange', (model, [record]) => me.choose(record));
    },

    // The expander renders rows through a template; each value in it is encoded here.
    details: function (values) {
        let encode = PVE.rdma.Text.encode;
        let evidence = (values.evidence ?? [])
            .map(({ path, value }) => `<li><code>${encode(path)}</code> = ${encode(value)}</li>`)
            .join('');
        return (
            `<div style="padding: 4px 10px 8px 34px; white-space: normal;">` +
            `<b>${encode(gettext('What to do'))}</b><p style="margin: 2px 0 8px">${encode(values.remedy)}</p>` +
            `<b>${encode(gettext('Why'))}</b> (${encode(values.rule)})<ul style="margin: 2px 0; padding-left: 18px; word-break: break-all">` +
            `${evidence}</ul></div>`
        );
    },

    setFindings: function (findings, unjudged, report) {
        let me = this;
        me.report = report;
        let seen = {};
        PVE.rdma.Sync.grid(
            me.store,
            findings.map((finding) => {
                let key = [finding.rule, finding.node, finding.subject].join(' ');
                seen[key] = (seen[key] ?? 0) + 1;
                return {
                    ...finding,
                    id: `${key} ${seen[key]}`,
                    rank: PVE.rdma.Text.severities[finding.severity]?.rank ?? 0,
                };
            }),
        );
        let text = '';
        if (unjudged.length) {
            let rules = unjudged.reduce((sum, one) => sum + one.rules.length, 0);
            let reasons = unjudged.map((one) => PVE.rdma.Text.encode(one.reason)).join('<br>');
            text = `<span data-qtip="${Ext.htmlEncode(reasons)}">${Ext.String.format(gettext('{0} rules not judged'), rules)}</span>`;
        }
        me.down('#unjudged').setHtml(text);
    },

    choose: function (record) {
        let me = this;
        me.prepareButton.setDisabled(!record || !PVE.rdma.Api.mayModify() || !PVE.rdma.Evidence.change(record.data, me.report));
        if (record) {
            me.fireEvent('subject', record.data);
        }
    },

    prepare: function () {
        let [record] = this.getSelection();
        this.fireEvent('prepare', PVE.rdma.Evidence.change(record.data, this.report), record.get('message'));
    },

    // Chooses what is said of one row of the hardware; nothing is fired.
    showFor: function (matches) {
        let me = this;
        let record = me.store.findBy((one) => matches(one.data));
        me.suspendEvent('subject');
        if (record >= 0) {
            me.getSelectionModel().select(record);
            me.getView().focusRow?.(record);
        } else {
            me.getSelectionModel().deselectAll();
        }
        me.resumeEvent('subject');
    },
});
