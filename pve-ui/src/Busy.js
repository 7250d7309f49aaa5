// What a button has started. Until it ends the button turns a wheel and takes no other press, but keeps the focus: a
// disabled one would hand it on to whatever stands beside it.
Ext.define('PVE.rdma.Busy', {
    singleton: true,

    run: async function (button, code) {
        if (button.busy || button.disabled) {
            return;
        }
        let { iconCls } = button;
        let show = (busy) => {
            button.busy = busy;
            button.setIconCls(busy ? 'fa fa-spinner fa-pulse' : iconCls ?? '');
            button.el?.set({ 'aria-busy': busy });
        };
        show(true);
        try {
            await code();
        } finally {
            if (!button.destroyed) {
                show(false);
            }
        }
    },
});
