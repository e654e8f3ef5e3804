#!/bin/bash
# A dry run says that it is one, runs nothing, and counts what each of the nodes would do.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$here/dry.cu" -o dry

run() {
    local status=0
    GCL_DRY_NODES=$1 timeout 60 ./dry 2>out || status=$?
    [ $status -eq 3 ] || fail "$1 nodes: exit status $status instead of the program's 3"
    grep -q "^gcluster: dry run for $1 nodes: kernels and copies do nothing" out ||
        fail "$1 nodes: it isn't said that nothing runs"
    grep -q "^gcluster: dry run for $1 nodes: 50 launches" out || fail "$1 nodes: no 50 launches"
}

# A node in the middle runs 50 parts, and for each step sends two rows and gets two.
run 64
read -r _ minimum median maximum < <(grep "^  commands" out)
[ "$minimum" -gt 100 ] && [ "$median" -gt 200 ] && [ "$median" -lt 260 ] && [ "$maximum" -lt 500 ] ||
    fail "64 nodes: commands aren't those of halos"
run 1000

# The log shows each plan as tests/plan does: halos are a row of 4 KiB, and nodes run rows of blocks.
GCL_LOG=trace GCL_DRY_NODES=3 timeout 60 ./dry 2>out && fail "trace: no exit status" || [ $? -eq 3 ]
grep -Eq '^gcluster: trace: copy 0x[0-9a-f]+ \[1388544, 1392640\) 0 -> 1$' out ||
    fail "trace: no halo is copied"
grep -q '^gcluster: trace: run step.* \[0, 16) x \[85, 170) on 1, after copy$' out ||
    fail "trace: no blocks are run"
GCL_DRY_NODES=1 timeout 60 ./dry 2>out && fail "one node: it ran dry" || [ $? -eq 2 ]
grep -q "GCL_DRY_NODES=1 is ignored" out || fail "one node: not ignored"
GCL_DRY_NODES=4 timeout 60 "$bin/gcluster-run" -n 2 ./dry 2>out && fail "a job: it ran dry"
grep -q "GCL_DRY_NODES is for one process" out || fail "a job: no reason given"
