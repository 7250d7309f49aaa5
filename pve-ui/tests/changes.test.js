// SPDX-License-Identifier: GPL-3.0-or-later
// Changes by the panel, in a browser: every edit, its plan, the countdown and the ways in which it ends.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const { test } = require('node:test');
const { press, shot, tab, type, until } = require('./browser.js');
const { choose, judged, panel, pause, pendingIs, plan, rows, text, wide } = require('./page.js');

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
    await page.evaluate(() => void Ext.ComponentQuery.query('pveRdmaPlanView')[0].seconds.setValue(25));
    await press(page, 'Apply');
    await pendingIs(page, true);
    // The way to the node is lost in the countdown.
    await page.route('**/api2/**', (route) => route.abort());
    let bar = (words) => until(page, (wanted) => Ext.ComponentQuery.query('pveRdmaPendingBar')[0].getEl().dom.innerText.includes(wanted), words);
    await bar('pve1 does not answer. It restores its old network by itself in 0:');
    await shot(page, 'lost');
    await bar('Its time is over: it restores its old network now.');
    await page.unroute('**/api2/**');
    await pendingIs(page, false);
    await until(page, () => /The change was taken back/.test(Ext.ComponentQuery.query('pveRdmaChanges')[0].outcome.getEl().dom.innerText));
    await shot(page, 'healed');
}, [/ERR_FAILED/]));

// The document that the next plan is asked for.
const wanted = async function (page, code) {
    await page.evaluate(() => (Ext.ComponentQuery.query('pveRdmaPlanView')[0].wanted = undefined));
    await code();
    await until(page, () => Ext.ComponentQuery.query('pveRdmaPlanView')[0].wanted);
    let document = await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaPlanView')[0].wanted);
    await tab(page, 'interfaces');
    return document;
};

test('IPoIB and Ethernet: every edit becomes a document, a child and a bond are made, and taken away', () => panel('cx3', {}, async (page) => {
    await tab(page, 'interfaces');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaInterfaces')[0].getStore().getCount() > 1 && Ext.ComponentQuery.query('pveRdmaNodePanel')[0].nodeData.network);
    await shot(page, 'interfaces-cx3');
    let edit = (id, picture, fields) => wanted(page, async () => {
        await choose(page, 'pveRdmaInterfaces', id);
        await press(page, 'Edit');
        for (const [name, value] of Object.entries(fields)) {
            await type(page, name, value);
        }
        await pause(300);
        await shot(page, picture);
        await press(page, 'Show plan');
    });
    assert.deepStrictEqual(await edit('ib0', 'edit-ipoib', { mode: 'datagram', mtu: 2044, addresses: '192.0.2.7/24 metric 5' }), {
        links: [{ name: 'ib0', mode: 'datagram', addresses: [{ metric: 5, address: '192.0.2.7/24' }] }],
    });
    assert.deepStrictEqual(await edit('ens19', 'edit-ethernet', { mtu: 9000, autonegotiation: false, fec: 'off', vfs: 4 }), {
        links: [{ name: 'ens19', mtu: 9000, autonegotiation: false, fec: 'off', vfs: 4 }],
    });
    let create = (item, picture, fields) => wanted(page, async () => {
        await press(page, 'Create');
        await press(page, item);
        for (const [name, value] of Object.entries(fields)) {
            await type(page, name, value);
        }
        await pause(300);
        await shot(page, picture);
        await press(page, 'Show plan');
    });
    assert.deepStrictEqual(await create('P_Key child', 'create-pkey', { pkey: '0x8002', address: '203.0.113.1/25' }), {
        links: [{ name: 'ib0p8002', kind: 'ipoib', parent: 'ib0', pkey: '0x8002', up: true, addresses: [{ address: '203.0.113.1/25' }] }],
    });
    assert.deepStrictEqual(await create('Bond of InfiniBand ports', 'create-bond', {}), {
        links: [{ name: 'bond0', kind: 'bond', mode: 'active-backup', ports: ['ib0'], miimon: 100, up: true }],
    });
    // What a card cannot do is said to whom nothing can be done.
    await choose(page, 'pveRdmaInterfaces', 'ib0');
    assert.ok(await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaInterfaces')[0].removeButton.disabled), 'a port of the card is not removed');
}));

test('a finding prepares its change, and applies nothing', () => panel('cx3', {}, async (page) => {
    await judged(page);
    let rule = await page.evaluate(() => {
        let findings = Ext.ComponentQuery.query('pveRdmaFindings')[0];
        let at = findings.getStore().findBy((one) => one.get('rule') === 'MTU-05');
        findings.getSelectionModel().select(at);
        return findings.getStore().getAt(at)?.get('subject');
    });
    assert.strictEqual(rule, 'ib0');
    await press(page, 'Prepare change');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaPlanView')[0].wanted);
    assert.deepStrictEqual(await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaPlanView')[0].wanted), { links: [{ name: 'ib0', mtu: 65520 }] });
    assert.ok(!page.asked.some((one) => /POST .*rdma\/network/.test(one)));
}));

test('by the keyboard alone: from the tabs to an edit, its plan and back', () => panel('pve1', {}, async (page) => {
    await judged(page);
    await page.evaluate(() => Ext.ComponentQuery.query('pveRdmaNodePanel')[0].getTabBar().items.first().focus());
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await until(page, () => Ext.ComponentQuery.query('pveRdmaInterfaces')[0].getStore().getById('nic40')?.get('addresses').length);
    await page.evaluate(() => {
        let grid = Ext.ComponentQuery.query('pveRdmaInterfaces')[0];
        grid.getView().getNavigationModel().setPosition(grid.getStore().find('name', 'nic40'), 0);
    });
    await page.keyboard.press('Enter');
    await until(page, () => Ext.ComponentQuery.query('window field[name=mtu]')[0]?.hasFocus);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('1450');
    await page.keyboard.press('Enter');
    await plan(page);
    assert.match(await text(page, 'pveRdmaPlanView'), /set mtu of nic40 to 1450/);
    assert.deepStrictEqual(await page.evaluate(() => Ext.ComponentQuery.query('window{isVisible()}').length), 0);
}));
