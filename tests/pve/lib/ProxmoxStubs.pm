package ProxmoxStubs;

# For a folder of Proxmox VE's Perl modules without what is compiled (Rust, the cluster file system): a module of its
# names that is not there is made here. perl -MProxmoxStubs, before all others. On a node it finds everything in place but
# the cluster file system.
#
# Functions of a made module answer nothing. Two modules must do more: PVE::IPCC, the way to the cluster file system, is
# answered from the folder PVE_STATE (user.cfg and the like), and PVE::Cluster::IPCConst, whose numbers are generated
# when Proxmox VE's packages are built, numbers the names that PVE::Cluster uses.

use v5.36;

my $nothing = 'our $AUTOLOAD; sub import { } sub DESTROY { } sub AUTOLOAD { return wantarray ? () : ProxmoxStubs::Nothing->new() } 1;';

unshift(@INC, sub ($self, $file) {
    return if $file !~ m{^(?:PVE|Proxmox)/};
    my ($path) = grep { -e } map { "$_/$file" } grep { !ref } @INC;
    return if $path && $file ne 'PVE/IPCC.pm'; # tests have no cluster file system, not even on a node
    return if $file =~ m{^PVE/(?:API2/)?RDMA\b}; # ours: a test wants to see it fail
    my $package = $file =~ s{/}{::}gr =~ s/\.pm$//r;
    my $made = {
        'PVE/IPCC.pm' => 'sub ipcc_send_rec { goto &ProxmoxStubs::answer } 1;',
        'PVE/Cluster/IPCConst.pm' => constants(),
        # Its schemas are parts of Proxmox VE's, which are verified whole.
        'PVE/ACME/Challenge.pm' =>
            'sub schema { return { additionalProperties => 0, properties => {} } } *createSchema = *updateSchema = \&schema; '
            . "sub lookup_types { return ['none'] } $nothing",
        'PVE/pvecfg.pm' => 'sub version { "test" } sub version_info { return { version => "9.2.0", release => "9.2", repoid => "00000000" } } sub AUTOLOAD { "test" } 1;',
    };
    my $code = "package $package; " . ($made->{$file} // $nothing);
    open(my $handle, '<', \$code) or die "$file: $!\n";
    return $handle;
});

# What a function of a made module answers: nothing, in whatever way it is looked at, however deep.
package ProxmoxStubs::Nothing {
    use overload
        '%{}' => sub { tie(my %hash, 'ProxmoxStubs::Hash'); return \%hash },
        '@{}' => sub { [] },
        '&{}' => sub { sub { } },
        '""' => sub { '' },
        'bool' => sub { 0 },
        fallback => 1;
    our $AUTOLOAD;
    sub new ($class, @) { return bless(\my $nothing, $class) }
    sub DESTROY { }
    sub AUTOLOAD { return wantarray ? () : ProxmoxStubs::Nothing->new() }
}

package ProxmoxStubs::Hash {
    sub TIEHASH ($class) { return bless({}, $class) }
    sub FETCH { return ProxmoxStubs::Nothing->new() }
    sub STORE { }
    sub EXISTS { return 0 }
    sub DELETE { return }
    sub FIRSTKEY { return }
    sub NEXTKEY { return }
}

# Every name of a message in PVE::Cluster, exported.
sub constants () {
    my ($path) = grep { -e } map { "$_/PVE/Cluster.pm" } grep { !ref } @INC;
    open(my $file, '<', $path // return $nothing) or die "$path: $!\n";
    my (%number, $next);
    my %names = map { ($_ => 1) } do { local $/; <$file> } =~ /\b(CFS_IPC_\w+)/g;
    $number{$_} = ++$next for sort(keys(%names));
    my $list = join(', ', map { "$_ => $number{$_}" } sort(keys(%number)));
    return "use base 'Exporter'; use constant { $list }; our \@EXPORT = qw(@{[sort(keys(%number))]}); 1;";
}

# The errno that the caller looks at: 0 for success.
sub _done ($errno, $answer = undef) {
    $! = $errno;
    return $answer;
}

sub answer ($message, $data = undef) {
    my ($name) = map { s/^CFS_IPC_//r } grep {
        my $constant = /^CFS_IPC_/ && PVE::Cluster::IPCConst->can($_);
        $constant && $constant->() == $message;
    } keys(%PVE::Cluster::IPCConst::);
    $name //= '';
    my ($state) = ($ENV{PVE_STATE} // '/nonexistent') =~ /^(.+)$/;
    my $read = sub ($file) {
        open(my $handle, '<', "$state/$file") or return;
        local $/;
        return scalar(<$handle>);
    };
    my ($word) = ($data // '') =~ /^([^\0]*)/;
    if ($name eq 'GET_FS_VERSION') {
        return _done(0, '{"starttime":1,"clinfo":1,"vmlist":1,"user.cfg":' . (-e "$state/user.cfg" ? 1 : 0) . '}');
    }
    return _done(0, $read->('members') // '{"version":1}') if $name eq 'GET_CLUSTER_INFO';
    return _done(0, '{"version":1,"ids":{}}') if $name eq 'GET_GUEST_LIST';
    if ($name eq 'GET_CONFIG') {
        my $text = $read->($word);
        return defined($text) ? _done(0, $text) : _done(2);
    }
    if ($name eq 'VERIFY_TOKEN') {
        my $known = grep { $_ eq $word } split(/\n/, $read->('tokens') // '');
        return _done($known ? 0 : 2);
    }
    return _done(0);
}

1;
