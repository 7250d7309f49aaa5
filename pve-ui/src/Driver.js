// Whose driver runs, what another one would do, and the guard.
Ext.define('PVE.rdma.Driver', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaDriver',

    title: gettext('Driver'),
    layout: { type: 'vbox', align: 'stretch' },

    initComponent: function () {
        let me = this;
        me.tbar = [{ text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.load() }];
        me.stack = Ext.create('Ext.Component', { padding: 10, maxHeight: 190, scrollable: true, html: '' });
        me.guard = Ext.create('PVE.rdma.Guard', { nodeData: me.nodeData });
        me.items = [me.stack, me.guard, { xtype: 'pveRdmaBundleCheck', flex: 1, minHeight: 180, nodeData: me.nodeData }];
        me.callParent();
        me.on('activate', () => !me.loaded && me.load());
    },

    load: async function () {
        let me = this;
        me.loaded = true;
        me.guard.load();
        try {
            let reply = await PVE.rdma.Api.get(me.nodeData.nodename, 'ofed/status', {}, { owner: me });
            me.stack.setHtml(me.describe(reply.ofed, reply.warnings ?? []));
        } catch (failure) {
            me.stack.setHtml(PVE.rdma.Text.encode(failure.message));
        }
    },

    stacks: () => ({
        inbox: gettext("The kernel's own driver runs."),
        ofed: gettext("The vendor's driver MLNX_OFED runs."),
        doca: gettext("The vendor's driver DOCA-OFED runs."),
        mixed: gettext("The kernel's driver and the vendor's are mixed."),
        none: gettext('No RDMA driver runs.'),
        unknown: gettext('Whose driver runs could not be found out.'),
    }),

    describe: function (ofed, warnings) {
        let text = PVE.rdma.Text;
        let bad = ofed.stack === 'mixed' || (ofed.half_done ?? []).length > 0;
        let lines = [
            `${text.severityIcon(bad ? 'error' : ofed.stack === 'unknown' ? 'warning' : 'info')} <b>${text.encode(this.stacks()[ofed.stack] ?? ofed.stack)}</b> ${text.encode(ofed.release ?? '')}`,
        ];
        let list = (title, entries) => {
            if (entries?.length) {
                lines.push(`<b>${text.encode(title)}</b>`, ...entries.map((entry) => `&nbsp; ${text.encode(entry)}`));
            }
        };
        let said = (one) => [one.subject, one.message, one.remedy].filter(Boolean).join(': ');
        list(gettext('Half done'), ofed.half_done?.map(said));
        list(gettext('Left over'), ofed.leftovers?.map(said));
        list(gettext('The way back'), ofed.back?.map((step) => [step.title, ...(step.commands ?? [])].join(' · ')));
        list(gettext('Kernels'), ofed.kernels?.map((kernel) => [kernel.release, kernel.running ? gettext('(runs)') : '', kernel.drivers].filter(Boolean).join(' ')));
        list(gettext('Not known'), warnings);
        return lines.join('<br>');
    },
});
