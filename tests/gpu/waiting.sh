#!/bin/bash
# A kernel that waits for the host while the GPU is given more work: nothing on the host waits for
# the kernel, also on a GPU with fewer queues than streams.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_DEVICE=cuda GCL_MEMORY=1G LSAN_OPTIONS=detect_leaks=0
export GCL_TEST_DRIVER_ONE_QUEUE=1
"$build/bin/gcluster-cc" -O1 "$here/waiting.cu" -o waiting
timeout 60 ./waiting >out 2>err || echo "exit status $?" >>err
grep -qx "5 7 cudaSuccess" out || {
    cat out err
    exit 1
}
