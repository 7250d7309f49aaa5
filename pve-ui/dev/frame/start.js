// SPDX-License-Identifier: GPL-3.0-or-later
// The page: nodes to the left, the chosen one's panel beside them.
Ext.onReady(function () {
    Ext.QuickTips.init();
    let provider = new Frame.Provider();
    Ext.state.Manager.setProvider(provider);
    let may = { 'Sys.Audit': true, 'Sys.Modify': Proxmox.UserName !== 'audit@pve' };
    provider.set('GuiCap', { nodes: may, dc: may, vms: {} });
    let center = Ext.create('Ext.container.Container', { region: 'center', layout: 'fit' });
    let choose = function (node) {
        provider.node = node ?? '';
        center.removeAll(true);
        center.add(node ? { xtype: 'PVE.node.Config', pveSelNode: { data: { node } } } : { xtype: 'PVE.dc.Config' });
    };
    let tree = Ext.create('Ext.tree.Panel', {
        region: 'west',
        width: 150,
        split: true,
        title: gettext('Server View'),
        root: {
            text: gettext('Datacenter'),
            id: 'datacenter',
            iconCls: 'fa fa-server',
            expanded: true,
            children: window.pveRdmaNodes.map((node) => ({ text: node, id: `node/${node}`, leaf: true, iconCls: 'fa fa-building' })),
        },
        listeners: {
            selectionchange: (model, [item]) => item && choose(item.getId().startsWith('node/') ? item.get('text') : undefined),
        },
    });
    let gotoNode = (node) => tree.setSelection(tree.getStore().getNodeById(`node/${node}`));
    // As PVE.StdWorkspace: an item of the resource tree is chosen by its id.
    Ext.create('Ext.container.Viewport', {
        layout: 'border',
        itemId: 'workspace',
        items: [tree, center],
        selectById: (id) => gotoNode(id.replace(/^node\//, '')),
    });
    // For tests: a node's panel made anew, without loading the page again.
    Frame.choose = choose;
    let at = provider.place();
    tree.setSelection(at.node ? tree.getStore().getNodeById(`node/${at.node}`) : tree.getRootNode());
});
