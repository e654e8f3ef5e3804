#!/bin/bash
# Programs print the same on one node, without a job, and on several.
# Arguments: folder of gcluster-run, work folder, programs.
set -euo pipefail
export LSAN_OPTIONS=detect_leaks=0 # libpmix and jobs that end leave memory behind
bin=$1
work=$2
shift 2
for source in "$@"; do
    name=$(basename "$source" .cu)
    rm -rf "${work:?}/$name"
    mkdir -p "$work/$name" # tests run side by side
    cd "$work/$name"
    "$bin/gcluster-cc" -O1 "$source" -o "$name"
    timeout 60 "./$name" >one
    for count in 2 3 7; do
        timeout 150 "$bin/gcluster-run" -n $count "./$name" >several || {
            echo "$name: exit status $? on $count nodes"
            exit 1
        }
        cmp one several || {
            echo "$name: $count nodes print something else than one:"
            diff one several
            exit 1
        }
    done
done
