package SameDocument;

# Replies of two calls, less what changes from one moment to the next.

use v5.36;

use Exporter qw(import);
our @EXPORT_OK = qw(settled);

my %counts = map { ($_ => 1) } qw(
    taken counters counters_extended hw_counters statistics octets packets rx_bytes tx_bytes rtt_ms activity
);

# A copy of a reply without times and counters, with every truth value as 1 or 0.
sub settled ($value) {
    my $kind = ref($value);
    return [map { settled($_) } $value->@*] if $kind eq 'ARRAY';
    return $value ? 1 : 0 if $kind eq 'JSON::PP::Boolean';
    return $value if $kind ne 'HASH';
    return { map { ($_ => settled($value->{$_})) } grep { !$counts{$_} } keys($value->%*) };
}

1;
