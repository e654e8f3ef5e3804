#!/bin/bash
# What cuBLAS computes on a GPU, NVIDIA's library does where it is there, on each node its part; what
# that one refuses is done otherwise.
# Arguments: build folder, folder of the test driver, folder to work in.
set -euo pipefail
. "$(dirname "$0")/begin.sh"
export LD_LIBRARY_PATH=$driver:$build/tests/gpu/libraries GCL_DEVICE=cuda GCL_SPLIT=always \
    GCL_MEMORY=1G GCL_TIMEOUT=60 LSAN_OPTIONS=detect_leaks=0
"$build/bin/gcluster-cc" -O1 "$here/vendor.cu" -lcublas -o vendor

GCL_LOG=info ./vendor >out 2>err || fail "exit status $?"
grep -q "cuBLAS: libcublas.so.13 works on the GPU" err || fail "the library isn't used"
[ "$(grep -c "vendor: 150 x 70 product" err)" -eq 3 ] || fail "it doesn't multiply"
grep -q "vendor: system of 40" err || fail "it doesn't solve the system"

GCL_DETERMINISTIC=1 ./vendor >out 2>err || fail "deterministic: exit status $?"
! grep -q "vendor: .* product" err || fail "deterministic: it adds in its own order"
grep -q "vendor: system of 40" err || fail "deterministic: it doesn't solve the system"

"$build/bin/gcluster-run" -n 2 ./vendor >out 2>err || fail "2 nodes: exit status $?"
for rows in 128 22; do
    grep -q "vendor: $rows x 70 product" err || fail "2 nodes: nobody multiplies $rows rows"
done

# A library that lacks functions is none.
mkdir -p lacking
clang-19 -shared -nostdlib -x c /dev/null -o lacking/libcublas.so.13
LD_LIBRARY_PATH=$driver:lacking GCL_LOG=info ./vendor >out 2>err || fail "lacking: exit status $?"
grep -q "libcublas.so.13: undefined symbol: cublasCreate_v2" err || fail "it doesn't say what lacks"
grep -q "NVIDIA's libcublas.so.13 can't be used" err || fail "the library is used"
