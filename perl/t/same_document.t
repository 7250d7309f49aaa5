#!/usr/bin/perl
# The reply in Perl is the document that the command line prints with --json.

use v5.36;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/lib";
use SameDocument qw(settled);

use PVE::RDMA;

my $cli = "$ENV{PVE_RDMA_BUILD}/bin/pve-rdma";

sub printed (@words) {
    open(my $output, '-|', $cli, @words, '--json') or die "$cli: $!\n";
    my $json = do { local $/; <$output> };
    close($output);
    return JSON::PP->new->utf8->decode($json);
}

is_deeply(PVE::RDMA::call('schema'), printed('schema'), 'schema');
is_deeply(PVE::RDMA::call('schema', { operation => 'probe' }), printed('schema', 'probe'), 'schema of probe');
is_deeply(settled(PVE::RDMA::call('probe')), settled(printed('probe')), 'probe');

my $wrong = PVE::RDMA::call('schema', { operation => 'none' });
is_deeply($wrong, printed('schema', 'none'), 'an error');
is($wrong->{error}->{code}, 'bad_request', 'which is one');

done_testing();
