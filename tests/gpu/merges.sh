#!/bin/bash
# What several GPUs change in the same memory is put together on them: jobs print what one node on
# the CPU prints, and only what nodes have for each other, and what the program copies, comes to the
# host. Where the driver doesn't load our kernels, the host does it, and says so.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
"$build/bin/gcluster-cc" -O2 "$here/merges.cu" -o merges
GCL_DEVICE=cpu ./merges >expected

run() { # nodes
    rm -f log
    GCL_DEVICE=cuda timeout 60 "$build/bin/gcluster-run" -n "$1" ./merges >out 2>err ||
        fail "$1 nodes: exit status $?"
    cmp expected out || fail "$1 nodes: other results"
}
home() { # bytes that came to the host
    awk '$2 == "copy" && $3 == "device" && $4 != "device" {sum += $5} END {print sum + 0}' log
}

export GCL_TEST_DRIVER_LOG=log
# What one node needs is three results. With a host that merges, 2 and 4 nodes needed 7.4 and 12.1
# million bytes and 80,000 copies.
for limit in 1:1048576:10 2:3500000:300 4:6500000:900; do
    IFS=: read -r nodes bytes copies <<<"$limit"
    run "$nodes"
    [ "$(home)" -le "$bytes" ] || fail "$nodes nodes: $(home) bytes came to the host"
    [ "$(grep -c 'cuMemcpy' log)" -le "$copies" ] || fail "$nodes nodes: many copies"
    ! grep -v 'has waited' err || fail "$nodes nodes: something is said" # by a machine that is busy
done

export GCL_TEST_DRIVER_FAIL=cuModuleLoadDataEx:1 GCL_TEST_DRIVER_MEMORY=100M
"$build/bin/test_gpu_merge" >out 2>err || fail "without kernels"
grep -q "put together on the host.*the driver can't load kernels" err || fail "nobody says why"
