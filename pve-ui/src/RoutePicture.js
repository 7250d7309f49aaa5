// The node, its cards, and the networks behind them: the path in use thick, those that stand by thin and dashed.
Ext.define('PVE.rdma.RoutePicture', {
    extend: 'Ext.Component',
    alias: 'widget.pveRdmaRoutePicture',

    scrollable: true,
    padding: 10,
    cls: 'x-panel-body-default',
    // Routes to one network that are drawn; the best of them come first.
    most: 3,

    draw: function (groups, nodename) {
        let svg = PVE.rdma.Svg;
        let cards = [...new Set(groups.flat().map((row) => row.dev))];
        let step = 54;
        let height = Math.max(cards.length, groups.length, 1) * step + 20;
        let y = (index, count) => 10 + (height - 20) * ((index + 0.5) / count);
        let middle = height / 2;
        let used = new Set(groups.map(([first]) => first.dev));
        let lines = [];
        cards.forEach((card, index) => {
            let at = y(index, cards.length);
            lines.push(this.line(120, middle, 220, at, used.has(card)));
        });
        let boxes = cards.map((card, index) =>
            svg.box(220, y(index, cards.length) - 15, 120, 30, {}, svg.title(card), svg.text(280, y(index, cards.length) + 4, svg.short(card, 15), { 'text-anchor': 'middle' })),
        );
        groups.forEach((group, place) => {
            let at = y(place, groups.length);
            // Each arrives at a place of its own, in the order of their cards, with its metric there.
            let shown = group.slice(0, this.most).map((row, rank) => ({ row, rank, card: cards.indexOf(row.dev) }));
            shown.sort((a, b) => a.card - b.card);
            shown.forEach(({ row, rank, card }, order) => {
                let to = at + (order - (shown.length - 1) / 2) * 14;
                let below = order > 0 && order === shown.length - 1;
                lines.push(this.line(340, y(card, cards.length), 560, to, rank === 0, this.words(row, group, rank), String(row.metric), below));
            });
            let [first] = group;
            let name = first.dst === 'default' ? gettext('default') + (first.family === 'inet6' ? ' (IPv6)' : '') : first.dst;
            boxes.push(svg.box(560, at - 18, 200, 36, {}, svg.title(name), svg.text(660, at + 4, svg.short(name, 27), { 'text-anchor': 'middle' })));
        });
        boxes.push(svg.box(10, middle - 20, 110, 40, {}, svg.title(nodename), svg.text(65, middle + 4, svg.short(nodename, 14), { 'text-anchor': 'middle', 'font-weight': 'bold' })));
        this.setHtml(
            groups.length
                ? svg.picture(780, height, gettext('Paths to the networks'), ...lines, ...boxes)
                : PVE.rdma.Text.encode(gettext('No route was found.')),
        );
    },

    words: function (row, group, rank) {
        let [best] = group;
        if (rank === 0) {
            return Ext.String.format(gettext('{0} by {1}: in use, metric {2} is the smallest'), row.dst, row.dev, row.metric);
        }
        return Ext.String.format(gettext('{0} by {1}: stands by, metric {2}; {3} of {4} is smaller'), row.dst, row.dev, row.metric, best.metric, best.dev);
    },

    // `label` stands where the line arrives, above or below it.
    line: function (x1, y1, x2, y2, inUse, words = '', label = '', below = false) {
        let svg = PVE.rdma.Svg;
        let bend = (x1 + x2) / 2;
        let path = `M ${x1} ${y1} C ${bend} ${y1}, ${bend} ${y2}, ${x2} ${y2}`;
        let style = inUse
            ? { 'stroke-width': 4, class: words ? 'good' : '' }
            : { 'stroke-width': 1.5, 'stroke-dasharray': '6 4', opacity: 0.8 };
        let { class: cls, ...stroke } = style;
        return svg.element(
            'g',
            { class: cls, role: words ? 'img' : undefined, 'aria-label': words },
            words ? svg.title(words) : '',
            svg.element('path', { d: path, fill: 'none', stroke: 'currentColor', ...stroke }),
            // A broad invisible line takes the pointer.
            words ? svg.element('path', { d: path, fill: 'none', stroke: 'transparent', 'stroke-width': 14 }) : '',
            label ? svg.text(x2 - 6, below ? y2 + 13 : y2 - 5, label, { 'font-size': 11, 'text-anchor': 'end' }) : '',
        );
    },
});
