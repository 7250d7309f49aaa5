package PVE::API2::RDMA;

use v5.36;

use PVE::Exception;
use PVE::JSONSchema;
use PVE::RDMA;
use PVE::RDMA::Failure;
use PVE::RDMA::Replies;
use PVE::RDMA::Schema;
use PVE::RDMA::Tasks;
use PVE::RPCEnvironment;

use base qw(PVE::RESTHandler);

# /nodes/{node}/rdma: the methods that the operation table names (`pve-rdma schema`), made when this is loaded.

# Permissions of a method by the table's word. Without any, Proxmox lets root@pam in alone, and no token.
my %permissions = (
    audit => { check => ['perm', '/nodes/{node}', ['Sys.Audit']] },
    modify => { check => ['perm', '/nodes/{node}', ['Sys.Modify']] },
    root => undef,
);

my $node = PVE::JSONSchema::get_standard_option('pve-node');

# Who reaches the node over the network must reach it afterwards. Behind a proxy of the cluster it is still the client's
# address; with pvesh there is none, and the backend looks for an SSH connection.
sub caller_address () {
    my $address = PVE::RPCEnvironment->get()->get_client_ip() // return;
    $address =~ s/^::ffff://i;
    return $address =~ /^(?:127\.|::1$)/ ? undef : $address;
}

# The parameters of the backend's operation, from those of the method.
sub request ($operation, $api, $parameters) {
    my %request = ($parameters->%*, ($api->{preset} // {})->%*);
    delete($request{node});
    if ($operation->{parameters}->{properties}->{caller}) {
        $request{caller} //= caller_address();
    }
    return \%request;
}

sub answer ($operation, $api, $parameters) {
    my $request = request($operation, $api, $parameters);
    return PVE::RDMA::Tasks::start($operation->{name}, $request) if $api->{task};
    my $reply = PVE::RDMA::call($operation->{name}, $request);
    PVE::RDMA::Failure::throw($reply->{error}, $parameters) if $reply->{error};
    return $api->{children} ? $reply->{ $operation->{result} } : $reply;
}

# The folders above the methods, each with the names in it.
my %folders = ('' => { tasks => 1 });
my %answered;

sub register ($operation, $method) {
    my ($api, $info) = $method->@{qw(api info)};
    my $above = '';
    for my $name (grep { !/^\{/ } split(m{/}, $info->{path})) {
        $folders{$above}->{$name} = 1;
        $above = length($above) ? "$above/$name" : $name;
    }
    $answered{ $info->{path} } = 1 if $info->{method} eq 'GET';
    my $permissions = $permissions{ $api->{access} };
    $info->{parameters}->{properties}->{node} = $node;
    __PACKAGE__->register_method({
        $info->%*,
        $permissions ? (permissions => $permissions) : (),
        proxyto => 'node',
        # Root's eyes: much of what a report holds (firmware, transceivers, management datagrams) others cannot read.
        protected => 1,
        code => sub ($parameters) { return answer($operation, $api, $parameters) },
    });
}

sub register_index ($path, $names) {
    __PACKAGE__->register_method({
        name => join('_', grep { length } ($path =~ tr{/}{_}r, 'index')),
        path => $path,
        method => 'GET',
        description => 'Lists what stands below this path.',
        permissions => { user => 'all' },
        proxyto => 'node', # a node without this package says so
        parameters => { additionalProperties => 0, properties => { node => $node } },
        returns => {
            type => 'array',
            items => { type => 'object', properties => { name => { type => 'string' } } },
            links => [{ rel => 'child', href => '{name}' }],
        },
        code => sub ($parameters) { return [map { { name => $_ } } sort(keys($names->%*))] },
    });
}

for my $operation (PVE::RDMA::Schema::operations()) {
    register($operation, $_) for PVE::RDMA::Schema::methods($operation);
}
for my $path (sort(keys(%folders))) {
    register_index($path, $folders{$path}) if !$answered{$path};
}

my $upid = {
    type => 'string',
    description => 'The UPID that a method of this node answered with.',
    maxLength => 250,
    pattern => 'UPID:[^/\s]+',
};

__PACKAGE__->register_method({
    name => 'tasks',
    path => 'tasks',
    method => 'GET',
    description => 'The last tasks, newest first, whose answers are kept.',
    permissions => $permissions{audit},
    proxyto => 'node',
    protected => 1,
    parameters => { additionalProperties => 0, properties => { node => $node } },
    returns => {
        type => 'array',
        items => { type => 'object', properties => { upid => $upid } },
        links => [{ rel => 'child', href => '{upid}' }],
    },
    code => sub ($parameters) {
        return [map { { upid => $_ } } PVE::RDMA::Replies::newest()];
    },
});

__PACKAGE__->register_method({
    name => 'task',
    path => 'tasks/{upid}',
    method => 'GET',
    description => "What the operation of a task answered, once the task has ended. Its log is Proxmox VE's.",
    permissions => $permissions{audit},
    proxyto => 'node',
    protected => 1,
    parameters => { additionalProperties => 0, properties => { node => $node, upid => $upid } },
    returns => { type => 'object', additionalProperties => 1, properties => {} },
    code => sub ($parameters) {
        my $reply = PVE::RDMA::Replies::find($parameters->{upid});
        return $reply if $reply;
        PVE::Exception::raise("no answer of this task is kept\n", code => 404);
    },
});

1;

__END__

=encoding utf8

=head1 NAME

PVE::API2::RDMA - pve-rdma in Proxmox VE's API, at /nodes/{node}/rdma

=head1 DESCRIPTION

Its methods are those of the operation table: path, verb, who may call it, parameters and answer stand in the table's
entries. C<perl/README.md> lists them. Nothing is registered with Proxmox VE here but this class's own methods;
PVE::RDMA::Register hangs the class into the tree.

An operation's answer is the document that C<pve-rdma OPERATION --json> prints; C<transactions> is the list alone, since
C<pvesh ls> walks lists. What is a task answers with its UPID, and C<tasks/{upid}> with the document when it has ended.

=head1 LICENSE

GPL-3.0-or-later

=cut
