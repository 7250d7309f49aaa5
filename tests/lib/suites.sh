# shellcheck shell=bash
# Sourced by tests/run: find, run and count suites. Uses its $repo, $logs and $scratch.

passed=0 failed=0 skipped=0 table=()
running='' ticker=''

suite_names() { find "$repo/tests/suites" -maxdepth 1 -type f -executable -printf '%f\n' | sort; }
suite_field() { sed -n "1,10s/^# $2: *//p" "$repo/tests/suites/$1"; }
suite_is_long() { [ "$(suite_field "$1" Long)" = yes ]; }

list_suites() {
    local name long
    for name in $(suite_names); do
        long=
        suite_is_long "$name" && long=' (long)'
        printf '%-12s %s%s\n' "$name" "$(suite_field "$name" Suite)" "$long"
    done
}

# choose_suites MODE NAME...: the quick checks first, so that a slip shows early.
choose_suites() {
    local mode=$1 name
    shift
    if [ "$mode" = only ]; then
        printf '%s\n' "$@"
        return
    fi
    for name in $(suite_names); do
        if [ "$mode" = all ] || ! suite_is_long "$name"; then
            printf '%s %s\n' "$(suite_field "$name" Order)" "$name"
        fi
    done | sort -n | awk '{ print $NF }'
}

# Continuous integration has 40 minutes: on a slow machine a suite marked "Late: yes" is not begun after 25 of them.
readonly LATE_SECONDS=1500
# What suites must be through by; some take as long as there is time.
export RUN_ENDS=$((EPOCHSECONDS - SECONDS + 2280))
too_late() { [ -n "${CI:-}" ] && [ $SECONDS -gt $LATE_SECONDS ] && [ "$(suite_field "$1" Late)" = yes ]; }

leave_out() {
    local note="not begun: $((SECONDS / 60)) minutes had passed; tests/run --only $1"
    say "$1: $note"
    skipped=$((skipped + 1))
    table+=("$(printf '%-12s %-8s %5d s  %s' "$1" "left out" 0 "$note")")
}

# Each suite is a process group of its own with a TMPDIR of its own, so that nothing of it can stay behind.
run_suite() {
    local name=$1 log=$logs/$1.log start=$SECONDS status=0
    if too_late "$name"; then
        leave_out "$name"
        return
    fi
    say "$name: $(suite_field "$name" Suite)"
    mkdir "$scratch/$name"
    TMPDIR=$scratch/$name setsid "$repo/tests/suites/$name" >"$log" 2>&1 </dev/null &
    running=$!
    tick "$name" "$log" &
    ticker=$!
    wait $running || status=$?
    stop_suite
    rm -rf "${scratch:?}/$name"
    record "$name" $status $((SECONDS - start)) "$log"
}

# Says every minute that the suite still runs, and what it said last. It waits in read, not in a sleep(1) that
# would outlive it.
tick() {
    local minutes=0 never
    exec {never}<> <(:)
    while true; do
        read -r -t 60 -u "$never"
        minutes=$((minutes + 1))
        printf '    %s: %d min, %s\n' "$1" $minutes "$(tail -n 1 "$2" | tr -d '\r' | cut -c1-100)"
    done
}

stop_suite() {
    local tries=0
    if [ -n "$ticker" ]; then
        kill $ticker 2>/dev/null
        wait $ticker 2>/dev/null
    fi
    while [ -n "$running" ] && [ $tries -lt 60 ] && kill -TERM -- -$running 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 50 ] || kill -KILL -- -$running 2>/dev/null
        sleep 0.2
    done
    ticker='' running=''
}

record() {
    local name=$1 status=$2 seconds=$3 log=$4 result=passed note=
    if [ "$status" = "$EXIT_SKIPPED" ]; then
        note=$(tail -n 1 "$log")
        result=skipped
        [ "${CI:-}" != true ] || result=failed # in CI nothing may skip
    elif [ "$status" != 0 ]; then
        result=failed
        note="exit status $status, log: ${log#"$repo"/}"
    fi
    case $result in
    passed) passed=$((passed + 1)) ;;
    skipped) skipped=$((skipped + 1)) ;;
    failed)
        failed=$((failed + 1))
        tail -n 60 "$log" | sed 's/^/    | /'
        ;;
    esac
    printf '    %s: %s, %d s. %s\n' "$name" $result "$seconds" "$note"
    table+=("$(printf '%-12s %-8s %5d s  %s' "$name" $result "$seconds" "$note")")
}

# The last line is read by machines.
print_table() {
    printf '\n'
    printf '%s\n' "${table[@]}"
    printf '\n%d passed, %d failed' $passed $failed
    [ $skipped = 0 ] || printf ', %d skipped' $skipped
    printf '\n'
}
