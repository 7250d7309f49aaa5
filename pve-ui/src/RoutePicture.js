// The node, its cards, and the networks behind them: the path in use thick, those that stand by thin and dashed.
Ext.define('PVE.rdma.RoutePicture', {
    extend: 'Ext.Component',
    alias: 'widget.pveRdmaRoutePicture',

    scrollable: true,
    padding: 10,
    cls: 'x-panel-body-default',

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
            lines.push(this.line(120, middle, 220, at, used.has(card), ''));
        });
        let boxes = cards.map((card, index) =>
            svg.box(220, y(index, cards.length) - 15, 120, 30, {}, svg.title(card), svg.text(280, y(index, cards.length) + 4, svg.short(card, 15), { 'text-anchor': 'middle' })),
        );
        groups.forEach((group, place) => {
            let at = y(place, groups.length);
            group.forEach((row, rank) => {
                let from = y(cards.indexOf(row.dev), cards.length);
                lines.push(this.line(340, from, 560, at, rank === 0, this.words(row, group, rank), String(row.metric), 0.22 + 0.13 * ((place + rank) % 5)));
            });
            let [first] = group;
            let name = first.dst === 'default' ? gettext('default') + (first.family === 'inet6' ? ' (IPv6)' : '') : first.dst;
            boxes.push(svg.box(560, at - 15, 200, 30, {}, svg.title(name), svg.text(660, at + 4, svg.short(name, 27), { 'text-anchor': 'middle' })));
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

    // `label` stands at `t` (0 to 1) along the line: labels of lines that begin together stand apart.
    line: function (x1, y1, x2, y2, inUse, words, label = '', t = 0) {
        let svg = PVE.rdma.Svg;
        let bend = (x1 + x2) / 2;
        let path = `M ${x1} ${y1} C ${bend} ${y1}, ${bend} ${y2}, ${x2} ${y2}`;
        let style = inUse
            ? { 'stroke-width': 4, class: words ? 'good' : '' }
            : { 'stroke-width': 1.5, 'stroke-dasharray': '6 4', opacity: 0.8 };
        let { class: cls, ...stroke } = style;
        let along = (from, by, to) => (1 - t) ** 3 * from + 3 * (1 - t) ** 2 * t * by[0] + 3 * (1 - t) * t ** 2 * by[1] + t ** 3 * to;
        let [x, y] = [along(x1, [bend, bend], x2), along(y1, [y1, y2], y2)];
        return svg.element(
            'g',
            { class: cls, role: words ? 'img' : undefined, 'aria-label': words },
            words ? svg.title(words) : '',
            svg.element('path', { d: path, fill: 'none', stroke: 'currentColor', ...stroke }),
            // A broad invisible line takes the pointer.
            words ? svg.element('path', { d: path, fill: 'none', stroke: 'transparent', 'stroke-width': 14 }) : '',
            label ? svg.text(x, y - 7, label, { 'font-size': 11, 'text-anchor': 'middle' }) : '',
        );
    },
});
