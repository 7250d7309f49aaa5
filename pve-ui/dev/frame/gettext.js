// SPDX-License-Identifier: GPL-3.0-or-later
// gettext with a table by digest, as Proxmox VE's pages have it: here the table is empty but for what add-ons bring.
/* exported gettext */
window.__proxmox_i18n_msgcat__ = {};

// FNV-1a, 31 bits of it.
window.fnv31a = function (text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) {
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    return hash & 0x7fffffff;
};

window.gettext = (text) => window.__proxmox_i18n_msgcat__[window.fnv31a(text)]?.[0] ?? text;
window.ngettext = (one, many, count) => window.gettext(count === 1 ? one : many);
