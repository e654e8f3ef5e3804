#!/bin/bash
# Builds gcluster with sanitizers and runs its tests through CTest. On a fresh Debian 12 machine it
# installs what it needs first. Fails if a test fails, or if there is none.
#
#     tests/run.sh                  with ASan and UBSan
#     tests/run.sh --tsan           with TSan
#     tests/run.sh --long           with the tests that take minutes, too
#     tests/run.sh --agent          programs share one device by gclusterd
#     tests/run.sh --vscode         with VS Code and its extension, too: installs them for the tests
#     tests/run.sh -- -R heat2d     what follows -- goes to ctest
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,/^set /s/^# \?//p' tests/run.sh
}

preset=asan
packages=test
selection=(--label-exclude '^long$')
shared=
while [ $# -gt 0 ]; do
    case $1 in
    --tsan) preset=tsan ;;
    --long) selection=() ;;
    --agent) shared=1 ;;
    --vscode) packages=vscode ;;
    --help | -h)
        usage
        exit
        ;;
    --)
        shift
        break
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done
selection+=("$@")

build=build-$preset
log=$build/configure.log
export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}
# LLVM allocates much, and half of ASan's time would go into that: notes of where (with
# malloc_context_size=30 a report has them), filling what is new, and keeping much of what is free
# from being used again.
export ASAN_OPTIONS=${ASAN_OPTIONS-malloc_context_size=0:max_malloc_fill_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=16:allocator_release_to_os_interval_ms=-1}
export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$PWD/tests/lsan.supp:print_suppressions=0}
export TSAN_OPTIONS=${TSAN_OPTIONS-suppressions=$PWD/tests/tsan.supp:print_suppressions=0}

tests/setup.sh "$packages"
if [ "$packages" = vscode ]; then
    tests/vscode/install.sh "$build/vscode"
fi

echo "== Configuring $build"
mkdir -p "$build"
cmake --preset "$preset" >"$log" 2>&1 || {
    cat "$log"
    exit 1
}

echo "== Building"
cmake --build "$build"
echo "   built after $SECONDS s"

if [ "$shared" ]; then
    agent=$(mktemp -d)/agent.sock
    "$build/bin/gclusterd" --socket "$agent" &
    trap 'kill %1' EXIT
    export GCL_AGENT=unix:$agent
    selection+=(--tests-regex '^(examples/|runtime_|kernels|cluster_(same|run))')
fi

# Tests that wait, for other processes or for a time limit, leave a processor to one more. CTest
# closes with the number of tests that failed, and their names.
echo "== Testing"
ctest --test-dir "$build" --parallel "$(($(nproc) + 1))" --output-on-failure --no-tests=error \
    "${selection[@]}"
