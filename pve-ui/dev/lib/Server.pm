package Server;

# HTTP on the loopback for one developer: the page, its files, and the API. A process for each connection.

use v5.36;

use IO::Select ();
use IPC::Open2 qw(open2);
use JSON::PP ();
use POSIX ();

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# pveproxy closes a connection that is idle for this many seconds.
my $idle = 5;
my %type = (
    js => 'text/javascript; charset=utf-8', css => 'text/css', html => 'text/html; charset=utf-8', png => 'image/png',
    gif => 'image/gif', svg => 'image/svg+xml', woff => 'font/woff', woff2 => 'font/woff2', ttf => 'font/ttf',
);
my %words = (200 => 'OK', 304 => 'Not Modified', 400 => 'Bad Request', 401 => 'Unauthorized', 403 => 'Forbidden', 404 => 'Not Found', 595 => 'No route to host');

# As which host of the simulated fabric the API runs.
sub fabric_environment () {
    open(my $file, '<', '/run/pve-rdma/lab') or return {};
    chomp(my ($preload, $socket) = <$file>);
    return { LD_PRELOAD => $preload, IBSIM_SOCKNAME => $socket, SIM_HOST => 'pve3' };
}

# socket, root (pve-ui), ext, config (of Answer), environment (of the API's processes), log
sub run (%server) {
    my $port = $server{socket}->sockport();
    $server{token} = join('', map { sprintf('%08x', rand(2**32)) } 1 .. 4);
    $server{hosts} = { map { ("$_:$port" => 1) } qw(127.0.0.1 localhost) };
    $server{script} = "$server{config}->{state}/pve-rdma.js";
    local $SIG{CHLD} = 'IGNORE';
    local $SIG{PIPE} = 'IGNORE';
    STDOUT->autoflush(1);
    say "http://127.0.0.1:$port/";
    my $number = 0;
    while (1) {
        my $connection = $server{socket}->accept() // next;
        $number++;
        my $child = fork() // next;
        if (!$child) {
            $SIG{$_} = 'DEFAULT' for qw(CHLD TERM INT);
            close($server{socket});
            serve(\%server, $connection, $number);
            POSIX::_exit(0);
        }
        close($connection);
    }
}

sub serve ($server, $connection, $number) {
    my $input = '';
    my $wait = IO::Select->new($connection);
    my $more = sub { return $wait->can_read($idle) && sysread($connection, $input, 1 << 16, length($input)) };
    while (1) {
        while ($input !~ /\r\n\r\n/) {
            return if length($input) > 65536 || !$more->();
        }
        my ($head, $rest) = split(/\r\n\r\n/, $input, 2);
        my ($first, @lines) = split(/\r\n/, $head);
        my ($method, $target) = $first =~ m{^([A-Z]+) (\S+) HTTP/1\.1$} or return;
        my %header = map { /^([^:]+):\s*(.*)$/ ? (lc($1) => $2) : () } @lines;
        $input = $rest;
        my $length = $header{'content-length'} // 0;
        return if $length > 4_000_000;
        while (length($input) < $length) { return if !$more->() }
        my $body = substr($input, 0, $length, '');
        my ($path, $query) = split(/\?/, $target, 2);
        if ($server->{log} && open(my $log, '>>', $server->{log})) {
            syswrite($log, "$number $method $path\n");
        }
        my $request = { method => $method, path => unescaped($path), query => $query // '', body => $body, header => \%header };
        my ($status, $type, $content) = eval { answered($server, $request) };
        ($status, $type, $content) = (500, 'text/plain', "$@") if !$status;
        my $reason = $words{$status} // 'Error';
        my $reply = "HTTP/1.1 $status $reason\r\nContent-Type: $type\r\nContent-Length: " . length($content)
            . "\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\r\n$content";
        while (length($reply)) {
            my $written = syswrite($connection, $reply) // return;
            substr($reply, 0, $written, '');
        }
    }
}

sub unescaped ($text) { return $text =~ tr/+/ /r =~ s/%([0-9a-fA-F]{2})/chr(hex($1))/ger }

# Values by name; a name that comes again is a list.
sub form ($text) {
    my %values;
    for my $pair (split(/&/, $text)) {
        my ($name, $value) = map { my $octets = unescaped($_); utf8::decode($octets); $octets } split(/=/, $pair, 2);
        if (exists($values{$name})) {
            $values{$name} = [ref($values{$name}) ? $values{$name}->@* : $values{$name}, $value];
        } else {
            $values{$name} = $value // '';
        }
    }
    return \%values;
}

sub cookie ($request, $name) {
    my ($value) = ($request->{header}->{cookie} // '') =~ /(?:^|;\s*)\Q$name\E=([^;]*)/;
    return defined($value) ? unescaped($value) : undef;
}

# (status, type, content). Only requests to this address by name or number: no other site's page may reach us.
sub answered ($server, $request) {
    return (403, 'text/plain', 'wrong host') if !$server->{hosts}->{ $request->{header}->{host} // '' };
    my $path = $request->{path};
    return api($server, $request, $1) if $path =~ m{^/api2/(?:extjs|json)(/.*)$};
    return page($server, $request) if $path eq '/';
    return (404, 'text/plain', 'not found') if $path =~ m{\.\.};
    if ($path eq '/pve2/js/pve-rdma.js') {
        system("$server->{root}/build", $server->{script}) == 0 or die "pve-ui/build failed\n";
        return file($server->{script});
    }
    return (200, 'image/png', '') if $path eq '/pve2/images/logo-128.png';
    return file("$server->{ext}/build/$1") if $path =~ m{^/ext/(.+)$};
    return file("$server->{root}/dev/frame/$1") if $path =~ m{^/frame/([\w.-]+)$};
    return (404, 'text/plain', 'not found');
}

sub file ($path) {
    open(my $file, '<:raw', $path) or return (404, 'text/plain', 'not found');
    my ($ending) = $path =~ /\.(\w+)$/;
    local $/;
    return (200, $type{ $ending // '' } // 'application/octet-stream', <$file>);
}

sub page ($server, $request) {
    my ($status, $type, $text) = file("$server->{root}/dev/frame/index.html");
    my $user = cookie($request, 'PVERdmaUser') // 'root@pam';
    my $language = cookie($request, 'PVELangCookie') // 'en';
    my %set = (
        token => $json->encode($server->{token}),
        user => $json->encode($user),
        nodes => $json->encode([sort(grep { length } $server->{config}->{live} // '', keys($server->{config}->{records}->%*), $server->{config}->{absent}->@*, $server->{config}->{off}->@*)]),
        language => $language =~ /^\w+$/ ? $language : 'en',
        theme => (cookie($request, 'PVEThemeCookie') // '') eq 'proxmox-dark' ? '<link rel="stylesheet" href="/frame/dark.css">' : '',
    );
    $text =~ s/\[% (\w+) %\]/$set{$1} =~ s{<\/script}{}gir/ge;
    return ($status, $type, $text);
}

sub api ($server, $request, $path) {
    my $user = cookie($request, 'PVERdmaUser') // 'root@pam';
    my $is_get = $request->{method} eq 'GET';
    my $token = $request->{header}->{csrfpreventiontoken} // '';
    return (401, 'text/plain', 'no ticket') if !$is_get && $token ne $server->{token};
    my $asked = {
        method => $request->{method},
        path => $path,
        user => $user,
        parameters => { form($request->{query})->%*, form($request->{body})->%* },
    };
    delete($asked->{parameters}->{_dc});
    my $answer = asked($server, $asked);
    return ($answer->{status}, 'text/plain', $answer->{message}) if $answer->{status} == 595;
    return (200, 'application/json', $json->encode({
        success => $answer->{status} == 200 ? 1 : 0,
        $answer->{status} == 200 ? () : (status => $answer->{status}, message => $answer->{message}),
        $answer->{errors} ? (errors => $answer->{errors}) : (),
        data => $answer->{data},
    }));
}

sub asked ($server, $request) {
    local %ENV = (%ENV, $server->{environment}->%*);
    local $SIG{CHLD} = 'DEFAULT';
    my $pid = open2(my $from, my $to, "$server->{root}/dev/answer");
    print {$to} $json->encode({ config => $server->{config}, request => $request });
    close($to);
    my $text = do { local $/; <$from> };
    waitpid($pid, 0);
    return $json->decode($text) if length($text);
    return { status => 500, message => "the API's process has died\n" };
}

1;
