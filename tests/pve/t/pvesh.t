#!/usr/bin/perl -T
# pvesh, as it is on a node: it walks, reads, writes and explains.

use v5.36;

use FindBin;
use JSON::PP ();
use Test::More;

use PVE::RDMA;

my ($here) = $FindBin::Bin =~ /^(.+)$/;
my ($perl) = $^X =~ /^(.+)$/;
my @include = map { /^(.+)$/ ? ('-I', $1) : () } grep { !ref } @INC;
$ENV{PATH} = '/usr/sbin:/usr/bin:/sbin:/bin';
delete(@ENV{qw(IFS CDPATH ENV BASH_ENV)});

# What it prints, both ways, and its exit code. bin/pvesh runs without -T.
sub pvesh (@words) {
    my $program = 'use PVE::CLI::pvesh; PVE::CLI::pvesh->run_cli_handler();';
    my $pid = open(my $in, '-|') // die "fork: $!\n";
    if (!$pid) {
        open(STDERR, '>&', \*STDOUT);
        exec {$perl} $perl, '-I', "$here/../../../perl/loader", @include, '-MProxmoxStubs', '-e', $program, @words or die "exec: $!\n";
    }
    my $said = do { local $/; <$in> } // '';
    close($in);
    return ($said, $? >> 8);
}

my ($said, $code) = pvesh('ls', '/nodes/pve1/rdma');
is($code, 0, 'ls works') or diag($said);
like($said, qr/^Dr---\s+fabric$/m, 'a folder');
like($said, qr/^-r-c-\s+mtu$/m, 'and a method that reads and creates');
like((pvesh('ls', '/nodes/pve1'))[0], qr/^Dr---\s+rdma$/m, 'the node lists us');
like((pvesh('ls', '/nodes/pve1/rdma/fabric'))[0], qr/walk/, 'and so on, down');

($said, $code) = pvesh('get', '/nodes/pve1/rdma/report', '--sections', 'system', '--sections', 'links', '--output-format', 'json');
my ($json) = $said =~ /^(\{.*\})$/m;
my $reply = eval { JSON::PP->new->utf8->decode($json // '') };
is($reply->{report}->{kind}, 'node-report', 'get answers') or diag($said);
is(ref($reply->{ok}), 'JSON::PP::Boolean', 'truth is true in JSON');
($said, $code) = pvesh('get', '/nodes/pve1/rdma/report', '--sections', 'none');
isnt($code, 0, 'a wrong word fails');
like($said, qr/sections/, 'and is named');

($said, $code) = pvesh('usage', '/nodes/pve1/rdma/network', '-v');
like($said, qr/--confirm_within\s+<integer>\s+\(5 - 3600\)/, 'usage tells the parameters');

($said, $code) = pvesh('create', '/nodes/pve1/rdma/mtu', '--peer', '127.0.0.1');
is($code, 0, 'a task runs') or diag($said);
like($said, qr/127\.0\.0\.1/, 'with its log');
my ($upid) = $said =~ /(UPID:pve1:\S+:rdmamtu::root\@pam:)/;
ok($upid, 'and its UPID') or diag($said);
($said) = pvesh('get', "/nodes/pve1/rdma/tasks/$upid", '--output-format', 'json');
like($said, qr/"verdict":"passes"/, 'whose answer is kept');

# A change, in this namespace: a link that is made, kept, and taken back.
mkdir('/etc/network');
open(my $file, '>', '/etc/network/interfaces') or die "interfaces: $!\n";
print {$file} "auto lo\niface lo inet loopback\n";
close($file);
system('/sbin/ip', 'link', 'add', 'nic0', 'type', 'veth', 'peer', 'name', 'peer0');
system('/sbin/ip', 'link', 'set', $_, 'up') for 'nic0', 'peer0';
my $document = '{"links":[{"name":"nic0","mtu":1400}]}';
($said, $code) = pvesh('create', '/nodes/pve1/rdma/plan', '--document', $document, '--output-format', 'json');
like($said, qr/1400/, 'a plan') or diag($said);
($said, $code) = pvesh('create', '/nodes/pve1/rdma/network', '--document', $document, '--digest', 'another');
like($said, qr/digest/, 'another digest is a conflict') or diag($said);
($said, $code) = pvesh('create', '/nodes/pve1/rdma/network', '--document', $document, '--live_only', '1');
SKIP: {
    skip('no change can be made here: ' . ($said =~ s/\n/ /gr), 6) if $said !~ /^transaction (\S+): pending$/m;
    my $id = $1;
    like($said, qr/carrying it out/, 'the plan is told before');
    like(qx(/sbin/ip link show nic0), qr/mtu 1400/, 'the link is changed');
    ($said, $code) = pvesh('ls', '/nodes/pve1/rdma/transactions');
    like($said, qr/^-rw-d\s+\Q$id\E$/m, 'the transaction is listed') or diag($said);
    ($said, $code) = pvesh('set', "/nodes/pve1/rdma/transactions/$id", '--output-format', 'json');
    like($said, qr/"state":"confirmed"/, 'set confirms') or diag($said);
    ($said, $code) = pvesh('delete', "/nodes/pve1/rdma/transactions/$id");
    like($said, qr/restored/, 'delete takes back') or diag($said);
    like(qx(/sbin/ip link show nic0), qr/mtu 1500/, 'the link is as before');
}

done_testing();
