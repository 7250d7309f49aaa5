#!/usr/bin/perl -T
# A daemon loads the module, calls, forks workers that call, and goes on calling.

use v5.36;

use POSIX ();
use Test::More;

use PVE::RDMA;

sub answers () {
    my $reply = PVE::RDMA::call('probe');
    return $reply->{ok} && $reply->{report}->{kind} eq 'node-report';
}

ok(answers(), 'the parent, before');
my @workers = map {
    my $pid = fork() // die "fork: $!\n";
    POSIX::_exit(answers() && answers() ? 0 : 1) if !$pid;
    $pid;
} 1 .. 4;
ok(answers(), 'the parent, while its workers call');
for my $pid (@workers) {
    waitpid($pid, 0);
    is($?, 0, 'a worker');
}
ok(answers(), 'the parent, after');

done_testing();
