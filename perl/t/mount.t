#!/usr/bin/perl -T
# The way into Proxmox VE's tree: there, or out of the way. On the stand-ins (t/standin), and, by tests/pve/run, on
# Proxmox VE's own code. Each case is a process that loads PVE::API2 as a daemon does.

use v5.36;

use File::Temp ();
use FindBin;
use Test::More;

my ($here) = $FindBin::Bin =~ /^(.+)$/;
my ($perl) = $^X =~ /^(.+)$/;
my @include = map { /^(.+)$/ ? ('-I', $1) : () } grep { !ref } @INC;
my ($modules) = ($ENV{PVE_STUBS} // '') =~ /^(.+)$/; # tests/pve/run: what of Proxmox VE is not there
my $scratch = File::Temp->newdir();
$ENV{PATH} = '/usr/bin:/bin';
delete(@ENV{qw(IFS CDPATH ENV BASH_ENV PERL5OPT)});

# Runs Perl lines under -T with our loader before all, `before` in a BEGIN of their own. What is said, on both ways.
sub run ($lines, $before = '') {
    my $file = "$scratch/case.pl";
    open(my $out, '>', $file) or die "$file: $!\n";
    print {$out} "use v5.36;\nBEGIN { $before }\nuse PVE::API2;\n$lines\n";
    close($out);
    my @words = ($perl, '-T', '-I', "$here/../loader", @include, $modules ? ("-M$modules") : (), $file);
    my $pid = open(my $in, '-|') // die "fork: $!\n";
    if (!$pid) {
        open(STDERR, '>&', \*STDOUT);
        exec {$perl} @words or die "exec: $!\n";
    }
    my $said = do { local $/; <$in> } // '';
    close($in);
    return $said;
}

my $found = q{
    for my $path ('nodes/x/rdma/report', 'cluster/rdma', 'nodes/x') {
        my ($handler, $info) = PVE::API2->find_handler('GET', $path, {});
        say "$path: ", $info ? 'there' : 'not there';
    }
    my ($handler, $info) = PVE::API2->find_handler('GET', 'nodes/x', {});
    say 'names: ', join(' ', sort(map { $_->{name} } $handler->handle($info, { node => 'x' })->@*));
};

my $said = run($found);
like($said, qr{^nodes/x/rdma/report: there$}m, 'the methods of a node are there');
like($said, qr{^cluster/rdma: there$}m, 'and those of the cluster');
like($said, qr{^names:.* network .*\brdma\b}m, "the node's index names them beside Proxmox VE's own");
unlike($said, qr/pve-rdma/, 'nothing is complained of');

sub untouched ($said, $name) {
    like($said, qr{^nodes/x/rdma/report: not there$}m, "$name: we are not there");
    like($said, qr{^nodes/x: there$}m, "$name: Proxmox VE is");
    like($said, qr{^names:.* network}m, "$name: and answers");
    unlike($said, qr{^names:.*\brdma\b}m, "$name: without our name");
}

my $switch = "$scratch/no-api";
open(my $touched, '>', $switch) or die "$switch: $!\n";
$said = run($found, qq{require PVE::RDMA::Register; \$PVE::RDMA::Register::kill_switch = '$switch';});
untouched($said, 'kill switch');
unlike($said, qr/pve-rdma/, 'kill switch: no complaint');

mkdir("$scratch/broken") && mkdir("$scratch/broken/PVE") or die "mkdir: $!\n";
sub broken ($name, $text) {
    my $file = "$scratch/broken/PVE/RDMA.pm";
    open(my $out, '>', $file) or die "$file: $!\n";
    print {$out} $text;
    close($out);
    my $said = run($found, qq{unshift(\@INC, '$scratch/broken');});
    untouched($said, $name);
    like($said, qr/pve-rdma is not in the API: /, "$name: a warning says so");
}
broken('a broken backend', "package PVE::RDMA; die qq{libpve_rdma.so.1: cannot open shared object file\\n};\n");
broken('a syntax error', "package PVE::RDMA; sub {\n");
broken('a backend of another version', "package PVE::RDMA; sub call { return { operations => [{ name => 'x', api => 1 }] } } 1;\n");

# Proxmox VE has the path itself one day.
my $own = q{
    package PVE::API2::Own { use parent -norequire, qw(PVE::RESTHandler); }
    PVE::API2::Own->register_method({
        name => 'own', path => 'report', method => 'GET', description => 'x', permissions => { user => 'all' },
        parameters => { additionalProperties => 0, properties => {} }, returns => { type => 'null' }, code => sub { 'own' },
    });
    PVE::API2::Nodes::Nodeinfo->register_method({ subclass => 'PVE::API2::Own', path => 'rdma' });
};
my ($proxmox) = grep { -e } map { "$_/PVE/API2.pm" } map { /^(.+)$/ } grep { !ref && !m{/loader$} } @INC;
mkdir("$scratch/next") && mkdir("$scratch/next/PVE") or die "mkdir: $!\n";
open(my $next, '>', "$scratch/next/PVE/API2.pm") or die "next: $!\n";
print {$next} "require '$proxmox';\n$own\n1;\n";
close($next);
{
    my @before = @include;
    @include = ('-I', "$scratch/next", @include);
    $said = run($found . q{
        my ($class, $info) = PVE::API2->find_handler('GET', 'nodes/x/rdma/report', {});
        say 'it is that of ', $class;
    });
    @include = @before;
}
like($said, qr{it is that of PVE::API2::Own$}m, "the path that Proxmox VE has itself stays Proxmox VE's");
like($said, qr{Proxmox VE has /nodes/localhost/rdma itself}, 'we say that we step back');
like($said, qr{^cluster/rdma: there$}m, 'where it is free we go on');

# pveproxy's page. Its file is compiled after PVE::API2, and calls its function by its name.
my $script = "$scratch/pve-rdma.js";
open(my $js, '>', $script) or die "$script: $!\n";
print {$js} "// the panel\n";
close($js);
my $page = q{
    package Page { sub new { bless { content => $_[1] } } sub content { @_ > 1 ? $_[0]{content} = $_[1] : $_[0]{content} } }
    package PVE::Service::pveproxy {
        sub get_index { return Page->new($_[0]) }
        sub answer { return get_index(@_)->content() }
    }
    say PVE::Service::pveproxy::answer($_) for
        '<script type="text/javascript" src="/pve2/js/pvemanagerlib.js?ver=9.2.11"></script>',
        '<script src="/mobile.js"></script>';
};
my $named = qr{pvemanagerlib\.js\?ver=9\.2\.11"></script>\s+<script type="text/javascript" src="/pve2/js/pve-rdma\.js\?ver=([0-9a-f]{16})"></script>};
SKIP: {
    skip('the page is tested with the real pveproxy', 4) if $modules;
    $said = run($page, qq{require PVE::RDMA::Panel; \$PVE::RDMA::Panel::script = '$script';});
    ok($said =~ $named, "the panel's script stands behind Proxmox VE's") or diag($said);
    my $digest = $1 // '';
    like($said, qr{^<script src="/mobile\.js"></script>$}m, 'another page stays as it is');
    open($js, '>>', $script) or die "$script: $!\n";
    print {$js} "// changed\n";
    close($js);
    $said = run($page, qq{require PVE::RDMA::Panel; \$PVE::RDMA::Panel::script = '$script';});
    ok($said =~ $named && $1 ne $digest, 'another content has another address');
    unlink($script);
    $said = run($page, qq{require PVE::RDMA::Panel; \$PVE::RDMA::Panel::script = '$script';});
    unlike($said, qr/pve-rdma/, 'no file, no tag');
}

done_testing();
