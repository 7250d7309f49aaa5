// From a finding to a document that would put it right, where that can be said: pure functions.
Ext.define('PVE.rdma.Evidence', {
    singleton: true,

    // The links whose MTU the finding rests on: [{ name, mtu, kind }].
    sizes: function (finding, report) {
        return (finding.evidence ?? []).flatMap(({ path, value }) => {
            let link = report.links?.[/^\/links\/(\d+)\/mtu$/.exec(path)?.[1]];
            return link ? [{ name: link.ifname, mtu: Number(value), kind: link.info_kind }] : [];
        });
    },

    prepare: {
        // What stands below gets the MTU of what stands above. A VXLAN's header would have to be counted in.
        'MTU-09': function (finding, report) {
            let sizes = PVE.rdma.Evidence.sizes(finding, report);
            let largest = Math.max(...sizes.map((size) => size.mtu));
            let small = sizes.filter((size) => size.mtu < largest);
            if (!small.length || sizes.some((size) => size.kind === 'vxlan')) {
                return undefined;
            }
            return { links: small.map((size) => ({ name: size.name, mtu: largest })) };
        },
        'MTU-05': function (finding, report) {
            let link = (report.links ?? []).find((one) => one.ifname === finding.subject && one.ipoib);
            return link && { links: [{ name: link.ifname, mtu: 65520 }] };
        },
    },

    // The document, or undefined: a person has to decide, or it is nothing of this node's network.
    change: function (finding, report) {
        return report && this.prepare[finding.rule]?.(finding, report);
    },
});
