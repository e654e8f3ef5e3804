#!/bin/bash
# Reads and writes a little past the ends of allocations do no harm, on one node and on several;
# writes are told of, with allocation, kernel and bytes. GCL_MARGIN=0 and the sanitizer find them.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"

told() {
    grep -qE "warning: kernel fill( \(or what ran beside it\))? has written past the end of the allocation of $1 bytes at 0x[0-9a-f]+: bytes $1 to $2 " err ||
        fail "$count nodes: no warning of bytes $1 to $2"
}

"$bin/gcluster-cc" -O1 "$here/margin.cu" -o margin
"$bin/gcluster-cc" -O1 --sanitize=footprint "$here/margin.cu" -o sanitized
for count in 1 2 4; do
    timeout 100 "$bin/gcluster-run" -n $count ./margin >out 2>err || fail "$count nodes: status $?"
    ! grep -vE ': 0 wrong$' out || fail "$count nodes: wrong"
    told 1000 1023
    told 400000 400383
    told 4000 4095
    told 4194304 4195327
    [ "$(grep -c warning err)" = 4 ] || fail "$count nodes: other warnings too"
    ! GCL_MARGIN=0 timeout 100 "$bin/gcluster-run" -n $count ./margin page >out 2>err ||
        fail "$count: GCL_MARGIN=0 finds nothing"
    grep -qE 'outside any allocation: kernel fill, block \(4096, 0, 0\), (thread \(0, 0, 0\)|only the warps are known: 0 to 7, threads \(0, 0, 0\) to \(255, 0, 0\)), launched at .*margin\.cu:49$' err ||
        fail "$count: GCL_MARGIN=0 doesn't say where"
    grep -q 'illegal memory access' out || fail "$count: GCL_MARGIN=0 doesn't say what it finds"
done
! ./sanitized page >out 2>err || fail "the sanitizer finds nothing"
grep -q 'outside' err || fail "the sanitizer doesn't say what it finds"
