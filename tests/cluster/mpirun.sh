#!/bin/bash
# Jobs that mpirun starts. Arguments: folder of gcluster-run, work folder. Exit status 77: there is
# no mpirun.
set -euo pipefail
. "$(dirname "$0")/job.sh"
command -v mpirun >/dev/null || skip "there is no mpirun"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 FRUIT=pear
"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps
"$bin/gcluster-cc" -O1 "$here/program.cu" -o program

status=0
echo line | timeout 60 mpirun --oversubscribe -n 3 ./program 3 >out 2>err || status=$?
[ $status = 3 ] || fail "exit status $status"
echo "sum 128, 2 words, in $PWD, FRUIT=pear, job unset, read line" | cmp - out ||
    fail "other output"

# Sends a signal to node 2, or to mpirun (victim 3).
disturb() {
    local victim=$1 outer launcher members status=0
    rm -f err
    timeout 100 mpirun --oversubscribe -n 3 ./steps 100000000 >out 2>err </dev/null &
    outer=$!
    await_line $outer started err
    launcher=$(pgrep -P $outer) || fail "mpirun has ended"
    members=$(nodes_of "$launcher" steps)
    kill -9 "$(echo "$members $launcher" | tr ' ' '\n' | sed -n "$((victim + 1))p")"
    wait $outer 2>wait.err || status=$?
    [ $status != 0 ] && [ $status != 124 ] || fail "victim $victim: exit status $status"
    for _ in $(seq 200); do
        [ -n "$(for pid in $members; do is_alive "$pid" && echo "$pid"; done)" ] || return 0
        sleep 0.05
    done
    fail "victim $victim: nodes are left"
}
disturb 2
grep -q 'error: node 2 on .* is lost: its process has ended' err || fail "nothing is said"
disturb 3

echo "== what PMIx believes"
PMIX_MCA_psec=native timeout 60 mpirun --oversubscribe -n 2 ./program >out 2>err </dev/null ||
    fail "native: exit status $?"
[ "$(grep -c "warning: the launcher's PMIx believes whatever user" err)" = 1 ] || fail "no warning"
status=0
GCL_STRICT=1 timeout 60 mpirun --oversubscribe -n 2 ./program >out 2>err </dev/null || status=$?
[ $status != 0 ] && [ $status != 124 ] || fail "strict: exit status $status"
grep -q "error: the launcher's PMIx believes whatever user" err || fail "strict: nothing is said"
