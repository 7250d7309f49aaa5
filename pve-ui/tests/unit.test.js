// SPDX-License-Identifier: GPL-3.0-or-later
// The panel's pure functions, without a browser: node --test pve-ui/tests/unit.test.js
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const vm = require('node:vm');

const src = path.join(__dirname, '..', 'src');
const po = fs.readFileSync(path.join(__dirname, '..', 'po', 'de.po'), 'utf8');

// Singletons are values; of Ext there is what they use.
const window = { PVE: { rdma: {} }, gettext: (text) => text, performance };
window.Ext = {
    htmlEncode: (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;'),
    String: { format: (text, ...values) => text.replace(/\{(\d)\}/g, (all, index) => values[index]) },
    define: function (name, body) {
        let short = name.replace('PVE.rdma.', '');
        window.PVE.rdma[short] = body.singleton ? body : Object.assign(function (...values) {
            Object.assign(this, body);
            body.constructor.apply(this, values);
        }, body.statics);
    },
};
vm.createContext(window);
for (const name of ['Text', 'Model', 'Evidence', 'Document', 'Deadline', 'InterfaceRows', 'RouteRows', 'Svg', 'FabricLayout', 'BundleCheck', 'Datacenter']) {
    vm.runInContext(fs.readFileSync(path.join(src, `${name}.js`), 'utf8'), window, name);
}
const { Text, Model, Evidence, Document, Deadline, InterfaceRows, RouteRows, Svg, FabricLayout, BundleCheck, Datacenter } = window.PVE.rdma;
const plain = (value) => JSON.parse(JSON.stringify(value));

test('what data says is shown as text', () => {
    let hostile = '<img src=x onerror=alert(1)>"\'';
    for (const html of [Text.cell(hostile), Text.icon('fa', hostile), Text.diff(`+${hostile}`), Svg.text(0, 0, hostile), Svg.title(hostile), Svg.element('g', { 'aria-label': hostile })]) {
        assert.ok(!html.includes('<img'), html);
        assert.ok(!/aria-label="[^"]*"[^ >]/.test(html), html);
    }
});

test('an unknown value is a dash, and zero is not unknown', () => {
    assert.match(Text.cell(undefined), /–/);
    assert.strictEqual(Text.cell(0), '0');
});

test('only what was changed is asked for', () => {
    let was = { mtu: 1500, mode: 'datagram', autonegotiation: true, fec: '' };
    assert.strictEqual(Document.link('ib0', was, { mtu: 1500, mode: 'datagram', autonegotiation: true, fec: null }), undefined);
    assert.deepStrictEqual(plain(Document.link('ib0', was, { mtu: 9000, mode: 'datagram', autonegotiation: false })), { name: 'ib0', mtu: 9000, autonegotiation: false });
});

test('settings of Ethernet as a document has them; a field that is off says why', () => {
    let ethernet = { autoneg: true, supported: ['Autoneg', '25000baseCR/Full'], fec: { auto: false, modes: ['None'] } };
    let report = {
        links: [{ ifname: 'ens19', link_type: 'ether', mtu: 1500, ethernet }, { ifname: 'nic1', link_type: 'ether', mtu: 1500 }, { ifname: 'tap100i0', link_type: 'ether' }],
        pci: [{ netdevs: ['ens19'], sriov_totalvfs: 8, sriov_numvfs: 2 }],
    };
    let [row, plain1, ...others] = InterfaceRows.rows(report);
    assert.strictEqual(others.length, 0, "what guests bring is not managed here");
    assert.deepStrictEqual([row.fec, row.autonegotiation, row.vfs, row.vfs_max], ['off', true, 2, 8]);
    assert.strictEqual(InterfaceRows.fecWord({ auto: true, modes: [] }), 'auto');
    assert.strictEqual(InterfaceRows.fecWord({ modes: ['RS'] }), 'rs');
    for (const name of ['autonegotiation', 'fec', 'vfs']) {
        assert.strictEqual(InterfaceRows.why[name](row), '');
        assert.notStrictEqual(InterfaceRows.why[name](plain1), '');
    }
});

test('addresses: new ones, other metrics, and what went', () => {
    let before = [{ address: '192.0.2.1/24', metric: 10 }, { address: '198.51.100.1/24' }];
    let changed = Document.addresses(before, '192.0.2.1/24 metric 20\n203.0.113.1/25\n');
    assert.deepStrictEqual(plain(changed), [
        { metric: 20, address: '192.0.2.1/24' },
        { address: '203.0.113.1/25' },
        { address: '198.51.100.1/24', state: 'absent' },
    ]);
    assert.deepStrictEqual(plain(Document.addresses(before, Document.addressLines(before))), []);
    assert.deepStrictEqual(plain(Document.addresses(before, '192.0.2.1/24\n198.51.100.1/24')), [{ metric: 0, address: '192.0.2.1/24' }]);
    assert.throws(() => Document.addresses([], 'rubbish'), /rubbish/);
});

const twoCards = {
    addresses: [
        { ifname: 'nic1', family: 'inet', local: '192.0.2.5', prefixlen: 24, scope: 'global' },
        { ifname: 'nic40', family: 'inet', local: '192.0.2.40', prefixlen: 24, scope: 'global' },
    ],
    routes: [
        { family: 'inet', type: 'unicast', dst: 'default', gateway: '192.0.2.1', dev: 'nic1', table: 'main', protocol: 'boot' },
        { family: 'inet', type: 'unicast', dst: '192.0.2.0/24', dev: 'nic1', table: 'main', protocol: 'kernel', prefsrc: '192.0.2.5' },
        { family: 'inet', type: 'unicast', dst: '192.0.2.0/24', dev: 'nic40', table: 'main', protocol: 'kernel', prefsrc: '192.0.2.40' },
        { family: 'inet', type: 'broadcast', dst: '192.0.2.255', dev: 'nic1', table: 'local', protocol: 'kernel' },
    ],
};

test('a connected route changes by its address, another by its successor', () => {
    let rows = RouteRows.rows(twoCards);
    assert.strictEqual(rows.length, 3);
    rows[0].metric = 100;
    rows[1].metric = 1000;
    assert.deepStrictEqual(plain(RouteRows.document(rows)), {
        links: [{ name: 'nic1', addresses: [{ address: '192.0.2.5/24', metric: 1000 }] }],
        routes: [
            { to: 'default', dev: 'nic1', via: '192.0.2.1', metric: 100 },
            { to: 'default', dev: 'nic1', via: '192.0.2.1', metric: 0, state: 'absent' },
        ],
    });
});

test('the smallest metric decides; of equal ones the kernel takes the first', () => {
    let rows = RouteRows.rows(twoCards);
    let local = () => RouteRows.pictured(rows).find((group) => group[0].dst === '192.0.2.0/24')[0].dev;
    assert.strictEqual(local(), 'nic1');
    rows[1].metric = 1000;
    assert.strictEqual(local(), 'nic40');
});

test('a finding is tied to the row that its evidence points to', () => {
    let report = {
        devices: [{ name: 'mlx4_0', ports: [{ number: 1, state: 'ACTIVE', netdevs: ['ib0'] }, { number: 2, state: 'DOWN', phys_state: 'POLLING' }] }],
        links: [{ ifname: 'lo', link_type: 'loopback' }, { ifname: 'ib0', link_type: 'infiniband', info_kind: 'ipoib', mtu: 2044 }, { ifname: 'eno1', link_type: 'ether', mtu: 1500 }],
    };
    let rows = Model.rows(report);
    assert.deepStrictEqual(plain(rows.map((row) => row.id)), ['device:mlx4_0', 'link:eno1']);
    assert.strictEqual(rows[0].children[0].mtu, 2044);
    assert.strictEqual(rows[0].children[1].note, 'Polling');
    let of = (path) => plain(Model.rowsOf({ evidence: [{ path }] }, rows, report));
    assert.deepStrictEqual(of('/devices/0/ports/1/phys_state'), ['port:mlx4_0:2']);
    assert.deepStrictEqual(of('/links/1/mtu'), ['port:mlx4_0:1']);
    assert.deepStrictEqual(of('/links/2/mtu'), ['link:eno1']);
    assert.deepStrictEqual(of('/system/cpus'), []);
});

test('a change is prepared where it can be said, and not where a header counts', () => {
    let report = { links: [{ ifname: 'vmbr1', mtu: 9000, info_kind: 'bridge' }, { ifname: 'ens19', mtu: 1500 }, { ifname: 'vx', mtu: 1500, info_kind: 'vxlan' }] };
    let finding = (...at) => ({ rule: 'MTU-09', evidence: at.map((index) => ({ path: `/links/${index}/mtu`, value: String(report.links[index].mtu) })) });
    assert.deepStrictEqual(plain(Evidence.change(finding(0, 1), report)), { links: [{ name: 'ens19', mtu: 9000 }] });
    assert.strictEqual(Evidence.change(finding(0, 2), report), undefined);
    assert.ok(!Evidence.change({ rule: 'PHY-04', evidence: [] }, report));
    let dragged = { ...finding(0, 1), rule: 'MTU-11' };
    report.links[0].mtu = 1500;
    report.links[2] = { ifname: 'eno1', mtu: 9000 };
    dragged.evidence = finding(0, 1, 2).evidence;
    assert.deepStrictEqual(plain(Evidence.change(dragged, report)), { links: [{ name: 'vmbr1', mtu: 9000 }, { name: 'ens19', mtu: 9000 }] });
});

test('of one route with several metrics the deciding one stays; a bond gets what its ports need', () => {
    let gateway = { family: 'inet', dst: '198.51.100.0/24', gateway: '192.0.2.1', dev: 'nic1' };
    let report = {
        routes: [{ ...gateway, table: 'main' }, { ...gateway, table: 'main', metric: 50 }, { ...gateway, family: 'inet6', dst: 'default', gateway: 'fe80::1', table: 'main', metric: 2000 }],
        links: [{ ifname: 'bond0', bond: { fail_over_mac: 'none' }, mtu: 1500 }],
    };
    let routes = (...at) => ({ rule: 'ROUTE-04', evidence: at.map((index) => ({ path: `/routes/${index}/metric`, value: '' })) });
    let absent = { to: '198.51.100.0/24', dev: 'nic1', via: '192.0.2.1', metric: 50, state: 'absent' };
    assert.deepStrictEqual(plain(Evidence.change(routes(0, 1), report)), { routes: [absent] });
    assert.strictEqual(Evidence.change(routes(2), report), undefined);
    let bond = { rule: 'IPOIB-05', subject: 'bond0', evidence: [{ path: '/links/0/bond/fail_over_mac', value: 'none' }] };
    assert.deepStrictEqual(plain(Evidence.change(bond, report)), { links: [{ name: 'bond0', fail_over_mac: 'active' }] });
    assert.strictEqual(Evidence.change({ ...bond, evidence: [{ path: '/links/0/mtu', value: '1500' }] }, report), undefined);
});

test('the deadline runs by this side\'s clock', () => {
    let deadline = new Deadline({ deadline_s: 120 }, 0);
    assert.strictEqual(deadline.left(60000), 60);
    assert.strictEqual(deadline.fraction(60000), 0.5);
    assert.strictEqual(deadline.left(500000), 0);
    assert.strictEqual(Text.clock(107), '1:47');
});

// `switches` in the middle, each with `each` hosts.
function walk(switches, each) {
    let nodes = Array.from({ length: switches }, (unused, index) => ({ type: 'SWITCH', description: `sw${index}`, ports: [] }));
    let links = [];
    for (let index = 0; index < switches; index++) {
        for (let host = 0; host < each; host++) {
            nodes.push({ type: 'CA', description: `h${index}-${host}`, ports: [{ number: 1, state: 'ACTIVE', width: '4X', supported_width: '4X' }] });
            links.push({ from: { node: index, port: host }, to: { node: nodes.length - 1, port: 1 }, width: '4X', capped: [] });
        }
    }
    return { nodes, links };
}

test('40 hosts stand apart, 648 behind their switches', () => {
    let forty = FabricLayout.layout(walk(4, 10));
    assert.strictEqual(forty.hosts.length, 40);
    let all = [...forty.hosts, ...forty.switches];
    for (const [index, one] of all.entries()) {
        for (const other of all.slice(index + 1)) {
            assert.ok(Math.abs(one.x - other.x) >= 96 || Math.abs(one.y - other.y) >= 30, `${one.label} lies on ${other.label}`);
        }
        assert.ok(one.x >= 48 && one.x <= forty.width - 48 && one.y >= 15 && one.y <= forty.height - 15, `${one.label} is cut off`);
    }
    let many = walk(36, 18);
    let closed = FabricLayout.layout(many);
    assert.strictEqual(closed.hosts.length, 0);
    assert.strictEqual(closed.switches[0].hidden, 18);
    assert.strictEqual(FabricLayout.layout(many, new Set([3])).hosts.length, 18);
});

test('a degraded link, and one that is not up, look so', () => {
    let fabric = walk(1, 2);
    fabric.nodes[1].ports[0].width = '1X';
    fabric.nodes[2].ports[0].state = 'INIT';
    let [narrow, init] = FabricLayout.layout(fabric).links;
    assert.deepStrictEqual([narrow.degraded, narrow.dashed], [true, false]);
    assert.deepStrictEqual([init.degraded, init.dashed], [false, true]);
});

test('a removal chain is a tree of reasons', () => {
    let tree = plain(BundleCheck.chain({ name: 'proxmox-ve', version: '9', by: 'installer', tier: 'node', chain: ['a', 'b'] }));
    assert.deepStrictEqual([tree.children[0].text, tree.children[0].children[0].text, tree.children[0].children[0].leaf], ['a', 'b', true]);
});

test('cells that differ between nodes are marked, and a silent node says so', () => {
    let report = (mtu) => ({ system: {}, devices: [], links: [{ ifname: 'e', link_type: 'ether', mtu }] });
    let rows = Datacenter.rows({ findings: [], nodes: [{ node: 'a', report: report(1500) }, { node: 'b', report: report(9000) }, { node: 'c', error: 'off' }] });
    assert.deepStrictEqual(plain(rows.map((row) => row.differs)), [['mtu'], ['mtu'], []]);
    assert.strictEqual(rows[2].error, 'off');
});

// Every text in the sources, by gettext's call.
const texts = new Set();
for (const file of fs.readdirSync(src)) {
    let code = fs.readFileSync(path.join(src, file), 'utf8');
    for (const [, single, double] of code.matchAll(/gettext\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)) {
        texts.add((single ?? double).replace(/\\(.)/g, '$1'));
    }
}

test('every text is in the German catalogue, and no other but the words of certainty', () => {
    let known = new Map([...po.matchAll(/^msgid (".*")\nmsgstr (".*")$/gm)].map((found) => [JSON.parse(found[1]), JSON.parse(found[2])]));
    assert.deepStrictEqual([...texts].filter((text) => !known.get(text)), []);
    assert.deepStrictEqual([...known.keys()].filter((text) => text && !texts.has(text)), ['likely', 'possible']);
    for (const [text, german] of known) {
        assert.deepStrictEqual((german.match(/\{\d\}/g) ?? []).sort(), (text.match(/\{\d\}/g) ?? []).sort(), text);
    }
});

test('`sources` names every file of src', () => {
    let named = fs.readFileSync(path.join(src, '..', 'sources'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
    assert.deepStrictEqual([...named].sort(), fs.readdirSync(src).sort());
});

test('files are of one concept: at most 300 lines', () => {
    for (const file of fs.readdirSync(src)) {
        assert.ok(fs.readFileSync(path.join(src, file), 'utf8').split('\n').length <= 300, file);
    }
});

test('no colour is written down', () => {
    for (const file of fs.readdirSync(src)) {
        let code = fs.readFileSync(path.join(src, file), 'utf8').replace(/var\(--[\w-]+, #fff\)/g, '');
        assert.ok(!/#[0-9a-f]{3,6}['";]|rgba?\(/i.test(code), file);
    }
});
