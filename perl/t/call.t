#!/usr/bin/perl -T
# Calls: what is answered, what is refused, what dies.

use v5.36;

use Scalar::Util qw(tainted);
use Test::More;

use PVE::RDMA;

is(PVE::RDMA::version(), $PVE::RDMA::VERSION, 'library and module are of one version');

my $reply = PVE::RDMA::call('probe');
ok($reply->{ok}, 'probe answers') or diag(explain($reply->{error}));
is($reply->{operation}, 'probe', 'with its name');
is($reply->{report}->{kind}, 'node-report', 'and a report');
is($reply->{report}->{tool}, PVE::RDMA::version(), 'taken by this version');
ok(exists($reply->{error}) && !defined($reply->{error}), 'error is there and undef');
ok(!$reply->{changed}, 'nothing was changed');
ok((grep { $_->{ifname} eq 'lo' } $reply->{report}->{links}->@*), 'the report names the loopback link');

my ($told, $text) = PVE::RDMA::tell('probe', { sections => ['system'] });
ok($told->{ok}, 'tell answers the same');
like($text, qr/kernel/i, 'and says it in words');
is_deeply([(PVE::RDMA::tell('probe', { sections => ['none'] }))[1]], [undef], 'but no words of what failed');

sub refused ($reply, $code, $subject, $name) {
    ok(!$reply->{ok}, "$name: not ok");
    is($reply->{error}->{code}, $code, "$name: code");
    like($reply->{error}->{subject}, $subject, "$name: subject");
    ok(length($reply->{error}->{message}), "$name: a message");
}
refused(PVE::RDMA::call('no-such-operation'), 'bad_request', qr/^no-such-operation$/, 'unknown operation');
refused(PVE::RDMA::call('probe', { colour => 'red' }), 'bad_request', qr/colour/, 'unknown parameter');
for my $parameter (qw(root record)) {
    refused(PVE::RDMA::call('probe', { $parameter => '/tmp' }), 'bad_request', qr/$parameter/, "$parameter, not for the API");
}
refused(PVE::RDMA::call('schema', { operation => { nested => 1 } }), 'bad_request', qr/operation/, 'a hash for text');
refused(PVE::RDMA::call('schema', { operation => 'none' }), 'bad_request', qr/none/, 'a name that is not there');

ok(PVE::RDMA::call('schema', { operation => undef })->{ok}, 'undef is not given');
ok(PVE::RDMA::call('schema', {})->{ok}, 'no parameters');

# Whoever calls wrongly hears of it at once.
for my $case (
    ['no operation', sub { PVE::RDMA::call(undef) }],
    ['a reference as operation', sub { PVE::RDMA::call([]) }],
    ['a NUL in the name', sub { PVE::RDMA::call("probe\0") }],
    ['parameters as an array', sub { PVE::RDMA::call('probe', []) }],
    ['a code reference inside', sub { PVE::RDMA::call('schema', { operation => sub { } }) }],
) {
    my ($name, $code) = $case->@*;
    ok(!eval { $code->(); 1 }, "$name dies");
    like($@, qr/^PVE::RDMA::call: .* at \Q$0\E line/s, "$name: the caller's line is named");
}

# Taint mode: what comes from outside goes in, the reply is clean.
my $outside = substr($ENV{PATH}, 0, 0) . 'probe';
SKIP: {
    skip('taint mode is not compiled in', 1) if !${^TAINT};
    ok(tainted($outside), 'the parameter is tainted');
}
my $clean = PVE::RDMA::call('schema', { operation => $outside });
is($clean->{operations}->[0]->{name}, 'probe', 'a tainted parameter is taken');
ok(!tainted($clean->{operations}->[0]->{name}), 'the reply is not tainted');

done_testing();
