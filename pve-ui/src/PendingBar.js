// A change that waits: how long still, in words and as a bar that empties, and the two ways it can end. Fires confirm(id), rollback(id).
Ext.define('PVE.rdma.PendingBar', {
    extend: 'Ext.container.Container',
    alias: 'widget.pveRdmaPendingBar',

    layout: { type: 'hbox', align: 'middle' },
    padding: 10,
    hidden: true,

    initComponent: function () {
        let me = this;
        // No live region: nobody wants to hear each second.
        me.words = Ext.create('Ext.Component', { flex: 1, ariaRole: 'timer' });
        me.bar = Ext.create('Ext.ProgressBar', { width: 180, margin: '0 0 0 10' });
        let act = (name) => () => me.fireEvent(name, me.transaction.id);
        me.confirmButton = Ext.create('Ext.button.Button', {
            text: gettext('Confirm'),
            iconCls: 'fa fa-check',
            margin: '0 0 0 10',
            disabled: !PVE.rdma.Api.mayModify(),
            tooltip: gettext('Keeps the change. It is sent over a new connection, to show that the node can be reached.'),
            handler: act('confirm'),
        });
        me.rollbackButton = Ext.create('Ext.button.Button', {
            text: gettext('Roll back'),
            iconCls: 'fa fa-undo',
            margin: '0 0 0 6',
            disabled: !PVE.rdma.Api.mayModify(),
            handler: act('rollback'),
        });
        me.items = [me.words, me.bar, me.confirmButton, me.rollbackButton];
        me.callParent();
    },

    // `lost`: the node does not answer, so nobody can press anything.
    showState: function (transaction, deadline, nodename, lost) {
        let me = this;
        me.transaction = transaction;
        let clock = PVE.rdma.Text.clock(deadline.left());
        let words;
        if (!lost) {
            words = Ext.String.format(gettext('Not confirmed yet: taken back in {0}'), clock);
        } else if (deadline.left() > 0) {
            words = Ext.String.format(gettext('{0} does not answer. It restores its old network by itself in {1}.'), nodename, clock);
        } else {
            words = Ext.String.format(gettext('{0} does not answer yet. Its time is over: it restores its old network now.'), nodename);
        }
        let text = PVE.rdma.Text;
        me.words.setHtml(`${text.severityIcon(lost ? 'error' : 'warning')} <b>${text.encode(words)}</b>`);
        me.bar.updateProgress(deadline.fraction(), '', false);
        me.bar.toggleCls('warning', !lost);
        me.bar.toggleCls('critical', Boolean(lost));
        let may = PVE.rdma.Api.mayModify() && !lost && !me.busy;
        me.confirmButton.setDisabled(!may);
        me.rollbackButton.setDisabled(!may);
        me.show();
    },
});
