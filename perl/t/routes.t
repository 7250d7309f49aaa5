#!/usr/bin/perl
# A reply with 10,000 routes, of a network namespace that has them.

use v5.36;

use Test::More;

use PVE::RDMA;

my $count = 10_000;

# The kernel's 16 bits behind 10.0.0.0, one network of 8 addresses each.
sub prefix ($number) {
    return sprintf('10.%d.%d.%d/29', $number >> 13, ($number >> 5) & 255, ($number & 31) << 3);
}

if (!$ENV{PVE_RDMA_ROUTES}) {
    plan(skip_all => 'a network namespace needs root') if $>;
    local $ENV{PVE_RDMA_ROUTES} = 1;
    exec('unshare', '-n', $^X, (map { ('-I', $_) } @INC), $0) or die "unshare: $!\n";
}

open(my $ip, '|-', 'ip', '-batch', '-') or die "ip: $!\n";
print {$ip} "link add nic0 type veth peer name far0\nlink set nic0 up\n";
print {$ip} 'route add ', prefix($_), " dev nic0 metric $_\n" for 1 .. $count;
close($ip) or die "ip -batch failed\n";

my $reply = PVE::RDMA::call('probe', { sections => ['links'] });
ok($reply->{ok}, 'the probe answers') or diag(explain($reply->{error}));
my %metrics = map { ($_->{dst} => $_->{metric}) } grep { ($_->{dev} // '') eq 'nic0' && $_->{dst} =~ m{/29$} }
    $reply->{report}->{routes}->@*;
is(scalar(keys(%metrics)), $count, 'it has them all');
my @wrong = grep { $metrics{ prefix($_) } != $_ } 1 .. $count;
is_deeply(\@wrong, [], 'with their metrics, which are numbers');

done_testing();
