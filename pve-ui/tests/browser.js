// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the development server in Debian's chromium, and what tests ask of it.
'use strict';

const path = require('path');
const { chromium } = require(process.env.PLAYWRIGHT);

// Starts the browser. The sandbox wants namespaces of its own, which a root in a container has not.
exports.launch = () =>
    chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

// A page in a context of its own. Whatever its console says as an error, or throws, ends up in page.faults.
exports.open = async function (browser, { base, at = '', user, theme, language, width = 1280, height = 800 }) {
    let context = await browser.newContext({ viewport: { width, height }, colorScheme: theme === 'proxmox-dark' ? 'dark' : 'light' });
    let cookies = Object.entries({ PVERdmaUser: user, PVEThemeCookie: theme, PVELangCookie: language }).filter(([, value]) => value);
    await context.addCookies(cookies.map(([name, value]) => ({ name, value: encodeURIComponent(value), url: base })));
    let page = await context.newPage();
    page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60000));
    page.faults = [];
    page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
    page.on('pageerror', (error) => page.faults.push(String(error.stack ?? error)));
    page.asked = [];
    page.on('request', (request) => /\/api2\//.test(request.url()) && page.asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(base + at);
    return page;
};

exports.shot = async function (page, name) {
    await page.screenshot({ path: path.join(process.env.SHOTS, `${name}.png`) });
};

exports.tab = async function (page, name) {
    await page.evaluate((id) => {
        let panel = Ext.ComponentQuery.query('pveRdmaNodePanel')[0];
        panel.setActiveTab(panel.down(`#${id}`));
    }, name);
};

// Runs a function in the page until it says yes.
exports.until = (page, code, argument, timeout = Number(process.env.PATIENCE ?? 60000)) => page.waitForFunction(code, argument, { timeout });

// Presses the visible button with that text: by the mouse, where it can be seen.
exports.press = async function (page, text) {
    let id = await page.evaluate((wanted) => {
        let all = Ext.ComponentQuery.query('button,menuitem').filter((one) => one.isVisible(true) && one.text === wanted && !one.disabled);
        return all.at(-1)?.el.id;
    }, text);
    if (!id) {
        throw new Error(`no button can be pressed that says ${text}`);
    }
    let box = await page.locator(`#${id}`).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
};

exports.type = async function (page, name, value) {
    await page.evaluate(([wanted, text]) => Ext.ComponentQuery.query(`field[name=${wanted}]`).at(-1).setValue(text), [name, value]);
};
