// SPDX-License-Identifier: GPL-3.0-or-later
// What the browser's tests share: one page of the development server (run-browser starts it), where a node's panel is
// made anew for each test, and looks into it. The node pve1 is real and simulated, the others are records.
'use strict';

const assert = require('node:assert');
const { after, before } = require('node:test');
const { launch, open, shot, until } = require('./browser.js');

const base = process.env.BASE.trim();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let main;
exports.base = base;
exports.pause = pause;

before(async () => {
    exports.browser = await launch();
    main = await open(exports.browser, { base, at: '#:rdma' });
});
after(() => exports.browser.close());

// One node's panel, made anew in the one page (loading that takes a slow machine minutes); what the console says as an
// error fails the test. '' is the datacenter.
exports.panel = async function (node, options, code, allowed = []) {
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
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.evaluate(() => Ext.ComponentQuery.query('window, messagebox').forEach((one) => one.isVisible() && one.close()));
    }
};

exports.judged = (page) => until(page, () => Ext.ComponentQuery.query('pveRdmaFindings')[0]?.down('#unjudged').rendered && Ext.ComponentQuery.query('pveRdmaFindings')[0].getStore().getCount() > 0);
exports.rows = (page, query) => until(page, (wanted) => Ext.ComponentQuery.query(wanted)[0].getStore().getCount() > 0, query);
exports.text = (page, query) => page.evaluate((wanted) => Ext.ComponentQuery.query(wanted)[0].getEl().dom.innerText, query);
exports.plan = (page) => until(page, () => Ext.ComponentQuery.query('pveRdmaPlanView')[0].reply);
exports.pendingIs = (page, shown) => until(page, (wanted) => Ext.ComponentQuery.query('pveRdmaPendingBar')[0].isVisible() === wanted, shown);
exports.choose = (page, query, id) => page.evaluate(([wanted, key]) => {
    let grid = Ext.ComponentQuery.query(wanted)[0];
    grid.getSelectionModel().select(grid.getStore().getById(key));
}, [query, id]);

// Nothing of the panel is wider than its place: no grid scrolls sideways.
exports.wide = (page) => page.evaluate(() => Ext.ComponentQuery.query('grid, treepanel')
    .filter((one) => one.isVisible(true) && !one.collapsed && one.up('pveRdmaNodePanel, pveRdmaDatacenter'))
    .filter((one) => one.getView().el.dom.scrollWidth > one.getView().el.dom.clientWidth + 1)
    .map((one) => `${one.xtype} ${one.title}`));
