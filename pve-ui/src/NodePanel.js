// Node > System > RDMA: the tabs over one node's data.
Ext.define('PVE.rdma.NodePanel', {
    extend: 'Ext.tab.Panel',
    alias: 'widget.pveRdmaNodePanel',

    initComponent: function () {
        let me = this;
        me.nodename ??= me.pveSelNode.data.node;
        me.nodeData = Ext.create('PVE.rdma.NodeData', { nodename: me.nodename });
        me.items = ['Overview', 'Interfaces', 'Routes', 'Mtu', 'Fabric', 'Driver', 'Changes'].map((tab) => ({
            xtype: `pveRdma${tab}`,
            itemId: tab.toLowerCase(),
            border: false,
            nodeData: me.nodeData,
            listeners: { propose: (wanted, title) => me.propose(wanted, title) },
        }));
        me.callParent();
        me.changes = me.down('#changes');
        me.mon(me.changes, 'pending', (words) => me.showPending(words));
        me.on('afterrender', () => me.start(), me, { single: true });
    },

    // The Overview's two requests come first; whether a change waits is asked behind them.
    start: async function () {
        await this.nodeData.load();
        if (!this.destroyed && this.nodeData.report) {
            this.changes.load();
        }
    },

    propose: function (wanted, title) {
        this.setActiveTab(this.changes);
        this.changes.propose(wanted, title);
    },

    showPending: function (words) {
        let title = PVE.rdma.Text.encode(gettext('Changes'));
        this.changes.tab?.setText(words ? `${title} <span class="warning">●</span> ${PVE.rdma.Text.encode(words)}` : title);
    },
});
