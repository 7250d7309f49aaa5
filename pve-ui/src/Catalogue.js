// Our texts in the page's language. Proxmox's gettext looks a text up by its digest in one table; what Proxmox has
// translated itself stays as it is.
Ext.ns('PVE.rdma');

(function () {
    let catalogues = window.pveRdmaCatalogues;
    delete window.pveRdmaCatalogues;
    let table = window.__proxmox_i18n_msgcat__;
    if (!table || typeof window.fnv31a !== 'function') {
        return; // English has neither
    }
    let language = Ext.util.Cookies.get('PVELangCookie') || window.Proxmox?.defaultLang || 'en';
    for (const [text, translated] of Object.entries(catalogues[language] ?? {})) {
        let digest = window.fnv31a(text);
        table[digest] ??= [translated];
    }
})();
