#!/bin/bash
# Libraries with kernels that the program loads and unloads. Arguments: folder of gcluster-run, work
# folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$here/plugins.cu" -o plugins
"$bin/gcluster-cc" -O1 -shared -Xcompiler -fPIC -DSTEP=5 "$here/plugin.cu" -o five.so &
"$bin/gcluster-cc" -O1 -shared -Xcompiler -fPIC -DSTEP=7 "$here/plugin.cu" -o seven.so
wait

printf '%s after 2\n' 10 20 34 44 >expected
libraries=(./five.so ./five.so ./seven.so ./five.so)
./plugins "${libraries[@]}" | cmp - expected || fail "one process: other output"
for split in always auto; do
    GCL_SPLIT=$split "$bin/gcluster-run" -n 3 --stats ./plugins "${libraries[@]}" >out 2>err ||
        fail "$split: exit status $?"
    cmp out expected || fail "$split: other output"
    [ "$(grep -c '^  apply ' err)" = 4 ] || fail "$split: statistics lack a kernel"
done

status=0
cp five.so gone.so
"$bin/gcluster-run" -n 2 ./plugins - ./gone.so >out 2>err || status=$?
[ $status != 0 ] || fail "without a library: exit status 0"
grep -q 'error: .*/gone.so, which node 0 has loaded: it can.t be read here' err ||
    fail "without a library: nothing is said"
