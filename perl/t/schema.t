#!/usr/bin/perl -T
# The operation table as Proxmox's method schemas: the rules that PVE::JSONSchema and register_method enforce.

use v5.36;

use JSON::PP ();
use Test::More;

use PVE::RDMA;
use PVE::RDMA::Schema;

# The words that a Proxmox schema may hold here, and the kinds of their values.
my %word = (
    type => qr/^(?:string|integer|number|boolean|array|object)$/,
    description => qr/\S/,
    title => qr/\S/,
    optional => qr/^[01]$/,
    enum => 'ARRAY',
    minimum => qr/^-?\d/,
    maximum => qr/^-?\d/,
    minLength => qr/^\d+$/,
    maxLength => qr/^\d+$/,
    default => qr/^/,
    pattern => qr/^/,
    items => 'HASH',
    properties => 'HASH',
    additionalProperties => qr/^[01]$/,
);

# What stands against the rules in a schema, as "path: what".
sub faults ($schema, $path) {
    return "$path: not a hash" if ref($schema) ne 'HASH';
    my @faults;
    push(@faults, "$path: no type") if !defined($schema->{type});
    push(@faults, "$path: array without items") if ($schema->{type} // '') eq 'array' && !$schema->{items};
    for my $key (sort(keys($schema->%*))) {
        my $value = $schema->{$key};
        my $rule = $word{$key};
        if ($key eq 'additionalProperties' && ref($value) eq 'HASH') {
            push(@faults, faults($value, "$path.*"));
        } elsif (!defined($rule)) {
            push(@faults, "$path: the word $key");
        } elsif (!ref($rule)) {
            push(@faults, "$path: $key is not $rule") if ref($value) ne $rule;
        } elsif (!defined($value) || ref($value) || $value !~ $rule) {
            push(@faults, "$path: $key is " . ($value // 'undef'));
        }
    }
    push(@faults, faults($schema->{items}, "$path\[]")) if $schema->{items};
    my $properties = $schema->{properties} // {};
    push(@faults, faults($properties->{$_}, "$path.$_")) for sort(keys($properties->%*));
    return @faults;
}

my $operations = PVE::RDMA::call('schema')->{operations};
cmp_ok(scalar($operations->@*), '>=', 2, 'the table has operations');
my %seen;
for my $listed ($operations->@*) {
    my $name = $listed->{name};
    my $operation = PVE::RDMA::Schema::operation($name);
    my @methods = PVE::RDMA::Schema::methods($operation);
    is(scalar(@methods), scalar(($operation->{api} // [])->@*), "$name: as many methods as the table has");
    for my $method (@methods) {
        my ($api, $info) = $method->@{qw(api info)};
        my $where = "$info->{method} $info->{path}";
        like($info->{name}, qr/^[a-z][a-z0-9_]*$/, "$where: name");
        ok(!$seen{ $info->{name} }++, "$where: no other has its name");
        like($info->{method}, qr/^(?:GET|POST|PUT|DELETE)$/, "$where: method");
        like($info->{path}, qr{^[a-z][a-z0-9/{}-]*$}, "$where: path");
        ok(!$seen{$where}++, "$where: no two methods at one path");
        like($info->{description}, qr/\S/, "$where: description");
        is($info->{parameters}->{additionalProperties}, 0, "$where: unknown parameters are refused");
        is_deeply([faults($info->{parameters}, 'parameters')], [], "$where: parameters");
        is_deeply([faults({ $info->{returns}->%{grep { $_ ne 'links' } keys($info->{returns}->%*)} }, 'returns')], [], "$where: returns");

        my $taken = $info->{parameters}->{properties};
        my $declared = $operation->{parameters}->{properties};
        my %left_out = map { ($_ => 1) } ($api->{without} // [])->@*, keys(($api->{preset} // {})->%*);
        for my $parameter (sort(keys($declared->%*))) {
            my $offered = !$left_out{$parameter} && grep { $_ eq 'api' } $declared->{$parameter}->{'x-faces'}->@*;
            is(exists($taken->{$parameter}) ? 1 : 0, $offered ? 1 : 0, "$where: $parameter is offered as the table says");
        }
    }
}

# The reply of a real call has exactly the members that `returns` names.
my ($probe) = PVE::RDMA::Schema::methods(PVE::RDMA::Schema::operation('probe'));
my $returns = $probe->{info}->{returns};
my $reply = PVE::RDMA::call('probe');
sub unnamed ($value, $schema, $path) {
    return map { unnamed($_, $schema->{items}, "$path\[]") } $value->@* if ref($value) eq 'ARRAY';
    return () if ref($value) ne 'HASH';
    my ($properties, $others) = ($schema->{properties} // {}, $schema->{additionalProperties});
    my @missing = map { "$path.$_ is missing" }
        grep { !$properties->{$_}->{optional} && !exists($value->{$_}) } sort(keys($properties->%*));
    return @missing, map {
        my $of = $properties->{$_} // (ref($others) ? $others : undef);
        $of ? unnamed($value->{$_}, $of, "$path.$_") : "$path.$_ has no schema";
    } sort(keys($value->%*));
}
is_deeply([unnamed($reply, $returns, 'reply')], [], 'probe answers as its schema says');

# The translation itself, on a made-up entry with every word.
my %entry = (
    name => 'a-b',
    summary => 'Sums.',
    description => 'Describes.',
    api => [
        { method => 'POST', path => 'a/b' },
        { method => 'GET', path => 'a/{may}', without => ['many'], preset => { must => 1 } },
        { method => 'PUT', path => 'a', task => $JSON::PP::true },
    ],
    result => 'answer',
    result_schema => { type => 'object', properties => { x => { type => 'integer' } }, required => ['x'] },
    parameters => {
        type => 'object',
        additionalProperties => $JSON::PP::false,
        required => ['must', 'hidden'],
        properties => {
            must => { type => 'integer', minimum => 1, maximum => 9, default => 3, 'x-faces' => ['api'] },
            may => { type => 'boolean', default => $JSON::PP::true, 'x-faces' => ['cli', 'api'] },
            many => { type => 'array', items => { type => 'string', enum => ['a', 'b'] }, 'x-faces' => ['api'] },
            hidden => { type => 'string', 'x-faces' => ['cli'] },
        },
    },
);
my @made = map { $_->{info} } PVE::RDMA::Schema::methods(\%entry);
is_deeply(
    $made[0]->{parameters},
    {
        type => 'object',
        additionalProperties => 0,
        properties => {
            must => { type => 'integer', minimum => 1, maximum => 9, default => 3 },
            may => { type => 'boolean', default => 1, optional => 1 },
            many => { type => 'array', items => { type => 'string', enum => ['a', 'b'] }, optional => 1 },
        },
    },
    'every word is translated',
);
is_deeply([map { $_->{name} } @made], ['a_b', 'a_b_get', 'a_b_put'], 'dashes become underscores; further methods say which they are');
is_deeply(
    $made[1]->{parameters}->{properties},
    { may => { type => 'boolean', default => 1 } },
    'what is left out or given by the method itself is not offered; what stands in the path is required',
);
is($made[2]->{returns}->{type}, 'string', 'a task answers with its UPID');
is_deeply(
    $made[0]->{returns}->{properties}->{answer},
    { type => 'object', description => 'Sums.', optional => 1, properties => { x => { type => 'integer' } } },
    'the answer, with its required members',
);
$entry{parameters}->{properties}->{must}->{multipleOf} = 3;
ok(!eval { PVE::RDMA::Schema::methods(\%entry) }, 'a word without translation is refused');
like($@, qr/no translation for the word "multipleOf"/, 'and named');
ok(!eval { PVE::RDMA::Schema::operation('none') }, 'an unknown operation dies');

done_testing();
