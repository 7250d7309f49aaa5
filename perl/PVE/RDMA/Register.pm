package PVE::RDMA::Register;

use v5.36;

# Who has this file wants Proxmox VE without us, at the daemons' next start.
our $kill_switch = '/etc/pve-rdma/no-api';

# Our classes, and the places of Proxmox VE's tree (class, path of that class, example of the whole path) they go to.
my @mounts = (
    ['PVE::API2::RDMA', 'PVE::API2::Nodes::Nodeinfo', 'nodes/localhost'],
    ['PVE::API2::RDMA::Cluster', 'PVE::API2::Cluster', 'cluster'],
);
my $name = 'rdma';

# Hangs our classes into PVE::API2, which must be loaded. Dies when one cannot be loaded, before anything is changed;
# where Proxmox VE has a path of that name itself, Proxmox VE's stays.
sub attach () {
    return if -e $kill_switch;
    my @free = grep { is_free($_->@*) } @mounts;
    for my $mount (@free) {
        my ($class) = $mount->@*;
        require(($class =~ s{::}{/}gr) . '.pm');
    }
    mount($_->@*) for @free;
    require PVE::RDMA::Panel;
    return;
}

sub is_free ($class, $parent, $above) {
    my ($found) = PVE::API2->map_path_to_methods([split(m{/}, $above), $name], {});
    warn "pve-rdma: Proxmox VE has /$above/$name itself, $class stays out\n" if $found;
    return !$found;
}

sub mount ($class, $parent, $above) {
    $parent->register_method({ subclass => $class, path => $name });
    # The parent's index is a list in its code: we stand in it for `pvesh ls` and the API viewer.
    my $index = $parent->map_method_by_name('index');
    my $code = $index->{code};
    $index->{code} = sub (@parameters) {
        my $names = $code->(@parameters);
        push($names->@*, { name => $name }) if ref($names) eq 'ARRAY';
        return $names;
    };
    return;
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Register - hangs pve-rdma into Proxmox VE's API

=head1 DESCRIPTION

The package ships a file F<PVE/API2.pm> in Perl's folder for compiled modules, which stands before F</usr/share/perl5>
in C<@INC>, also under C<-T>. It loads Proxmox VE's own file and calls C<attach>. So pvedaemon, pveproxy and pvesh know
F</nodes/{node}/rdma> and F</cluster/rdma>, before and after a reload, and no file of Proxmox VE is changed.

The file F</etc/pve-rdma/no-api> keeps all of it out, from the daemons' next start on:

    install -D /dev/null /etc/pve-rdma/no-api && systemctl reload pvedaemon pveproxy

Should another package ship a file of the same name, or Debian change the order of C<@INC>, the same module can be loaded
by a diversion (not shipped): C<dpkg-divert> F</usr/share/perl5/PVE/API2.pm> to F<API2.pm.distrib>, put this loader in its
place, let it C<require> the diverted file, and take the diversion away in the package's postrm.

=head1 LICENSE

GPL-3.0-or-later

=cut
