#!/bin/bash
# More memory than a GPU has, where the host's memory has the rest: the test driver gives no more
# than the GPU's, so what goes beyond that lies in the host's.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_DEVICE=cuda GCL_TEST_DRIVER_MEMORY=100M LSAN_OPTIONS=detect_leaks=0
"$build/bin/gcluster-cc" -O1 "$here/beyond.cu" -o beyond

expect() { # pieces of 5 MiB that are given, MiB that there are, a warning ("": none), settings
    local pieces=$1 all=$2 warning=$3
    shift 3
    env "$@" ./beyond "$pieces" >out 2>err || true
    grep -qx "right $all" out && if [ "$warning" ]; then
        [ "$(grep -c "$warning" err)" = 1 ]
    else
        [ ! -s err ]
    fi || {
        echo "$*: right $all is expected, and: $warning"
        cat out err
        exit 1
    }
}

full="MiB of the GPU's memory are in use: what is allocated from here on lies in the host's memory"
expect 12 64 "" GCL_MEMORY=64M
expect 19 96 "64 $full" GCL_MEMORY=64M GCL_HOST_MEMORY=32M
expect 25 128 "64 $full" GCL_MEMORY=64M GCL_HOST_MEMORY=64M
# Another process has taken what there was.
no_memory=2
expect 25 128 "38 $full" GCL_MEMORY=96M GCL_HOST_MEMORY=32M \
    GCL_TEST_DRIVER_FAIL=cuMemCreate:20:$no_memory
expect 12 64 "GCL_HOST_MEMORY says nothing: the GPU's driver doesn't map the host's memory" \
    GCL_MEMORY=64M GCL_HOST_MEMORY=32M GCL_TEST_DRIVER_MAPS_HOST=0
expect 12 64 "GCL_SPILL says nothing: a GPU's memory doesn't go to files" \
    GCL_MEMORY=64M GCL_SPILL="$PWD:1G"
# Nodes of a job, which have half of each piece, and lend each other what lies on the GPU.
GCL_TEST_DRIVER_DEVICES=2 GCL_MEMORY=64M GCL_HOST_MEMORY=64M GCL_SPLIT=always timeout 60 \
    "$build/bin/gcluster-run" -n 2 ./beyond 51 >out 2>err && grep -qx "right 256" out ||
    fail "two nodes"
