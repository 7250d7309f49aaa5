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
    page.setDefaultTimeout(60000);
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
exports.until = (page, code, argument, timeout = 60000) => page.waitForFunction(code, argument, { timeout });
