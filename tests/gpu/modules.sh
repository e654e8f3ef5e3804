#!/bin/bash
# Programs without a kernel load modules for the GPU, alone and on two nodes; what the driver API is to
# programs isn't taken for the driver's own, which has functions of the same names.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver GCL_SPLIT=always GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
export GCL_DEVICE=cuda GCL_LOG=info GCL_CACHE=0
"$build/bin/gcluster-cc" -DMODULE -ptx "$here/../lib/driver/modules.cu" -o modules.ptx
"$build/bin/gcluster-cc" -O1 "$here/../lib/driver/modules.cu" -o modules
"$build/bin/gcluster-cc" -O1 "$here/../lib/driver/nvrtc.cu" -o nvrtc
for program in "./modules modules.ptx modules.ptx" ./nvrtc; do
    $program >out 2>err || fail "$program alone: $(cat out err)"
    grep -q "gcluster test driver" err || fail "$program alone: it doesn't run on the GPU"
    "$build/bin/gcluster-run" -n 2 $program >out 2>err || fail "$program on two nodes: $(cat out err)"
done

"$build/bin/gcluster-cc" -DMODULE=2 -cubin "$here/rest.cu" -o two
"$build/bin/gcluster-cc" -DMODULE=1 -cubin "$here/rest.cu" -o one
"$build/bin/gcluster-cc" -O1 "$here/rest.cu" -o rest
GCL_SPLIT=auto GCL_MEMORY=64M "$build/bin/gcluster-run" -n 2 --stats ./rest two one >out 2>err ||
    fail "unloaded while nodes rest: $(cat out err)"
grep -q "node 0 has no room" err || fail "nodes rest to the end"
[ ! -s out ] || fail "unloaded while nodes rest: $(cat out)"
