// The InfiniBand fabric as a picture: switches in the middle, hosts around them.
Ext.define('PVE.rdma.Fabric', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaFabric',

    title: gettext('Fabric'),
    layout: 'fit',

    initComponent: function () {
        let me = this;
        me.open = new Set();
        me.status = Ext.create('Ext.toolbar.TextItem', { html: '', ariaRole: 'status' });
        me.tbar = [
            { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.load() },
            { text: gettext('Fit'), iconCls: 'fa fa-arrows-alt', enableToggle: true, pressed: true, itemId: 'fit', handler: () => me.draw() },
            '->',
            me.status,
        ];
        me.picture = Ext.create('Ext.Component', { scrollable: true, padding: 10 });
        me.items = [me.picture];
        me.callParent();
        me.on('activate', () => !me.loaded && me.load());
        me.picture.on('afterrender', () => {
            let body = me.picture.getEl();
            body.on('click', (event) => me.pressed(event.getTarget('[data-rdma]')));
            body.on('keydown', (event) => {
                if (event.getKey() === event.ENTER || event.getKey() === event.SPACE) {
                    me.pressed(event.getTarget('[data-rdma]'));
                }
            });
        });
        me.on('resize', () => me.walk && me.draw());
    },

    load: async function () {
        let me = this;
        me.loaded = true;
        me.setLoading(gettext('Walking the fabric...'));
        try {
            me.walk = (await PVE.rdma.Api.get(me.nodeData.nodename, 'fabric/walk', {}, { owner: me })).fabric;
            me.draw();
        } catch (failure) {
            me.status.setHtml('');
            me.walk = undefined;
            let [title, more] = PVE.rdma.EmptyState.words(failure, me.nodeData.nodename);
            let refused = failure.kind === 'refused';
            me.picture.setHtml(`<b>${PVE.rdma.Text.encode(refused ? gettext('No InfiniBand fabric to see from here.') : title)}</b><br>${PVE.rdma.Text.encode(more)}`);
        }
        me.setLoading(false);
    },

    draw: function () {
        let me = this;
        let svg = PVE.rdma.Svg;
        let plan = PVE.rdma.FabricLayout.layout(me.walk, me.open);
        let degraded = plan.links.filter((one) => one.degraded).length;
        let parts = [
            Ext.String.format(gettext('{0} switches, {1} hosts, {2} links'), plan.switches.length, me.walk.nodes.length - plan.switches.length, me.walk.links.length),
            degraded ? Ext.String.format(gettext('{0} below what they could be'), degraded) : '',
            me.walk.complete === false ? gettext('not everything answered') : '',
        ];
        me.status.setHtml(PVE.rdma.Text.encode(parts.filter(Boolean).join(' · ')));
        let children = [
            ...plan.links.map((one, index) => me.drawLink(one, index)),
            ...plan.switches.map((one) => me.drawNode(one, true)),
            ...plan.hosts.map((one) => me.drawNode(one, false)),
        ];
        let picture = svg.picture(plan.width, plan.height, gettext('Fabric'), ...children);
        if (me.down('#fit').pressed) {
            picture = picture.replace(/^<svg width="[^"]*" height="[^"]*"/, `<svg width="100%" height="100%" preserveAspectRatio="xMidYMid meet"`);
            // A small fabric is not blown up.
            picture = picture.replace('display: block', `display: block; margin: auto; max-width: ${plan.width * 1.2}px; max-height: ${plan.height * 1.2}px`);
        }
        me.picture.setHtml(picture);
        me.plan = plan;
    },

    drawLink: function (one, index) {
        let svg = PVE.rdma.Svg;
        let line = { x1: one.from.x, y1: one.from.y, x2: one.to.x, y2: one.to.y };
        let sign = one.degraded
            ? svg.text((one.from.x + one.to.x) / 2, (one.from.y + one.to.y) / 2 + 4, '⚠', { 'text-anchor': 'middle', 'font-size': 14 })
            : '';
        return svg.element(
            'g',
            { class: one.degraded ? 'warning' : '', role: 'button', tabindex: 0, 'aria-label': one.words, 'data-rdma': `link ${index}`, style: 'cursor: pointer' },
            svg.title(one.words),
            svg.element('line', { ...line, stroke: 'currentColor', 'stroke-width': one.thickness, 'stroke-dasharray': one.dashed ? '6 5' : undefined, opacity: one.degraded ? 1 : 0.55 }),
            svg.element('line', { ...line, stroke: 'transparent', 'stroke-width': 14 }),
            sign,
        );
    },

    drawNode: function (one, isSwitch) {
        let svg = PVE.rdma.Svg;
        let width = isSwitch ? 120 : 96;
        let label = one.label || this.walk.nodes[one.node].guid;
        let count = one.hidden ? Ext.String.format(gettext('{0} hosts: open'), one.hidden) : '';
        let words = [label, this.walk.nodes[one.node].guid, count].filter(Boolean).join(' · ');
        return svg.element(
            'g',
            isSwitch
                ? { role: 'button', tabindex: 0, 'aria-label': words, 'data-rdma': `switch ${one.node}`, style: 'cursor: pointer' }
                : { role: 'img', 'aria-label': words },
            svg.title(words),
            svg.element('rect', {
                x: one.x - width / 2,
                y: one.y - 15,
                width,
                height: count ? 40 : 30,
                rx: isSwitch ? 2 : 12,
                fill: 'var(--pwt-panel-background, #fff)',
                stroke: 'currentColor',
                'stroke-width': isSwitch ? 2.5 : 1.2,
            }),
            svg.text(one.x, one.y + 4, svg.short(label, isSwitch ? 17 : 13), { 'text-anchor': 'middle', 'font-weight': isSwitch ? 'bold' : undefined }),
            count ? svg.text(one.x, one.y + 19, count, { 'text-anchor': 'middle', 'font-size': 11 }) : '',
        );
    },

    pressed: function (target) {
        let me = this;
        let [what, number] = (target?.getAttribute('data-rdma') ?? '').split(' ');
        if (what === 'switch' && me.plan.collapsed) {
            let node = Number(number);
            me.open[me.open.has(node) ? 'delete' : 'add'](node);
            me.draw();
        } else if (what === 'link') {
            let { link } = me.plan.links[Number(number)];
            Ext.create('PVE.rdma.FabricPort', {
                nodename: me.nodeData.nodename,
                ends: [link.from, link.to].map((end) => me.end(end)),
                autoShow: true,
            });
        }
    },

    // LID of a host's port, LID:PORT of a switch's.
    end: function ({ node, port }) {
        let one = this.walk.nodes[node];
        let lid = PVE.rdma.FabricLayout.isSwitch(one)
            ? `${one.ports.find((other) => other.number === 0)?.lid}:${port}`
            : String(one.ports.find((other) => other.number === port)?.lid);
        return { target: lid, label: `${one.description} ${port}` };
    },
});
