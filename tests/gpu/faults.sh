#!/bin/bash
# Faults of kernels on a GPU: the program gets CUDA's errors, which stay, and the message names the
# kernel and the line that launches it.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_DEVICE=cuda GCL_SPLIT=always GCL_MEMORY=1G
"$build/bin/gcluster-cc" -O1 "$here/faults.cu" -o faults

# number of the fault, error, kernel, and what starts the program
expect() {
    local number=$1 error=$2 kernel=$3 line
    shift 3
    line=$(grep -n "$kernel<<<" "$here/faults.cu" | cut -d: -f1)
    timeout 60 "$@" ./faults "$number" >out 2>err || true
    grep -q "^0 $error $error $error\$" out || fail "$kernel: not $error"
    grep -q "^reset $error\$" out || fail "$kernel: a reset hides that the GPU has failed"
    grep -q "kernel $kernel, .*launched at .*faults.cu:$line" err || fail "$kernel: not named"
}

job=("$build/bin/gcluster-run" -n 2)
expect 0 700 far_away
expect 1 710 asserts
expect 2 719 traps
expect 0 700 far_away "${job[@]}"
expect 1 710 asserts "${job[@]}"
expect 2 719 traps "${job[@]}"
