// The switch of the guard that keeps installers from taking the node apart. What a switch would do is shown first.
Ext.define('PVE.rdma.Guard', {
    extend: 'Ext.container.Container',
    alias: 'widget.pveRdmaGuard',

    layout: { type: 'hbox', align: 'middle' },
    padding: 10,

    initComponent: function () {
        let me = this;
        me.text = Ext.create('Ext.Component', { flex: 1, html: '', ariaRole: 'status' });
        me.switchButton = Ext.create('Ext.button.Button', { text: gettext('Switch on'), disabled: true, handler: () => me.work(() => me.ask()) });
        me.items = [me.text, me.switchButton];
        me.callParent();
    },

    load: async function () {
        let me = this;
        try {
            me.setGuard((await PVE.rdma.Api.get(me.nodeData.nodename, 'ofed/guard', {}, { owner: me })).guard);
        } catch (failure) {
            me.text.setHtml(PVE.rdma.Text.encode(failure.message));
        }
    },

    setGuard: function (guard) {
        let me = this;
        let text = PVE.rdma.Text;
        me.guard = guard;
        let on = guard.state === 'on';
        let icon = on && guard.effective ? text.icon('fa-shield good', gettext('on')) : text.icon('fa-shield', guard.state);
        let words = on
            ? guard.effective
                ? gettext('The guard is on: dpkg and apt refuse to remove what makes this node.')
                : gettext('The guard is on, and not everything of it works.')
            : gettext('The guard is off: an installer can remove what makes this node.');
        let hooks = guard.hooks.map((hook) => `${hook.name}: ${hook.state}`).join(', ');
        me.text.setHtml(`${icon} <b>${text.encode(words)}</b><br>${text.encode(hooks)}`);
        me.switchButton.setText(on ? gettext('Switch off') : gettext('Switch on'));
        // The API lets root@pam alone do this.
        let may = Proxmox.UserName === 'root@pam';
        me.switchButton.setDisabled(!may);
        me.switchButton.setTooltip(may ? '' : gettext('Only root@pam may.'));
    },

    work: function (code) {
        return PVE.rdma.Busy.run(this.switchButton, code);
    },

    // A run that changes nothing tells what would be written.
    ask: async function () {
        let me = this;
        let text = PVE.rdma.Text;
        let action = me.guard.state === 'on' ? 'off' : 'on';
        try {
            let { log } = await me.run({ action, dry_run: 1 });
            let title = action === 'on' ? gettext('Switch on') : gettext('Switch off');
            let shown = log.map((line) => text.encode(line)).join('\n');
            Ext.Msg.show({
                title,
                minWidth: 560,
                message: `${text.encode(gettext('This is what would stand afterwards:'))}<pre style="max-height: 300px; overflow: auto">${shown}</pre>`,
                buttons: Ext.Msg.OKCANCEL,
                fn: (button) => button === 'ok' && me.work(() => me.carryOut(action)),
            });
        } catch (failure) {
            Ext.Msg.alert(gettext('Error'), text.encode(failure.message));
        }
    },

    carryOut: async function (action) {
        try {
            await this.run({ action });
        } catch (failure) {
            Ext.Msg.alert(gettext('Error'), PVE.rdma.Text.encode(failure.message));
        }
        await this.load();
    },

    run: async function (parameters) {
        let me = this;
        let upid = await PVE.rdma.Api.send('PUT', me.nodeData.nodename, 'ofed/guard', parameters, { owner: me });
        let reply = await PVE.rdma.Api.task(me.nodeData.nodename, upid, undefined, { owner: me });
        if (reply.error) {
            throw { message: [reply.error.subject, reply.error.message, reply.error.hint].filter(Boolean).join(': ') };
        }
        let of = `/nodes/${encodeURIComponent(me.nodeData.nodename)}/tasks/${encodeURIComponent(upid)}/log`;
        let log = await PVE.rdma.Api.request('GET', of, { limit: 200 }, { owner: me });
        return { reply, log: log.map((line) => line.t).filter((line) => !/^TASK /.test(line)) };
    },
});
