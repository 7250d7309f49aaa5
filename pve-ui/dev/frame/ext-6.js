// SPDX-License-Identifier: GPL-3.0-or-later
// Proxmox VE has ExtJS 7.0; npm's newest under the GPL is 6.2. Faults of 6.2 that the panel meets and 7.0 has not.
Ext.define('Frame.TableView', {
    override: 'Ext.view.Table',

    // Focus that comes from another grid comes from no row of this one (EXTJS-22672).
    getDefaultFocusPosition: function (from) {
        return this.callParent([from?.isTableView && from.ownerGrid !== this.ownerGrid ? undefined : from]);
    },
});
