package PVE::RDMA::Failure;

use v5.36;

use PVE::Exception;

# What HTTP calls the kinds of errors of the backend (native/base/error.h).
my %status = (
    bad_request => 400,
    permission => 403,
    not_found => 404,
    conflict => 409,
    machine => 500,
    malformed => 500,
    internal => 500,
    unavailable => 503,
    timeout => 504,
);

# One line for a person.
sub text ($error) {
    my $text = length($error->{subject} // '') ? "$error->{subject}: $error->{message}" : $error->{message};
    my @details = grep { defined($_) && length($_) } $error->@{qw(errno kernel)};
    $text .= ' [' . join(': ', @details) . ']' if @details;
    if (defined($error->{line})) {
        my $place = join(':', grep { defined } $error->@{qw(line column)});
        $text .= " at $place";
    }
    $text .= " ($error->{hint})" if length($error->{hint} // '');
    return $text =~ s/\s*\n\s*/ /gr;
}

# Dies with a reply's error as Proxmox VE's own methods do. A wrong parameter is named by its field, as
# PVE::JSONSchema::validate names it; everything else has its status, and the error's members beside the message.
sub throw ($error, $parameters = {}) {
    my $status = $status{ $error->{code} } // 500;
    # An error inside a document has the parameter's name as its file.
    my @fields = ($error->{file}, $status == 400 ? $error->{subject} =~ s{^/}{}r : undef);
    if (my ($field) = grep { defined && exists($parameters->{$_}) } @fields) {
        PVE::Exception::raise_param_exc({ $field => text($error) });
    }
    my %members = map { ($_ => $error->{$_}) } grep { $_ ne 'message' && defined($error->{$_}) } keys($error->%*);
    PVE::Exception::raise(text($error) . "\n", code => $status, errors => \%members);
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Failure - an error of pve-rdma as Proxmox VE's exception

=head1 FUNCTIONS

C<throw($error, \%parameters)> dies with a PVE::Exception: C<raise_param_exc> where the error is about one of the
parameters, else C<raise> with the HTTP status of its kind (409 for a conflict) and C<errors> that hold C<code>,
C<subject>, C<hint> and what else the backend said. C<text($error)> is the error in one line.

=head1 LICENSE

GPL-3.0-or-later

=cut
