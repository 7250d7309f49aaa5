#!/usr/bin/perl -T
# The API's tree, its answers, its refusals and its tasks: on the stand-ins (t/standin), and, by tests/pve/run, on
# Proxmox VE's own code.

use v5.36;

use File::Temp ();
use FindBin;
use Scalar::Util qw(blessed);
use Test::More;

use lib map { /^(.+)$/ } "$FindBin::Bin/lib";
use SameDocument qw(settled);

use PVE::RPCEnvironment;
use PVE::API2::RDMA;
use PVE::RDMA;
use PVE::RDMA::Replies;
use PVE::RDMA::Schema;

my $scratch = File::Temp->newdir();
$PVE::RDMA::Replies::folder = "$scratch/run/replies";

my $environment = PVE::RPCEnvironment->init('cli');
$environment->set_user('root@pam');

my $tree = 'PVE::API2::RDMA';

# Calls a method as a daemon does, with its answer checked against its schema.
sub ask ($method, $path, %parameters) {
    my $from_path = { node => 'here' };
    my ($handler, $info) = $tree->find_handler($method, $path, $from_path);
    die "no $method $path\n" if !$info;
    return $handler->handle($info, { $from_path->%*, %parameters }, 1);
}

sub refusal ($method, $path, %parameters) {
    return eval { ask($method, $path, %parameters); 1 } ? undef : $@;
}

# Calls it with what it prints.
sub printed ($code) {
    my $file = "$scratch/printed";
    open(my $before, '>&', \*STDOUT) or die "dup: $!\n";
    STDOUT->flush();
    open(STDOUT, '>', $file) or die "$file: $!\n";
    my $answer = eval { $code->() };
    my $failure = $@;
    STDOUT->flush();
    open(STDOUT, '>&', $before) or die "dup: $!\n";
    die $failure if $failure;
    open(my $in, '<:utf8', $file) or die "$file: $!\n";
    return ($answer, do { local $/; <$in> } // '');
}

# The table, and nothing beside it but lists and the answers of tasks.
my %right = (
    audit => { check => ['perm', '/nodes/{node}', ['Sys.Audit']] },
    modify => { check => ['perm', '/nodes/{node}', ['Sys.Modify']] },
    root => undef,
);
my %listed;
for my $operation (PVE::RDMA::Schema::operations()) {
    for my $api ($operation->{api}->@*) {
        my $where = "$api->{method} $api->{path}";
        $listed{$where} = 1;
        my ($handler, $info) = $tree->find_handler($api->{method}, $api->{path} =~ s/\{.*?\}/x/gr, {});
        ok($info, "$where is there") or next;
        is_deeply($info->{permissions}, $right{ $api->{access} }, "$where: who may");
        is($info->{proxyto}, 'node', "$where: asked of the node itself");
        is($info->{protected}, 1, "$where: by root");
        is($info->{returns}->{type}, 'string', "$where: a task") if $api->{task};
    }
}
cmp_ok(scalar(keys(%listed)), '>', 15, 'the table has methods');
for my $info ($tree->method_attributes()->@*) {
    my $where = "$info->{method} $info->{path}";
    my $glue = $info->{path} =~ /^tasks/ || $info->{name} =~ /index$/;
    ok($listed{$where} || $glue, "$where is the table's");
    is($info->{proxyto}, 'node', "$where: asked of the node itself");
}

# pvesh ls walks from name to name.
my %walked;
sub walk ($path) {
    my ($handler, $info) = $tree->find_handler('GET', $path, {});
    $walked{$path} = 1;
    my $link = $info && PVE::JSONSchema::method_get_child_link($info);
    return if !$link || $path eq 'tasks' || ($path eq 'transactions' && $>);
    my ($key) = $link->{href} =~ /^\{(\w+)\}$/;
    walk(length($path) ? "$path/$_->{$key}" : $_->{$key}) for ask('GET', $path)->@*;
}
walk('');
for my $where (grep { !/\{/ } keys(%listed)) {
    my ($path) = $where =~ / (.*)$/;
    ok($walked{$path}, "$path is reached by ls");
}

# Answers.
my %same = (
    'report' => ['probe', sections => ['system', 'links']],
    'network' => ['show'],
    'mtu' => ['mtu'],
    'ofed/status' => ['ofed-status'],
    'config/check' => ['config-check'],
    'findings' => ['diagnose', no_fabric => 1, rule => ['MTU-09']],
);
for my $path (sort(keys(%same))) {
    my ($operation, %parameters) = $same{$path}->@*;
    my $reply = PVE::RDMA::call($operation, \%parameters);
    if (my $error = $reply->{error}) { # a machine without that file
        my $refused = refusal('GET', $path, %parameters);
        like("$refused", qr/\Q$error->{message}\E/, "$path fails as the backend does");
        next;
    }
    is_deeply(settled(ask('GET', $path, %parameters)), settled($reply), "$path is the reply of $operation");
}
is_deeply([sort(keys(ask('GET', 'report', sections => 'system')->{report}->%*))], [sort(keys(PVE::RDMA::call('probe', { sections => ['system'] })->{report}->%*))],
    'a list of one comes as a word');

# Refusals.
my $wrong = refusal('GET', 'report', sections => ['none']);
is(blessed($wrong), 'PVE::Exception', 'a wrong word is an exception');
is($wrong->{code}, 400, 'of the caller');
like(join(' ', keys($wrong->{errors}->%*)), qr/^sections/, 'which names the field');
is(refusal('GET', 'report', root => '/tmp')->{code}, 400, "what the table does not offer to the API is not taken");
is(refusal('GET', 'mtu', peer => ['127.0.0.1'])->{code}, 400, 'who looks does not probe');
my $place = refusal('POST', 'plan', document => "{\n \"links\": [{\"name\": 7}]}");
is($place->{code}, 400, 'a wrong document is the caller\'s');
is_deeply([keys($place->{errors}->%*)], ['document'], 'of that field');
like($place->{errors}->{document}, qr/ at 2:\d+/, 'with its line');
SKIP: {
    my $planned = PVE::RDMA::call('plan', { document => '{}' });
    skip("no plan can be made here: $planned->{error}->{message}", 5) if $planned->{error};
    is(ask('POST', 'plan', document => '{}')->{digest}, $planned->{digest}, 'a plan has the digest of its files');
    my $conflict = refusal('POST', 'plan', document => '{}', digest => 'of another file');
    is($conflict->{code}, 409, 'another digest is a conflict');
    is($conflict->{errors}->{code}, 'conflict', 'in the word of the backend');
    ok($conflict->{errors}->{hint}, 'with a hint');
    like($conflict->{msg}, qr/^[^\n]+\n$/, 'told in one line');
}
is(refusal('GET', 'tasks/none')->{code}, 400, 'no UPID');
is(refusal('GET', 'tasks/UPID:here:1:1:1:rdmamtu::x@y:')->{code}, 404, 'a task that kept nothing');

# Who may.
my $users = "$scratch/user.cfg";
open(my $file, '>', $users) or die "$users: $!\n";
print {$file} <<'END';
user:audit@pve:1:0::::::
user:admin@pve:1:0::::::
token:admin@pve!bare:0:1::
role:Changer:Sys.Audit,Sys.Modify:
acl:1:/:audit@pve:PVEAuditor:
acl:1:/nodes/here:admin@pve:Changer:
END
close($file);
$environment->init_request(userconfig => $users);

sub may ($user, $method, $path, $node = 'here') {
    my $parameters = { node => $node };
    my (undef, $info) = $tree->find_handler($method, $path, $parameters);
    return eval { $environment->check_api2_permissions($info->{permissions}, $user, $parameters); 1 } ? 1 : $@->{code};
}
for my $case (
    ['audit@pve', 'GET', 'report', 1],
    ['audit@pve', 'GET', 'ofed/guard', 1],
    ['audit@pve', 'POST', 'plan', 1],
    ['audit@pve', 'POST', 'network', 403],
    ['audit@pve', 'PUT', 'transactions/x', 403],
    ['audit@pve', 'DELETE', 'transactions/x', 403],
    ['audit@pve', 'POST', 'mtu', 403],
    ['audit@pve', 'PUT', 'ofed/guard', 403],
    ['admin@pve', 'POST', 'network', 1],
    ['admin@pve', 'POST', 'mtu', 1],
    ['admin@pve', 'PUT', 'ofed/guard', 403],
    ['admin@pve!bare', 'GET', 'report', 403], # a token has what it was given, and this one nothing
    ['root@pam', 'PUT', 'ofed/guard', 1],
    ['root@pam!token', 'PUT', 'ofed/guard', 403],
) {
    my ($user, $method, $path, $expected) = $case->@*;
    is(may($user, $method, $path), $expected, "$user: $method $path");
}
is(may('admin@pve', 'POST', 'network', 'elsewhere'), 403, 'rights end at the node');

# Tasks.
my ($upid, $log) = printed(sub { ask('POST', 'mtu', peer => ['127.0.0.1']) });
like($upid, qr/^UPID:.*:rdmamtu::root\@pam:$/, 'a task answers with its UPID');
my $kept = ask('GET', "tasks/$upid");
is($kept->{operation}, 'mtu', 'what it found is kept');
is($kept->{mtu}->{peers}->[0]->{address}, '127.0.0.1', 'for programs');
like($log, qr/127\.0\.0\.1/, 'and told in its log');
is(ask('GET', 'tasks')->[0]->{upid}, $upid, 'the newest stands first');
is((stat($PVE::RDMA::Replies::folder))[2] & 0777, 0700, 'no other user looks into it');

(my $failed, $log) = printed(sub { ask('POST', 'ofed/check') });
like($log, qr/TASK ERROR: bundle: a bundle, packages or commands are to be named/, 'a task that fails says why') if $log =~ /TASK/;
ok(!ask('GET', "tasks/$failed")->{ok}, 'and what is kept says no');

# The file of a reply cannot be another than that of a task.
ok(!eval { PVE::RDMA::Replies::find('../../etc/passwd'); 1 }, 'no path leads out of the folder');
$PVE::RDMA::Replies::kept = 3;
PVE::RDMA::Replies::keep("UPID:here:$_:x:", { ok => 1 }) for 1 .. 6;
is(scalar(my @newest = PVE::RDMA::Replies::newest()), 3, 'the last ones are kept');

done_testing();
