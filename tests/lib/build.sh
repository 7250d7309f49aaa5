# shellcheck shell=bash
# Sourced after common.sh: configure, build and test one CMake preset, in build/PRESET.

# Clones at different places share what ccache keeps: paths below the clone count as relative.
export CCACHE_BASEDIR=$repo CCACHE_NOHASHDIR=1

# build_preset PRESET [TARGET...]. Two builds of one preset at once would tread on each other: the second waits.
build_preset() {
    local preset=$1 start=$SECONDS
    shift
    mkdir -p "$repo/build"
    (
        flock 9
        cd "$repo" || exit 1
        say "building preset $preset"
        cmake --preset "$preset" && cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
    ) 9>"$repo/build/.$preset.lock" || fail "preset $preset does not build"
    say "built preset $preset in $((SECONDS - start)) s"
}

test_preset() {
    (cd "$repo" && ctest --preset "$1" --parallel "$(nproc)" --no-tests=error)
}

# build_preset_watched LOG PRESET [TARGET...]: the same for someone who watches: a line of progress now and then, the
# log's tail if it fails.
build_preset_watched() {
    local log=$1 job status=0
    shift
    say "building (preset $1)"
    build_preset "$@" >"$log" 2>&1 &
    job=$!
    while kill -0 $job 2>/dev/null; do
        for _ in {1..50}; do kill -0 $job 2>/dev/null && sleep 0.1; done
        printf '    %s\n' "$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 1)"
    done
    wait $job || status=$?
    if [ $status != 0 ]; then
        tail -n 30 "$log"
        fail "the build"
    fi
}
