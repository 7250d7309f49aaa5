// Where every change ends: its plan, the countdown, and what became of earlier ones. Fires pending(words or '').
Ext.define('PVE.rdma.Changes', {
    extend: 'Ext.panel.Panel',
    alias: 'widget.pveRdmaChanges',

    title: gettext('Changes'),
    layout: { type: 'vbox', align: 'stretch' },
    // Milliseconds between two looks at a change that waits, and at one that nobody here has made.
    pause: 2000,

    initComponent: function () {
        let me = this;
        let text = PVE.rdma.Text;
        me.pendingBar = Ext.create('PVE.rdma.PendingBar', {
            listeners: { confirm: (id) => me.confirm(id), rollback: (id) => me.rollBack(id) },
        });
        me.outcome = Ext.create('Ext.Component', { padding: '8 10', hidden: true, ariaRole: 'status' });
        me.planView = Ext.create('PVE.rdma.PlanView', {
            flex: 5,
            nodeData: me.nodeData,
            listeners: { applied: (upid, seconds) => me.follow(upid, seconds) },
        });
        me.history = Ext.create('Ext.grid.Panel', {
            title: gettext('History'),
            flex: 2,
            minHeight: 150,
            store: { fields: ['id', 'state', 'begun', 'steps', 'notes', 'step_count'], sorters: [{ property: 'begun', direction: 'DESC' }] },
            emptyText: gettext('Nothing was changed with pve-rdma yet.'),
            viewConfig: { enableTextSelection: true, deferEmptyText: true },
            tbar: [
                { text: gettext('Reload'), iconCls: 'fa fa-refresh', handler: () => me.load() },
                {
                    text: gettext('Roll back'),
                    iconCls: 'fa fa-undo',
                    itemId: 'rollback',
                    disabled: true,
                    tooltip: gettext('Goes back to before the chosen change.'),
                    handler: () => me.askRollBack(),
                },
            ],
            columns: [
                { text: gettext('Begun'), dataIndex: 'begun', width: 160, renderer: (begun) => text.cell(me.local(begun)) },
                { text: gettext('State'), dataIndex: 'state', width: 130, renderer: (state) => text.encode(me.stateWord(state)) },
                {
                    text: gettext('Steps'),
                    dataIndex: 'steps',
                    flex: 2,
                    cellWrap: true,
                    renderer: (steps, meta, record) => me.lines(steps, record.get('step_count')),
                },
                { text: gettext('What happened'), dataIndex: 'notes', flex: 1, cellWrap: true, renderer: (notes) => me.lines(notes) },
            ],
            listeners: {
                selectionchange: (model, [record]) =>
                    me.down('#rollback').setDisabled(record?.get('state') !== 'confirmed' || !PVE.rdma.Api.mayModify()),
            },
        });
        me.items = [me.pendingBar, me.outcome, me.planView, me.history];
        me.callParent();
        me.on('beforedestroy', () => me.stop());
    },

    local: (begun) => (begun ? Ext.Date.format(new Date(begun), 'Y-m-d H:i:s') : ''),

    lines: function (lines, count) {
        let shown = (lines ?? []).slice(0, 6).map((line) => PVE.rdma.Text.encode(line));
        let more = (count ?? lines?.length ?? 0) - shown.length;
        if (more > 0) {
            shown.push(PVE.rdma.Text.encode(Ext.String.format(gettext('and {0} more'), more)));
        }
        return shown.join('<br>');
    },

    stateWord: function (state) {
        let words = {
            confirmed: gettext('confirmed'),
            restored: gettext('taken back'),
            pending: gettext('waits'),
            restore_failed: gettext('could not be taken back'),
        };
        return words[state] ?? gettext('under way');
    },

    propose: function (wanted, title) {
        this.outcome.hide();
        this.planView.propose(wanted, title);
    },

    open: (transaction) => !['confirmed', 'restored', 'restore_failed'].includes(transaction.state),

    // Reads the transactions; goes on doing so while one waits, or while a task of ours runs.
    load: async function () {
        let me = this;
        clearTimeout(me.timer);
        let turn = (me.turn = (me.turn ?? 0) + 1);
        try {
            let transactions = await PVE.rdma.Api.get(me.nodeData.nodename, 'transactions', {}, { timeout: 5000, owner: me });
            if (turn !== me.turn) {
                return; // a later look has the say
            }
            me.lost = false;
            PVE.rdma.Sync.grid(me.history.getStore(), transactions);
            me.settle(transactions);
        } catch (failure) {
            if (turn !== me.turn) {
                return;
            }
            if (failure.kind === 'lost' && (me.waiting || me.applying)) {
                me.lost = true;
            } else {
                me.say(failure.message, 'error');
            }
        }
        if (me.waiting || me.applying) {
            me.timer = setTimeout(() => me.load(), me.pause);
        }
    },

    // What the list says about the change that waits, or waited a moment ago.
    settle: function (transactions) {
        let me = this;
        let waiting = transactions.find((one) => me.open(one) && one.deadline_s !== undefined && one.deadline_s !== null);
        if (waiting) {
            if (me.waiting?.id !== waiting.id) {
                me.deadline = new PVE.rdma.Deadline(waiting);
                me.outcome.hide();
                me.planView.hide();
            } else {
                me.deadline.update(waiting);
            }
            me.waiting = waiting;
            me.startClock();
            return;
        }
        let ended = me.waiting && transactions.find((one) => one.id === me.waiting.id);
        if (ended && !me.open(ended)) {
            me.sayEnd(ended);
        }
        if (!ended || !me.open(ended)) {
            me.waiting = undefined;
            me.stopClock();
        }
    },

    sayEnd: function (transaction) {
        let me = this;
        let words = {
            confirmed: gettext('The change is confirmed and stays.'),
            restored: gettext('The change was taken back: the network is as before.'),
        };
        let line = words[transaction.state] ?? gettext('The change could not be taken back as a whole.');
        me.say([line, ...(transaction.notes ?? [])].join('\n'), transaction.state === 'restore_failed' ? 'error' : 'info');
        me.nodeData.load();
        me.nodeData.loadNetwork().catch(() => undefined);
    },

    say: function (message, severity) {
        let text = PVE.rdma.Text;
        this.outcome.setHtml(`${text.severityIcon(severity)} ${text.encode(message).replace(/\n/g, '<br>')}`);
        this.outcome.show();
    },

    // The task that carries a change out. Its end is not waited for by itself: the list tells it too, also when the way
    // to the node is gone meanwhile.
    follow: async function (upid, seconds) {
        let me = this;
        me.applying = { until: performance.now() + seconds * 1000 };
        me.say(gettext('The change is being carried out...'), 'info');
        me.load();
        try {
            let reply = await PVE.rdma.Api.task(me.nodeData.nodename, upid, undefined, { owner: me });
            if (!reply.ok && !reply.transaction) {
                me.say(me.failed(reply), 'error');
                me.planView.applyButton.enable();
            } else if (reply.transaction && !me.open(reply.transaction)) {
                me.planView.hide();
                me.sayEnd(reply.transaction);
            }
        } catch (failure) {
            if (failure.kind !== 'lost') {
                me.say(failure.message, 'error');
            }
        }
        me.applying = undefined;
        me.load();
    },

    failed: (reply) =>
        [
            ...(reply.refusals ?? []).map((one) => `${one.subject}: ${one.message}`),
            reply.error ? `${reply.error.subject}: ${reply.error.message}` : '',
            reply.error?.hint ?? '',
        ]
            .filter(Boolean)
            .join('\n'),

    // A change is kept only when the node can be reached anew.
    confirm: async function (id) {
        let me = this;
        await me.act(async () => {
            await PVE.rdma.Api.freshConnection();
            await PVE.rdma.Api.send('PUT', me.nodeData.nodename, `transactions/${encodeURIComponent(id)}`, {}, { owner: me });
        });
    },

    rollBack: async function (id) {
        let me = this;
        await me.act(async () => {
            let upid = await PVE.rdma.Api.send('DELETE', me.nodeData.nodename, `transactions/${encodeURIComponent(id)}`, {}, { owner: me });
            let reply = await PVE.rdma.Api.task(me.nodeData.nodename, upid, undefined, { owner: me });
            if (reply.error) {
                throw { message: me.failed(reply) };
            }
            if (!me.waiting && reply.transaction) {
                me.sayEnd(reply.transaction);
            }
        });
    },

    act: async function (code) {
        let me = this;
        me.pendingBar.busy = true;
        try {
            await code();
        } catch (failure) {
            me.say(failure.message, 'error');
        } finally {
            me.pendingBar.busy = false;
            me.load();
        }
    },

    askRollBack: function () {
        let me = this;
        let [record] = me.history.getSelection();
        Ext.Msg.confirm(gettext('Confirm'), PVE.rdma.Text.encode(gettext('Go back to before this change?')), (button) => {
            if (button === 'yes') {
                me.rollBack(record.getId());
            }
        });
    },

    startClock: function () {
        let me = this;
        me.clock ??= setInterval(() => me.tick(), 500);
        me.tick();
    },

    tick: function () {
        let me = this;
        if (!me.waiting) {
            return;
        }
        me.pendingBar.showState(me.waiting, me.deadline, me.nodeData.nodename, me.lost);
        if (me.lost && !me.saidLost) {
            me.say(Ext.String.format(gettext('{0} does not answer. This page goes on asking, and says what became of the change.'), me.nodeData.nodename), 'warning');
        } else if (!me.lost && me.saidLost) {
            me.outcome.hide();
        }
        me.saidLost = Boolean(me.lost);
        me.fireEvent('pending', Ext.String.format(gettext('1 pending, heals in {0}'), PVE.rdma.Text.clock(me.deadline.left())));
    },

    stopClock: function () {
        clearInterval(this.clock);
        this.clock = undefined;
        this.pendingBar.hide();
        this.fireEvent('pending', '');
    },

    stop: function () {
        clearTimeout(this.timer);
        clearInterval(this.clock);
    },
});
