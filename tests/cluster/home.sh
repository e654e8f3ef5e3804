#!/bin/bash
# What node 0 does alone waits for nobody: it goes on while another node is stopped.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$here/home.cu" -o home

mkfifo words
exec 3<>words
timeout 120 "$bin/gcluster-run" -n 2 "$work/home" <words >out 2>err &
job=$!
await_line $job started err
other=$(nodes_of "$(pgrep -P $job)" home | tail -1)
[ -n "$other" ] || fail "there is no node 1"
kill -STOP "$other"
echo 5 >&3
for _ in $(seq 200); do
    [ -s out ] && break
    sleep 0.1
done
printed=$(cat out)
kill -CONT "$other"
echo 6 >&3
status=0
wait $job || status=$?
[ "$printed" = right ] || fail "with node 1 stopped: '$printed'"
[ $status = 0 ] || fail "exit status $status"
