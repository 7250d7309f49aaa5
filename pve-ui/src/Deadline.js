// The time until an unconfirmed change is taken back, by this browser's own clock: the node's may be another, and the
// node may be out of reach.
Ext.define('PVE.rdma.Deadline', {
    // `transaction` as the API lists it: { id, state, deadline_s }
    constructor: function (transaction, now = performance.now()) {
        this.total = Math.max(transaction.deadline_s ?? 0, 1);
        this.update(transaction, now);
    },

    update: function (transaction, now = performance.now()) {
        this.end = now + (transaction.deadline_s ?? 0) * 1000;
        this.total = Math.max(this.total, transaction.deadline_s ?? 0);
    },

    left: function (now = performance.now()) {
        return Math.max(0, (this.end - now) / 1000);
    },

    fraction: function (now) {
        return Math.min(1, this.left(now) / this.total);
    },
});
