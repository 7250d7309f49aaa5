package PVE::RDMA::Panel;

use v5.36;

use Digest::SHA ();

# The panel's script, in a folder that pveproxy serves as /pve2/js/. No file, no tag.
our $script = '/usr/share/pve-manager/js/pve-rdma.js';

# pveproxy's own file is compiled after this one, so it is wrapped when all is compiled. Who loads us at run time has no
# page to change.
no warnings 'void'; # "Too late to run INIT block"
INIT { wrap() }

sub wrap () {
    my $page = PVE::Service::pveproxy->can('get_index') // return;
    no strict 'refs';
    no warnings 'redefine';
    *{'PVE::Service::pveproxy::get_index'} = sub (@parameters) {
        my $response = $page->(@parameters);
        eval { insert($response); 1 } or warn "pve-rdma: the panel is not in the page: $@";
        return $response;
    };
    return;
}

# Behind Proxmox VE's own script: it overrides classes that stand there. A page without that script (mobile, console)
# stays as it is.
sub insert ($response) {
    my $tag = tag() // return;
    my $content = $response->content();
    $content =~ s{(<script\b[^>]*/pvemanagerlib\.js\b[^>]*>\s*</script>)}{$1\n    $tag} or return;
    $response->content($content);
    return;
}

# The address holds a digest of the file: browsers keep scripts, and a new one must be fetched.
sub tag () {
    state $state = '';
    state $digest;
    my @stat = stat($script) or return;
    my $now = join(':', @stat[0, 1, 7, 9, 10]);
    if ($now ne $state) {
        $digest = substr(Digest::SHA->new(256)->addfile($script)->hexdigest(), 0, 16);
        $state = $now;
    }
    my ($file) = $script =~ m{([^/]+)$};
    return qq{<script type="text/javascript" src="/pve2/js/$file?ver=$digest"></script>};
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Panel - names the panel's script in the page of pveproxy

=head1 FUNCTIONS

Loaded while a program is compiled, it wraps C<PVE::Service::pveproxy::get_index>, where there is such a function.
C<insert($response)> puts the tag into a page, C<tag()> is the tag, or nothing without the file
F</usr/share/pve-manager/js/pve-rdma.js>.

=head1 LICENSE

GPL-3.0-or-later

=cut
