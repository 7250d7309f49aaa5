package PVE::RDMA::Schema;

use v5.36;

use Carp ();

use PVE::RDMA;

# The words of JSON Schema that Proxmox's schemas have too, with the same meaning and a plain value.
my %same = map { ($_ => 1) } qw(type description title enum minimum maximum minLength maxLength pattern);

# One schema of the operation table in the form that PVE::JSONSchema takes. Every word is known here or refused:
# none is lost in silence.
sub convert ($schema) {
    my %converted;
    for my $word (sort(keys($schema->%*))) {
        my $value = $schema->{$word};
        if ($same{$word}) {
            $converted{$word} = ref($value) eq 'ARRAY' ? [$value->@*] : $value;
        } elsif ($word eq 'default') {
            $converted{default} = _plain($value);
        } elsif ($word eq 'items') {
            $converted{items} = convert($value);
        } elsif ($word eq 'properties') {
            my %required = map { ($_ => 1) } ($schema->{required} // [])->@*;
            $converted{properties} = { map { ($_ => _property($value->{$_}, $required{$_})) } keys($value->%*) };
        } elsif ($word eq 'additionalProperties') {
            $converted{$word} = ref($value) eq 'HASH' ? convert($value) : _plain($value);
        } elsif ($word ne 'required' && $word !~ /^x-/) {
            Carp::croak("PVE::RDMA::Schema: no translation for the word \"$word\"");
        }
    }
    return \%converted;
}

# JSON's truth values are 1 and 0 in Proxmox's schemas.
sub _plain ($value) {
    return ref($value) eq 'JSON::PP::Boolean' ? ($value ? 1 : 0) : $value;
}

sub _property ($schema, $required) {
    my $converted = convert($schema);
    $converted->{optional} = 1 if !$required;
    return $converted;
}

# The table's entry of one operation, as `pve-rdma schema OPERATION` prints it. Dies when there is none.
sub operation ($name) {
    my $reply = PVE::RDMA::call('schema', { operation => $name });
    if (my $error = $reply->{error}) {
        Carp::croak("PVE::RDMA::Schema: $error->{subject}: $error->{message}");
    }
    return $reply->{operations}->[0];
}

# All entries that the API offers, in the table's order.
sub operations () {
    return map { operation($_->{name}) } grep { $_->{api} } PVE::RDMA::call('schema')->{operations}->@*;
}

# For register_method's `parameters`: what the operation offers to the API in this one of its methods. What stands in
# the path must be given.
sub parameters ($operation, $api) {
    my $schema = $operation->{parameters};
    my %left_out = map { ($_ => 1) } ($api->{without} // [])->@*, keys(($api->{preset} // {})->%*);
    my %offered = map { ($_ => $schema->{properties}->{$_}) }
        grep { !$left_out{$_} && _offered($schema->{properties}->{$_}) } keys($schema->{properties}->%*);
    my @required = grep { $offered{$_} } ($schema->{required} // [])->@*, $api->{path} =~ /\{([\w-]+)\}/g;
    return convert({ $schema->%*, properties => \%offered, required => \@required });
}

sub _offered ($parameter) {
    return scalar(grep { $_ eq 'api' } $parameter->{'x-faces'}->@*);
}

# For register_method's `returns`: a task's UPID, the list of what stands below the path, or the reply.
sub returns ($operation, $api) {
    return { type => 'string', description => 'The UPID of the task.' } if $api->{task};
    if (my $key = $api->{children}) {
        return {
            convert($operation->{result_schema})->%*,
            description => $operation->{summary},
            links => [{ rel => 'child', href => "{$key}" }],
        };
    }
    my %properties = (
        v => { type => 'integer', description => 'Version of this document.' },
        operation => { type => 'string', description => 'The operation that answered.' },
        ok => { type => 'boolean', description => 'False when a check says no or an error stands below.' },
        changed => { type => 'boolean', description => 'Whether the node was changed.' },
        warnings => {
            type => 'array',
            description => 'What the reader should know besides the answer.',
            items => { type => 'string' },
        },
        error => {
            type => 'object',
            description => 'What went wrong.',
            optional => 1,
            additionalProperties => 1,
            properties => {
                code => { type => 'string', description => 'A stable word for the kind of error.' },
                subject => { type => 'string', description => 'What it is about.' },
                message => { type => 'string', description => 'One sentence for a person.' },
            },
        },
    );
    if (my $key = $operation->{result}) {
        $properties{$key} = {
            convert($operation->{result_schema})->%*,
            description => $operation->{summary},
            optional => 1,    # absent when there is an error
        };
    }
    # What goes with some answers (unjudged, diff, digest, refusals) has no schema of its own.
    return { type => 'object', additionalProperties => 1, properties => \%properties };
}

# What register_method takes for each method that the operation has in the API, less permissions, proxying and code:
# those are the API's to say. Beside it the table's entry of the method, as `api`.
sub methods ($operation) {
    my $name = $operation->{name} =~ tr/-/_/r;
    my @methods;
    for my $api (($operation->{api} // [])->@*) {
        my $info = {
            name => @methods ? "${name}_" . lc($api->{method}) : $name,
            path => $api->{path},
            method => $api->{method},
            description => $operation->{description},
            parameters => parameters($operation, $api),
            returns => returns($operation, $api),
        };
        push(@methods, { api => $api, info => $info });
    }
    return @methods;
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Schema - the operation table as Proxmox VE's method schemas

=head1 SYNOPSIS

    my $operation = PVE::RDMA::Schema::operation('probe');
    for my $method (PVE::RDMA::Schema::methods($operation)) {
        __PACKAGE__->register_method({
            $method->{info}->%*,
            permissions => { check => ['perm', '/nodes/{node}', ['Sys.Audit']] },
            code => sub ($param) { ... },
        });
    }

=head1 FUNCTIONS

C<operation($name)> fetches an operation's entry, C<operations()> all of them; C<parameters>, C<returns> and C<methods>
turn an entry into the parts that C<register_method> takes; C<convert> turns one JSON Schema into the form that
PVE::JSONSchema takes, and dies at a word that has no translation. Nothing of Proxmox VE needs to be installed for it.

=head1 LICENSE

GPL-3.0-or-later

=cut
