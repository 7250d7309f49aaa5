#!/usr/bin/perl -T
# The whole tree of Proxmox VE with ours in it, by its own judgement.

use v5.36;

use FindBin;
use Test::More;

BEGIN {
    my ($loader) = map { /^(.+)$/ } "$FindBin::Bin/../../../perl/loader";
    unshift(@INC, $loader);
}

use PVE::Service::pvedaemon;
use PVE::Service::pveproxy;
use PVE::API2;

is($INC{'PVE/API2.pm'}, "$FindBin::Bin/../../../perl/loader/PVE/API2.pm", 'our loader stands before');
ok(eval { PVE::Service::pvedaemon->verify_api(); 1 }, 'every schema of the tree is valid') or diag($@);

my ($handler, $info) = PVE::API2->find_handler('GET', 'nodes/pve1', {});
ok((grep { $_->{name} eq 'rdma' } $handler->handle($info, { node => 'pve1' })->@*), "the node's index names us");

SKIP: {
    my $page = '/usr/share/pve-manager/index.html.tpl';
    skip("$page is not there", 3) if !-e $page;
    require HTTP::Request;
    mkdir('/run/panel');
    $PVE::RDMA::Panel::script = '/run/panel/pve-rdma.js';
    my $get = sub (%parameters) {
        my $request = HTTP::Request->new('GET', '/');
        return PVE::Service::pveproxy::get_index('pve1', { cookie_name => 'PVEAuthCookie' }, $request, \%parameters)->content();
    };
    unlike($get->(), qr/pve-rdma/, 'no panel, no tag');
    open(my $script, '>', $PVE::RDMA::Panel::script) or die "panel: $!\n";
    print {$script} "// panel\n";
    close($script);
    my $content = $get->();
    like($content, qr{pvemanagerlib\.js[^>]*></script>\s*<script type="text/javascript" src="/pve2/js/pve-rdma\.js\?ver=[0-9a-f]{16}">},
        "pveproxy's page names the panel behind Proxmox VE's script");
    like($content, qr{</html>\s*$}, 'and is whole');
}

done_testing();
