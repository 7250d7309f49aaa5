// What a page shows of data is made here: as text it is encoded, whatever it says.
Ext.define('PVE.rdma.Text', {
    singleton: true,

    none: '–',

    encode: (value) => Ext.htmlEncode(String(value ?? '')),

    // A value, or a dash that a screen reader calls unknown.
    cell: function (value) {
        if (value === undefined || value === null || value === '') {
            return `<span aria-label="${this.encode(gettext('not known'))}">${this.none}</span>`;
        }
        return this.encode(value);
    },

    renderer: (value) => PVE.rdma.Text.cell(value),

    severities: {
        error: { icon: 'fa-times-circle critical', rank: 3, text: () => gettext('Error') },
        warning: { icon: 'fa-exclamation-triangle warning', rank: 2, text: () => gettext('Warning') },
        info: { icon: 'fa-info-circle', rank: 1, text: () => gettext('Info') },
    },

    severityIcon: function (severity) {
        let known = this.severities[severity];
        return known ? this.icon(known.icon, known.text()) : '';
    },

    // Colour is never the only sign: the icon has its own shape and its name.
    icon: function (cls, name) {
        let text = this.encode(name);
        return `<i class="fa fa-fw ${cls}" role="img" aria-label="${text}" title="${text}"></i>`;
    },

    worst: function (findings) {
        let rank = (finding) => this.severities[finding.severity]?.rank ?? 0;
        return findings.reduce((worst, one) => (rank(one) > rank(worst) ? one : worst), {}).severity;
    },

    // "2 errors, 1 warning"
    counts: function (findings) {
        let count = (severity) => findings.filter((finding) => finding.severity === severity).length;
        let [errors, warnings, infos] = ['error', 'warning', 'info'].map(count);
        let parts = [];
        if (errors) {
            parts.push(Ext.String.format(errors === 1 ? gettext('{0} error') : gettext('{0} errors'), errors));
        }
        if (warnings) {
            parts.push(Ext.String.format(warnings === 1 ? gettext('{0} warning') : gettext('{0} warnings'), warnings));
        }
        if (infos) {
            parts.push(Ext.String.format(infos === 1 ? gettext('{0} hint') : gettext('{0} hints'), infos));
        }
        return parts.join(' · ') || gettext('no findings');
    },

    rate: (gbps) => (gbps === undefined || gbps === null ? '' : `${+Number(gbps).toFixed(1)} Gb/s`),

    // Seconds as minutes and seconds: 1:47
    clock: function (seconds) {
        let whole = Math.max(0, Math.round(seconds));
        return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
    },

    // Words of the kernel and of InfiniBand as a person reads them: ACTIVE, LINK_UP -> Active, Link up
    word: function (value) {
        if (!value) {
            return '';
        }
        let lower = String(value).toLowerCase().replace(/_/g, ' ');
        return lower.charAt(0).toUpperCase() + lower.slice(1);
    },

    // Lines of a unified diff, each as a line of its own with its sign.
    diff: function (diff) {
        let cls = (line) => (line.startsWith('+') ? 'good' : line.startsWith('-') ? 'critical' : '');
        return diff
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => `<span class="${/^(\+\+\+|---)/.test(line) ? '' : cls(line)}">${this.encode(line)}</span>`)
            .join('\n');
    },
});
