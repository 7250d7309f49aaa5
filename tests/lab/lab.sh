# shellcheck shell=bash
# Sourced by shell scripts that ibsim_lab.py runs: programs on the hosts of the simulated fabric.

# on HOST COMMAND ...: in a folder of its own, because umad2sim writes into the working directory.
on() (
    host=$1
    shift
    scratch=$(mktemp -d -p "$LAB_FOLDER")
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch" && SIM_HOST=$host LD_PRELOAD=$LAB_PRELOAD "$@"
)
