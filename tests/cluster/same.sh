#!/bin/bash
# A program prints the same on one node, without a job, and on several.
# Arguments: folder of gcluster-run, work folder, program.
set -euo pipefail
. "$(dirname "$0")/job.sh"
name=$(basename "$3" .cu)
"$bin/gcluster-cc" -O1 "$3" -o "$name"
timeout 60 "./$name" >one
for count in 2 3 7; do
    timeout 150 "$bin/gcluster-run" -n $count "./$name" >several ||
        fail "$name: exit status $? on $count nodes"
    cmp one several || fail "$name: $count nodes print something else than one:" \
        "$(diff one several)"
done
