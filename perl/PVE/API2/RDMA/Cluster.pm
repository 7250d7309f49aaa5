package PVE::API2::RDMA::Cluster;

use v5.36;

use PVE::Cluster;
use PVE::INotify;
use PVE::RDMA;
use PVE::RDMA::Failure;
use PVE::RDMA::Gather;
use PVE::RDMA::Json;
use PVE::RDMA::Tasks;
use PVE::RPCEnvironment;

use base qw(PVE::RESTHandler);

# /cluster/rdma: what the nodes say together.

my $json = PVE::RDMA::Json::coder();

# Asks a node's API as the caller, through this node's pveproxy: rights, proxying and certificates are Proxmox VE's.
sub client ($seconds) {
    require PVE::APIClient::LWP;
    my $environment = PVE::RPCEnvironment->get();
    my $credentials = $environment->get_credentials();
    my $client = PVE::APIClient::LWP->new(
        protocol => 'https',
        host => 'localhost',
        port => 8006,
        username => $environment->get_user(),
        ticket => $credentials->{ticket},
        api_token => $credentials->{api_token},
        timeout => $seconds,
        cached_fingerprints => { PVE::Cluster::get_node_fingerprint(PVE::INotify::nodename()) => 1 },
    );
    $client->update_csrftoken($credentials->{token}) if defined($credentials->{token});
    return $client;
}

# The reports of all nodes of the cluster, by name: { answer => reply } or { error => text }. This node's own is read
# here: it needs no proxy, and no second worker of the daemon that this one runs in.
sub reports ($seconds) {
    my $here = PVE::INotify::nodename();
    my $nodes = PVE::Cluster::get_nodelist();
    return PVE::RDMA::Gather::gather(
        $nodes,
        $seconds,
        sub ($node) {
            if ($node eq $here) {
                my $reply = PVE::RDMA::call('probe');
                return $reply if !$reply->{error};
                die PVE::RDMA::Failure::text($reply->{error}) . "\n";
            }
            return client($seconds)->get("/nodes/$node/rdma/report");
        },
    );
}

my $timeout = {
    type => 'integer',
    description => 'Seconds to wait for the nodes.',
    optional => 1,
    minimum => 1,
    maximum => 25, # pveproxy waits 30 s for us
    default => 20,
};

__PACKAGE__->register_method({
    name => 'rdma',
    path => '',
    method => 'GET',
    description => 'What the nodes of the cluster say, and what is wrong between them. Nodes that did not answer in time'
        . ' are named with the reason.',
    permissions => { check => ['perm', '/', ['Sys.Audit']] },
    protected => 1,
    expose_credentials => 1, # the nodes are asked as the caller
    parameters => {
        additionalProperties => 0,
        properties => {
            timeout => $timeout,
            reports => {
                type => 'boolean',
                description => 'Answer with the reports of the nodes too: they are long.',
                optional => 1,
                default => 1,
            },
        },
    },
    returns => {
        type => 'object',
        additionalProperties => 0,
        properties => {
            nodes => {
                type => 'array',
                description => 'Every node of the cluster, by name.',
                items => {
                    type => 'object',
                    properties => {
                        node => { type => 'string' },
                        report => { type => 'object', optional => 1, description => 'As of GET report.' },
                        error => { type => 'string', optional => 1, description => 'Why there is none.' },
                    },
                },
            },
            missing => {
                type => 'array',
                description => 'The nodes that did not answer: what is said of the cluster is said without them.',
                items => { type => 'string' },
            },
            ok => { type => 'boolean', description => 'Nobody is missing, and no finding is an error.' },
            findings => {
                type => 'array',
                description => 'As of GET findings, of each node and between them.',
                items => { type => 'object' },
            },
            unjudged => { type => 'array', items => { type => 'object' } },
            matrix => {
                type => 'array',
                description => 'From node to node, in each network they share: the largest packet that both ends carry.'
                    . ' What lies between them shows POST /cluster/rdma/mtu.',
                items => { type => 'object' },
            },
        },
    },
    code => sub ($parameters) { return together(reports($parameters->{timeout} // 20), $parameters->{reports} // 1) },
});

__PACKAGE__->register_method({
    name => 'mtu',
    path => 'mtu',
    method => 'POST',
    description => 'Lets every node send packets of full size to every other, in each network they share, and keeps the'
        . ' matrix of what was answered (GET /nodes/{node}/rdma/tasks/{upid} on the node that was asked).',
    permissions => { check => ['perm', '/', ['Sys.Modify']] }, # as POST mtu of each node
    protected => 1,
    expose_credentials => 1,
    parameters => { additionalProperties => 0, properties => { timeout => { $timeout->%*, maximum => 600, default => 120 } } },
    returns => { type => 'string', description => 'The UPID of the task.' },
    code => sub ($parameters) {
        my $seconds = $parameters->{timeout} // 120;
        return PVE::RDMA::Tasks::start_with('rdmamatrix', sub { measured($seconds) });
    },
});

# The matrix, each cell with what a probe found (MtuProbe of the operation mtu), in the worker of a task.
sub measured ($seconds) {
    my $together = together(reports($seconds), 0);
    say "no answer: $_->{node}: $_->{error}" for grep { defined($_->{error}) } $together->{nodes}->@*;
    my %cells;
    push($cells{ $_->{from} }->@*, $_) for $together->{matrix}->@*;
    my $answers = PVE::RDMA::Gather::gather(
        [keys(%cells)],
        $seconds,
        sub ($node) { probes($node, [map { $_->{address} } $cells{$node}->@*], $seconds) },
    );
    my $ok = !$together->{missing}->@*;
    for my $cell ($together->{matrix}->@*) {
        my ($reply, $error) = $answers->{ $cell->{from} }->@{qw(answer error)};
        my ($peer) = grep { $_->{address} eq $cell->{address} } ($reply->{mtu}->{peers} // [])->@*;
        $cell->{probe} = $peer->{probe} if $peer;
        $cell->{message} = $peer ? $peer->{message} : $error // 'was not probed';
        $ok = 0 if !$peer || $peer->{probe}->{verdict} ne 'passes';
        say "$cell->{from} -> $cell->{to} ($cell->{address}): $cell->{message}";
    }
    return {
        v => 1,
        operation => 'cluster-mtu',
        ok => $ok ? 1 : 0,
        changed => 0,
        matrix => $together->{matrix},
        missing => $together->{missing},
        warnings => [],
        error => undef,
    };
}

# One node's answer of the operation mtu: here by the backend, elsewhere by its task.
sub probes ($node, $addresses, $seconds) {
    if ($node eq PVE::INotify::nodename()) {
        my $reply = PVE::RDMA::call('mtu', { peer => $addresses });
        return $reply if !$reply->{error};
        die PVE::RDMA::Failure::text($reply->{error}) . "\n";
    }
    my $client = client($seconds);
    my $upid = $client->post("/nodes/$node/rdma/mtu", { peer => $addresses });
    while (($client->get("/nodes/$node/tasks/$upid/status")->{status} // '') eq 'running') {
        sleep(1); # the deadline is the one of who waits for us
    }
    return $client->get("/nodes/$node/rdma/tasks/$upid");
}

sub together ($answers, $with_reports) {
    my @nodes = sort(keys($answers->%*));
    my @missing = grep { !$answers->{$_}->{answer} } @nodes;
    my @reports = map { $answers->{$_}->{answer}->{report} } grep { $answers->{$_}->{answer} } @nodes;
    my $diagnosis = { ok => 1, findings => [], unjudged => [] };
    if (@reports) {
        $diagnosis = PVE::RDMA::call('diagnose', { documents => [map { $json->encode($_) } @reports] });
        PVE::RDMA::Failure::throw($diagnosis->{error}) if $diagnosis->{error};
    }
    my @rows = map {
        my ($reply, $error) = $answers->{$_}->@{qw(answer error)};
        {
            node => $_,
            $reply && $with_reports ? (report => $reply->{report}) : (),
            $reply ? () : (error => $error),
        };
    } @nodes;
    return {
        nodes => \@rows,
        missing => \@missing,
        ok => $diagnosis->{ok} && !@missing ? 1 : 0,
        findings => $diagnosis->{findings},
        unjudged => $diagnosis->{unjudged},
        matrix => $diagnosis->{matrix} // [],
    };
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::API2::RDMA::Cluster - pve-rdma in Proxmox VE's API, at /cluster/rdma

=head1 DESCRIPTION

C<GET /cluster/rdma> asks every node for its report, as the caller and through Proxmox VE's own proxying, all at once and
with a deadline; the backend judges the reports together. A node that does not answer (it is off, it has no pve-rdma, the
caller has no right there) is named with the reason.

=head1 LICENSE

GPL-3.0-or-later

=cut
