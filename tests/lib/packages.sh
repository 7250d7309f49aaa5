# shellcheck shell=bash
# Sourced after common.sh: install what debian/control names under Build-Depends. There is no second list.

unmet_packages() {
    if command -v dpkg-checkbuilddeps >/dev/null; then
        (cd "$repo" && LC_ALL=C dpkg-checkbuilddeps 2>&1) | sed -n 's/.*[Uu]nmet build dependencies: //p'
    else
        echo "dpkg-dev and what debian/control names"
    fi
}

# While packages are unpacked no service may start: opensm would bring up a subnet manager on a real fabric.
with_services_held() {
    local policy=/usr/sbin/policy-rc.d status=0
    if [ ! -e $policy ]; then
        held_policy=$policy
        printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy
    fi
    "$@" || status=$?
    release_services
    return $status
}

release_services() {
    [ -n "${held_policy:-}" ] || return 0
    rm -f "$held_policy"
    held_policy=
}

ensure_packages() {
    local unmet service new_services=()
    unmet=$(unmet_packages)
    [ -n "$unmet" ] || return 0
    is_root || fail "packages are missing ($unmet); as root this command installs them"
    say "installing what debian/control names; missing: $unmet"
    [ -e /usr/sbin/opensm ] || new_services+=(opensm.service)
    [ -e /usr/sbin/sshd ] || new_services+=(ssh.service)
    export DEBIAN_FRONTEND=noninteractive
    apt_quiet update
    with_services_held apt_quiet build-dep --yes --no-install-recommends "$repo/"
    if [ -d /run/systemd/system ]; then
        for service in "${new_services[@]}"; do
            systemctl disable "$service" # nor at the next boot
        done
    fi
    unmet=$(unmet_packages)
    [ -z "$unmet" ] || fail "still missing: $unmet"
}

# apt-get with its output kept for the case that it fails.
apt_quiet() {
    local log
    log=$(mktemp)
    if apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -q "$@" >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    tail -n 30 "$log"
    rm -f "$log"
    fail "apt-get $1"
}
