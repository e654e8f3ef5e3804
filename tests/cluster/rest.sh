#!/bin/bash
# Nodes that share the cores of one machine rest: node 0 does all by itself. Those that masks keep
# apart wake up, as nodes of several machines do in hosts.sh.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"

"$bin/gcluster-cc" -O1 "$here/phases.cu" -o phases
./phases >expected 2>/dev/null

# Nodes that share all cores have nothing to do, and nothing moves.
GCL_SPLIT=auto "$bin/gcluster-run" -n 3 --stats=stats.json ./phases >out 2>err ||
    fail "shared cores: exit status $?"
cmp out expected || fail "shared cores: another result"
! grep -q 'warning\|error' err || fail "shared cores: something is said"
python3 -c '
import json
stats = json.load(open("stats.json"))
assert stats["nodes_told"] == 3
assert {k["name"]: k["launches"] for k in stats["kernels"]} == {"heavy": 20, "shift": 20, "tiny": 100}, stats
assert not any(sum(k["moved"].values()) for k in stats["kernels"]), stats
assert [(j["from"], j["to"], j["why"]) for j in stats["judgements"]] == [
    ("node 0", "node 0", "no gain"), ("node 0", "node 0", "end")], stats
for kernel in stats["kernels"]:
    assert "foreseen" not in kernel, kernel
    assert all(shape["measured"] == shape["blocks"] for shape in kernel["shapes"]), kernel
' || fail "shared cores: other statistics"
GCL_SPLIT=never GCL_THREADS=1 "$bin/gcluster-run" -n 2 ./phases >out 2>err ||
    fail "never: exit status $?"
cmp out expected || fail "never: another result"

# Nodes on cores of their own could make the program faster: what lies between them is measured, and
# then what the machine does decides whether they wake up.
mapfile -t cores < <(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)), sep="\n")')
[ ${#cores[@]} -ge 2 ] || exit 0
cat >bound.sh <<EOF
#!/bin/bash
cores=(${cores[*]})
exec taskset -c "\${cores[GCL_NODE]}" "\$@"
EOF
chmod +x bound.sh
./phases 300 0 >expected 2>/dev/null
GCL_SPLIT=auto GCL_LOG=info "$bin/gcluster-run" -n 2 ./bound.sh ./phases 300 0 >out 2>err ||
    fail "own cores: exit status $?"
cmp out expected || fail "own cores: another result"
grep -q 'a message to .* takes .* us, and bytes' err || fail "own cores: the link isn't measured"
! grep -q 'other nodes would add nothing' err || fail "own cores: node 0 expects nothing of node 1"
