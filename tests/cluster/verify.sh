#!/bin/bash
# gcluster-run --verify: finds a launch that depends on the order of blocks, and no other.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
for source in race same/repeat same/inspect same/move; do
    "$bin/gcluster-cc" -O1 "$here/$source.cu" -o "$(basename $source)"
done
for program in race repeat inspect move; do
    "./$program" >one
    timeout 120 "$bin/gcluster-run" -n 3 --verify "./$program" >out 2>err || fail "$program fails"
    cmp one out || fail "$program: another result"
    grep -q 'of [0-9]* launches [1-9][0-9]* were compared' err || fail "$program: nothing is compared"
done
status=0
timeout 120 "$bin/gcluster-run" -n 3 --verify ./race order >out 2>err || status=$?
[ $status = 1 ] || fail "race: exit status $status"
grep -q 'error: shift (launch 2) leaves something else behind on 3 nodes than on one: argument 1,' err ||
    fail "race: not found"
grep -q 'node [0-2] wrote there' err || fail "race: by whom isn't said"
