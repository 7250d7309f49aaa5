// A plan before it is carried out: steps with their risks, what speaks against it, the files' diff. Fires
//   applied(upid), discarded()
Ext.define('PVE.rdma.PlanView', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaPlanView',

    title: gettext('Plan'),
    layout: { type: 'vbox', align: 'stretch' },
    hidden: true,

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        me.seconds = Ext.create('Ext.form.field.Number', {
            fieldLabel: gettext('Confirm within'),
            labelWidth: 110,
            width: 190,
            value: 120,
            minValue: 10,
            maxValue: 3600,
            allowDecimals: false,
        });
        me.applyButton = Ext.create('Ext.button.Button', {
            text: gettext('Apply'),
            iconCls: 'fa fa-play',
            disabled: true,
            handler: () => me.apply(),
        });
        me.tbar = [
            me.applyButton,
            me.seconds,
            { xtype: 'tbtext', text: gettext('seconds, else it is taken back') },
            '->',
            { text: gettext('Discard'), iconCls: 'fa fa-times', handler: () => me.discard() },
        ];
        me.notes = Ext.create('Ext.Component', { padding: '6 10', hidden: true, ariaRole: 'status', maxHeight: 130, scrollable: true });
        me.steps = Ext.create('Ext.grid.Panel', {
            flex: 1,
            minHeight: 90,
            ariaLabel: gettext('Steps'),
            store: { fields: ['id', 'text', 'undo', 'risk'] },
            emptyText: gettext('Nothing would change: all is as the document wants it.'),
            viewConfig: { enableTextSelection: true, deferEmptyText: false },
            columns: [
                { text: '#', dataIndex: 'id', width: 45 },
                { text: gettext('Step'), dataIndex: 'text', flex: 3, cellWrap: true, renderer: text.renderer },
                {
                    text: gettext('Risk'),
                    dataIndex: 'risk',
                    flex: 2,
                    cellWrap: true,
                    renderer: (risk) =>
                        risk === 'none'
                            ? text.encode(gettext('none'))
                            : `${text.icon('fa-exclamation-triangle warning', gettext('Risk'))} ${text.encode(risk)}`,
                },
                { text: gettext('Taken back by'), dataIndex: 'undo', flex: 3, cellWrap: true, hidden: true, renderer: text.renderer },
            ],
        });
        me.diff = Ext.create('Ext.panel.Panel', {
            title: gettext('Files'),
            flex: 2,
            minHeight: 60,
            scrollable: true,
            bodyPadding: '6 10',
            html: '',
        });
        me.items = [me.notes, me.steps, { xtype: 'splitter' }, me.diff];
        me.callParent();
    },

    // Asks for the plan of a document and shows it.
    propose: async function (wanted, title) {
        let me = this;
        me.wanted = wanted;
        me.reply = undefined;
        me.applyButton.disable();
        me.setTitle(`${PVE.rdma.Text.encode(gettext('Plan'))}: ${PVE.rdma.Text.encode(title)}`);
        me.show();
        me.setLoading(gettext('Planning...'));
        try {
            me.showReply(await PVE.rdma.Api.send('POST', me.nodeData.nodename, 'plan', { document: JSON.stringify(wanted) }, { owner: me }));
        } catch (failure) {
            me.steps.getStore().removeAll();
            me.showDiff('');
            me.say([[failure.message, 'error']]);
        } finally {
            me.setLoading(false);
        }
    },

    showReply: function (reply) {
        let me = this;
        me.reply = reply;
        me.steps.getStore().loadData(reply.plan ?? []);
        me.showDiff(reply.diff ?? '');
        let refusal = (one) => [one.subject, [one.message, one.hint].filter(Boolean).join('. ')].filter(Boolean).join(': ');
        me.say([
            ...(reply.refusals ?? []).map((one) => [refusal(one), 'error']),
            ...(reply.warnings ?? []).map((one) => [one, 'warning']),
        ]);
        me.applyButton.setDisabled(!reply.ok || !reply.plan?.length || !PVE.rdma.Api.mayModify());
    },

    say: function (lines) {
        let text = PVE.rdma.Text;
        this.notes.setHtml(
            lines.map(([line, severity]) => `${text.severityIcon(severity)} ${text.encode(line)}`.replace(/\n/g, '<br>')).join('<br>'),
        );
        this.notes.setHidden(!lines.length);
    },

    showDiff: function (diff) {
        let text = PVE.rdma.Text;
        let nothing = text.encode(gettext('No file changes.'));
        this.diff.update(diff ? `<pre style="margin:0; white-space: pre-wrap">${text.diff(diff)}</pre>` : nothing);
    },

    // What is carried out is what was shown: the digest ties it to the files that the plan was made from.
    apply: async function () {
        let me = this;
        if (!me.seconds.isValid()) {
            return;
        }
        me.applyButton.disable();
        try {
            let upid = await PVE.rdma.Api.send('POST', me.nodeData.nodename, 'network', {
                document: JSON.stringify(me.wanted),
                digest: me.reply.digest,
                confirm_within: me.seconds.getValue(),
            }, { owner: me });
            me.fireEvent('applied', upid, me.seconds.getValue());
        } catch (failure) {
            me.say([[failure.message, 'error']]);
            me.applyButton.enable();
        }
    },

    discard: function () {
        this.hide();
        this.wanted = undefined;
        this.fireEvent('discarded');
    },
});
