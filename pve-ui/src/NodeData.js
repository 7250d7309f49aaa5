// What all tabs of one node look at: its report and its findings, read once. Fires
//   loading(), report(report), findings(findings, unjudged), failed(failure), network(reply)
Ext.define('PVE.rdma.NodeData', {
    mixins: ['Ext.mixin.Observable'],

    constructor: function (config) {
        this.mixins.observable.constructor.call(this, config);
        this.nodename = config.nodename;
        this.findings = [];
    },

    // The report is shown when it is there; the findings, which may take a walk of the fabric, when they are.
    load: async function () {
        this.fireEvent('loading');
        let findings = PVE.rdma.Api.get(this.nodename, 'findings').catch((failure) => failure);
        try {
            this.report = (await PVE.rdma.Api.get(this.nodename, 'report')).report;
            this.fireEvent('report', this.report);
        } catch (failure) {
            this.fireEvent('failed', failure);
            return;
        }
        let judged = await findings;
        if (judged.kind) {
            this.fireEvent('unjudged', judged);
            return;
        }
        this.findings = judged.findings;
        this.fireEvent('findings', judged.findings, judged.unjudged ?? []);
    },

    // The network as a document, and what it was read from.
    loadNetwork: async function () {
        this.network = await PVE.rdma.Api.get(this.nodename, 'network');
        this.fireEvent('network', this.network);
        return this.network;
    },

    loadMissing: function () {
        return this.network ? Promise.resolve(this.network) : this.loadNetwork();
    },
});
