# shellcheck shell=bash
# Sourced by tests/run, tests/demo and the suites: where things are, and how a script speaks and ends.

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# The exit status by which a suite says "this machine cannot run me" (the one automake chose).
readonly EXIT_SKIPPED=77

say() { printf '==> %s\n' "$*"; }

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# skip REASON: the last line of a skipped suite's output is shown in the table.
skip() {
    printf 'SKIPPED: %s\n' "$*"
    exit "$EXIT_SKIPPED"
}

is_root() { [ "$(id -u)" = 0 ]; }

# need_root WHAT: for suites that change namespaces or roots.
need_root() { is_root || skip "needs root; as root it also $1"; }

# need_program FILE: for what another part of the tree provides.
need_program() { [ -x "$repo/$1" ] || fail "$1 is not there (or not executable)"; }
