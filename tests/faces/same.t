#!/usr/bin/perl
# Every operation answers the same document through the command line, the binding and the API. tests/suites/faces runs
# this in recorded nodes and on a simulated fabric; the API stands on the stand-ins of perl/t/standin.
# PVE_RDMA_CASES=fabric: what a fabric has to answer must be an answer.

use v5.36;

use File::Temp ();
use FindBin;
use JSON::PP ();
use Test::More;

use SameDocument qw(settled);

use PVE::RPCEnvironment;
use PVE::API2::RDMA;
use PVE::RDMA;
use PVE::RDMA::Replies;
use PVE::RDMA::Schema;

my $cli = "$ENV{PVE_RDMA_BUILD}/bin/pve-rdma";
my $scratch = File::Temp->newdir();
$PVE::RDMA::Replies::folder = "$scratch/replies";
PVE::RPCEnvironment->init('cli')->set_user('root@pam');
my $fabric = ($ENV{PVE_RDMA_CASES} // '') eq 'fabric';

# What each operation is asked. Two have no document: `config print` prints a file, `config edit` is not in the API.
my %cases = (
    probe => [{}, { sections => ['devices', 'pci'] }],
    diagnose => [{}, { no_fabric => 1, severity => 'warning' }, { explain => 'MTU-09' }],
    'fabric-sm' => [{}],
    'fabric-port' => [{ target => '1' }],
    'fabric-walk' => [{}, { retries => 1, timeout_ms => 300 }],
    'fabric-path' => [{ from => '1', to => '2' }],
    mtu => [{}, { peer => ['127.0.0.1'], retries => 1 }],
    'config-show' => [{}],
    'config-print' => [],
    'config-check' => [{}],
    'config-edit' => [],
    show => [{}],
    plan => [{ document => '{}' }, { document => '{"links":[{"name":"lo","mtu":9000}]}' }, { document => '{' }],
    apply => [{ document => '{}' }, { document => '{}', digest => 'another' }],
    confirm => [{ id => 'none' }],
    rollback => [{ id => 'none' }],
    transactions => [{}, { id => 'none' }],
    'ofed-guard' => [{ action => 'status' }, { action => 'on', dry_run => 1 }],
    'ofed-check' => [{ packages => ['no-such-package'] }, { explain => (PVE::RDMA::Schema::operation('ofed-check')->{parameters}->{properties}->{explain}->{enum})->[0] }],
    'ofed-status' => [{}],
    schema => [{}, { operation => 'probe' }],
);

# The words of the command line for the parameters.
sub words ($operation, $parameters) {
    my $properties = $operation->{parameters}->{properties};
    my (@options, @positional, @input);
    for my $name (sort(keys($parameters->%*))) {
        my ($value, $schema) = ($parameters->{$name}, $properties->{$name});
        my @values = ref($value) ? $value->@* : $value;
        if ($schema->{'x-positional'}) {
            push(@positional, @values);
        } elsif ($schema->{type} eq 'boolean') {
            push(@options, '--' . ($name =~ tr/_/-/r));
        } else {
            push(@options, '--' . ($name =~ tr/_/-/r), @values);
        }
    }
    # A list takes what follows, so positionals come first.
    return (split(/-/, $operation->{name}), @positional, @options, '--json');
}

sub printed (@words) {
    open(my $output, '-|', $cli, @words) or die "$cli: $!\n";
    my $json = do { local $/; <$output> };
    close($output);
    return eval { JSON::PP->new->utf8->decode($json) } // "not JSON: $json";
}

# The API's method that takes these parameters, and its answer as the document. undef: it has none for them.
sub asked ($operation, $parameters) {
    my ($method) = grep {
        my ($api, $taken) = ($_->{api}, $_->{info}->{parameters}->{properties});
        !grep { !$taken->{$_} && ($api->{preset}->{$_} // '') ne $parameters->{$_} } keys($parameters->%*);
    } PVE::RDMA::Schema::methods($operation);
    return if !$method;
    my ($api, $info) = $method->@{qw(api info)};
    my %given = (node => 'here', $parameters->%*);
    delete($given{$_}) for keys(($api->{preset} // {})->%*);
    my $path = $api->{path} =~ s/\{(\w+)\}/$given{$1}/r;
    my ($handler, $registered) = PVE::API2::RDMA->find_handler($api->{method}, $path, {});
    my $answer = eval { quietly(sub { $handler->handle($registered, \%given) }) };
    if (my $failure = $@) {
        return { refused => ref($failure) ? $failure->{errors}->{code} // 'bad_request' : $failure };
    }
    return PVE::RDMA::Replies::find($answer) if $api->{task};
    return $api->{children} ? { list => $answer } : $answer;
}

sub quietly ($code) {
    open(my $before, '>&', \*STDOUT) or die "dup: $!\n";
    open(STDOUT, '>', '/dev/null') or die "null: $!\n";
    my $answer = eval { $code->() };
    my $failure = $@;
    open(STDOUT, '>&', $before) or die "dup: $!\n";
    die $failure if $failure;
    return $answer;
}

# A walk names nodes in the order in which they answered, and links by the places of their nodes. Sorted, a node with
# what it is remains, and of the links their number.
sub sorted ($document) {
    return $document if ref($document) ne 'HASH';
    my $walk = $document->{fabric};
    return $document if ref($walk) ne 'HASH' || !$walk->{nodes};
    my %settled = ($walk->%*, nodes => [sort { "$a->{guid}" cmp "$b->{guid}" } $walk->{nodes}->@*]);
    $settled{$_} = scalar(delete($settled{$_})->@*) for grep { ref($settled{$_}) eq 'ARRAY' && $_ ne 'nodes' } keys(%settled);
    return { $document->%*, fabric => \%settled };
}

my ($documents, $answers) = (0, 0);
for my $listed (PVE::RDMA::call('schema')->{operations}->@*) {
    my $name = $listed->{name};
    ok($cases{$name}, "$name is asked") or next;
    my $operation = PVE::RDMA::Schema::operation($name);
    # The simulator's thread (umad2sim) dies in a process that forks workers: there, only what asks the fabric.
    next if $fabric && $name !~ /^(?:fabric|schema|diagnose)/;
    for my $parameters ($cases{$name}->@*) {
        my $what = join(' ', $name, map { "$_=" . (ref($parameters->{$_}) ? join(',', $parameters->{$_}->@*) : $parameters->{$_}) } sort(keys($parameters->%*)));
        my $reply = settled(PVE::RDMA::call($name, $parameters));
        my %given = $parameters->%*;
        my @words;
        if (defined($given{document})) { # the command line reads a file
            my $file = "$scratch/document";
            open(my $out, '>', $file) or die "$file: $!\n";
            print {$out} delete($given{document});
            close($out);
            @words = words($operation, { %given, file => $file });
        } else {
            @words = words($operation, \%given);
        }
        my $cli_reply = settled(printed(@words));
        # The one difference: what a document is called where it is read.
        if (ref($cli_reply) && $cli_reply->{error} && defined($parameters->{document})) {
            s/\Q$scratch\E\/document/document/g for values($cli_reply->{error}->%*);
        }
        is_deeply(sorted($cli_reply), sorted($reply), "$what: command line and binding");
        $documents++;
        $answers++ if $reply->{ok} && $name =~ /^fabric/;
        my $answer = asked($operation, $parameters) // next;
        if ($answer->{refused}) {
            is($answer->{refused}, $reply->{error}->{code} =~ s/malformed/bad_request/r, "$what: the API refuses alike");
        } elsif ($answer->{list}) {
            is_deeply(settled($answer->{list}), $reply->{ $operation->{result} }, "$what: the API's list");
        } else {
            is_deeply(sorted(settled($answer)), sorted($reply), "$what: the API");
        }
    }
}
cmp_ok($documents, '>', $fabric ? 8 : 25, 'documents were compared');
is($answers, 5, 'the fabric answered') if $fabric;

done_testing();
