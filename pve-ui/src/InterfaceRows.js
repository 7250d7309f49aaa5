// The links that can be managed here, also those that Proxmox's grid leaves out. Pure functions.
Ext.define('PVE.rdma.InterfaceRows', {
    singleton: true,

    kinds: () => ({
        bond: gettext('Bond'),
        bridge: gettext('Bridge'),
        vlan: gettext('VLAN'),
        ipoib: gettext('IPoIB'),
        vxlan: gettext('VXLAN'),
        ether: gettext('Ethernet'),
        infiniband: gettext('IPoIB'),
    }),

    // What guests and tunnels bring along is theirs.
    foreign: /^(lo|tap\d|veth\d+i\d|fwbr\d|fwln\d|fwpr\d)/,

    rows: function (report, network) {
        let documents = new Map((network?.links ?? []).map((link) => [link.name, link]));
        return (report.links ?? [])
            .filter((link) => ['ether', 'infiniband'].includes(link.link_type) && !this.foreign.test(link.ifname))
            .map((link) => this.row(link, documents.get(link.ifname) ?? {}, report));
    },

    row: function (link, wish, report) {
        let kind = wish.kind ?? link.info_kind ?? link.link_type;
        let pci = (report.pci ?? []).find((one) => (one.netdevs ?? []).includes(link.ifname));
        return {
            id: link.ifname,
            name: link.ifname,
            kind,
            kindText: this.kinds()[kind] ?? kind,
            up: (link.flags ?? []).includes('UP'),
            mode: link.ipoib?.mode ?? link.bond?.mode ?? '',
            mtu: link.mtu,
            min_mtu: link.min_mtu,
            max_mtu: link.max_mtu,
            addresses: wish.addresses ?? [],
            ports: wish.ports ?? [],
            master: link.master ?? '',
            parent: link.ipoib && link.link ? link.link : '',
            pkey: link.ipoib?.key ?? '',
            autonegotiation: link.ethernet?.autoneg,
            fec: this.fecWord(link.ethernet?.fec),
            supported: link.ethernet?.supported ?? [],
            vfs: pci?.sriov_numvfs,
            vfs_max: pci?.sriov_totalvfs,
        };
    },

    // The kernel's modes (None, RS, BASER) as a document has them; undefined where the driver tells none.
    fecWord: function (fec) {
        if (!fec) {
            return undefined;
        }
        let word = fec.auto ? 'auto' : (fec.modes?.[0] ?? '').toLowerCase();
        return word === 'none' ? 'off' : word;
    },

    // Why a field is off, or '' when it can be set.
    why: {
        ipoib: (row) => (row.kind === 'ipoib' || row.kind === 'infiniband' ? '' : gettext('Only IPoIB interfaces have a mode.')),
        // The words of ethtool: a card that cannot negotiate does not list "Autoneg" among what it supports.
        autonegotiation: function (row) {
            if (row.autonegotiation === undefined || row.autonegotiation === null) {
                return gettext('This driver does not tell whether the card negotiates.');
            }
            return row.supported.includes('Autoneg') ? '' : gettext('This card does not negotiate.');
        },
        fec: (row) => (row.fec !== undefined ? '' : gettext('This driver does not tell or set forward error correction.')),
        vfs: (row) => (row.vfs_max ? '' : gettext('This card offers no virtual functions.')),
    },
});
