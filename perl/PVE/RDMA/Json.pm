package PVE::RDMA::Json;

use v5.36;

use JSON::PP ();

# Whole reports go through here: JSON::PP takes seconds for what JSON::XS, which every Proxmox VE node has, takes
# milliseconds for. Both write the truth values of a reply alike.
my $class = eval { require JSON::XS; 'JSON::XS' } // 'JSON::PP';

# A coder of octets, with sorted keys.
sub coder () { return $class->new->utf8->canonical }

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Json - JSON by JSON::XS where it is installed, else by JSON::PP

=head1 LICENSE

GPL-3.0-or-later

=cut
