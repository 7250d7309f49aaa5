package PVE::Exception;

# A stand-in for tests, of what pve-rdma uses. tests/pve/run asks the same tests of Proxmox VE's own.

use v5.36;

use overload '""' => sub ($self, @) { $self->text() }, fallback => 1;

sub text ($self) {
    my $errors = $self->{errors} // {};
    my $status = $self->{code} ? "$self->{code} " : '';
    return join('', $status, $self->{msg}, map { "$_: $errors->{$_}\n" } sort(keys($errors->%*)));
}

sub raise ($message, %members) {
    die bless({ msg => $message, %members }, __PACKAGE__);
}

sub raise_param_exc ($errors, @) {
    raise("Parameter verification failed.\n", code => 400, errors => $errors);
}

sub raise_perm_exc ($what = undef) {
    raise('Permission check failed' . ($what ? " ($what)" : '') . "\n", code => 403);
}

1;
