#!/usr/bin/perl -T
# pvedaemon, as it is on a node, with our methods: who may, by ticket and token; tasks and their logs; a reload; a backend
# that is broken.

use v5.36;

use FindBin;
use IO::Socket::INET ();
use JSON::PP ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

use PVE::AccessControl;

my ($here) = $FindBin::Bin =~ /^(.+)$/;
my ($perl) = $^X =~ /^(.+)$/;
my @include = map { /^(.+)$/ ? ('-I', $1) : () } grep { !ref } @INC;
my $json = JSON::PP->new->utf8;
$ENV{PATH} = '/usr/sbin:/usr/bin:/sbin:/bin';
delete(@ENV{qw(IFS CDPATH ENV BASH_ENV)});

# As bin/pvedaemon. A reload runs the file again, without options of perl: all that is needed stands in it.
my $program = '/run/pvedaemon-test';
my $said = '/run/pvedaemon-test.log';

sub write_program (@first) {
    my @words = grep { $_ ne '-I' } @first, "$here/../../../perl/loader", @include;
    my $list = join(', ', map { "'$_'" } @words);
    open(my $file, '>', $program) or die "$program: $!\n";
    print {$file} <<"END";
#!/usr/bin/perl -T
\$ENV{PATH} = '/sbin:/bin:/usr/sbin:/usr/bin';
BEGIN { \@INC = ($list); require ProxmoxStubs; open(STDERR, '>>', '$said') }
use strict;
use warnings;
use PVE::Service::pvedaemon;
PVE::Service::pvedaemon->run_cli_handler();
END
    close($file);
    chmod(0755, $program);
}

sub words_said () {
    open(my $file, '<', $said) or return '';
    local $/;
    return scalar(<$file>);
}

# pvedaemon goes into the background; the number of its process stands where Proxmox VE puts it.
sub daemon () {
    open(my $file, '<', '/run/pvedaemon.pid') or return;
    my ($pid) = <$file> =~ /^(\d+)/;
    return $pid;
}

sub wait_for_answer () {
    my $end = time() + 180;
    while (time() < $end) {
        return 1 if request('GET', '/version', ticket => 'root@pam');
        sleep(0.5);
    }
    return 0;
}

sub workers () {
    my $pid = daemon() // return;
    open(my $file, '<', "/proc/$pid/task/$pid/children") or return;
    return split(' ', <$file> // '');
}

# The old workers answer until the new ones are there, so it is waited for those.
sub reload () {
    my ($before, %old) = (daemon(), map { ($_ => 1) } workers());
    kill('HUP', $before);
    my $end = time() + 180;
    while (time() < $end) {
        my @now = workers();
        last if @now && !grep { $old{$_} } @now;
        sleep(0.5);
    }
    return time() < $end && wait_for_answer() && daemon() == $before;
}

END {
    local $?;
    if (my $pid = daemon()) { kill('TERM', $pid) }
}

# Status, data and the whole answer of a request to the daemon.
sub request ($method, $path, %with) {
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1:85', Timeout => 5) or return;
    my @headers = ('Host: localhost', 'Connection: close');
    if (my $user = $with{ticket}) {
        push(@headers, 'Cookie: PVEAuthCookie=' . PVE::AccessControl::assemble_ticket($user));
    }
    push(@headers, "Authorization: PVEAPIToken=$with{token}") if $with{token};
    push(@headers, "PVEClientIP: $with{client}") if $with{client};
    my $body = $with{body} // '';
    push(@headers, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: ' . length($body)) if $method ne 'GET';
    print {$socket} join("\r\n", "$method /api2/json$path HTTP/1.1", @headers, '', $body);
    my $answer = do { local $/; <$socket> } // '';
    my ($status) = $answer =~ m{^HTTP/1\.\d (\d+)} or return;
    my ($text) = $answer =~ /\r\n\r\n(.*)$/s;
    my $data = eval { $json->decode($text) };
    return ($status, $data, $answer);
}

sub status (@words) { return (request(@words))[0] }

# It starts itself only as a child of process 1 (which tests/pve/run is here); else it asks systemd.
sub start () {
    my $child = fork() // die "fork: $!\n";
    if (!$child) {
        my $orphan = fork() // POSIX::_exit(1);
        POSIX::_exit(0) if $orphan;
        sleep(0.05) while getppid() != 1;
        exec {$program} $program, 'start' or POSIX::_exit(1);
    }
    waitpid($child, 0);
}

write_program();
start();
ok(wait_for_answer(), 'pvedaemon runs, with -T') or do {
    diag(words_said());
    done_testing();
    exit(1);
};

my $base = '/nodes/pve1/rdma';
my ($status, $data) = request('GET', "$base/report?sections=system", ticket => 'audit@pve');
is($status, 200, 'who may look gets the report');
is($data->{data}->{report}->{kind}, 'node-report', 'as it is');
is(status('GET', "$base/report?sections=system"), 401, 'nobody gets nothing');
is(status('POST', "$base/network", ticket => 'audit@pve', body => 'document=%7B%7D'), 403, 'who may look changes nothing');
is(status('PUT', "$base/ofed/guard", ticket => 'admin@pve', body => 'action=on'), 403, 'the guard is for root@pam');
is(status('PUT', "$base/ofed/guard", ticket => 'root@pam', body => 'action=wrong'), 400, 'who is let in');
is(status('GET', "$base/report?sections=system", token => 'admin@pve!whole=00000000-0000-0000-0000-000000000001'), 200, 'a token with rights');
is(status('GET', "$base/report?sections=system", token => 'admin@pve!bare=00000000-0000-0000-0000-000000000002'), 403, 'a token without');
is(status('GET', "$base/report?sections=system", token => 'admin@pve!whole=00000000-0000-0000-0000-00000000000f'), 401, 'a token that is none');

($status, $data) = request('GET', "$base/report?sections=none", ticket => 'audit@pve');
is($status, 400, 'a wrong parameter');
like(join(' ', keys(($data->{errors} // {})->%*)), qr/^sections/, 'is named') or diag(explain($data));
($status, $data, my $whole) = request('POST', "$base/plan", ticket => 'audit@pve', body => 'document=%7B%7D&digest=another');
is($status, 409, 'another digest is a conflict') or diag($whole);
is(status('POST', "$base/plan", ticket => 'audit@pve', body => 'document=%7B%7D', client => '192.0.2.7'), 200, 'a plan');

# A task.
($status, $data) = request('POST', "$base/mtu", ticket => 'admin@pve', body => 'peer=127.0.0.1');
is($status, 200, 'a task starts') or diag(explain($data));
my $upid = $data->{data} // '';
like($upid, qr/^UPID:pve1:.*:rdmamtu::admin\@pve:$/, 'with a UPID');
my $ended;
for (1 .. 120) {
    (undef, $data) = request('GET', "/nodes/pve1/tasks/$upid/status", ticket => 'root@pam');
    last if $ended = ($data->{data}->{status} // '') eq 'stopped';
    sleep(0.5);
}
ok($ended, "Proxmox VE's task ends") or diag(explain($data));
is($data->{data}->{exitstatus}, 'OK', 'well');
(undef, $data) = request('GET', "/nodes/pve1/tasks/$upid/log", ticket => 'root@pam');
like(join("\n", map { $_->{t} } ($data->{data} // [])->@*), qr/127\.0\.0\.1.*TASK OK/s, 'its log tells what was found');
($status, $data) = request('GET', "$base/tasks/$upid", ticket => 'audit@pve');
is($data->{data}->{mtu}->{peers}->[0]->{probe}->{verdict}, 'passes', 'and its answer is kept');
is(status('POST', "$base/mtu", ticket => 'audit@pve', body => 'peer=127.0.0.1'), 403, 'who may only look sends no packets');

# A reload runs the program again, in the same process.
sub has_binding () {
    open(my $maps, '<', '/proc/' . daemon() . '/maps') or return;
    return scalar(grep { /RDMA\.so/ } <$maps>);
}
ok(has_binding(), 'the daemon holds the binding');
ok(reload(), 'after HUP the same process answers');
is(status('GET', "$base/report?sections=system", ticket => 'audit@pve'), 200, 'and we are still there');
ok(has_binding(), 'by a binding that is loaded again');

# A backend that breaks under a running daemon, as in the middle of an upgrade: the next reload leaves Proxmox VE whole.
mkdir('/run/broken') && mkdir('/run/broken/PVE');
open(my $broken, '>', '/run/broken/PVE/RDMA.pm') or die "broken: $!\n";
print {$broken} "package PVE::RDMA; die qq{libpve_rdma.so.1: cannot open shared object file\\n};\n";
close($broken);
write_program('/run/broken');
ok(reload(), 'a broken backend: pvedaemon answers');
is(status('GET', '/nodes/pve1', ticket => 'root@pam'), 200, "Proxmox VE's methods work");
is(status('GET', "$base/report", ticket => 'root@pam'), 501, 'ours are not there');
like(words_said(), qr/pve-rdma is not in the API: libpve_rdma/, 'and the log says why');

done_testing();
