// Would a vendor's driver take this node apart? The verdict, what would be removed and why, and what to do instead.
Ext.define('PVE.rdma.BundleCheck', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaBundleCheck',

    title: gettext("Check a vendor's driver"),
    layout: { type: 'hbox', align: 'stretch' },

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        me.path = Ext.create('Ext.form.field.Text', {
            fieldLabel: gettext('Bundle or package'),
            labelWidth: 135,
            flex: 2,
            maxWidth: 520,
            emptyText: '/root/MLNX_OFED_LINUX-24.10-2.1.8.0-debian12.5-x86_64.tgz',
            listeners: { specialkey: (field, event) => event.getKey() === event.ENTER && me.checkButton.handler() },
        });
        me.flags = Ext.create('Ext.form.field.Text', { fieldLabel: gettext('Flags'), labelWidth: 45, width: 180, emptyText: '--kernel-only' });
        me.checkButton = Ext.create('Ext.button.Button', { text: gettext('Check'), iconCls: 'fa fa-check-square-o', handler: () => PVE.rdma.Busy.run(me.checkButton, () => me.check()) });
        me.verdict = Ext.create('Ext.toolbar.TextItem', { html: '', ariaRole: 'status' });
        me.tbar = [me.path, me.flags, me.checkButton, me.verdict];
        me.removed = Ext.create('Ext.tree.Panel', {
            title: gettext('What would be removed, and why'),
            flex: 1,
            rootVisible: false,
            lines: true,
            store: { fields: ['text', 'tier'], root: { expanded: true, children: [] } },
            viewConfig: { enableTextSelection: true, emptyText: gettext('Nothing.'), deferEmptyText: true },
            hideHeaders: true,
            columns: [
                {
                    xtype: 'treecolumn',
                    dataIndex: 'text',
                    flex: 1,
                    cellWrap: true,
                    renderer: (value, meta, record) => `${record.get('tier') ? text.severityIcon('error') : ''} ${text.encode(value)}`,
                },
            ],
        });
        me.plan = Ext.create('Ext.grid.Panel', {
            title: gettext('What to do'),
            flex: 1,
            store: { fields: ['id', 'title', 'why', 'commands'] },
            emptyText: gettext('Nothing was checked yet.'),
            viewConfig: { enableTextSelection: true, deferEmptyText: false },
            hideHeaders: true,
            columns: [
                { xtype: 'rownumberer', width: 40 },
                {
                    dataIndex: 'title',
                    flex: 1,
                    cellWrap: true,
                    renderer: (title, meta, record) =>
                        [
                            `<b>${text.encode(title)}</b>`,
                            text.encode(record.get('why')),
                            ...(record.get('commands') ?? []).map((line) => `<code>${text.encode(line)}</code>`),
                        ].join('<br>'),
                },
            ],
        });
        me.items = [me.removed, { xtype: 'splitter' }, me.plan];
        me.callParent();
    },

    check: async function () {
        let me = this;
        let text = PVE.rdma.Text;
        let path = me.path.getValue().trim();
        if (!path) {
            return;
        }
        let say = (line) => me.verdict.setHtml(text.encode(Ext.String.ellipsis(line, 60)));
        say(gettext('reading...'));
        try {
            let flags = me.flags.getValue().split(/\s+/).filter(Boolean);
            let upid = await PVE.rdma.Api.send('POST', me.nodeData.nodename, 'ofed/check', {
                ...(path.startsWith('/') ? { bundle: path } : { packages: path.split(/[\s,]+/) }),
                ...(flags.length ? { installer_flags: flags } : {}),
            }, { owner: me });
            let reply = await PVE.rdma.Api.task(me.nodeData.nodename, upid, (line) => say(line || gettext('reading...')), { owner: me });
            if (reply.error) {
                throw { message: [reply.error.subject, reply.error.message, reply.error.hint].filter(Boolean).join(': ') };
            }
            me.showVerdict(reply);
        } catch (failure) {
            say(failure.message);
            me.verdict.getEl()?.set({ 'data-qtip': Ext.htmlEncode(text.encode(failure.message)) });
        }
    },

    showVerdict: function (reply) {
        let me = this;
        let text = PVE.rdma.Text;
        let judged = reply.ofed ?? reply.verdict;
        let level = { BLOCK: 'error', WARN: 'warning' }[judged.level];
        let icon = level ? text.severityIcon(level) : text.icon('fa-check-circle good', 'OK');
        me.verdict.setHtml(`${icon} <b>${text.encode(judged.level)}</b> ${text.encode(judged.release ?? '')}`);
        let root = me.removed.getRootNode();
        root.removeAll();
        root.appendChild(judged.removed.map((one) => PVE.rdma.BundleCheck.chain(one)));
        me.plan.getStore().loadData(judged.plan.map((step, index) => ({ id: index, ...step })));
    },

    statics: {
        // A package that goes, below it the reasons, each below the one that follows from it.
        chain: function (one) {
            let below = [...(one.chain ?? [])].reduceRight(
                (children, sentence) => [{ text: sentence, leaf: !children.length, expanded: true, iconCls: 'fa fa-level-up fa-rotate-90', children }],
                [],
            );
            return {
                text: [one.name, one.version, one.by ? `(${one.by})` : ''].filter(Boolean).join(' '),
                tier: one.tier,
                iconCls: 'fa fa-cube',
                leaf: !below.length,
                expanded: Boolean(one.tier),
                children: below,
            };
        },
    },
});
