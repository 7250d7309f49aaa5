// Pictures as text: attributes and texts are encoded. Colours come from the theme: text is the surroundings' own, what
// stands out has Proxmox's classes good, warning and critical, as the colour of text.
Ext.define('PVE.rdma.Svg', {
    singleton: true,

    element: function (name, attributes, ...children) {
        let encode = PVE.rdma.Text.encode;
        let given = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== '');
        let words = given.map(([key, value]) => ` ${key}="${encode(value)}"`).join('');
        return `<${name}${words}>${children.flat().join('')}</${name}>`;
    },

    text: function (x, y, text, attributes = {}) {
        return this.element('text', { x, y, fill: 'currentColor', 'font-size': 12, ...attributes }, PVE.rdma.Text.encode(text));
    },

    // The words that a pointer and a screen reader get.
    title: function (text) {
        return this.element('title', {}, PVE.rdma.Text.encode(text));
    },

    box: function (x, y, width, height, attributes = {}, ...children) {
        return this.element(
            'g',
            attributes,
            this.element('rect', { x, y, width, height, rx: 4, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5 }),
            ...children,
        );
    },

    // `name` is what the picture is called for those who cannot see it.
    picture: function (width, height, name, ...children) {
        return this.element(
            'svg',
            { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': name, style: 'display: block' },
            ...children,
        );
    },

    // Long names end in dots; the whole stands in the title.
    short: (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text),
});
