# shellcheck shell=bash
# Sourced after common.sh: configure, build and test one CMake preset, in build/PRESET.

# Two builds of one preset at once would tread on each other: the second waits.
build_preset() {
    local preset=$1 start=$SECONDS
    mkdir -p "$repo/build"
    (
        flock 9
        cd "$repo" || exit 1
        say "building preset $preset"
        cmake --preset "$preset" && cmake --build --preset "$preset" --parallel "$(nproc)"
    ) 9>"$repo/build/.$preset.lock" || fail "preset $preset does not build"
    say "built preset $preset in $((SECONDS - start)) s"
}

test_preset() {
    (cd "$repo" && ctest --preset "$1" --parallel "$(nproc)" --no-tests=error)
}
