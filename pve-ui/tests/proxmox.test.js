// SPDX-License-Identifier: GPL-3.0-or-later
// The panel inside Proxmox VE's own interface (with-proxmox joins its scripts): every request of the page is answered here.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { launch, shot, until } = require('./browser.js');

const server = process.env.BASE.trim();
const site = 'http://pve.test/';
const files = {
    '/ext/': path.join(process.env.EXT, 'build'),
    '/files/': process.env.FILES,
};
const may = { 'Sys.Audit': 1, 'Sys.Modify': 1, 'Sys.Syslog': 1, 'Sys.Console': 1, 'Sys.PowerMgmt': 1, 'Mapping.Audit': 1 };
const caps = Object.fromEntries(['nodes', 'dc', 'vms', 'storage', 'access', 'sdn', 'mapping'].map((name) => [name, may]));
const node = { type: 'node', id: 'node/pve1', node: 'pve1', status: 'online', uptime: 1000, cpu: 0.1, maxcpu: 8, mem: 1, maxmem: 2, disk: 1, maxdisk: 2 };
const answers = {
    '/access/ticket': { username: 'root@pam', ticket: 'PVE:root@pam:1::x', CSRFPreventionToken: 'x', cap: caps },
    '/version': { version: '9.2.11', release: '9.2', repoid: 'x' },
    '/cluster/resources': [node],
    '/cluster/status': [{ type: 'node', id: 'node/pve1', name: 'pve1', online: 1, local: 1, nodeid: 0, ip: '192.0.2.1' }],
    '/nodes': [node],
    '/nodes/pve1/network': [{ iface: 'eno1', type: 'eth', active: 1, exists: 1, families: ['inet'], method: 'manual', priority: 3 }],
    '/nodes/pve1/status': { uptime: 1000, cpuinfo: {}, memory: {}, rootfs: {}, swap: {}, loadavg: [0, 0, 0], ksm: {}, 'current-kernel': {}, 'boot-info': {} },
};
const objects = /\/(status|config|options|subscription|time|dns|hosts|version|permissions)$/;

const page = () => `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title>
<link rel="stylesheet" href="/ext/classic/theme-crisp/resources/theme-crisp-all.css">
<link rel="stylesheet" href="/ext/packages/font-awesome/resources/font-awesome-all.css">
<link rel="stylesheet" href="/files/ext6-pve.css"><link rel="stylesheet" href="/files/ext6-pmx.css">
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
<script src="/files/proxmoxlib.js"></script><script src="/files/pvemanagerlib.js"></script><script src="/files/pve-rdma.js"></script>
<script>
if (typeof PVE === 'undefined') PVE = {};
Ext.History.fieldid = 'x-history-field';
localStorage.setItem('ext-pve-GuiCap', Ext.encode(${JSON.stringify(caps)}));
Ext.onReady(() => Ext.create('PVE.StdWorkspace'));
</script></head><body><form id="history-form" class="x-hidden"><input type="hidden" id="x-history-field"></form></body></html>`;

async function answer(route) {
    let url = new URL(route.request().url());
    for (const [prefix, folder] of Object.entries(files)) {
        if (url.pathname.startsWith(prefix)) {
            let file = path.join(folder, url.pathname.slice(prefix.length));
            let type = { '.js': 'text/javascript', '.css': 'text/css' }[path.extname(file)];
            return fs.existsSync(file) ? route.fulfill({ path: file, contentType: type }) : route.fulfill({ status: 404, body: '' });
        }
    }
    if (url.pathname === '/') {
        return route.fulfill({ contentType: 'text/html', body: page() });
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

test("the panel stands in Proxmox VE's interface, and leaves it as it is", async () => {
    let browser = await launch();
    let context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addCookies([{ name: 'PVEAuthCookie', value: 'PVE%3Aroot@pam%3A1%3A%3Ax', url: site }]);
    await context.route('**/*', answer);
    let tab = await context.newPage();
    tab.setDefaultTimeout(Number(process.env.PATIENCE ?? 60000));
    let ours = [];
    tab.on('pageerror', (error) => ours.push(String(error.stack ?? error)));
    tab.on('console', (message) => /pve-rdma/.test(message.text()) && ours.push(message.text()));
    try {
        await tab.goto(`${site}#v1:0:=node%2Fpve1:4:=rdma`);
        // The deep link leads to our panel.
        await until(tab, () => window.Ext?.ComponentQuery?.query('pveRdmaNodePanel').length > 0);
        await until(tab, () => Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getStore().getCount() > 0);
        await shot(tab, 'proxmox-overview');
        // Behind Network, in the same group.
        let order = await tab.evaluate(() => {
            let menu = Ext.ComponentQuery.query('#menu').find((one) => one.isVisible(true));
            return menu.getStore().getNodeById('services').childNodes.map((one) => one.getId());
        });
        assert.deepStrictEqual(order.slice(0, 2), ['network', 'rdma']);
        let wide = await tab.evaluate(() => Ext.ComponentQuery.query('pveRdmaOverview treepanel')
            .filter((one) => one.getView().el.dom.scrollWidth > one.getView().el.dom.clientWidth + 1).length);
        assert.strictEqual(wide, 0, 'no horizontal scrolling at 1280x800');
        // Proxmox VE's own Network panel: its store and columns, and one button more, which leads to us.
        await tab.evaluate(() => void Ext.state.Manager.getProvider().set('nodetab', { value: 'network' }));
        await until(tab, () => Ext.ComponentQuery.query('proxmoxNodeNetworkView')[0]?.down('gridpanel').getStore().getCount() === 1);
        await shot(tab, 'proxmox-network');
        let network = await tab.evaluate(() => {
            let view = Ext.ComponentQuery.query('proxmoxNodeNetworkView')[0];
            let buttons = view.getDockedItems('toolbar[dock=top]')[0].query('button').map((one) => one.text);
            return { buttons, columns: view.down('gridpanel').getColumns().length };
        });
        assert.strictEqual(network.buttons.filter((one) => one === 'RDMA').length, 1);
        assert.ok(network.buttons.length > 4 && network.columns > 8, JSON.stringify(network));
        await tab.evaluate(() => void Ext.ComponentQuery.query('proxmoxNodeNetworkView')[0].down('#rdma').handler());
        await until(tab, () => Ext.ComponentQuery.query('pveRdmaNodePanel').length > 0);
        assert.deepStrictEqual(ours, []);
    } catch (error) {
        await shot(tab, 'proxmox-failed');
        error.message += `\n${ours.join('\n')}`;
        throw error;
    } finally {
        await browser.close();
    }
});
