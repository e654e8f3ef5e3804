#!/bin/bash
# Nodes that rest, wake up, and lie down again give what one process gives.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"

"$bin/gcluster-cc" -O1 "$here/phases.cu" -o phases
./phases >expected 2>/dev/null

# Nodes that share all cores have nothing to do, and nothing moves.
GCL_SPLIT=auto "$bin/gcluster-run" -n 3 --stats=stats.json ./phases >out 2>err ||
    fail "shared cores: exit status $?"
cmp out expected || fail "shared cores: another result"
python3 -c '
import json
stats = json.load(open("stats.json"))
assert stats["nodes_told"] == 3
assert {k["name"]: k["launches"] for k in stats["kernels"]} == {"heavy": 20, "shift": 20, "tiny": 100}, stats
assert not any(sum(k["moved"].values()) for k in stats["kernels"]), stats
' || fail "shared cores: other statistics"
GCL_SPLIT=never GCL_THREADS=1 "$bin/gcluster-run" -n 2 ./phases >out 2>err ||
    fail "never: exit status $?"
cmp out expected || fail "never: another result"

[ "$(nproc)" -ge 2 ] || exit 0 # or nodes gain nothing

# A core for each: nodes take part for what they gain by, and no longer where they lose. What is
# seen of that depends on what else the machine does.
export GCL_THREADS=1 GCL_SPLIT=auto
./phases 80 1200 >expected 2>/dev/null
for _ in 1 2 3 4 5 6; do
    GCL_LOG=info "$bin/gcluster-run" -n 2 ./phases 80 1200 >out 2>err ||
        fail "cores: exit status $?"
    cmp out expected || fail "cores: another result"
    grep -q 'all nodes take part from here on' err || continue
    ! grep -q 'node 0 goes on alone' err || exit 0
done
fail "cores: nobody wakes up and lies down"
