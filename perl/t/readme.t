#!/usr/bin/perl
# README.md lists the API's methods as they are registered.

use v5.36;

use FindBin;
use Test::More;

use PVE::API2::RDMA;
use PVE::API2::RDMA::Cluster;

sub who ($permissions) {
    return 'root@pam' if !$permissions;
    return 'all' if ($permissions->{user} // '') eq 'all';
    return "$permissions->{check}->[2]->[0] on `$permissions->{check}->[1]`";
}

sub rows ($class, $above) {
    return map {
        my $path = join('/', grep { length } $above, $_->{path});
        my $answer = $_->{returns}->{type} eq 'string' ? 'UPID' : $_->{returns}->{type} eq 'array' ? 'list' : 'document';
        my @takes = sort(grep { $_ ne 'node' && $path !~ /\{\Q$_\E\}/ } keys($_->{parameters}->{properties}->%*));
        "| $_->{method} | `$path` | " . who($_->{permissions}) . " | $answer | " . join(', ', map { "`$_`" } @takes) . ' |';
    } sort { "$a->{path} $a->{method}" cmp "$b->{path} $b->{method}" } $class->method_attributes()->@*;
}

my $expected = join("\n",
    '| method | path | who | answer | takes |',
    '|---|---|---|---|---|',
    rows('PVE::API2::RDMA', '/nodes/{node}/rdma'),
    rows('PVE::API2::RDMA::Cluster', '/cluster/rdma'),
) . "\n";
open(my $file, '<', "$FindBin::Bin/../README.md") or die "README.md: $!\n";
my $text = do { local $/; <$file> };
ok(index($text, $expected) >= 0, 'the table in README.md is that of the API') or diag("it should be:\n$expected");

done_testing();
