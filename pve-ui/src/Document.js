// The document of what is wanted, from what a form holds: only what differs from what is. Pure functions.
Ext.define('PVE.rdma.Document', {
    singleton: true,

    // A link's wish: { name, ...changed }, or undefined when nothing was changed. `set` and `was` are fields by name;
    // an empty field that was empty is not asked for.
    link: function (name, was, set) {
        let wish = { name };
        for (const [field, value] of Object.entries(set)) {
            let before = was[field];
            let empty = value === '' || value === null || value === undefined;
            if (!empty && String(value) !== String(before ?? '')) {
                wish[field] = value;
            }
        }
        return Object.keys(wish).length > 1 ? wish : undefined;
    },

    // Addresses as lines "192.0.2.1/24 metric 10"; what stood there and no longer does is absent.
    addresses: function (before, lines) {
        let wanted = lines
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean)
            .map((line) => this.address(line));
        let kept = new Set(wanted.map((one) => one.address));
        let same = (one) => before.some((old) => old.address === one.address && (old.metric ?? undefined) === one.metric);
        let gone = before.filter((old) => !kept.has(old.address)).map((old) => ({ address: old.address, state: 'absent' }));
        // A metric that was taken out of the line is the kernel's own again.
        let changed = wanted.filter((one) => !same(one)).map((one) => ({ metric: 0, ...one }));
        let fresh = (one) => !before.some((old) => old.address === one.address);
        return [...changed.map((one) => (one.metric === 0 && fresh(one) ? { address: one.address } : one)), ...gone];
    },

    address: function (line) {
        let found = /^(\S+\/\d+)(?:\s+metric\s+(\d+))?$/.exec(line);
        if (!found) {
            throw new Error(Ext.String.format(gettext("'{0}' is no address: 192.0.2.1/24 or 192.0.2.1/24 metric 10"), line));
        }
        return found[2] === undefined ? { address: found[1] } : { address: found[1], metric: Number(found[2]) };
    },

    addressLines: (addresses) =>
        (addresses ?? []).map((one) => (one.metric ? `${one.address} metric ${one.metric}` : one.address)).join('\n'),
});
