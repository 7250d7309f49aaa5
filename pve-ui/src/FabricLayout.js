// Where switches and hosts of a walk stand in the picture, and what a link looks like. Pure functions.
//   { switches, hosts, links, width, height }: nodes have x, y, label, node (index in the walk)
// Switches stand in the middle, hosts in rows above and below them, those of one switch together.
Ext.define('PVE.rdma.FabricLayout', {
    singleton: true,

    // More hosts than this stand behind their switches until one is opened.
    many: 60,
    // Pixels from one to the next.
    step: { host: 112, row: 58, switch: 150, layer: 120 },

    isSwitch: (node) => node.type === 'SWITCH',

    layout: function (walk, open = new Set()) {
        let { nodes } = walk;
        let homes = this.homes(walk);
        let switches = nodes.flatMap((node, index) => (this.isSwitch(node) ? [index] : []));
        let hosts = nodes.flatMap((node, index) => (this.isSwitch(node) ? [] : [index]));
        let collapsed = hosts.length > this.many;
        let shown = hosts.filter((host) => !collapsed || open.has(homes.get(host)));
        shown.sort((a, b) => switches.indexOf(homes.get(a)) - switches.indexOf(homes.get(b)) || a - b);
        let half = Math.ceil(shown.length / 2);
        let perRow = Math.max(4, Math.min(11, Math.ceil(shown.length / 4)));
        let across = Math.min(7, Math.max(switches.length, 1));
        let width = Math.max(Math.min(perRow, half || 1) * this.step.host, across * this.step.switch) + 60;
        let rows = [shown.slice(0, half), shown.slice(half)].map((side) => this.rows(side, perRow));
        let core = this.rows(switches, across);
        let at = new Map();
        let y = 30 + (rows[0].length ? (rows[0].length - 1) * this.step.row + this.step.layer : 0);
        rows[0].forEach((row, index) => this.place(row, 30 + index * this.step.row, width, this.step.host, at));
        core.forEach((row, index) => this.place(row, y + index * this.step.layer, width, this.step.switch, at));
        y += Math.max(core.length - 1, 0) * this.step.layer + this.step.layer;
        rows[1].forEach((row, index) => this.place(row, y + index * this.step.row, width, this.step.host, at));
        let height = y + (rows[1].length ? (rows[1].length - 1) * this.step.row + 40 : -this.step.layer + 60);
        let behind = (one) => hosts.filter((host) => homes.get(host) === one && !at.has(host)).length;
        return {
            width,
            height,
            collapsed,
            switches: switches.map((node) => ({ node, ...at.get(node), label: nodes[node].description, hidden: behind(node) })),
            hosts: shown.map((node) => ({ node, ...at.get(node), label: nodes[node].description })),
            links: this.links(walk, at),
        };
    },

    rows: function (list, perRow) {
        let count = Math.ceil(list.length / perRow);
        let each = Math.ceil(list.length / Math.max(count, 1));
        return Array.from({ length: count }, (unused, index) => list.slice(index * each, (index + 1) * each));
    },

    place: function (row, y, width, step, at) {
        let left = (width - (row.length - 1) * step) / 2;
        row.forEach((node, index) => at.set(node, { x: left + index * step, y }));
    },

    // Links between the same two nodes stand beside each other.
    links: function (walk, at) {
        let shown = walk.links.filter((link) => at.has(link.from.node) && at.has(link.to.node));
        let pair = (link) => `${link.from.node} ${link.to.node}`;
        let total = new Map();
        shown.forEach((link) => total.set(pair(link), (total.get(pair(link)) ?? 0) + 1));
        let drawn = new Map();
        return shown.map((link) => {
            let [from, to] = [at.get(link.from.node), at.get(link.to.node)];
            let number = drawn.get(pair(link)) ?? 0;
            drawn.set(pair(link), number + 1);
            let apart = (number - (total.get(pair(link)) - 1) / 2) * 14;
            let length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
            let [dx, dy] = [(-(to.y - from.y) / length) * apart, ((to.x - from.x) / length) * apart];
            let moved = (point) => ({ x: point.x + dx, y: point.y + dy });
            return { link, from: moved(from), to: moved(to), ...this.look(walk, link) };
        });
    },

    // The switch that a host hangs on first.
    homes: function (walk) {
        let homes = new Map();
        for (const { from, to } of walk.links) {
            for (const [one, other] of [[from.node, to.node], [to.node, from.node]]) {
                if (!this.isSwitch(walk.nodes[one]) && this.isSwitch(walk.nodes[other]) && !homes.has(one)) {
                    homes.set(one, other);
                }
            }
        }
        return homes;
    },

    port: (walk, end) => walk.nodes[end.node].ports.find((port) => port.number === end.port),

    // Width as thickness, a link that is not active as dashes, one below what it could be in the warning's colour.
    look: function (walk, link) {
        let ends = [this.port(walk, link.from), this.port(walk, link.to)];
        let active = ends.every((port) => !port || port.state === 'ACTIVE');
        let lanes = parseInt(link.width, 10) || 1;
        let narrow = ends.some((port) => port && parseInt(port.width, 10) < 4 && parseInt(port.supported_width, 10) >= 4);
        let degraded = narrow || (link.capped ?? []).length > 0;
        let end = (which) => `${walk.nodes[which.node].description} ${which.port}`;
        let words = [`${end(link.from)} – ${end(link.to)}`, `${link.width} ${link.speed}`, `MTU ${link.neighbor_mtu}`];
        if (!active) {
            words.push(PVE.rdma.Text.word(ends.find((port) => port && port.state !== 'ACTIVE').state));
        }
        if (degraded) {
            words.push(gettext('below what it could be'), ...(link.capped ?? []));
        }
        return { thickness: Math.min(1 + lanes, 10), dashed: !active, degraded, words: words.join(' · ') };
    },
});
