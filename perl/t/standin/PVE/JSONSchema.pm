package PVE::JSONSchema;

# A stand-in for tests, of what pve-rdma uses. tests/pve/run asks the same tests of Proxmox VE's own.

use v5.36;

use PVE::Exception;

sub get_standard_option ($name) {
    die "the stand-in has no option $name\n" if $name ne 'pve-node';
    return { type => 'string', description => 'The cluster node name.', pattern => '[a-zA-Z0-9][a-zA-Z0-9-]*' };
}

my %scalar = (
    string => sub ($value) { 1 },
    integer => sub ($value) { $value =~ /^[+-]?\d+$/ },
    number => sub ($value) { $value =~ /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/ },
    boolean => sub ($value) { $value eq '0' || $value eq '1' },
);

# What is wrong, by the path of the value.
sub faults ($value, $schema, $path) {
    my $type = $schema->{type} // ($schema->{properties} ? 'object' : return);
    return object_faults($value, $schema, $path) if $type eq 'object';
    if ($type eq 'array') {
        return ($path => 'an array is expected') if ref($value) ne 'ARRAY';
        return map { faults($value->[$_], $schema->{items}, "$path\[$_]") } 0 .. $#{$value};
    }
    my $is_truth = $type eq 'boolean' && ref($value) eq 'JSON::PP::Boolean';
    return ($path => "type check ('$type') failed") if !defined($value) || (ref($value) && !$is_truth);
    return ($path => "type check ('$type') failed") if !$scalar{$type}->($value);
    return ($path => "below $schema->{minimum}") if defined($schema->{minimum}) && $value < $schema->{minimum};
    return ($path => "above $schema->{maximum}") if defined($schema->{maximum}) && $value > $schema->{maximum};
    return ($path => 'too long') if defined($schema->{maxLength}) && length($value) > $schema->{maxLength};
    return ($path => 'not of the pattern') if defined($schema->{pattern}) && $value !~ /^$schema->{pattern}$/;
    return ($path => 'not one of the values') if $schema->{enum} && !grep { $_ eq $value } $schema->{enum}->@*;
    return ();
}

sub object_faults ($value, $schema, $path) {
    return ($path => 'an object is expected') if ref($value) ne 'HASH';
    my ($known, $others) = ($schema->{properties} // {}, $schema->{additionalProperties} // {});
    my $below = sub ($key) { length($path) ? "$path.$key" : $key };
    my %faults = map { ($below->($_) => 'property is missing and it is not optional') }
        grep { !$known->{$_}->{optional} && !defined($value->{$_}) } keys($known->%*);
    for my $key (grep { defined($value->{$_}) } keys($value->%*)) {
        my $of = $known->{$key} // (ref($others) ? $others : undef);
        if (!$of) {
            $faults{ $below->($key) } = 'property is not defined in schema' if !$others;
        } elsif ($of->{type}) {
            %faults = (%faults, faults($value->{$key}, $of, $below->($key)));
        }
    }
    return %faults;
}

sub validate ($value, $schema, $message = undef) {
    my %faults = faults($value, $schema, '');
    PVE::Exception::raise_param_exc(\%faults) if %faults;
    return 1;
}

sub method_get_child_link ($info) {
    my $returns = $info->{returns} // {};
    return if ($returns->{type} // '') ne 'array';
    my ($link) = grep { $_->{rel} eq 'child' } ($returns->{links} // [])->@*;
    return $link;
}

my %known = map { ($_ => 1) } qw(
    name path method description permissions proxyto protected parameters returns code subclass allowtoken
    expose_credentials match_re match_name
);

sub validate_method_info ($info) {
    die "no schema for $_\n" for grep { !$known{$_} } keys($info->%*);
    return if $info->{subclass};
    die "$info->{path}: no $_\n" for grep { !defined($info->{$_}) } qw(name path method parameters returns code description);
    return;
}

1;
