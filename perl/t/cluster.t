#!/usr/bin/perl -T
# What the nodes of a cluster say together: asked at once, with a deadline, judged as one.

use v5.36;

use FindBin;
use JSON::PP ();
use Test::More;
use Time::HiRes qw(time sleep);

use PVE::RDMA;
use PVE::RDMA::Gather;

# Asking.
my $begun = time();
my $answers = PVE::RDMA::Gather::gather(
    ['one', 'two', 'late', 'dies', 'killed', 'long', 'wide'],
    3,
    sub ($node) {
        sleep(1) if $node eq 'one' || $node eq 'two';
        sleep(60) if $node eq 'late';
        die "no such host\n" if $node eq 'dies';
        kill('KILL', $$) if $node eq 'killed';
        return 'x' x (1 << 20) if $node eq 'long';
        return { prefix => 18338657682652659712, name => "\x{f8}\x{20ac}" } if $node eq 'wide';
        return { node => $node };
    },
);
my $took = time() - $begun;
is_deeply($answers->{one}, { answer => { node => 'one' } }, 'an answer');
is_deeply($answers->{two}, { answer => { node => 'two' } }, 'another, at the same time');
is_deeply($answers->{late}, { error => 'no answer within 3 s' }, 'who is late is told so');
is_deeply($answers->{dies}, { error => 'no such host' }, 'an error is handed on');
is_deeply($answers->{killed}, { error => 'the process that asked has died' }, 'a process that is gone is no answer');
is(length($answers->{long}->{answer}), 1 << 20, 'a long answer comes whole');
is(
    JSON::PP->new->canonical->encode($answers->{wide}->{answer}),
    "{\"name\":\"\x{f8}\x{20ac}\",\"prefix\":18338657682652659712}",
    'a whole number of 64 bits stays one, and text stays text',
);
cmp_ok($took, '<', 30, 'all at once, and the deadline holds');
is(waitpid(-1, 0), -1, 'no process is left');

# Judging.
SKIP: {
    skip('the stand-ins only', 15) if $ENV{PVE_MODULES};
    require PVE::API2::RDMA::Cluster;
    my $json = JSON::PP->new;
    my $report = sub ($name, $address, $mtu, $mac) {
        my $report = { v => 1, kind => 'node-report', tool => '0', taken => '2026-01-01T00:00:00Z' };
        $report->{system} = { hostname => $name };
        $report->{sources} = { rtnetlink => {} };
        $report->{links} = [{ ifindex => 2, ifname => 'nic', link_type => 'ether', mtu => $mtu, address => $mac }];
        $report->{addresses} = [{ ifindex => 2, ifname => 'nic', family => 'inet', local => $address, prefixlen => 24, scope => 'global' }];
        return { answer => { report => $report } };
    };
    my $together = PVE::API2::RDMA::Cluster::together(
        {
            pve1 => $report->('pve1', '192.0.2.1', 9000, '02:00:00:00:00:01'),
            pve2 => $report->('pve2', '192.0.2.2', 1500, '02:00:00:00:00:02'),
            pve3 => { error => 'no answer within 20 s' },
        },
        0,
    );
    is_deeply($together->{missing}, ['pve3'], 'who did not answer is named');
    is_deeply($together->{nodes}, [{ node => 'pve1' }, { node => 'pve2' }, { node => 'pve3', error => 'no answer within 20 s' }],
        'with the reason; reports are left out when nobody wants them');
    ok(!$together->{ok}, 'not all is well when somebody is missing');
    my ($mtus) = grep { $_->{rule} eq 'CLUSTER-05' } $together->{findings}->@*;
    ok($mtus, 'findings between nodes are there') or diag(explain($together));
    is_deeply(
        [map { "$_->{from} $_->{to} $_->{mtu}" } $together->{matrix}->@*],
        ['pve1 pve2 1500', 'pve2 pve1 1500'],
        'and the matrix: the smaller end counts',
    );
    my $nobody = PVE::API2::RDMA::Cluster::together({ pve1 => { error => 'off' } }, 1);
    is_deeply([$nobody->@{qw(missing findings matrix)}], [['pve1'], [], []], 'nobody answers: nothing is judged');

    # Through the proxy of Proxmox VE: this node is read here, the others are asked.
    no warnings 'once';
    @PVE::Cluster::nodes = ('here', 'there', 'off');
    $INC{'PVE/APIClient/LWP.pm'} = __FILE__;
    package PVE::APIClient::LWP {
        sub new ($class, %arguments) { return bless({%arguments}, $class) }
        sub update_csrftoken ($self, $token) { $self->{csrf} = $token }
        sub get ($self, $path) {
            die "595 No route to host\n" if $path =~ m{/off/};
            die "wrong: $path\n" if $path ne '/nodes/there/rdma/report';
            die "no ticket\n" if $self->{ticket} ne 'the ticket' || $self->{csrf} ne 'the token';
            return $report->('there', '192.0.2.9', 1500, '02:00:00:00:00:09')->{answer};
        }
    }
    my $environment = PVE::RPCEnvironment->init('priv');
    $environment->set_user('audit@pve');
    $environment->set_credentials({ ticket => 'the ticket', token => 'the token' });
    my ($handler, $info) = PVE::API2::RDMA::Cluster->find_handler('GET', '', {});
    my $cluster = $handler->handle($info, {}, 1);
    is_deeply([map { $_->{node} } $cluster->{nodes}->@*], ['here', 'off', 'there'], 'every node is there');
    is($cluster->{nodes}->[1]->{error}, '595 No route to host', 'one with its error');
    is($cluster->{nodes}->[0]->{report}->{kind}, 'node-report', 'this one with its report');
    is($cluster->{nodes}->[2]->{report}->{system}->{hostname}, 'there', 'the other with what its API said');
    is_deeply($cluster->{missing}, ['off'], 'and one is missing');
    is($info->{permissions}->{check}->[2]->[0], 'Sys.Audit', 'who may look at all');

    # The matrix that is measured: each node's own task probes the others.
    @PVE::Cluster::nodes = ('one', 'two', 'off');
    my %address = (one => '192.0.2.1', two => '192.0.2.2');
    my %peer = (one => '192.0.2.2', two => '192.0.2.1');
    my %verdict = (one => 'passes', two => 'blackhole');
    no warnings 'redefine';
    *PVE::APIClient::LWP::post = sub ($self, $path, $parameters) {
        my ($node) = $path =~ m{^/nodes/(one|two)/rdma/mtu$} or die "wrong: $path\n";
        return 'UPID:' . join(',', $node, $parameters->{peer}->@*);
    };
    *PVE::APIClient::LWP::get = sub ($self, $path) {
        die "595 No route to host\n" if $path =~ m{/off/};
        my ($node, $rest) = $path =~ m{^/nodes/(one|two)/(.+)$} or die "wrong: $path\n";
        return $report->($node, $address{$node}, 9000, "02:00:00:00:00:0" . ($node eq 'one' ? 1 : 2))->{answer} if $rest eq 'rdma/report';
        my $upid = "UPID:$node,$peer{$node}";
        return { status => $self->{looked}++ ? 'stopped' : 'running' } if $rest eq "tasks/$upid/status";
        die "wrong: $path\n" if $rest ne "rdma/tasks/$upid";
        return { mtu => { peers => [{ address => $peer{$node}, message => $verdict{$node}, probe => { verdict => $verdict{$node} } }] } };
    };
    my $measured;
    {
        open(my $log, '>', \my $text) or die;
        local *STDOUT = $log; # the task's log
        $measured = PVE::API2::RDMA::Cluster::measured(20);
    }
    is_deeply(
        [map { "$_->{from} $_->{to} $_->{address} $_->{probe}->{verdict}" } $measured->{matrix}->@*],
        ['one two 192.0.2.2 passes', 'two one 192.0.2.1 blackhole'],
        'each cell has what its node found',
    );
    ok(!$measured->{ok}, 'a cell that does not pass is not well');
    is_deeply($measured->{missing}, ['off'], 'who did not answer is named here too');
}

done_testing();
