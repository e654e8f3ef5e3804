#!/bin/bash
# Programs that manage several devices: GCL_DEVICES=per-node, on one to four nodes, and what is told
# of it. Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"

for source in "$here"/devices/*.cu; do
    name=$(basename "$source" .cu)
    "$bin/gcluster-cc" -O1 "$source" -o "$name"
    echo "== $name"
    timeout 60 "./$name" >out 2>err || fail "$name: exit status $? on one device"
    grep -qx right out || fail "$name is wrong on one device"
    for count in 1 2 3 4; do
        GCL_DEVICES=per-node timeout 150 "$bin/gcluster-run" -n $count "./$name" >out 2>err ||
            fail "$name: exit status $? on $count devices"
        grep -qx right out || fail "$name is wrong on $count devices"
    done
done

echo "== times of nodes whose clocks differ"
cc -O1 -shared -fPIC "$here/skew.c" -o skew.so
LD_PRELOAD="$PWD/skew.so" ASAN_OPTIONS=verify_asan_link_order=0 GCL_DEVICES=per-node \
    timeout 150 "$bin/gcluster-run" -n 2 ./moments >out 2>err || fail "moments: clocks that differ"
grep -qx right out || fail "moments is wrong where clocks differ"

echo "== one device of all nodes"
timeout 60 "$bin/gcluster-run" -n 3 ./jacobi >out 2>err || fail "three nodes as one device"
GCL_DEVICES=one timeout 60 "$bin/gcluster-run" -n 3 ./each >out 2>err ||
    fail "three nodes as one device, as asked for"

echo "== every node works for its own device"
GCL_DEVICES=per-node timeout 60 "$bin/gcluster-run" -n 3 --stats=stats.json ./jacobi >out 2>err
python3 - <<'END'
import json
stats = json.load(open("stats.json"))
assert stats["devices"] == stats["nodes"] == stats["nodes_told"] == 3, stats
for kernel in stats["kernels"]:
    assert "reason" not in kernel and kernel["split"]["none"] == kernel["launches"], kernel
    assert len(kernel["time_ns"]) == 3 and all(kernel["time_ns"]), kernel
assert stats["total"] == sum(node["sent"] for node in stats["transfers"]), stats
END

echo "== what is told"
GCL_DEVICES=per-node GCL_LOG=info timeout 60 "$bin/gcluster-run" -n 2 --stats ./each >out 2>err
grep -q '^The program sees 2 devices, one a node' err || fail "the census doesn't tell of devices"
grep -q '^gcluster: 2 nodes, each a device' err || fail "--stats doesn't tell of devices"
! grep -q 'alone: ' err || fail "launches on one device aren't worth a remark"
GCL_LOG=info timeout 60 "$bin/gcluster-run" -n 2 ./each >out 2>err
grep -q '^The program sees one device' err || fail "the census doesn't tell of the one device"
GCL_DEVICES=per-node GCL_LOG=info ./each >out 2>err
grep -q 'one node, and so one device' err || fail "no word of devices without a job"
GCL_DEVICES=per-node timeout 60 "$bin/gcluster-run" -n 2 ./peers >out 2>err
grep -q 'shift on device 1 uses memory of device 0 .*cudaDeviceEnablePeerAccess' err ||
    fail "no word of memory that a device mustn't use"
GCL_DEVICES=per-node timeout 60 "$bin/gcluster-run" -n 2 ./host_memory >out 2>err
grep -q 'use_shared uses a __managed__ variable' err || fail "no word of managed variables"
GCL_DEVICES=per-node timeout 60 "$bin/gcluster-run" -n 2 ./polls >out 2>err
grep -q 'await polls memory that the host shares: on device 1' err || fail "no word of polling"

echo "== wrong values"
for value in nodes 2 ''; do
    GCL_DEVICES=$value ./each >out 2>err && fail "GCL_DEVICES=$value is taken"
    grep -q "GCL_DEVICES=$value can't be read: expected one or per-node" err ||
        fail "GCL_DEVICES=$value: another message"
    status=0
    GCL_DEVICES=$value timeout 60 "$bin/gcluster-run" -n 2 ./each >out 2>err || status=$?
    [ $status = 1 ] || fail "GCL_DEVICES=$value on two nodes: exit status $status"
done
