package PVE::RDMA::Tasks;

use v5.36;

use PVE::RDMA;
use PVE::RDMA::Failure;
use PVE::RDMA::Replies;
use PVE::RPCEnvironment;

# Starts the operation as a worker of Proxmox VE; its UPID.
sub start ($operation, $request) {
    my ($id) = ($request->{id} // '') =~ /^([\w.-]*)$/;
    return start_with(
        'rdma' . ($operation =~ s/^.*-//r),
        sub { $operation eq 'apply' ? apply($request) : carry_out($operation, $request) },
        $id,
    );
}

# The same with any work that prints its log and returns a reply. The task fails when the reply holds an error, or says
# no.
sub start_with ($type, $work, $id = '') {
    my $environment = PVE::RPCEnvironment->get();
    return $environment->fork_worker($type, $id, $environment->get_user(), sub ($upid) {
        binmode(STDOUT, ':utf8');
        my $reply = $work->();
        PVE::RDMA::Replies::keep($upid, $reply);
        if (my $error = $reply->{error}) {
            die PVE::RDMA::Failure::text($error) . "\n";
        }
        die "$reply->{operation}: the answer is no, see above\n" if !$reply->{ok};
    });
}

# The log tells what the command line would print.
sub carry_out ($operation, $request) {
    my ($reply, $text) = PVE::RDMA::tell($operation, $request);
    say "warning: $_" for ($reply->{warnings} // [])->@*;
    print $text // '';
    return $reply;
}

# The plan is told before it is carried out: what follows may take the connection away for a while. Both are made from
# the same interfaces files, or the second is refused.
sub apply ($request) {
    my %planned = map { ($_ => $request->{$_}) } grep { exists($request->{$_}) } qw(document digest live_only caller);
    my $plan = carry_out('plan', \%planned);
    return { $plan->%*, operation => 'apply' } if $plan->{error} || !$plan->{ok} || !$plan->{plan}->@*;
    say 'carrying it out';
    my ($reply) = PVE::RDMA::tell('apply', { $request->%*, digest => $request->{digest} // $plan->{digest} });
    say for outcome($reply);
    return $reply;
}

sub outcome ($reply) {
    my @lines = map { "warning: $_" } ($reply->{warnings} // [])->@*;
    my $transaction = $reply->{transaction} // return @lines;
    push(@lines, "transaction $transaction->{id}: $transaction->{state}", ($transaction->{notes} // [])->@*);
    if ($transaction->{state} eq 'pending') {
        push(@lines, "it is taken back in $transaction->{deadline_s} s unless it is confirmed"
            . " (PUT transactions/$transaction->{id})");
    }
    return @lines;
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Tasks - operations as worker tasks of Proxmox VE

=head1 FUNCTIONS

C<start($operation, \%request)> forks a worker and returns its UPID. The worker's log tells the steps and the outcome;
PVE::RDMA::Replies keeps the reply. C<start_with($type, $work)> does so for a function that returns a reply.

=head1 LICENSE

GPL-3.0-or-later

=cut
