// From a node's report to what the Overview shows. Pure functions.
Ext.define('PVE.rdma.Model', {
    singleton: true,

    // A link that has hardware of its own, with RDMA or without.
    isPhysical: (link) =>
        ['ether', 'infiniband'].includes(link.link_type) && (!link.info_kind || (link.info_kind === 'ipoib' && !link.link)),

    netdevsOf: function (port) {
        let names = (port.netdevs ?? []).map((netdev) => netdev.name ?? netdev.ifname ?? netdev);
        return names.length ? names : port.netdev ? [port.netdev] : [];
    },

    // Rows of the tree: devices with their ports, then network cards without RDMA.
    rows: function (report) {
        let links = new Map((report.links ?? []).map((link) => [link.ifname, link]));
        let shown = new Set();
        let rows = (report.devices ?? []).map((device, index) => {
            let children = (device.ports ?? []).map((port, place) => {
                let names = this.netdevsOf(port);
                names.forEach((name) => shown.add(name));
                return this.portRow(device, port, names, links.get(names[0]), `/devices/${index}/ports/${place}`);
            });
            return { ...this.deviceRow(device, report, `/devices/${index}`), children };
        });
        let behind = new Set((report.pci ?? []).filter((pci) => (pci.rdma_devices ?? []).length).flatMap((pci) => pci.netdevs ?? []));
        (report.links ?? []).forEach((link, index) => {
            if (this.isPhysical(link) && !shown.has(link.ifname) && !behind.has(link.ifname)) {
                rows.push(this.linkRow(link, report, `/links/${index}`));
            }
        });
        return rows;
    },

    // What the slot carries, when that is less than the card could use.
    slot: function (report, address) {
        let pci = (report.pci ?? []).find((one) => one.address === address);
        return pci?.limited_by ? `PCIe ${PVE.rdma.Text.rate(pci.bandwidth_gbps)}` : '';
    },

    deviceRow: function (device, report, place) {
        let pci = (report.pci ?? []).find((one) => one.address === device.pci);
        return {
            id: `device:${device.name}`,
            place,
            text: device.name,
            detail: pci?.device_name ?? device.hca_type ?? '',
            firmware: device.fw_ver,
            note: this.slot(report, device.pci),
        };
    },

    portRow: function (device, port, names, link, place) {
        let state = port.state ?? link?.operstate;
        let infiniband = port.link_layer ? port.link_layer === 'InfiniBand' : link?.link_type !== 'ether';
        return {
            id: `port:${device.name}:${port.number}`,
            place,
            text: names.length ? `${port.number}  ${names.join(', ')}` : String(port.number),
            detail: infiniband ? 'InfiniBand' : 'Ethernet',
            links: names,
            state,
            // Why a port is not active stands in its physical state.
            note: state && state !== 'ACTIVE' ? PVE.rdma.Text.word(port.phys_state) : '',
            rate: port.rate_gbps ?? (link?.ethernet?.speed ? link.ethernet.speed / 1000 : undefined),
            width: port.active_width,
            mtu: link?.mtu,
            leaf: true,
        };
    },

    linkRow: function (link, report, place) {
        let ethernet = link.ethernet ?? {};
        return {
            id: `link:${link.ifname}`,
            place,
            text: link.ifname,
            detail: ethernet.driver ?? link.info_kind ?? '',
            links: [link.ifname],
            state: link.operstate,
            rate: ethernet.speed > 0 ? ethernet.speed / 1000 : undefined,
            mtu: link.mtu,
            firmware: ethernet.firmware_version,
            note: this.slot(report, ethernet.bus_info),
            leaf: true,
        };
    },

    // Ids of the rows that a finding is about: by where its evidence points to, else by its subject's words.
    rowsOf: function (finding, rows, report) {
        let flat = rows.flatMap((row) => [row, ...(row.children ?? [])]);
        let found = new Set();
        for (const { path } of finding.evidence ?? []) {
            let at = flat.filter((row) => path === row.place || path.startsWith(`${row.place}/`));
            let name = report.links?.[/^\/links\/(\d+)\//.exec(path)?.[1]]?.ifname;
            at = at.concat(flat.filter((row) => name && row.links?.includes(name)));
            // The port says more than its device.
            let deepest = at.filter((row) => row.leaf);
            (deepest.length ? deepest : at).forEach((row) => found.add(row.id));
        }
        if (!found.size) {
            let words = (finding.subject ?? '').split(/\s+/);
            flat.filter((row) => row.links?.some((name) => words.includes(name))).forEach((row) => found.add(row.id));
        }
        return [...found];
    },

    // One line about the subnet managers that the ports see.
    manager: function (report) {
        for (const device of report.devices ?? []) {
            for (const port of device.ports ?? []) {
                let manager = port.subnet?.sm;
                if (manager) {
                    return Ext.String.format(gettext('master SM: LID {0} (prio {1})'), manager.lid, manager.priority);
                }
            }
        }
        return '';
    },

    // What the empty state says was looked at.
    lookedAt: (report) => Object.keys(report.sources ?? {}),
});
