#!/bin/bash
# A GPU's driver that doesn't give the addresses that are asked for first, on one node or on all:
# the job has others, and says which node couldn't have the first ones and why. Where there are none
# for all, it says so.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
export GCL_DEVICE=cuda GCL_LOG=info
"$build/bin/gcluster-cc" -O1 "$here/../cluster/same/fields.cu" -o program
GCL_DEVICE=cpu GCL_LOG=warn ./program >expected

# What the driver of one node does, and the device of each.
cat >node.sh <<'END'
#!/bin/bash
if [ "$GCL_NODE" = "$NODE" ] || [ "$NODE" = all ]; then
    export "GCL_TEST_DRIVER_$SETTING"
fi
[ "$GCL_NODE" != "${PLAIN:-}" ] || export GCL_DEVICE=cpu
exec "$@"
END
chmod +x node.sh

run() { # setting, node or "all", node that computes on the CPU
    status=0
    SETTING=$1 NODE=$2 PLAIN=${3:-} timeout 60 "$build/bin/gcluster-run" -n 2 ./node.sh ./program \
        >out 2>err || status=$?
}

# setting, node, text, node that computes on the CPU
expect() {
    run "$1" "$2" "${4:-}"
    [ $status = 0 ] || fail "$1 on node $2: exit status $status"
    cmp out expected || fail "$1 on node $2: other results"
    grep -q "all nodes have device memory at addresses .*: node ${2/all/[01]} on .*$3" err ||
        fail "$1 on node $2: nobody says $3"
}
alone() { # setting, text
    env "GCL_TEST_DRIVER_$1" ./program >out 2>err || fail "$1 alone: the program fails"
    cmp out expected || fail "$1 alone: other results"
    grep -q "device memory is at addresses .* since it can't be at .*$2" err ||
        fail "$1 alone: nobody says $2"
}

# A sanitizer leaves no room for others as large.
gives_others="0x110000000000 to 0x510000000000: the GPU's driver \(gives others instead\|doesn't give them\)"
gives_none="0x110000000000 to 0x510000000000: the GPU's driver doesn't give them (CUDA_ERROR_OUT_OF_MEMORY)"
for node in 0 all; do
    expect TAKEN=20T $node "$gives_others"
done
expect TAKEN=20T 1 "$gives_others" 0
expect MOST_ADDRESSES=3T 1 "$gives_none"
expect FAIL=cuMemAddressReserve 0 "$gives_none"
alone TAKEN=20T "$gives_others"
alone MOST_ADDRESSES=3T "$gives_none"
alone IGNORES_HINTS=1 "$gives_others"

# No node can follow where a driver puts what it likes.
run IGNORES_HINTS=1 1
[ $status != 0 ] && [ $status != 124 ] || fail "hints are ignored: exit status $status"
grep -q "error: there are no addresses .* that all nodes can have: node 1 on .*GCL_DEVICE=cpu" err ||
    fail "hints are ignored: node 1 isn't named"
run MOST_ADDRESSES=512M 1
[ $status != 0 ] && [ $status != 124 ] || fail "no addresses at all: exit status $status"
grep -q "node 1: error: no addresses for device memory can be had" err || fail "nobody says that there are none"
