#!/bin/bash
# Kills a node or the launcher at a random moment: nothing hangs, no wrong result passes for a right
# one, and nothing is left. Arguments: folder of gcluster-run, work folder, number of kills.
set -euo pipefail
. "$(dirname "$0")/job.sh"
count=$3
seed=${SEED-$(date +%s)}
RANDOM=$seed
echo "== $count kills, SEED=$seed"

"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps
./steps 2000 >expected 2>/dev/null
lost=0

# Kills a node or the launcher of the job that `what` is about, and sets `status`.
kill_one() {
    local victim=$1 signal=$2 pid
    launcher=$(pgrep -P $outer) || launcher=
    members=$([ -z "$launcher" ] || nodes_of "$launcher" steps)
    pid=$(echo "$members $launcher" | tr ' ' '\n' | sed -n "$((victim + 1))p")
    [ -z "$pid" ] || kill -$signal $pid 2>/dev/null || true
    status=0
    wait $outer 2>wait.err || status=$?
    what="$what by $signal: exit status $status"
    [ $status != 124 ] || fail "$what: it hangs"
}

# Those below may all be over before they are disturbed: one that never ends by itself.
timeout 60 "$bin/gcluster-run" -n 3 ./steps 2000000000 >out 2>err &
outer=$!
await_line $outer started err
what="an endless job, of node 1"
kill_one 1 9
[ $status != 0 ] || fail "$what: nothing is said"
check_gone $launcher $members

for i in $(seq "$count"); do
    nodes=$((2 + RANDOM % 3))
    victim=$((RANDOM % (nodes + 1))) # the last one is the launcher
    delay=$((RANDOM % 2000))
    signal=$((RANDOM % 4 == 0 ? 11 : 9))
    timeout 60 "$bin/gcluster-run" -n $nodes ./steps 2000 >out 2>err &
    outer=$!
    sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
    what="kill $i, of $victim of $nodes after $delay ms"
    kill_one $victim $signal
    [ $status != 0 ] || cmp -s out expected || fail "$what: a wrong result"
    check_gone $launcher $members
    lost=$((lost + (status != 0)))
done
echo "$lost of $count jobs were lost, the others right"
