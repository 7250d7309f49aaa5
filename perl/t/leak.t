#!/usr/bin/perl
# Many calls do not make the process grow.

use v5.36;

use Test::More;

use PVE::RDMA;

sub resident_kib () {
    open(my $status, '<', '/proc/self/status') or die "/proc/self/status: $!\n";
    my ($kib) = do { local $/; <$status> } =~ /^VmRSS:\s+(\d+) kB/m;
    return $kib;
}

# How much the process grows over $times calls, once the allocator has seen the work.
sub growth ($times, $work) {
    $work->() for 1 .. $times / 4;
    my $before = resident_kib();
    $work->() for 1 .. $times;
    return resident_kib() - $before;
}

for my $case (
    ['replies', 200, sub { PVE::RDMA::call('schema', { operation => 'probe' }) }],
    ['errors', 10_000, sub { PVE::RDMA::call('schema', { operation => 'none' }) }],
    ['probes', 30, sub { PVE::RDMA::call('probe') }],
    ['misuse', 10_000, sub { eval { PVE::RDMA::call('probe', []) } }],
) {
    my ($name, $times, $work) = $case->@*;
    cmp_ok(growth($times, $work), '<', 768, "$name: less than 768 KiB over $times calls");
}

# The measure works: a process that keeps its replies does grow.
my @kept;
cmp_ok(growth(200, sub { push(@kept, PVE::RDMA::call('schema')) }), '>', 1024, 'keeping replies is seen');

done_testing();
