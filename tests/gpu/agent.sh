#!/bin/bash
# Programs that use a GPU attach to gclusterd: each GPU's memory is counted, their time is the
# driver's.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_DEVICE=cuda GCL_AGENT=unix:$PWD/agent.sock
"$build/bin/gcluster-cc" -O1 "$here/../agent/share.cu" -o program
expected=$(GCL_AGENT=no ./program 1 4 10)
printf '[device]\ngpu_memory = 128M\n[users]\nclient_gpu_memory = 96M\n' >agent.conf
"$build/bin/gclusterd" --socket agent.sock --config agent.conf 2>log &
agent=$!
trap 'kill $agent' EXIT
for _ in $(seq 200); do
    grep -q "to share" log && break
    sleep 0.05
done

status() { "$build/bin/gclusterd" --status --socket agent.sock; }

# Memory that is taken, of the GPU, and by one program.
[ "$(./program 1 4 10)" = "$expected" ] || fail "another result by gclusterd"
! ./program 97 >out || fail "a program has more than it may"
grep -q "cudaMalloc: cudaErrorMemoryAllocation" out || fail "it doesn't hear that: $(cat out)"
./program 80 1 1 60000 >held 2>&1 &
holder=$!
for _ in $(seq 600); do
    status | grep -q "80.0 MiB of 128.0 MiB" && break
    sleep 0.05
done
status >out
grep -Eq "0 B of .*; GPU-[0-9a-f]{8}: 80.0 MiB of 128.0 MiB" out || fail "wrong: $(cat out)"
grep -Eq "program +GPU-[0-9a-f]{8} +80.0 MiB .* has its GPU by the driver" out ||
    fail "wrong: $(cat out)"
! ./program 49 >out || fail "a program has what another one has"
[ "$(./program 1 4 10)" = "$expected" ] || fail "another result beside a program"
kill -9 "$holder"
wait "$holder" || true
for _ in $(seq 100); do
    status | grep -q "0 programs" && break
    sleep 0.05
done
./program 49 >out || fail "memory of a killed program isn't free"

# Nodes of a job that share the GPU.
result=$(GCL_MEMORY=20M "$build/bin/gcluster-run" -n 2 ./program 1 4 10)
[ "$result" = "$expected" ] || fail "another result on two nodes"
! GCL_MEMORY=97M "$build/bin/gcluster-run" -n 2 ./program 1 4 10 2>err || fail "nodes have too much"
grep -q "it needs 97.0 MiB, and of the 96.0 MiB that a program may have" err || fail "$(cat err)"
