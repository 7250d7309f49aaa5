// SPDX-License-Identifier: GPL-3.0-or-later
// What the panel uses of Proxmox VE's toolkit, in the smallest form: requests, a node's and the datacenter's panel with a
// menu, the network panel's toolbar, a state provider that keeps the address of what is shown.
window.PVE = {};

// The state that a link holds: #NODE:ITEM
Ext.define('Frame.Provider', {
    extend: 'Ext.state.Provider',

    place: function () {
        let [node, item] = decodeURIComponent(window.location.hash.slice(1)).split(':');
        return { node: node || undefined, item: item || undefined };
    },

    set: function (name, state) {
        this.callParent(arguments);
        if (name === 'nodetab' || name === 'dctab') {
            window.history.replaceState(null, '', `#${this.node ?? ''}:${state.value}`);
        }
    },
});

Ext.define('Proxmox.Utils', {
    singleton: true,

    API2Request: function (options) {
        let mask = options.waitMsgTarget;
        mask?.setLoading?.(true);
        Ext.Ajax.request({
            ...options,
            url: `/api2/extjs${options.url}`,
            headers: { CSRFPreventionToken: Proxmox.CSRFPreventionToken },
            success: function (response) {
                mask?.setLoading?.(false);
                response.result = Ext.decode(response.responseText);
                options[response.result.success ? 'success' : 'failure']?.(response);
            },
            failure: function (response) {
                mask?.setLoading?.(false);
                response.result = {};
                options.failure?.(response);
            },
        });
    },
});

Ext.define('PVE.panel.Config', {
    extend: 'Ext.panel.Panel',
    layout: 'border',

    initComponent: function () {
        let me = this;
        me.byId = {};
        me.store = Ext.create('Ext.data.TreeStore', { root: { expanded: true } });
        let items = me.items;
        me.insertNodes(items);
        me.menu = Ext.create('Ext.tree.Panel', {
            region: 'west',
            width: 170,
            split: true,
            rootVisible: false,
            store: me.store,
            listeners: { selectionchange: (model, [node]) => node && me.showItem(node.getId()) },
        });
        me.content = Ext.create('Ext.container.Container', { region: 'center', layout: 'fit' });
        me.items = [me.menu, me.content];
        me.callParent();
        let provider = Ext.state.Manager.getProvider();
        me.mon(provider, 'statechange', (at, name, state) => {
            if (name === me.hstateid) {
                me.menu.setSelection(me.store.getNodeById(state.value));
            }
        });
        let wanted = provider.place().item;
        me.on('afterrender', () => me.menu.setSelection(me.store.getNodeById(me.byId[wanted] ? wanted : items[0].itemId)));
    },

    insertNodes: function (items) {
        for (const item of items) {
            let above = this.store.getNodeById((item.groups ?? [])[0]) ?? this.store.getRoot();
            above.appendChild({ id: item.itemId, text: item.title, iconCls: item.iconCls, leaf: true });
            above.expand();
            this.byId[item.itemId] = item;
        }
    },

    showItem: function (id) {
        this.content.removeAll(true);
        this.content.add({ ...this.byId[id], header: false });
        Ext.state.Manager.getProvider().set(this.hstateid, { value: id });
    },
});

Ext.define('Proxmox.node.NetworkView', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.proxmoxNodeNetworkView',
    html: 'Here stands the Network panel of Proxmox VE.',
    bodyPadding: 20,

    initComponent: function () {
        this.dockedItems = [{ xtype: 'toolbar', dock: 'top', items: [{ text: 'Apply Configuration', disabled: true }] }];
        this.callParent();
    },
});

Ext.define('PVE.node.Config', {
    extend: 'PVE.panel.Config',
    alias: 'widget.PVE.node.Config',
    hstateid: 'nodetab',

    initComponent: function () {
        this.items = [
            { xtype: 'panel', title: gettext('System'), itemId: 'services', iconCls: 'fa fa-cogs' },
            { xtype: 'proxmoxNodeNetworkView', title: gettext('Network'), itemId: 'network', iconCls: 'fa fa-exchange', groups: ['services'] },
            { xtype: 'panel', title: gettext('DNS'), itemId: 'dns', iconCls: 'fa fa-globe', groups: ['services'] },
        ];
        this.callParent();
    },
});

Ext.define('PVE.dc.Config', {
    extend: 'PVE.panel.Config',
    alias: 'widget.PVE.dc.Config',
    hstateid: 'dctab',

    initComponent: function () {
        this.items = [
            { xtype: 'panel', title: gettext('Summary'), itemId: 'summary', iconCls: 'fa fa-book' },
            { xtype: 'panel', title: gettext('Cluster'), itemId: 'cluster', iconCls: 'fa fa-server' },
        ];
        this.callParent();
    },
});
