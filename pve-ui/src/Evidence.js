// From a finding to a document that would put it right, where that can be said: pure functions.
Ext.define('PVE.rdma.Evidence', {
    singleton: true,

    // What the finding rests on, with the row of the report: [{ row, field, value }] of `list`.
    facts: function (finding, report, list) {
        let own = (finding.evidence ?? []).filter((fact) => !fact.node);
        return own.flatMap(({ path, value }) => {
            let [, index, field] = new RegExp(`^/${list}/(\\d+)/(.+)$`).exec(path) ?? [];
            let row = report[list]?.[index];
            return row ? [{ row, field, value }] : [];
        });
    },

    // The smaller of the links that the finding compares get the MTU of the largest. A VXLAN's header would have to be
    // counted in.
    raise: function (finding, report) {
        let sizes = PVE.rdma.Evidence.facts(finding, report, 'links').filter(({ field }) => field === 'mtu');
        let largest = Math.max(...sizes.map(({ value }) => Number(value)));
        let small = sizes.filter(({ value }) => Number(value) < largest);
        if (!small.length || sizes.some(({ row }) => row.info_kind === 'vxlan')) {
            return undefined;
        }
        return { links: small.map(({ row }) => ({ name: row.ifname, mtu: largest })) };
    },

    prepare: {
        'MTU-09': (finding, report) => PVE.rdma.Evidence.raise(finding, report),
        'MTU-11': (finding, report) => PVE.rdma.Evidence.raise(finding, report),
        'MTU-05': function (finding, report) {
            let link = (report.links ?? []).find((one) => one.ifname === finding.subject && one.ipoib);
            return link && { links: [{ name: link.ifname, mtu: 65520 }] };
        },
        'IPOIB-05': function (finding, report) {
            let facts = PVE.rdma.Evidence.facts(finding, report, 'links');
            return facts.some(({ field }) => field === 'bond/fail_over_mac')
                ? { links: [{ name: finding.subject, fail_over_mac: 'active' }] }
                : undefined;
        },
        // The one that decides stays, the others go.
        'ROUTE-04': function (finding, report) {
            let routes = PVE.rdma.Evidence.facts(finding, report, 'routes').map(({ row }) => row);
            let metric = PVE.rdma.RouteRows.metric;
            let least = Math.min(...routes.map(metric));
            let others = routes.filter((route) => metric(route) > least);
            let absent = (route) => ({ ...PVE.rdma.RouteRows.route(route), metric: metric(route), state: 'absent' });
            return others.length ? { routes: others.map(absent) } : undefined;
        },
    },

    // The document, or undefined: a person has to decide, or it is nothing of this node's network.
    change: function (finding, report) {
        return report && this.prepare[finding.rule]?.(finding, report);
    },
});
