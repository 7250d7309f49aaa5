package PVE::RDMA::Replies;

use v5.36;

use PVE::RDMA::Json;

# A task answers with its UPID and a log for people. What the operation said is kept here, for programs: it is gone
# with the next boot, as the tasks' processes are. Root's alone: a network's addresses stand in it.
our $folder = '/run/pve-rdma/replies';
our $kept = 20;

my $json = PVE::RDMA::Json::coder();

# A UPID is one name of a file: it has neither slashes nor a leading dot.
sub path ($upid) {
    my ($name) = $upid =~ m{^(UPID:[^/\s]{1,240})$} or die "not the name of a task: $upid\n";
    return "$folder/$name";
}

sub keep ($upid, $reply) {
    my $path = path($upid);
    my $above = '';
    for my $name (split(m{/}, $folder)) {
        $above .= "$name/";
        mkdir($above, $above eq "$folder/" ? 0700 : 0755);
    }
    my $new = "$folder/.new-$$";
    open(my $file, '>', $new) or die "$new: $!\n";
    print {$file} $json->encode($reply) and close($file) and rename($new, $path) or die "$path: $!\n";
    my @upids = newest();
    unlink(path($_)) for @upids > $kept ? @upids[$kept .. $#upids] : ();
}

# The reply, or undef: that task kept none, or it is too long ago.
sub find ($upid) {
    open(my $file, '<', path($upid)) or return;
    my $text = do { local $/; <$file> };
    return $json->decode($text);
}

# UPIDs, the newest first.
sub newest () {
    opendir(my $handle, $folder) or return;
    my %time = map { ($_ => (stat("$folder/$_"))[9] // 0) } grep { /^UPID:/ } readdir($handle);
    return sort { $time{$b} <=> $time{$a} || $b cmp $a } keys(%time);
}

1;

__END__

=encoding utf8

=head1 NAME

PVE::RDMA::Replies - what the operations of the last twenty tasks answered

=head1 FUNCTIONS

C<keep($upid, \%reply)> writes a reply down, C<find($upid)> gives it back or nothing, C<newest()> lists UPIDs. They are
files in C<$PVE::RDMA::Replies::folder>, which only root reads.

=head1 LICENSE

GPL-3.0-or-later

=cut
