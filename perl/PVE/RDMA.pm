package PVE::RDMA;

use v5.36;

use JSON::PP::Boolean ();
use XSLoader;

our $VERSION = '0.1.0';    # that of the library; XSLoader refuses another build's object

XSLoader::load('PVE::RDMA', $VERSION);

# What true and false of a reply become, and what every JSON encoder on a Proxmox node writes as true and false.
my ($true, $false) = map { bless(\(my $value = $_), 'JSON::PP::Boolean') } 1, 0;

# JSON::PP and Carp are loaded when they are needed: most of the time of loading this module would go to them.
sub _croak ($message) {
    require Carp;
    local $Carp::CarpLevel = 1;
    Carp::croak($message);
}

sub _encode ($value) {
    require JSON::PP;
    state $encoder = JSON::PP->new->utf8->canonical;
    return $encoder->encode($value);
}

sub call ($operation, $parameters = undef) {
    my ($reply) = _ask($operation, $parameters, 0);
    return $reply;
}

sub tell ($operation, $parameters = undef) {
    return _ask($operation, $parameters, 1);
}

sub _ask ($operation, $parameters, $wants_text) {
    _croak('PVE::RDMA::call: the name of an operation is expected')
        if !defined($operation) || ref($operation) || $operation =~ /\0/;
    _croak('PVE::RDMA::call: parameters come as a reference to a hash')
        if defined($parameters) && ref($parameters) ne 'HASH';

    # Perl's own truth values (!!1, !!0) are truth values to the backend too; JSON::PP would write 1 and "".
    no warnings 'experimental::builtin';
    my %request = map {
        my $value = $parameters->{$_};
        ($_ => builtin::is_bool($value) ? ($value ? $true : $false) : $value);
    } keys(%{ $parameters // {} });

    my $json = %request ? eval { _encode(\%request) } : '{}';
    _croak("PVE::RDMA::call: parameters that JSON cannot hold: $@") if !defined($json);
    return _call($operation, $json, $true, $false, $wants_text);
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA - probe RDMA, InfiniBand and fast Ethernet on this node

=head1 SYNOPSIS

    use PVE::RDMA;

    my $reply = PVE::RDMA::call('probe');
    die "$reply->{error}->{subject}: $reply->{error}->{message}\n" if $reply->{error};
    say $_->{name} for $reply->{report}->{devices}->@*;

=head1 FUNCTIONS

=head2 call($operation, \%parameters)

Runs one operation of the table that C<pve-rdma schema> prints and returns its reply, a reference to a hash: the
document that C<pve-rdma OPERATION --json> prints. Parameters that are offered to the API are taken; their values
may be strings, as they come from a form. Keys whose value is C<undef> count as not given.

A request that the backend refuses is a reply too: C<ok> is false and C<error> holds C<code>, C<subject>,
C<message> and what else is known. C<call> dies only when it is called wrongly (no name, parameters that are not a
hash or hold what JSON cannot) and when memory runs out.

Text comes as character strings. Whole numbers come as integers, those above 2^63-1 unsigned. C<true> and C<false>
come as objects of JSON::PP::Boolean, which are true and false, and 1 and 0, in Perl and which JSON::PP, JSON::XS
and Cpanel::JSON::XS write as C<true> and C<false>. C<null> comes as C<undef>. A reply is never tainted.

Nothing is kept between calls: a process may fork at any time and call from both sides.

=head2 tell($operation, \%parameters)

The same; returns the reply and what C<pve-rdma OPERATION> prints of it for a person. There is no text when the
operation failed.

=head2 version()

The version of the library, C<0.1.0>.

=head1 LICENSE

GPL-3.0-or-later

=cut
