package PVE::API2;

# A stand-in for tests: the places of Proxmox VE's tree that pve-rdma goes to.

use v5.36;

use base qw(PVE::RESTHandler);

my $lists = sub ($class, $path, @names) {
    $class->register_method({
        name => 'index',
        path => '',
        method => 'GET',
        description => 'Index.',
        permissions => { user => 'all' },
        parameters => { additionalProperties => 0, properties => { $path ? ($path => { type => 'string' }) : () } },
        returns => {
            type => 'array',
            items => { type => 'object', properties => {} },
            links => [{ rel => 'child', href => '{name}' }],
        },
        code => sub ($parameters) { return [map { { name => $_ } } @names] },
    });
};

package PVE::API2::Cluster {
    use parent -norequire, qw(PVE::RESTHandler);
}

package PVE::API2::Nodes::Nodeinfo {
    use parent -norequire, qw(PVE::RESTHandler);
}

package PVE::API2::Nodes {
    use parent -norequire, qw(PVE::RESTHandler);
}

$lists->('PVE::API2::Cluster', undef, 'status');
$lists->('PVE::API2::Nodes::Nodeinfo', 'node', 'network');
PVE::API2::Nodes->register_method({ subclass => 'PVE::API2::Nodes::Nodeinfo', path => '{node}' });
PVE::API2->register_method({ subclass => 'PVE::API2::Nodes', path => 'nodes' });
PVE::API2->register_method({ subclass => 'PVE::API2::Cluster', path => 'cluster' });

1;
