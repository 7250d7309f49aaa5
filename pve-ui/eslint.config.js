// SPDX-License-Identifier: GPL-3.0-or-later
// ESLint for the panel: what is a mistake, not what is taste.
'use strict';

const shared = Object.fromEntries(
    ['Ext', 'PVE', 'Proxmox', 'gettext', 'window', 'document', 'console', 'fetch', 'performance', 'URL', 'Blob', 'AbortController']
        .concat(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Frame'])
        .map((name) => [name, 'readonly']),
);
const rules = Object.fromEntries(
    [
        'array-callback-return', 'consistent-return', 'curly', 'eqeqeq', 'no-console', 'no-const-assign', 'no-dupe-args', 'no-dupe-else-if',
        'no-dupe-keys', 'no-duplicate-case', 'no-empty', 'no-eval', 'no-fallthrough', 'no-implied-eval', 'no-new-func', 'no-redeclare',
        'no-self-assign', 'no-self-compare', 'no-shadow', 'no-undef', 'no-unreachable', 'no-unused-vars', 'no-use-before-define', 'no-var',
        'prefer-template', 'use-isnan', 'valid-typeof',
    ].map((name) => [name, 'error']),
);

module.exports = [
    {
        files: ['src/*.js', 'dev/frame/*.js'],
        languageOptions: { ecmaVersion: 2022, sourceType: 'script', globals: shared },
        rules: { ...rules, 'no-console': ['error', { allow: ['warn'] }], 'no-shadow': ['error', { allow: ['text'] }] },
    },
    {
        files: ['tests/*.js'],
        languageOptions: {
            ecmaVersion: 2022,
            sourceType: 'commonjs',
            globals: { ...shared, process: 'readonly', require: 'readonly', exports: 'readonly', __dirname: 'readonly' },
        },
        rules: { ...rules, 'no-shadow': 'off' },
    },
];
