// SPDX-License-Identifier: GPL-3.0-or-later
// The panel in a browser, over the development server (run-browser starts it): the node pve1 is real and simulated, the
// others are records.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const { after, before, test } = require('node:test');
const { launch, open, press, shot, tab, type, until } = require('./browser.js');

const base = process.env.BASE.trim();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let browser, main;

before(async () => {
    browser = await launch();
    main = await open(browser, { base, at: '#:rdma' });
});
after(() => browser.close());

// One node's panel, made anew in the one page (loading that takes a slow machine minutes); what the console says as an
// error fails the test. '' is the datacenter.
async function panel(node, options, code, allowed = []) {
    let page = options.page ?? main;
    page.faults.length = 0;
    let user = options.user ?? 'root@pam';
    await page.context().addCookies([{ name: 'PVERdmaUser', value: encodeURIComponent(user), url: base }]);
    await until(page, () => window.Ext && window.Frame?.choose);
    await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 800 });
    page.asked.length = 0;
    try {
        await page.evaluate(([name, who]) => {
            Proxmox.UserName = who;
            let may = { 'Sys.Audit': true, 'Sys.Modify': who === 'root@pam' };
            Ext.state.Manager.set('GuiCap', { nodes: may, dc: may, vms: {} });
            window.history.replaceState(null, '', `#${name}:rdma`);
            Frame.choose(name || undefined);
        }, [node, user]);
        await until(page, () => Ext.ComponentQuery.query('pveRdmaNodePanel, pveRdmaDatacenter').length > 0);
        await code(page);
        assert.deepStrictEqual(page.faults.filter((fault) => !allowed.some((one) => one.test(fault))), [], 'the console');
    } catch (error) {
        await shot(page, `failed-${node}`);
        throw error;
    } finally {
        await page.unroute('**/api2/**');
        await page.evaluate(() => Ext.ComponentQuery.query('window, messagebox').forEach((one) => one.isVisible() && one.close()));
    }
}

const judged = (page) => until(page, () => Ext.ComponentQuery.query('pveRdmaFindings')[0]?.down('#unjudged').rendered && Ext.ComponentQuery.query('pveRdmaFindings')[0].getStore().getCount() > 0);
const rows = (page, query) => until(page, (wanted) => Ext.ComponentQuery.query(wanted)[0].getStore().getCount() > 0, query);
const text = (page, query) => page.evaluate((wanted) => Ext.ComponentQuery.query(wanted)[0].getEl().dom.innerText, query);
const plan = (page) => until(page, () => Ext.ComponentQuery.query('pveRdmaPlanView')[0].reply);
const pendingIs = (page, shown) => until(page, (wanted) => Ext.ComponentQuery.query('pveRdmaPendingBar')[0].isVisible() === wanted, shown);
const choose = (page, query, id) => page.evaluate(([wanted, key]) => {
    let grid = Ext.ComponentQuery.query(wanted)[0];
    grid.getSelectionModel().select(grid.getStore().getById(key));
}, [query, id]);

// Nothing of the panel is wider than its place: no grid scrolls sideways.
const wide = (page) => page.evaluate(() => Ext.ComponentQuery.query('grid, treepanel')
    .filter((one) => one.isVisible(true) && !one.collapsed && one.up('pveRdmaNodePanel, pveRdmaDatacenter'))
    .filter((one) => one.getView().el.dom.scrollWidth > one.getView().el.dom.clientWidth + 1)
    .map((one) => `${one.xtype} ${one.title}`));

test('the Overview comes with two requests, with findings that mark their subject', () => panel('pve1', {}, async (page) => {
    await until(page, () => Ext.ComponentQuery.query('pveRdmaOverview treepanel')[0].getStore().getCount() > 0);
    let first = page.asked.filter((one) => /rdma\/(report|findings)$/.test(one));
    assert.deepStrictEqual(page.asked.slice(0, 2).sort(), first.sort());
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

test('an edit becomes a plan, is applied, confirmed over a new connection, and rolled back', () => panel('pve1', {}, async (page) => {
    await judged(page);
    await tab(page, 'interfaces');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaInterfaces')[0].getStore().getById('nic40')?.get('addresses').length);
    await shot(page, 'interfaces');
    assert.deepStrictEqual(await wide(page), []);
    await choose(page, 'pveRdmaInterfaces', 'nic40');
    await press(page, 'Edit');
    await type(page, 'mtu', 1400);
    await type(page, 'addresses', '192.0.2.40/24 metric 5');
    await pause(300);
    await shot(page, 'edit');
    let before = page.asked.length;
    await press(page, 'Show plan');
    await plan(page);
    assert.ok(!page.asked.slice(before).some((one) => /POST .*network/.test(one)), 'nothing is applied without its plan shown');
    await pause(300);
    await shot(page, 'plan');
    assert.match(await text(page, 'pveRdmaPlanView'), /set mtu of nic40 to 1400/);
    assert.match(await text(page, 'pveRdmaPlanView'), /\+\s*mtu 1400/);
    await press(page, 'Apply');
    await pendingIs(page, true);
    await until(page, () => /1 pending, heals in \d:\d\d/.test(Ext.ComponentQuery.query('pveRdmaChanges')[0].tab.el.dom.innerText));
    await shot(page, 'pending');
    let log = () => fs.readFileSync(process.env.REQUESTS, 'utf8').trim().split('\n').map((line) => line.split(' '));
    let lines = log().length;
    await press(page, 'Confirm');
    await pendingIs(page, false);
    let [probe] = log().slice(lines).filter(([, , path]) => path === '/pve2/images/logo-128.png');
    assert.ok(probe, 'the confirmation is preceded by a request of its own');
    assert.ok(!log().slice(0, lines).some(([connection]) => connection === probe[0]), 'on a connection that was not open before');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaChanges')[0].history.getStore().first()?.get('state') === 'confirmed');
    await pause(300);
    await shot(page, 'confirmed');
    await page.evaluate(() => {
        let { history } = Ext.ComponentQuery.query('pveRdmaChanges')[0];
        history.getSelectionModel().select(0);
    });
    await press(page, 'Roll back');
    await press(page, 'Yes');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaChanges')[0].history.getStore().first()?.get('state') === 'restored');
    assert.match(await text(page, 'pveRdmaChanges'), /taken back/);
}));

test('metrics are edited in place, the picture follows, and a change that is not confirmed heals', () => panel('pve1', {}, async (page) => {
    await judged(page);
    await tab(page, 'routes');
    await rows(page, 'pveRdmaRoutes grid');
    let winner = () => page.evaluate(() => document.querySelector('svg g.good[aria-label^="192.0.2.0/24"]')?.getAttribute('aria-label') ?? '');
    let was = await winner();
    let [, loser] = await page.evaluate((words) => {
        let grid = Ext.ComponentQuery.query('pveRdmaRoutes grid')[0];
        let inUse = grid.getStore().findBy((one) => words.startsWith(`${one.get('dst')} by ${one.get('dev')}:`));
        let record = grid.getStore().getAt(inUse);
        let other = grid.getStore().getRange().find((one) => one.get('dst') === record.get('dst') && one !== record);
        grid.findPlugin('cellediting').startEdit(record, grid.getColumns()[3]);
        let editor = grid.findPlugin('cellediting').getActiveEditor();
        editor.setValue(1000);
        editor.completeEdit();
        return [record.get('dev'), other.get('dev')];
    }, was);
    assert.match(await winner(), new RegExp(`by ${loser}`));
    await shot(page, 'routes');
    assert.deepStrictEqual(await wide(page), []);
    await press(page, 'Show plan');
    await plan(page);
    await page.evaluate(() => void Ext.ComponentQuery.query('pveRdmaPlanView')[0].seconds.setValue(12));
    await press(page, 'Apply');
    await pendingIs(page, true);
    // The way to the node is lost in the countdown.
    await page.route('**/api2/**', (route) => route.abort());
    await until(page, () => /pve1 does not answer. It restores its old network by itself in 0:/.test(Ext.ComponentQuery.query('pveRdmaPendingBar')[0].getEl().dom.innerText));
    await shot(page, 'lost');
    await pause(14000);
    await page.unroute('**/api2/**');
    await pendingIs(page, false);
    await until(page, () => /The change was taken back/.test(Ext.ComponentQuery.query('pveRdmaChanges')[0].outcome.getEl().dom.innerText));
    await shot(page, 'healed');
}, [/ERR_FAILED/]));

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
    let page = await open(browser, { base, at: '#:rdma', theme: 'proxmox-dark', language: 'de' });
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
