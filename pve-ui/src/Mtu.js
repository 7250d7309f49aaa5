// MTU: the ladder of each address, the peers asked with packets of full size, the cluster's matrix.
Ext.define('PVE.rdma.Mtu', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaMtu',

    title: gettext('MTU'),
    layout: 'border',

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        let may = PVE.rdma.Api.mayModify();
        me.peer = Ext.create('Ext.form.field.Text', {
            fieldLabel: gettext('Peers'),
            labelWidth: 50,
            width: 320,
            emptyText: '192.0.2.2, fd00::2',
            listeners: { specialkey: (field, event) => event.getKey() === event.ENTER && me.probeButton.handler() },
        });
        me.probeButton = Ext.create('Ext.button.Button', {
            text: gettext('Probe'),
            iconCls: 'fa fa-search',
            disabled: !may,
            tooltip: gettext("Sends packets that may not be fragmented, up to the link's MTU."),
            handler: () => PVE.rdma.Busy.run(me.probeButton, () => me.probe()),
        });
        me.progress = Ext.create('Ext.toolbar.TextItem', { html: '', ariaRole: 'status' });
        me.tbar = [
            { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.load() },
            '-',
            me.peer,
            me.probeButton,
            me.progress,
        ];
        me.ladder = Ext.create('PVE.rdma.MtuLadder', { region: 'center' });
        me.peers = Ext.create('Ext.grid.Panel', {
            title: gettext('Peers'),
            flex: 1,
            store: { fields: ['id', 'address', 'probe', 'message', 'remedy'] },
            emptyText: gettext('No peer was probed yet.'),
            viewConfig: { enableTextSelection: true, deferEmptyText: false },
            columns: [
                { text: gettext('Address'), dataIndex: 'address', width: 140, renderer: text.renderer },
                { text: gettext('Passes'), dataIndex: 'probe', width: 85, renderer: (probe) => me.verdict(probe) },
                {
                    text: gettext('What it means'),
                    dataIndex: 'message',
                    flex: 1,
                    cellWrap: true,
                    renderer: (message, meta, record) => text.encode([message, record.get('remedy')].filter(Boolean).join('. ')),
                },
            ],
        });
        me.matrix = Ext.create('PVE.rdma.MtuPeers', { flex: 1, title: gettext('Cluster') });
        me.items = [
            me.ladder,
            {
                xtype: 'container',
                region: 'south',
                height: 230,
                split: true,
                layout: { type: 'hbox', align: 'stretch' },
                items: [me.peers, { xtype: 'splitter' }, me.matrix],
            },
        ];
        me.callParent();
        me.on('activate', () => !me.loaded && me.load());
    },

    verdict: function (probe) {
        let text = PVE.rdma.Text;
        let good = probe?.verdict === 'passes';
        let icon = good ? text.icon('fa-check good', gettext('passes')) : text.icon('fa-times-circle critical', probe?.verdict ?? '');
        return `${icon} ${text.cell(probe?.reached)}`;
    },

    load: async function () {
        let me = this;
        me.loaded = true;
        me.ladder.setLoading(true);
        try {
            let reply = await PVE.rdma.Api.get(me.nodeData.nodename, 'mtu', {}, { owner: me });
            me.ladder.setChains(reply.mtu.chains);
        } catch (failure) {
            me.ladder.getView().emptyText = `<div class="x-grid-empty">${PVE.rdma.Text.encode(failure.message)}</div>`;
            me.ladder.getView().refresh();
        }
        me.ladder.setLoading(false);
        me.matrix.setLoading(true);
        try {
            let cluster = await PVE.rdma.Api.request('GET', '/cluster/rdma', { reports: 0 }, { owner: me });
            me.matrix.setMatrix(cluster.matrix);
            me.suggest(cluster.matrix);
        } catch (failure) {
            me.matrix.getView().emptyText = `<div class="x-grid-empty">${PVE.rdma.Text.encode(failure.message)}</div>`;
            me.matrix.getView().refresh();
        }
        me.matrix.setLoading(false);
    },

    // The other nodes' addresses, when nothing stands in the field yet.
    suggest: function (matrix) {
        let addresses = matrix.filter((cell) => cell.from === this.nodeData.report?.system?.hostname).map((cell) => cell.address);
        if (!this.peer.getValue() && addresses.length) {
            this.peer.setValue(addresses.slice(0, 8).join(', '));
        }
    },

    probe: async function () {
        let me = this;
        let text = PVE.rdma.Text;
        let peer = me.peer.getValue().split(/[\s,]+/).filter(Boolean);
        if (!peer.length) {
            return;
        }
        let say = (line) => me.progress.setHtml(text.encode(Ext.String.ellipsis(line, 70)));
        say(gettext('probing...'));
        try {
            let upid = await PVE.rdma.Api.send('POST', me.nodeData.nodename, 'mtu', { peer }, { owner: me });
            let reply = await PVE.rdma.Api.task(me.nodeData.nodename, upid, (line) => say(line || gettext('probing...')), { owner: me });
            if (reply.error) {
                throw { message: [reply.error.subject, reply.error.message].filter(Boolean).join(': ') };
            }
            PVE.rdma.Sync.grid(
                me.peers.getStore(),
                reply.mtu.peers.map((one) => ({ ...one, id: one.address })),
            );
            say(gettext('done'));
        } catch (failure) {
            say(failure.message);
        }
    },
});
