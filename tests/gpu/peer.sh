#!/bin/bash
# Nodes of one host map each other's GPU memory and copy what they need from there, on one GPU and
# on several. Where that can't be, it is said, and the bytes come by the host's memory. A node that
# dies ends the job.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_SPLIT=always GCL_MEMORY=256M GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
export GCL_DEVICE=cuda GCL_LOG=trace
"$build/bin/gcluster-cc" -O1 "$here/peer.cu" -o program
GCL_DEVICE=cpu GCL_LOG=warn ./program >expected

fail() { # without what is traced
    echo "$*"
    cat out
    grep -v trace: err
    exit 1
}

run() { # nodes, settings of the driver
    local nodes=$1
    shift
    env "${@/#/GCL_TEST_DRIVER_}" GCL_STATS=stats.json GCL_TRACE=trace.json timeout 60 \
        "$build/bin/gcluster-run" -n "$nodes" ./program >out 2>err ||
        fail "$* on $nodes nodes: exit status $?"
    cmp out expected || fail "$* on $nodes nodes: other results"
    mapped=$(grep -c "are copied where they are mapped" err || true)
}

# Of four steps, whose first finds the field on node 0, three send rows to both neighbours; what a
# node is sent of memory for the first time comes by the host's.
for nodes in 2 4; do
    run $nodes DEVICES=$((nodes / 2)) # on one GPU, and on two
    [ "$mapped" -ge $((nodes * 6)) ] || fail "$mapped copies of mapped memory on $nodes nodes"
    python3 - "$mapped" <<'END' || fail "counted otherwise on $nodes nodes"
import json, sys
row = 32768
nodes = json.load(open("stats.json"))["transfers"]
assert all(node["mapped"] > 0 for node in nodes), nodes
assert sum(node["mapped"] for node in nodes) < sum(node["sent"] for node in nodes), nodes
trace = json.load(open("trace.json"))
spans = trace["traceEvents"] if isinstance(trace, dict) else trace
traced = sum(s["args"]["bytes"] for s in spans if s.get("cat") == "mapped")
assert traced == sum(node["mapped"] for node in nodes) >= row * int(sys.argv[1]), (traced, nodes)
END
    ! grep "by the host's memory instead" err || fail "something isn't mapped on $nodes nodes"
done

staged() { # text, settings
    local text=$1
    shift
    run 2 "$@"
    [ "$mapped" = 0 ] || fail "$*: $mapped copies of mapped memory"
    grep -q "$text" err || fail "$*: nobody says $text"
}
staged "lets no other process map its memory" EXPORTS=0
staged "can't map .* by the host's memory instead: invalid device ordinal" DEVICES=2 PEERS=0

GCL_TEST_DRIVER_DEVICES=2 GCL_TEST_DRIVER_PEERS=0 GCL_TEST_DRIVER_EXPORTS=0 GCL_DEVICE=cpu \
    "$build/bin/gcluster-doctor" >out 2>err || fail "gcluster-doctor fails"
for text in "^GPU 0: .*; nodes of one host can't map each other's memory" \
    "^GPUs 0 and 1 don't reach each other's memory"; do
    grep -q "$text" out || fail "gcluster-doctor doesn't say $text"
done

# Node 1 dies while both copy from each other.
cat >node.sh <<'END'
#!/bin/bash
echo $$ >process"$GCL_NODE"
exec "$@"
END
chmod +x node.sh
timeout 60 "$build/bin/gcluster-run" -n 2 ./node.sh ./program 100000 >out 2>err &
for ((i = 0; i < 600; i++)); do
    ! grep -q "are copied where they are mapped" err || break
    sleep 0.05
done
kill -9 "$(cat process1)" || fail "node 1 has ended before"
status=0
wait $! || status=$?
[ $status != 0 ] && [ $status != 124 ] || fail "a node dies: exit status $status"
grep -q "are copied where they are mapped" err || fail "the node has died too early"
grep -q "error: node 1 on .* is lost: its process has ended" err || fail "nobody says that node 1 is lost"
