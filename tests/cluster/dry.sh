#!/bin/bash
# A dry run says that it is one, runs nothing, and counts what each of the nodes would do.
# Arguments: folder of gcluster-cc, work folder.
set -euo pipefail
export LSAN_OPTIONS=detect_leaks=0 # libpmix and jobs that end leave memory behind
bin=$1
source=$(dirname "$(readlink -f "$0")")
mkdir -p "$2"
cd "$2"
"$bin/gcluster-cc" -O1 "$source/dry.cu" -o dry

fail() {
    echo "$1; its output:"
    cat out
    exit 1
}

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
GCL_DRY_NODES=1 timeout 60 ./dry 2>out && fail "one node: it ran dry" || [ $? -eq 2 ]
grep -q "GCL_DRY_NODES=1 is ignored" out || fail "one node: not ignored"
GCL_DRY_NODES=4 timeout 60 "$bin/gcluster-run" -n 2 ./dry 2>out && fail "a job: it ran dry"
grep -q "GCL_DRY_NODES is for one process" out || fail "a job: no reason given"
