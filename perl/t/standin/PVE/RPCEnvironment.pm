package PVE::RPCEnvironment;

# A stand-in for tests, of what pve-rdma uses. tests/pve/run asks the same tests of Proxmox VE's own.

use v5.36;

use PVE::Exception;

my $environment;
my $workers = 0;

sub init ($class, $type, %) {
    return $environment = bless({ type => $type, acl => [] }, $class);
}

sub get (@) { return $environment // die "REST environment not initialized\n" }

# From a file as user.cfg: role:NAME:PRIVILEGES: and acl:PROPAGATE:PATH:WHO:ROLES: lines count.
sub init_request ($self, %from) {
    my %roles = (PVEAuditor => ['Sys.Audit']);
    $self->{acl} = [];
    open(my $file, '<', $from{userconfig} // '/dev/null') or die "$from{userconfig}: $!\n";
    while (my $line = <$file>) {
        my ($kind, @words) = split(/:/, $line);
        if (($kind // '') eq 'role') {
            $roles{ $words[0] } = [split(/,/, $words[1])];
        } elsif (($kind // '') eq 'acl') {
            my ($deep, $path, $who, $names) = @words;
            push($self->{acl}->@*, { path => $path, who => $who, deep => $deep, privileges => [map { $roles{$_}->@* } split(/,/, $names)] });
        }
    }
    return;
}

sub set_user ($self, $user) { $self->{user} = $user }
sub get_user ($self, @) { return $self->{user} // die "user name not set\n" }
sub set_client_ip ($self, $address) { $self->{client_ip} = $address }
sub get_client_ip ($self) { return $self->{client_ip} }
sub set_credentials ($self, $credentials) { $self->{credentials} = $credentials }
sub get_credentials ($self, @) { return $self->{credentials} }

sub check_api2_permissions ($self, $permissions, $user, $parameters) {
    PVE::Exception::raise_perm_exc('user != null') if !$user;
    return 1 if $user eq 'root@pam';
    PVE::Exception::raise_perm_exc('user != root@pam') if !$permissions;
    return 1 if ($permissions->{user} // '') eq 'all';
    my (undef, $path, $wanted) = $permissions->{check}->@*;
    $path =~ s/\{(\w+)\}/$parameters->{$1}/g;
    for my $privilege ($wanted->@*) {
        my ($entry) = grep { $_->{who} eq $user && index("$path/", $_->{path} =~ s{/*$}{/}r) == 0 } $self->{acl}->@*;
        next if $entry && grep { $_ eq $privilege } $entry->{privileges}->@*;
        PVE::Exception::raise_perm_exc("$path, $privilege");
    }
    return 1;
}

# As the command line's: the worker's output goes to ours, and it has ended when this returns.
sub fork_worker ($self, $type, $id, $user, $function, $=undef) {
    $workers++;
    local $| = 1;
    my $now = time();
    my $child = fork() // die "fork: $!\n";
    my $upid = sprintf('UPID:standin:%08X:%08X:%08X:%s:%s:%s:', $child || $$, $workers, $now, $type, $id // '', $user);
    if (!$child) {
        open(STDERR, '>&', \*STDOUT);
        print(eval { $function->($upid); 1 } ? "TASK OK\n" : "TASK ERROR: $@");
        close(STDOUT);
        require POSIX;
        POSIX::_exit(0);
    }
    waitpid($child, 0);
    return $upid;
}

1;
