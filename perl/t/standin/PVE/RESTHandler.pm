package PVE::RESTHandler;

# A stand-in for tests, of what pve-rdma uses. tests/pve/run asks the same tests of Proxmox VE's own.

use v5.36;

use PVE::Exception;
use PVE::JSONSchema;

my (%tree, %methods); # by class; a node of a tree: { below, parameter, method => info }

sub register_method ($class, $info) {
    $info->{method} //= 'GET' if !$info->{subclass};
    my $node = $tree{$class} //= {};
    for my $part (split(m{/}, $info->{path})) {
        my ($parameter) = $part =~ /^\{([\w-]+)\}$/;
        my $other = $parameter ? !$node->{parameter} : $node->{parameter};
        die "$info->{path}: names and a parameter at one place\n" if $node->{below} && $other;
        $node->{parameter} = $parameter if $parameter;
        $node = $node->{below}->{ $parameter ? '*' : $part } //= {};
    }
    my $as = $info->{subclass} ? 'SUBCLASS' : $info->{method};
    die "$info->{path}: $as is registered twice\n" if $node->{$as} || ($as eq 'SUBCLASS' && $node->%*);
    $node->{$as} = $info;
    push($methods{$class}->@*, $info);
    return;
}

sub method_attributes ($class) { return $methods{$class} }

sub map_method_by_name ($class, $name) {
    my ($info) = grep { ($_->{name} // '') eq $name } $methods{$class}->@*;
    return $info // die "no such method $class\::$name\n";
}

sub map_path_to_methods ($class, $stack, $parameters, $=undef) {
    my $node = $tree{$class} // return;
    while (defined(my $part = shift($stack->@*))) {
        my $parameter = $node->{parameter};
        $parameters->{$parameter} = $part if $parameter;
        $node = $node->{below}->{ $parameter ? '*' : $part } // return;
        if (my $mount = $node->{SUBCLASS}) {
            $class = $mount->{subclass};
            $node = $tree{$class} // return;
        }
    }
    return ($class, $node);
}

sub find_handler ($class, $method, $path, $parameters = {}, $=undef) {
    my ($handler, $node) = $class->map_path_to_methods([grep { length } split(m{/}, $path)], $parameters);
    return if !$node || !$node->{$method};
    return ($handler, $node->{$method});
}

sub handle ($class, $info, $parameters, $verify = 0) {
    for my $name (keys($parameters->%*)) { # a list of one comes from a form as a word
        my $of = $info->{parameters}->{properties}->{$name} // next;
        $parameters->{$name} = [$parameters->{$name}] if $of->{type} eq 'array' && !ref($parameters->{$name});
    }
    PVE::JSONSchema::validate($parameters, $info->{parameters});
    my $answer = $info->{code}->($parameters);
    PVE::JSONSchema::validate($answer, $info->{returns}) if $verify;
    return $answer;
}

sub validate_method_schemas ($class) {
    PVE::JSONSchema::validate_method_info($_) for map { $_->@* } values(%methods);
    return;
}

1;
