// SPDX-License-Identifier: GPL-3.0-or-later
// The panel in a browser: what its tabs show, of one node and of all.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { open, press, shot, tab, until } = require('./browser.js');
const shared = require('./page.js');
const { base, choose, judged, panel, pause, rows, text, wide } = shared;

test('the Overview is painted with one request and whole with two, with findings that mark their subject', () => panel('pve1', {}, async (page) => {
    // It is painted with the answer of one request; the findings are held back until then.
    let release;
    let held = new Promise((resolve) => (release = resolve));
    await page.route('**/rdma/findings*', (route) => held.then(() => route.continue()));
    page.asked.length = 0;
    await page.evaluate(() => Frame.choose('pve1'));
    await until(page, () => Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getView().el.dom.querySelectorAll('.x-grid-item').length > 1);
    assert.deepStrictEqual(page.asked.map((one) => one.split('/').at(-1)).sort(), ['findings', 'report']);
    release();
    await judged(page);
    await until(page, () => Ext.ComponentQuery.query('pveRdmaChanges')[0].history);
    await page.evaluate(() => document.querySelector('.x-grid-row-expander').click());
    await shot(page, 'overview');
    assert.match(await text(page, 'pveRdmaFindings'), /What to do/i);
    let marked = await page.evaluate(() => {
        let findings = Ext.ComponentQuery.query('pveRdmaFindings')[0];
        findings.getSelectionModel().select(findings.getStore().findBy((one) => one.get('subject') === 'ibsim0 port 1'));
        return Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getSelection()[0]?.getId();
    });
    assert.strictEqual(marked, 'port:ibsim0:1');
    assert.deepStrictEqual(await wide(page), []);
}));

test('MTU: the ladder, and a probe with its verdict', () => panel('pve1', {}, async (page) => {
    await tab(page, 'mtu');
    await rows(page, 'pveRdmaMtuLadder');
    await page.evaluate(() => void Ext.ComponentQuery.query('pveRdmaMtu')[0].peer.setValue('192.0.2.9'));
    await press(page, 'Probe');
    await rows(page, 'pveRdmaMtu grid[title=Peers]');
    await shot(page, 'mtu');
    assert.match(await text(page, 'pveRdmaMtu grid[title=Peers]'), /192\.0\.2\.9\s+1500/);
    assert.deepStrictEqual(await wide(page), []);
}));

test('Fabric: drawn, degraded links marked, both ends of a link side by side by the keyboard', () => panel('pve1', {}, async (page) => {
    await tab(page, 'fabric');
    await until(page, () => document.querySelectorAll('svg [data-rdma^=link]').length === 10);
    assert.ok(await page.evaluate(() => document.querySelectorAll('svg g.warning[data-rdma]').length > 0));
    await shot(page, 'fabric');
    await page.evaluate(() => document.querySelector('svg [data-rdma^=link]').focus());
    await page.keyboard.press('Enter');
    await until(page, () => Ext.ComponentQuery.query('window grid')[0]?.getStore().getCount() > 20);
    await shot(page, 'fabric-port');
}));

test('Driver: what runs, the guard switched only behind what it would do', () => panel('pve1', {}, async (page) => {
    await tab(page, 'driver');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaGuard')[0].guard);
    await shot(page, 'driver');
    await press(page, 'Switch on');
    await until(page, () => Ext.Msg.isVisible());
    await shot(page, 'guard');
    assert.strictEqual(await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaGuard')[0].guard.state), 'off');
    await press(page, 'OK');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaGuard')[0].guard.state === 'on');
    await press(page, 'Switch off');
    await until(page, () => Ext.Msg.isVisible());
    await press(page, 'OK');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaGuard')[0].guard.state === 'off');
    assert.deepStrictEqual(await wide(page), []);
}));

test('Datacenter: nodes side by side, silent ones say so', () => panel('', {}, async (page) => {
    await until(page, () => Ext.ComponentQuery.query('pveRdmaDatacenter grid')[0].getStore().getCount() === 8);
    await pause(500);
    await shot(page, 'datacenter');
    let shown = await text(page, 'pveRdmaDatacenter');
    assert.match(shown, /away\s[\s\S]*no answer: .*No route to host/);
    assert.match(shown, /bare\s[\s\S]*not implemented/);
}));

for (const [node, words, allowed] of [
    ['empty', /No RDMA device or fast NIC found\.\s+Looked at: /, []],
    ['bare', /pve-rdma is not installed on node 'bare'/, []],
    ['away', /Node 'away' does not answer/, [/status of 595/]],
]) {
    test(`${node}: the empty state speaks`, () => panel(node, {}, async (page) => {
        await until(page, () => Ext.ComponentQuery.query('pveRdmaEmptyState')[0].isVisible());
        await shot(page, `empty-${node}`);
        assert.match(await text(page, 'pveRdmaEmptyState'), words);
    }, allowed));
}

test('without the right to see, or to change', async () => {
    await panel('pve1', { user: 'nobody@pve' }, async (page) => {
        await until(page, () => Ext.ComponentQuery.query('pveRdmaEmptyState')[0].isVisible());
        assert.match(await text(page, 'pveRdmaEmptyState'), /privilege Sys.Audit/);
    });
    await panel('pve1', { user: 'audit@pve' }, async (page) => {
        await tab(page, 'interfaces');
        await rows(page, 'pveRdmaInterfaces');
        await choose(page, 'pveRdmaInterfaces', 'nic40');
        assert.ok(await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaInterfaces')[0].editButton.disabled));
    });
});

test('200 ports: a reload leaves rows that did not change', () => panel('big', {}, async (page) => {
    await until(page, () => Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getStore().getCount() === 300);
    await judged(page);
    await shot(page, 'ports-200');
    let drawn = await page.evaluate(() => {
        let tree = Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0];
        let items = [...tree.getView().el.dom.querySelectorAll('.x-grid-item')];
        items.forEach((item) => (item.seen = true));
        return items.length;
    });
    assert.ok(drawn < 200, `rows are drawn as they come into view, not all: ${drawn}`);
    await page.evaluate(async () => {
        let { nodeData } = Ext.ComponentQuery.query('pveRdmaNodePanel')[0];
        await nodeData.load();
    });
    let anew = await page.evaluate(() => {
        let tree = Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0];
        return [...tree.getView().el.dom.querySelectorAll('.x-grid-item')].filter((item) => !item.seen).length;
    });
    assert.strictEqual(anew, 0);
}));

test('5,000 routes: only what is in view is drawn', () => panel('big', {}, async (page) => {
    await until(page, () => Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getStore().getCount() > 0);
    await tab(page, 'routes');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaRoutes grid')[0].getStore().getCount() === 5000);
    let drawn = await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaRoutes grid')[0].getView().el.dom.querySelectorAll('.x-grid-item').length);
    assert.ok(drawn > 5 && drawn < 200, String(drawn));
    await shot(page, 'routes-5000');
}));

test('648 hosts stay usable', () => panel('fabric', {}, async (page) => {
    await tab(page, 'fabric');
    await until(page, () => document.querySelectorAll('svg [data-rdma^=switch]').length === 54);
    await shot(page, 'fabric-648');
    await page.evaluate(() => document.querySelector('svg [data-rdma^=switch]').focus());
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelectorAll('svg g[role=img]').length === 18);
    await shot(page, 'fabric-648-open');
}));

test('a hostile name is text', () => panel('hostile', {}, async (page) => {
    await until(page, () => Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getStore().getCount() > 0);
    for (const name of ['overview', 'interfaces', 'routes', 'fabric']) {
        await tab(page, name);
        await pause(2500);
    }
    await shot(page, 'hostile');
    assert.notStrictEqual(await page.title(), 'owned');
    assert.strictEqual(await page.evaluate(() => document.querySelectorAll('img[src=x]').length), 0);
}));

test('dark, German, 1024 wide: the findings are folded, nothing scrolls sideways', async () => {
    let page = await open(shared.browser, { base, at: '#:rdma', theme: 'proxmox-dark', language: 'de' });
    await panel('pve1', { page, width: 1024, height: 768 }, async () => {
        await judged(page);
        await shot(page, 'dark-german-1024');
        assert.deepStrictEqual(await wide(page), []);
        assert.ok(await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaFindings')[0].collapsed));
        let tabs = await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaNodePanel')[0].getTabBar().el.dom.innerText);
        for (const word of ['Überblick', 'Schnittstellen', 'Routen', 'Treiber', 'Änderungen']) {
            assert.ok(tabs.includes(word), `${word} in ${tabs}`);
        }
    });
    await panel('pve1', { page }, async () => {
        for (const name of ['routes', 'fabric', 'changes']) {
            await tab(page, name);
            await pause(4000);
            await shot(page, `dark-${name}`);
        }
    });
});
