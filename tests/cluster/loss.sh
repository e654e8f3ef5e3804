#!/bin/bash
# Nodes that are killed or stopped: what is said, and how the job ends.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps

# Starts three nodes, or more, sends a signal to one of them, or to the launcher (victim 3 of three),
# and waits for the end of the job.
nodes=3
disturb() {
    local victim=$1 signal=$2 expected=$3 outer launcher members pid status=0
    rm -f err
    timeout 120 "$bin/gcluster-run" -n $nodes "$work/steps" 100000000 >out 2>err </dev/null &
    outer=$!
    await_line $outer 'under way' err
    launcher=$(pgrep -P $outer)
    members=$(nodes_of "$launcher" steps)
    pid=$(echo "$members $launcher" | tr ' ' '\n' | sed -n "$((victim + 1))p")
    [ -n "$pid" ] || fail "node $victim isn't there"
    kill -"$signal" "$pid"
    wait $outer 2>wait.err || status=$?
    what="SIG$signal for $victim"
    [ $status = "$expected" ] || fail "$what: exit status $status"
    check_gone "$launcher" $members
}

# Fails unless standard error has one such line, and at most as many lines as that in all; at least
# as many as the third argument says, or just as many.
expect() {
    local lines
    lines=$(wc -l <err)
    [ "$(grep -c -- "$1" err)" = 1 ] || fail "$what: not one line with: $1"
    [ "$lines" -le "$2" ] && [ "$lines" -ge "${3:-$2}" ] || fail "$what: not $2 lines"
}

echo "== killed"
disturb 2 KILL 1
expect "error: node 2 on $(hostname) (process [0-9]*) is lost: its process has ended; [1-9][0-9]* bytes of 2 allocations were there alone" 5
expect 'gcluster-run: node 2 was killed by signal 9' 5
expect cudaErrorNodeLost 5 # and "started", "under way"
disturb 0 KILL 137
expect 'gcluster-run: node 0 was killed by signal 9 (Killed)$' 3

echo "== the launcher"
disturb 3 KILL 137
expect started 2
disturb 3 TERM 143
expect started 2
disturb 3 INT 130
expect started 2

# Of eleven nodes node 1 passes operations on to node 2.
echo "== on the way of operations"
nodes=11
disturb 1 KILL 1
grep -q 'error: node 1 on .* is lost: its process has ended' err || fail "$what: nothing is said"
GCL_TIMEOUT=5 disturb 1 STOP 1
grep -q 'error: node 1 on .* is lost: it has been silent for longer than GCL_TIMEOUT allows' err ||
    fail "$what: node 1 isn't blamed"
nodes=3

echo "== stopped"
export GCL_TIMEOUT=6
mkdir other home
(
    cd other
    make_folder
    disturb 2 STOP 1
    # Node 1 waits for its bytes, and says so, unless it stopped when it had sent the last ones that
    # the program's copy waits for: only node 0 waits then, for its end.
    expect 'warning: node 2 on .* has been silent for [0-9.]* s' 7 6
    expect 'warning: .*: node 0 has waited [0-9.]* s .* [0-9]* bytes .* node [12] on' 7 6
    expect 'error: node 2 on .* is lost: .* longer than GCL_TIMEOUT allows' 7 6
    [ "$(wc -l <err)" = 6 ] ||
        expect 'node 1: warning: .*: node 1 has waited [0-9.]* s .* [0-9]* bytes .* node 2 on' 7
) &
other=$!
(
    cd home
    make_folder
    disturb 0 STOP 137
    # Others wait for its bytes, and say so, unless it stopped between two launches.
    expect 'node 1: warning: node 0 on .* has been silent for [0-9.]* s' 6 4
    expect 'node 1: error: node 0 on .* is lost: .* longer than GCL_TIMEOUT allows' 6 4
)
wait $other
