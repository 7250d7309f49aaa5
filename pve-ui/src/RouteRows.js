// Routes as rows, which of them decides, and the document that changes their metrics. Pure functions.
Ext.define('PVE.rdma.RouteRows', {
    singleton: true,

    // The kernel's own number where none is shown (include/uapi/linux/ipv6_route.h: IP6_RT_PRIO_USER).
    metric: (route) => route.metric ?? (route.family === 'inet6' ? 1024 : 0),

    rows: function (report) {
        return (report.routes ?? [])
            .filter((route) => route.type === 'unicast' && route.table !== 'local' && route.dev)
            .map((route, order) => ({
                order,
                id: [route.family, route.table, route.dst, route.gateway, route.dev, route.tos, this.metric(route)].join(' '),
                family: route.family,
                dst: route.dst,
                gateway: route.gateway ?? '',
                dev: route.dev,
                metric: this.metric(route),
                was: this.metric(route),
                table: route.table,
                protocol: route.protocol,
                src: route.prefsrc ?? '',
                address: this.addressBehind(route, report),
            }));
    },

    // A connected route follows its address: that is where its metric stands.
    addressBehind: function (route, report) {
        if (route.protocol !== 'kernel' || route.gateway) {
            return '';
        }
        let length = Number(route.dst.split('/')[1]);
        let fits = (report.addresses ?? []).filter(
            (one) =>
                one.ifname === route.dev &&
                one.family === route.family &&
                one.prefixlen === length &&
                one.scope !== 'link' &&
                (!route.prefsrc || one.local === route.prefsrc),
        );
        return fits.length === 1 ? `${fits[0].local}/${length}` : '';
    },

    editable: (row) => row.protocol !== 'kernel' || Boolean(row.address),

    // Rows of one destination, the deciding one first: of equal ones the kernel takes what stands first.
    decided: (rows) => [...rows].sort((a, b) => a.metric - b.metric || a.order - b.order),

    byDestination: function (rows) {
        let groups = new Map();
        for (const row of rows) {
            let key = `${row.family} ${row.table} ${row.dst}`;
            groups.set(key, [...(groups.get(key) ?? []), row]);
        }
        return [...groups.values()].map((group) => this.decided(group));
    },

    // What the picture shows: destinations with a choice first, then the default ones, `limit` of them. The chosen
    // row's stands among them.
    pictured: function (rows, chosen, limit = 8) {
        let groups = this.byDestination(rows.filter((row) => !row.dst.startsWith('fe80')));
        let rank = (group) =>
            (chosen && group.some((row) => row.id === chosen.id) ? -4 : 0) +
            (group.length > 1 ? -2 : 0) +
            (group[0].dst === 'default' ? -1 : 0);
        return groups.sort((a, b) => rank(a) - rank(b)).slice(0, limit);
    },

    // A row, or a route of the report, as a document names it.
    route: (row) => ({
        to: row.dst === 'default' && row.family === 'inet6' ? '::/0' : row.dst,
        dev: row.dev,
        ...(row.gateway ? { via: row.gateway } : {}),
        ...(row.table && row.table !== 'main' ? { table: String(row.table) } : {}),
    }),

    // New metrics: an address's own, or the route with the new one and without the old one.
    document: function (rows) {
        let links = [];
        let routes = [];
        for (const row of rows.filter((one) => one.metric !== one.was)) {
            if (row.address) {
                let link = links.find((one) => one.name === row.dev);
                if (!link) {
                    links.push((link = { name: row.dev, addresses: [] }));
                }
                link.addresses.push({ address: row.address, metric: row.metric });
            } else {
                let route = this.route(row);
                routes.push({ ...route, metric: row.metric }, { ...route, metric: row.was, state: 'absent' });
            }
        }
        return { ...(links.length ? { links } : {}), ...(routes.length ? { routes } : {}) };
    },
});
