#!/bin/bash
# Memory of the program's own that is page-locked in parts, and a GPU that has none left for one
# allocation: it is that allocation's error, and no other's. And the limit of what kernels allocate,
# which is that of all nodes' GPUs.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_DEVICE=cuda GCL_MEMORY=1G LSAN_OPTIONS=detect_leaks=0
"$build/bin/gcluster-cc" -O1 "$here/memory.cu" -o memory

expect() { # allocations that fail, and settings of the driver
    local failed=$1
    shift
    env "$@" ./memory "$failed" >out 2>err || true
    grep -qx right out || {
        echo "$*"
        cat out err
        exit 1
    }
}

no_memory=2
expect 0
for call in cuMemCreate cuMemMap cuMemSetAccess; do
    expect 1 "GCL_TEST_DRIVER_FAIL=$call:3:$no_memory"
done
expect 0 GCL_TEST_DRIVER_GRANULARITY=64K
# The driver may be taken down before what uses it.
deinitialized=4
expect 0 "GCL_TEST_DRIVER_FAIL=cuStreamDestroy_v2:1:$deinitialized"
[ ! -s err ] || {
    echo "something is said of a driver that ends with the process"
    cat err
    exit 1
}
for launch in 702 214; do
    GCL_TEST_DRIVER_FAIL=cuLaunchKernel:1:$launch ./memory >out 2>err && exit 1
    grep -q "cudaErrorLaunchFailure" out || {
        echo "error $launch of a launch"
        cat out err
        exit 1
    }
done

"$build/bin/gcluster-cc" -O1 "$here/limits.cu" -o limits
for job in "" "$build/bin/gcluster-run -n 2"; do
    GCL_SPLIT=always timeout 60 $job ./limits >out 2>err && grep -qx "16 of 16" out || {
        echo "the heap of kernels, $job"
        cat out err
        exit 1
    }
done
