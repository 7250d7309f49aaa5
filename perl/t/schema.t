#!/usr/bin/perl -T
# The operation table as Proxmox's method schemas: the rules that PVE::JSONSchema and register_method enforce.

use v5.36;

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
    if (!$operation->{api}) {
        ok(!eval { PVE::RDMA::Schema::method($operation) }, "$name: not in the API, refused");
        next;
    }
    my $method = PVE::RDMA::Schema::method($operation);
    like($method->{name}, qr/^[a-z][a-z0-9_]*$/, "$name: name");
    like($method->{method}, qr/^(?:GET|POST|PUT|DELETE)$/, "$name: method");
    like($method->{path}, qr{^[a-z][a-z0-9/{}-]*$}, "$name: path");
    ok(!$seen{"$method->{method} $method->{path}"}++, "$name: no two methods at one path");
    like($method->{description}, qr/\S/, "$name: description");
    is($method->{parameters}->{additionalProperties}, 0, "$name: unknown parameters are refused");
    is_deeply([faults($method->{parameters}, 'parameters')], [], "$name: parameters");
    is_deeply([faults($method->{returns}, 'returns')], [], "$name: returns");

    my $taken = $method->{parameters}->{properties};
    my $declared = $operation->{parameters}->{properties};
    for my $parameter (sort(keys($declared->%*))) {
        my $offered = grep { $_ eq 'api' } $declared->{$parameter}->{'x-faces'}->@*;
        is(exists($taken->{$parameter}) ? 1 : 0, $offered ? 1 : 0, "$name: $parameter is offered as its faces say");
    }
}

# The reply of a real call has exactly the members that `returns` names.
my $returns = PVE::RDMA::Schema::method(PVE::RDMA::Schema::operation('probe'))->{returns};
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
    api => { method => 'POST', path => 'a/b' },
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
is_deeply(
    PVE::RDMA::Schema::method(\%entry)->{parameters},
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
is(PVE::RDMA::Schema::method(\%entry)->{name}, 'a_b', 'dashes become underscores');
is_deeply(
    PVE::RDMA::Schema::returns(\%entry)->{properties}->{answer},
    { type => 'object', description => 'Sums.', optional => 1, properties => { x => { type => 'integer' } } },
    'the answer, with its required members',
);
$entry{parameters}->{properties}->{must}->{multipleOf} = 3;
ok(!eval { PVE::RDMA::Schema::parameters(\%entry) }, 'a word without translation is refused');
like($@, qr/no translation for the word "multipleOf"/, 'and named');
ok(!eval { PVE::RDMA::Schema::operation('none') }, 'an unknown operation dies');

done_testing();
