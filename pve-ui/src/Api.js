// The API of a node's pve-rdma. Answers are promises; a failure is { kind, message, errors }, never HTML.
//   permission  the user may not
//   absent      pve-rdma is not on that node
//   lost        the node, or the way to it, does not answer
//   refused     the backend says no, `message` says why
// With the option `owner`, a component, the promise stays open for ever once that is destroyed: nobody is left to tell.
Ext.define('PVE.rdma.Api', {
    singleton: true,

    // A node that answers slowly is waited for longer than Proxmox's panels do: a walk of a fabric takes time.
    timeout: 60000,

    request: function (method, url, params, options = {}) {
        return new Promise((resolve, reject) => {
            Proxmox.Utils.API2Request({
                method,
                url,
                params,
                timeout: options.timeout ?? this.timeout,
                waitMsgTarget: options.mask,
                success: (response) => options.owner?.destroyed || resolve(response.result.data),
                failure: (response) => options.owner?.destroyed || reject(this.failure(response)),
            });
        });
    },

    failure: function (response) {
        let result = response.result ?? {};
        let status = result.status || response.status || 0;
        let message = (result.message || response.statusText || '').trim();
        let errors = result.errors ?? {};
        let fields = Object.entries(errors).filter(([name]) => !['code', 'subject', 'hint', 'errno', 'kernel'].includes(name));
        if (status === 400 && fields.length) {
            message = fields.map(([name, text]) => `${name}: ${text}`).join('\n');
        }
        let kind = 'refused';
        if (status === 401 || status === 403) {
            kind = 'permission';
        } else if (status === 501) {
            kind = 'absent';
        } else if (!status || response.timedout || response.aborted || (status > 594 && status < 600)) {
            kind = 'lost';
        }
        return { kind, status, message: message || gettext('Connection error'), errors };
    },

    path: (node, path) => `/nodes/${encodeURIComponent(node)}/rdma${path ? `/${path}` : ''}`,

    get: function (node, path, params, options) {
        return this.request('GET', this.path(node, path), params, options);
    },

    send: function (method, node, path, params, options) {
        return this.request(method, this.path(node, path), params, options);
    },

    // Waits for a task's end; the reply that its operation gave. `progress` gets the log's last line now and then.
    task: async function (node, upid, progress, options = {}) {
        let of = `/nodes/${encodeURIComponent(node)}/tasks/${encodeURIComponent(upid)}`;
        for (let pause = 200; ; pause = Math.min(pause * 1.5, 2000)) {
            let status = await this.request('GET', `${of}/status`, {}, options);
            if (progress) {
                let lines = await this.request('GET', `${of}/log`, { limit: 500 }, options);
                progress(lines.length ? lines[lines.length - 1].t : '');
            }
            if (status.status === 'stopped') {
                return this.kept(node, upid, status.exitstatus, options);
            }
            await new Promise((resolve) => setTimeout(resolve, pause));
        }
    },

    // A task that died before its operation answered has only its exit status.
    kept: function (node, upid, exitstatus, options) {
        return this.get(node, `tasks/${encodeURIComponent(upid)}`, {}, options).catch((failure) => {
            if (failure.status === 404) {
                throw { ...failure, kind: 'refused', message: exitstatus };
            }
            throw failure;
        });
    },

    // Shows that the server can be reached anew. Browsers keep connections apart that carry no login, so the request
    // for a public file does not travel over one that was open before the change.
    freshConnection: async function () {
        let limit = new AbortController();
        let timer = setTimeout(() => limit.abort(), 8000);
        try {
            let answer = await fetch(`/pve2/images/logo-128.png?rdma=${Date.now()}`, {
                credentials: 'omit',
                cache: 'no-store',
                signal: limit.signal,
            });
            await answer.blob();
        } catch {
            throw { kind: 'lost', status: 0, errors: {}, message: gettext('no new connection to the node can be made') };
        } finally {
            clearTimeout(timer);
        }
    },

    // What the user may do, as far as Proxmox's own interface knows it. The API decides.
    mayModify: () => Boolean(Ext.state.Manager.get('GuiCap')?.nodes?.['Sys.Modify']),
});
