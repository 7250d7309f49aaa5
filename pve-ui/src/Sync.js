// Brings rows into a store so that what did not change is not drawn again. Rows are { id, ... }; of a tree with
// `children`.
Ext.define('PVE.rdma.Sync', {
    singleton: true,

    grid: function (store, rows) {
        let wanted = new Set(rows.map((row) => row.id));
        let gone = store.getRange().filter((record) => !wanted.has(record.getId()));
        if (gone.length) {
            store.remove(gone);
        }
        let added = [];
        for (const row of rows) {
            let record = store.getById(row.id);
            if (record) {
                this.change(record, row);
            } else {
                added.push(row);
            }
        }
        if (added.length) {
            store.add(added);
        }
        if (!rows.length) {
            store.loadData([]); // now the grid may say that there is nothing
        }
    },

    tree: function (parent, rows) {
        let wanted = new Set(rows.map((row) => row.id));
        parent.childNodes.filter((node) => !wanted.has(node.getId())).forEach((node) => node.remove(true));
        for (const row of rows) {
            let { children, ...fields } = row;
            let node = parent.childNodes.find((child) => child.getId() === row.id);
            if (node) {
                this.change(node, fields);
                this.tree(node, children ?? []);
            } else {
                node = parent.appendChild({ ...fields, leaf: row.leaf ?? !children?.length, loaded: true });
                if (children?.length) {
                    node.appendChild(children);
                    node.expand();
                }
            }
        }
    },

    // A list counts as the same when it holds the same.
    change: function (record, row) {
        let changed = {};
        for (const [name, value] of Object.entries(row)) {
            if (name !== 'id' && JSON.stringify(record.get(name)) !== JSON.stringify(value)) {
                changed[name] = value;
            }
        }
        if (!Ext.Object.isEmpty(changed)) {
            record.set(changed, { commit: true });
        }
    },
});
