package PVE::Cluster;

# A stand-in for tests, of what pve-rdma uses.

use v5.36;

our @nodes = ('here');

sub get_nodelist () { return [@nodes] }
sub get_node_fingerprint ($node) { return "fingerprint of $node" }

1;
