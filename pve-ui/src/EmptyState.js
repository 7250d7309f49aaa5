// What stands where there is nothing to show, in words: no card, no right, no pve-rdma on the node, no answer.
Ext.define('PVE.rdma.EmptyState', {
    extend: 'Ext.Component',
    alias: 'widget.pveRdmaEmptyState',

    padding: 20,
    ariaRole: 'status',
    cls: 'pmx-hint',

    statics: {
        words: function (failure, nodename) {
            switch (failure.kind) {
                case 'permission':
                    return [
                        gettext('You may not see this.'),
                        gettext("It needs the privilege Sys.Audit on this node; an administrator grants it under Datacenter, Permissions."),
                    ];
                case 'absent':
                    return [
                        Ext.String.format(gettext("pve-rdma is not installed on node '{0}'."), nodename),
                        gettext('Install the package libpve-rdma-perl there.'),
                    ];
                case 'lost':
                    return [Ext.String.format(gettext("Node '{0}' does not answer."), nodename), failure.message];
                default:
                    return [gettext('That did not work.'), failure.message];
            }
        },
    },

    say: function (title, more) {
        let encode = PVE.rdma.Text.encode;
        this.setHtml(`<b>${encode(title)}</b><br>${encode(more ?? '').replace(/\n/g, '<br>')}`);
        this.show();
    },

    fail: function (failure, nodename) {
        this.say(...PVE.rdma.EmptyState.words(failure, nodename));
    },
});
