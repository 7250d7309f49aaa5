package Answer;

# One request to the API, answered by PVE::API2::RDMA and PVE::API2::RDMA::Cluster themselves, over perl/t/standin where
# Proxmox VE is not there. The live node is the one this runs on; others are records (node reports), absent or off.

use v5.36;

use JSON::PP ();
use POSIX ();

use PVE::API2;
use PVE::Cluster;
use PVE::Exception;
use PVE::INotify;
use PVE::RDMA;
use PVE::RDMA::Replies;
use PVE::RPCEnvironment;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;
my ($config, $live_call);

# { program, state, live => NAME, records => { NAME => FILE }, absent => [...], off => [...] }
sub configure ($given) {
    $config = $given;
    no warnings 'once';
    @PVE::Cluster::nodes = sort(grep { length } $config->{live}, keys($config->{records}->%*), $config->{absent}->@*, $config->{off}->@*);
    $PVE::INotify::name = $config->{live} // (sort(keys($config->{records}->%*)))[0];
    $PVE::RDMA::Replies::folder = "$config->{state}/replies";
    require PVE::RDMA::Register;
    PVE::RDMA::Register::attach();
    no warnings 'redefine';
    $live_call //= \&PVE::RDMA::_ask;
    *PVE::RDMA::_ask = \&ask;
    *PVE::RPCEnvironment::fork_worker = \&fork_worker;
    *PVE::API2::RDMA::Cluster::client = sub ($=undef) { return bless({}, 'Answer::Client') };
}

# Which operations a record can answer, and with which words of the command line.
my %of_record = (
    probe => sub ($file, $parameters) { ('probe', '--from', $file) },
    diagnose => sub ($file, $parameters) { ('diagnose', $file) },
    show => sub ($file, $parameters) { ('show', '--from', $file) },
);

sub ask ($operation, $parameters = undef, $wants_text = 0) {
    my $record = $config->{records}->{$PVE::INotify::name};
    my $pure = $operation eq 'schema' || $parameters && $parameters->{documents};
    return $live_call->($operation, $parameters, $wants_text) if !$record || $pure;
    if ($operation eq 'fabric-walk') {
        my $fabric = read_json($record)->{fabric};
        return reply($operation, fabric => $fabric->[0]) if $fabric && $fabric->@*;
    }
    if (my $words = $of_record{$operation}) {
        open(my $from, '-|', $config->{program}, $words->($record, $parameters), '--json') or die "$config->{program}: $!\n";
        my $text = do { local $/; <$from> };
        close($from);
        return $json->decode($text);
    }
    return reply($operation, error => {
        code => 'unavailable',
        subject => $PVE::INotify::name,
        message => "this is a record of a node: it cannot be asked for $operation",
    });
}

sub reply ($operation, %more) {
    return { v => 1, operation => $operation, ok => $more{error} ? 0 : 1, changed => 0, warnings => [], error => undef, %more };
}

sub read_json ($file) {
    open(my $from, '<', $file) or die "$file: $!\n";
    local $/;
    return $json->decode(<$from>);
}

# { status, data } or { status, message, errors }. `user` is who asks.
sub answer ($request) {
    my $environment = PVE::RPCEnvironment->init('priv');
    $environment->init_request(userconfig => $config->{users});
    $environment->set_user($request->{user});
    $environment->set_credentials({});
    $environment->set_client_ip('127.0.0.1');
    my $data = eval { called($request) };
    if (my $error = $@) {
        my $is_exception = ref($error) && $error->isa('PVE::Exception');
        return {
            status => $is_exception && $error->{code} || 500,
            message => $is_exception ? $error->{msg} : "$error",
            errors => $is_exception ? $error->{errors} : undef,
        };
    }
    return { status => 200, data => $data };
}

sub called ($request) {
    my $path = $request->{path};
    if (my ($node) = $path =~ m{^/nodes/([^/]+)/}) {
        PVE::Exception::raise("No route to host\n", code => 595) if grep { $_ eq $node } $config->{off}->@*;
        my $known = grep { $_ eq $node } @PVE::Cluster::nodes;
        PVE::Exception::raise("hostname lookup '$node' failed\n", code => 500) if !$known;
        my $absent = grep { $_ eq $node } $config->{absent}->@*;
        PVE::Exception::raise("Method '$request->{method} $path' not implemented\n", code => 501) if $absent;
        $PVE::INotify::name = $node;
        return task($1, $2) if $path =~ m{^/nodes/[^/]+/tasks/([^/]+)/(status|log)$};
    }
    my $parameters = {};
    my ($handler, $info) = PVE::API2->find_handler($request->{method}, $path, $parameters);
    PVE::Exception::raise("Method '$request->{method} $path' not implemented\n", code => 501) if !$info;
    my $environment = PVE::RPCEnvironment->get();
    my $all = { $parameters->%*, ($request->{parameters} // {})->%* };
    $environment->check_api2_permissions($info->{permissions}, $request->{user}, $all);
    return $handler->handle($info, $all);
}

# Proxmox VE's tasks, as far as the panel asks for them.
sub task ($upid, $what) {
    my $base = "$config->{state}/tasks/" . ($upid =~ s{/}{_}gr);
    PVE::Exception::raise("no such task\n", code => 404) if !-e "$base.log";
    if ($what eq 'log') {
        open(my $log, '<:utf8', "$base.log") or die "$base.log: $!\n";
        my $n = 0;
        return [map { chomp; { n => ++$n, t => $_ } } <$log>];
    }
    open(my $end, '<', "$base.end") or return { upid => $upid, status => 'running' };
    chomp(my $exit = <$end>);
    return { upid => $upid, status => 'stopped', exitstatus => $exit };
}

# Runs on behind the answer, as a worker of Proxmox VE does.
sub fork_worker ($self, $type, $id, $user, $function, $=undef) {
    my $upid = sprintf('UPID:%s:%08X:%08X:%08X:%s:%s:%s:', $PVE::INotify::name, $$, rand(2**31), time(), $type, $id // '', $user);
    my $base = "$config->{state}/tasks/$upid";
    mkdir("$config->{state}/tasks");
    open(my $log, '>', "$base.log") or die "$base.log: $!\n";
    my $child = fork() // die "fork: $!\n";
    return $upid if $child;
    POSIX::setsid();
    open(STDIN, '<', '/dev/null');
    open(STDOUT, '>&', $log);
    open(STDERR, '>&', $log);
    STDOUT->autoflush(1);
    local $SIG{CHLD} = 'DEFAULT';
    my $exit = eval { $function->($upid); 1 } ? 'OK' : "$@" =~ s/\n.*//sr;
    print($exit eq 'OK' ? "TASK OK\n" : "TASK ERROR: $exit\n");
    STDOUT->flush();
    if (open(my $end, '>', "$base.end.new")) {
        print {$end} "$exit\n";
        close($end) and rename("$base.end.new", "$base.end");
    }
    POSIX::_exit(0);
}

package Answer::Client {
    # Another node's API, as PVE::APIClient::LWP asks it.
    sub ask ($self, $method, $path, $parameters = {}) {
        my $environment = PVE::RPCEnvironment->get();
        my $user = $environment->get_user();
        my $answer = Answer::answer({ method => $method, path => $path, parameters => $parameters, user => $user });
        return $answer->{data} if $answer->{status} == 200;
        die "$answer->{status} $answer->{message}\n" =~ s/\n+$/\n/r;
    }
    sub get ($self, $path) { return $self->ask('GET', $path) }
    sub post ($self, $path, $parameters) { return $self->ask('POST', $path, $parameters) }
}

1;
