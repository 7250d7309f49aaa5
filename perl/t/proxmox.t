#!/usr/bin/perl -T
# Proxmox's own code takes the schemas: set PVE_COMMON_SRC to a checkout of pve-common to run this.

use v5.36;

use Test::More;

BEGIN {
    my ($checkout) = ($ENV{PVE_COMMON_SRC} // '') =~ /^(.+)$/;
    plan(skip_all => 'PVE_COMMON_SRC is not set') if !$checkout;
    unshift(@INC, "$checkout/src");
}

use PVE::JSONSchema;
use PVE::RDMA;
use PVE::RDMA::Schema;

package API {    ## no critic (a class for register_method, which wants one)
    use base qw(PVE::RESTHandler);
}

my @registered;
for my $listed (PVE::RDMA::call('schema')->{operations}->@*) {
    next if !$listed->{api};
    my $method = PVE::RDMA::Schema::method(PVE::RDMA::Schema::operation($listed->{name}));
    my $info = { $method->%*, code => sub ($parameters) { PVE::RDMA::call($listed->{name}, $parameters) } };
    ok(eval { PVE::JSONSchema::validate_method_info($info); 1 }, "$listed->{name}: a valid method") or diag($@);
    ok(eval { API->register_method($info); 1 }, "$listed->{name}: registered") or diag($@);
    push(@registered, $method);
}
ok(scalar(@registered), 'operations are offered to the API');

# The answer of probe, through Proxmox's dispatch, is what `returns` says.
my ($probe) = grep { $_->{name} eq 'probe' } @registered;
my ($handler, $info) = API->find_handler('GET', $probe->{path}, {});
ok($handler, 'probe is found by its path');
my $reply = $handler->handle($info, {});
ok($reply->{ok}, 'and answers');
ok(eval { PVE::JSONSchema::validate($reply, $info->{returns}); 1 }, 'as its schema says') or diag(explain($@));

ok(!eval { $handler->handle($info, { root => '/tmp' }); 1 }, 'root is refused by its schema');
like("$@", qr/root|Parameter verification failed/, 'as a parameter that is not there');

done_testing();
