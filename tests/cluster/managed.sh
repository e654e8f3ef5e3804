#!/bin/bash
# Managed memory under gcluster-run, with guarded pages and without.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O2 "$here/managed.cu" -o managed

run() {
    local count=$1
    shift
    timeout 100 "$@" >out 2>err || fail "$count nodes: exit status $?"
    echo ok | cmp - out || fail "$count nodes: other output"
}

is_guarded() {
    ! grep -q 'may not guard its pages' err
}

run 1 ./managed
for count in 2 3; do
    GCL_SPLIT=always run $count "$bin/gcluster-run" -n $count ./managed
    is_guarded || continue # what else it says is no error
    [ ! -s err ] || fail "$count nodes: messages"
    run $count "$bin/gcluster-run" -n $count ./managed $count
done

# The device's size, and what is left at the end.
check_sizes() {
    local count=$1
    shift
    GCL_LOG=info GCL_MEMORY=100M GCL_HOST_MEMORY=0 GCL_THREADS=1 timeout 100 "$@" ./managed >out 2>err ||
        fail "sizes: exit status $?"
    grep -q "^$((100 * count)) MiB, [0-9]* multiprocessors" out || fail "$count nodes: other sizes"
    grep -q 'not freed at exit: 1 allocation, 40 bytes' err || fail "$count nodes: no leak"
}
check_sizes 1 env
check_sizes 3 "$bin/gcluster-run" -n 3
grep -q ', 3 multiprocessors' out || fail "other multiprocessors"

# Where only root may guard pages.
if is_guarded && [ "$(id -u)" = 0 ]; then
    other=(env TMPDIR=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${other[@]}" test -x "$PWD/managed" -a -x "$bin/gcluster-run" || exit 0
    run 2 "${other[@]}" "$bin/gcluster-run" -n 2 ./managed
    grep -q 'may not guard its pages' err || fail "pages are guarded for everybody"
fi
