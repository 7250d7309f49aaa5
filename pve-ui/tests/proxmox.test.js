// SPDX-License-Identifier: GPL-3.0-or-later
// The panel inside Proxmox VE's own interface (with-proxmox joins its scripts): every request of the page is answered here.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { after, before, test } = require('node:test');
const { launch, press, shot, until } = require('./browser.js');

const server = process.env.BASE.trim();
const site = 'http://pve.test/';
const version = process.env.VERSION;
const files = {
    '/ext/': path.join(process.env.EXT, 'build'),
    '/files/': process.env.FILES,
};
const may = { 'Sys.Audit': 1, 'Sys.Modify': 1, 'Sys.Syslog': 1, 'Sys.Console': 1, 'Sys.PowerMgmt': 1, 'Mapping.Audit': 1 };
const caps = Object.fromEntries(['nodes', 'dc', 'vms', 'storage', 'access', 'sdn', 'mapping'].map((name) => [name, may]));
const node = { type: 'node', id: 'node/pve1', node: 'pve1', status: 'online', uptime: 1000, cpu: 0.1, maxcpu: 8, mem: 1, maxmem: 2, disk: 1, maxdisk: 2 };
const answers = {
    '/access/ticket': { username: 'root@pam', ticket: 'PVE:root@pam:1::x', CSRFPreventionToken: 'x', cap: caps },
    '/version': { version, release: version.replace(/[.]\d+$/, ''), repoid: 'x' },
    '/cluster/resources': [node],
    '/cluster/status': [{ type: 'node', id: 'node/pve1', name: 'pve1', online: 1, local: 1, nodeid: 0, ip: '192.0.2.1' }],
    '/nodes': [node],
    '/nodes/pve1/network': [{ iface: 'eno1', type: 'eth', active: 1, exists: 1, families: ['inet'], method: 'manual', priority: 3 }],
    '/nodes/pve1/status': { uptime: 1000, cpuinfo: {}, memory: {}, rootfs: {}, swap: {}, loadavg: [0, 0, 0], ksm: {}, 'current-kernel': {}, 'boot-info': {} },
};
const objects = /\/(status|config|options|subscription|time|dns|hosts|version|permissions)$/;

const page = (theme, ours) => `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title>
<link rel="stylesheet" href="/ext/classic/theme-crisp/resources/theme-crisp-all.css">
<link rel="stylesheet" href="/ext/packages/font-awesome/resources/font-awesome-all.css">
<link rel="stylesheet" href="/files/ext6-pve.css"><link rel="stylesheet" href="/files/ext6-pmx.css">
${theme ? `<link rel="stylesheet" href="/files/theme-${theme}.css">` : ''}
<script>
function gettext(text) { return text; }
function ngettext(one, many, count) { return count === 1 ? one : many; }
function pgettext(context, text) { return text; }
function npgettext(context, one, many, count) { return count === 1 ? one : many; }
</script>
<script src="/ext/ext-all.js"></script><script src="/ext/packages/charts/classic/charts.js"></script>
<script>
Proxmox = { Setup: { auth_cookie_name: 'PVEAuthCookie' }, defaultLang: 'en', NodeName: 'pve1', UserName: 'root@pam', CSRFPreventionToken: 'x' };
const pveOnlineHelpInfo = {};
window.marked = { parse: (text) => text, use: () => {} };
</script>
<script src="/files/proxmoxlib.js"></script><script src="/files/pvemanagerlib.js"></script><script src="/files/ext-6.js"></script>
${ours ? '<script src="/files/pve-rdma.js"></script>' : ''}
<script>
Ext.History.fieldid = 'x-history-field';
localStorage.setItem('ext-pve-GuiCap', Ext.encode(${JSON.stringify(caps)}));
Ext.onReady(() => Ext.create('PVE.StdWorkspace'));
</script></head><body><form id="history-form" class="x-hidden"><input type="hidden" id="x-history-field"></form></body></html>`;

async function answer(route, theme, ours) {
    let url = new URL(route.request().url());
    for (const [prefix, folder] of Object.entries(files)) {
        if (url.pathname.startsWith(prefix)) {
            let file = path.join(folder, url.pathname.slice(prefix.length));
            let type = { '.js': 'text/javascript', '.css': 'text/css' }[path.extname(file)];
            return fs.existsSync(file) ? route.fulfill({ path: file, contentType: type }) : route.fulfill({ status: 404, body: '' });
        }
    }
    if (url.pathname === '/') {
        return route.fulfill({ contentType: 'text/html', body: page(theme, ours) });
    }
    let [, api] = /^\/api2\/(?:extjs|json)(\/.*)$/.exec(url.pathname) ?? [];
    if (api && /\/rdma/.test(api)) {
        let response = await fetch(server.replace(/\/$/, '') + url.pathname + url.search);
        return route.fulfill({ contentType: 'application/json', body: await response.text() });
    }
    if (api) {
        let data = answers[api] ?? (objects.test(api) ? {} : []);
        return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ success: 1, data, total: data.length ?? 0 }) });
    }
    return route.fulfill({ status: 404, body: '' });
}

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// Proxmox VE's interface at `place`, with our script or without. What its console says as an error, or warns of us,
// fails the test; that a picture is missing is ours, who serve none.
async function inside({ place, theme, ours = true }, code) {
    let context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme ? 'dark' : 'light' });
    await context.addCookies([{ name: 'PVEAuthCookie', value: 'PVE%3Aroot@pam%3A1%3A%3Ax', url: site }]);
    await context.route('**/*', (route) => answer(route, theme, ours));
    let tab = await context.newPage();
    tab.setDefaultTimeout(Number(process.env.PATIENCE ?? 60000));
    let faults = [];
    tab.on('pageerror', (error) => faults.push(String(error.stack ?? error)));
    tab.on('console', (message) => {
        let text = message.text();
        if ((message.type() === 'error' && !/Failed to load resource/.test(text)) || /pve-rdma/.test(text)) {
            faults.push(text);
        }
    });
    try {
        await tab.goto(`${site}#v1:0:=${place}`);
        let result = await code(tab);
        assert.deepStrictEqual(faults, []);
        return result;
    } catch (error) {
        await shot(tab, 'proxmox-failed');
        error.message += `\n${faults.join('\n')}`;
        throw error;
    } finally {
        await context.close();
    }
}

const node1 = (item) => `node%2Fpve1:4:=${item}`;
const count = (tab, query, at) => until(tab, ([wanted, number]) => window.Ext?.ComponentQuery?.query(wanted)[0]?.getStore().getCount() >= number, [query, at]);
const go = (tab, item) => tab.evaluate((value) => void Ext.state.Manager.getProvider().set('nodetab', { value }), item);
const wide = (tab) => tab.evaluate(() => Ext.ComponentQuery.query('pveRdmaNodePanel grid, pveRdmaNodePanel treepanel, pveRdmaDatacenter grid')
    .filter((one) => one.isVisible(true) && !one.collapsed && one.getView().el.dom.scrollWidth > one.getView().el.dom.clientWidth + 1)
    .map((one) => one.title ?? one.xtype));

test('a link leads to the panel, which stands behind Network', () => inside({ place: node1('rdma') }, async (tab) => {
    await count(tab, 'pveRdmaOverview treepanel', 1);
    await count(tab, 'pveRdmaFindings', 1);
    await shot(tab, `proxmox-${version}-overview`);
    let order = await tab.evaluate(() => {
        let menu = Ext.ComponentQuery.query('#menu').find((one) => one.isVisible(true));
        return menu.getStore().getNodeById('services').childNodes.map((one) => one.getId());
    });
    assert.deepStrictEqual(order.slice(0, 2), ['network', 'rdma']);
    assert.deepStrictEqual(await wide(tab), [], 'no horizontal scrolling at 1280x800');
}));

test("Proxmox VE's Network panel has one button more, which leads to ours", () => inside({ place: node1('network') }, async (tab) => {
    await count(tab, 'proxmoxNodeNetworkView gridpanel', 1);
    await shot(tab, `proxmox-${version}-network`);
    await press(tab, 'RDMA');
    await count(tab, 'pveRdmaOverview treepanel', 1);
}));

// Every method of every class of Proxmox VE's, and what the Network panel is made of.
const proxmox = (tab) => tab.evaluate(() => {
    let classes = {};
    for (const [name, cls] of Object.entries(Ext.ClassManager.classes)) {
        if (/^(PVE|Proxmox)\./.test(name) && !/^PVE\.rdma\./.test(name)) {
            let one = cls.prototype ?? cls;
            for (const key of Object.getOwnPropertyNames(one)) {
                let value = Object.getOwnPropertyDescriptor(one, key).value;
                if (typeof value === 'function') {
                    classes[`${name} ${key}`] = value.toString();
                }
            }
        }
    }
    let view = Ext.ComponentQuery.query('proxmoxNodeNetworkView')[0];
    let grid = view.down('gridpanel');
    return {
        classes,
        buttons: view.getDockedItems('toolbar[dock=top]')[0].query('button').map((one) => one.text),
        columns: grid.getColumns().map((one) => [one.text, one.dataIndex, one.width, one.hidden, String(one.renderer)]),
        store: [grid.getStore().$className, Object.keys(grid.getStore().hasListeners), grid.getStore().getSorters().items.map((one) => one.getProperty())],
    };
});

test('nothing else of Proxmox VE differs with the script from without it', async () => {
    let look = async (tab) => {
        await count(tab, 'proxmoxNodeNetworkView gridpanel', 1);
        return proxmox(tab);
    };
    let before = await inside({ place: node1('network'), ours: false }, look);
    let now = await inside({ place: node1('network') }, look);
    let names = new Set([...Object.keys(before.classes), ...Object.keys(now.classes)]);
    assert.ok(names.size > 3000, `${names.size} methods were compared`);
    let changed = [...names].filter((name) => before.classes[name] !== now.classes[name]);
    assert.deepStrictEqual(changed.sort(), ['PVE.dc.Config insertNodes', 'PVE.node.Config insertNodes', 'Proxmox.node.NetworkView initComponent']);
    assert.deepStrictEqual(now.buttons, [...before.buttons, 'RDMA']);
    assert.ok(before.columns.length > 8);
    assert.deepStrictEqual(now.columns, before.columns);
    assert.deepStrictEqual(now.store, before.store);
});

test('Datacenter > RDMA stands behind Cluster, and a node there leads to its panel', () => inside({ place: 'root:4::::::::=rdma' }, async (tab) => {
    await count(tab, 'pveRdmaDatacenter grid', 1);
    await shot(tab, `proxmox-${version}-datacenter`);
    let order = await tab.evaluate(() => Ext.ComponentQuery.query('#menu').find((one) => one.isVisible(true)).getStore().getRoot().childNodes.map((one) => one.getId()));
    assert.strictEqual(order[order.indexOf('cluster') + 1], 'rdma');
    assert.deepStrictEqual(await wide(tab), []);
    await tab.evaluate(() => {
        let grid = Ext.ComponentQuery.query('pveRdmaDatacenter grid')[0];
        grid.fireEvent('itemdblclick', grid.getView(), grid.getStore().first());
    });
    await count(tab, 'pveRdmaOverview treepanel', 1);
}));

test('in the dark theme', { skip: fs.existsSync(path.join(process.env.FILES, 'theme-proxmox-dark.css')) ? false : 'no theme: sassc is not installed' }, () =>
    inside({ place: node1('rdma'), theme: 'proxmox-dark' }, async (tab) => {
        await count(tab, 'pveRdmaOverview treepanel', 1);
        await count(tab, 'pveRdmaFindings', 1);
        for (const [name, query] of [['overview'], ['interfaces', 'pveRdmaInterfaces'], ['routes', 'pveRdmaRoutes grid'], ['mtu', 'pveRdmaMtuLadder'], ['fabric'], ['driver'], ['changes']]) {
            await tab.evaluate((id) => {
                let panel = Ext.ComponentQuery.query('pveRdmaNodePanel')[0];
                panel.setActiveTab(panel.down(`#${id}`));
            }, name);
            await (query ? count(tab, query, 1) : new Promise((resolve) => setTimeout(resolve, 3000)));
            await shot(tab, `proxmox-${version}-dark-${name}`);
            assert.deepStrictEqual(await wide(tab), []);
        }
        await go(tab, 'network');
        await count(tab, 'proxmoxNodeNetworkView gridpanel', 1);
        await shot(tab, `proxmox-${version}-dark-network`);
    }));
