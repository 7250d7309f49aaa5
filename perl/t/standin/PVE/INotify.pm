package PVE::INotify;

# A stand-in for tests, of what pve-rdma uses.

use v5.36;

our $name = 'here';

sub nodename () { return $name }

1;
