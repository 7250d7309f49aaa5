package PVE::RDMA::Gather;

use v5.36;

use IO::Select ();
use POSIX ();
use Time::HiRes qw(time);

use PVE::RDMA::Json;

# Asks all names at once, each in a process of its own, and waits $seconds at most. By name: { answer => ... } or
# { error => text }. $ask->($name) runs in the process; what it returns must be data, what it dies of is the error.
sub gather ($names, $seconds, $ask) {
    local $SIG{CHLD} = 'DEFAULT'; # the daemon's handler would take our processes for its own
    local $SIG{PIPE} = 'IGNORE';
    my $end = time() + $seconds;
    my %asked = map { ($_ => _start($_, $ask)) } $names->@*;
    my $open = IO::Select->new(map { $_->{from} } values(%asked));
    my %by_handle = map { (fileno($_->{from}) => $_) } values(%asked);
    while ($open->count() && (my $left = $end - time()) > 0) {
        for my $handle ($open->can_read($left)) {
            my $one = $by_handle{ fileno($handle) };
            next if sysread($handle, $one->{text}, 1 << 16, length($one->{text}));
            $open->remove($handle);
            $one->{ended} = 1;
        }
    }
    return { map { ($_ => _finish($asked{$_}, $seconds)) } keys(%asked) };
}

sub _start ($name, $ask) {
    pipe(my $from, my $to) or die "pipe: $!\n";
    my $child = fork() // die "fork: $!\n";
    if ($child) {
        close($to);
        return { child => $child, from => $from, text => '' };
    }
    # Nothing of the daemon may run here: neither its handlers of signals, nor what it does at its end.
    $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP QUIT);
    my $answer = eval { { answer => $ask->($name) } } // { error => "$@" =~ s/\s+$//r };
    # JSON, and not Storable, which makes text of whole numbers above 63 bits: GIDs' prefixes have 64.
    my $text = PVE::RDMA::Json::coder()->encode($answer);
    while (length($text)) {
        my $written = syswrite($to, $text) // last;
        substr($text, 0, $written, '');
    }
    POSIX::_exit(0);
}

sub _finish ($one, $seconds) {
    kill('KILL', $one->{child}) if !$one->{ended};
    waitpid($one->{child}, 0);
    close($one->{from});
    return { error => "no answer within $seconds s" } if !$one->{ended};
    return eval { PVE::RDMA::Json::coder()->decode($one->{text}) } // { error => 'the process that asked has died' };
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Gather - asks many nodes at once, with a deadline

=head1 SYNOPSIS

    my $answers = PVE::RDMA::Gather::gather(['pve1', 'pve2'], 20, sub ($node) { ... });
    say $answers->{pve2}->{error} // 'answered';

=head1 DESCRIPTION

In a daemon of Proxmox VE a method may not wait in the event loop that called it; so each question is a process, as in
PVE::Tools::run_fork_with_timeout, but all run at once. A process that has not ended at the deadline is killed.

=head1 LICENSE

GPL-3.0-or-later

=cut
