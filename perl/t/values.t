#!/usr/bin/perl -T
# Every kind of value that the C interface hands over, from a library that answers with all of them.

use v5.36;
use utf8;

use B ();
use Encode ();
use JSON::PP ();
use Test::More;

# The loader reads LD_LIBRARY_PATH when a process starts.
BEGIN {
    my ($build) = ($ENV{PVE_RDMA_BUILD} // '') =~ /^(.+)$/ or die "PVE_RDMA_BUILD is not set\n";
    if (!$ENV{PVE_RDMA_FAKE}) {
        my ($perl) = $^X =~ /^(.+)$/;
        local %ENV = (LD_LIBRARY_PATH => "$build/perl/fake", PVE_RDMA_FAKE => 1, PVE_RDMA_BUILD => $build);
        my @include = map { /^(.+)$/ ? ('-I', $1) : () } @INC;
        exec {$perl} $perl, '-T', @include, $0 =~ /^(.+)$/ or die "exec: $!\n";
    }
}

use PVE::RDMA;

is(PVE::RDMA::version(), 'fake', 'the stand-in answers');
my $reply = PVE::RDMA::call('everything', { word => 'ø', none => undef, list => ['a', 'b'], yes => !!1, no => !!0 });

is($reply->{operation}, 'everything', 'the name of the operation arrives');
is_deeply(
    JSON::PP->new->decode($reply->{request}),
    { word => 'ø', none => undef, list => ['a', 'b'], yes => JSON::PP::true, no => JSON::PP::false },
    'the parameters arrive as JSON',
);
like($reply->{request}, qr/"no":false/, q{Perl's own truth values are truth values});

ok($reply->{yes}, 'true is true');
ok(!$reply->{no}, 'false is false');
ok(exists($reply->{nothing}) && !defined($reply->{nothing}), 'null is undef');
is($reply->{lowest}, '-9223372036854775808', 'the lowest integer');
is($reply->{highest}, '18446744073709551615', 'the highest integer');
cmp_ok($reply->{highest} - 1, '==', 18446744073709551614, 'it is a number, not rounded');
ok(B::svref_2object(\$reply->{small})->FLAGS & B::SVf_IOK, 'an integer is an integer to encoders');
is($reply->{number}, 0.25, 'a number');
is($reply->{smørrebrød}, "€\0€", 'keys and text are characters, NUL included');
is(length($reply->{smørrebrød}), 3, 'three of them');
is($reply->{empty}, '', 'an empty string');
is_deeply($reply->{nested}, [[], {}], 'empty arrays and hashes');
is_deeply($reply->{long}, [0 .. 99999], 'a long array in order');

my %flags = map { ($_ => $reply->{$_}) } qw(yes no);
for my $encoder (qw(JSON::PP JSON::XS Cpanel::JSON::XS JSON)) {
    SKIP: {
        skip("$encoder is not installed", 1) if !eval "require $encoder; 1";
        is($encoder->new->canonical->encode(\%flags), '{"no":false,"yes":true}', "$encoder writes true and false");
    }
}

is_deeply([(PVE::RDMA::tell('everything'))[1]], ["50 €\n"], 'a text for people, of characters');

eval { PVE::RDMA::call('out-of-memory') };
like($@, qr/^PVE::RDMA::call: out of memory$/, 'a library without memory dies');

done_testing();
