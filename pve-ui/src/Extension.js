// Where the panel stands in Proxmox's own. Nothing of Proxmox's is changed but by these overrides, and whatever fails
// in them leaves Proxmox's panels as they are.
(function () {
    // Our item behind the one that has the id, in the same group; at the end when there is none.
    let insertBehind = function (items, id, item) {
        let at = items.findIndex((one) => one.itemId === id);
        items.splice(at < 0 ? items.length : at + 1, 0, item);
    };
    let guarded = function (what, code) {
        try {
            code();
        } catch (error) {
            console.warn(`pve-rdma: ${what}`, error);
        }
    };
    let mayAudit = (where) => Boolean(Ext.state.Manager.get('GuiCap')?.[where]?.['Sys.Audit']);

    guarded('node', () => {
        Ext.define('PVE.rdma.NodeConfigExtension', {
            override: 'PVE.node.Config',

            insertNodes: function (items) {
                guarded('node', () => {
                    if (mayAudit('nodes')) {
                        insertBehind(items, 'network', {
                            xtype: 'pveRdmaNodePanel',
                            title: 'RDMA',
                            iconCls: 'fa fa-bolt',
                            itemId: 'rdma',
                            groups: ['services'],
                            nodename: this.pveSelNode.data.node,
                        });
                    }
                });
                return this.callParent([items]);
            },
        });
    });

    guarded('datacenter', () => {
        Ext.define('PVE.rdma.DatacenterConfigExtension', {
            override: 'PVE.dc.Config',

            insertNodes: function (items) {
                guarded('datacenter', () => {
                    if (mayAudit('dc')) {
                        insertBehind(items, 'cluster', {
                            xtype: 'pveRdmaDatacenter',
                            title: 'RDMA',
                            iconCls: 'fa fa-bolt',
                            itemId: 'rdma',
                        });
                    }
                });
                return this.callParent([items]);
            },
        });
    });

    // InfiniBand ports that the Network panel does not list are asked for most: one button leads to ours.
    guarded('network', () => {
        Ext.define('PVE.rdma.NetworkViewExtension', {
            override: 'Proxmox.node.NetworkView',

            initComponent: function () {
                this.callParent(arguments);
                guarded('network', () => {
                    this.down('toolbar[dock=top]').add('->', {
                        text: 'RDMA',
                        itemId: 'rdma',
                        iconCls: 'fa fa-bolt',
                        tooltip: gettext('InfiniBand ports, routes and MTU of this node'),
                        handler: () => Ext.state.Manager.getProvider().set('nodetab', { value: 'rdma' }),
                    });
                });
            },
        });
    });
})();
