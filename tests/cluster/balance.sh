#!/bin/bash
# Jobs whose nodes aren't equally fast: their parts of launches follow what kernels take, which
# changes no result.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$here/steps.cu" -o steps
"$bin/gcluster-cc" -O1 "$here/same/repeat.cu" -o repeat
./steps 100 >steps.expected 2>/dev/null
./repeat >repeat.expected

# The workers of each node, by its number.
cat >node.sh <<'EOF'
#!/bin/bash
read -ra threads <<<"$THREADS"
export GCL_THREADS=${threads[$GCL_NODE]}
exec "$@"
EOF
chmod +x node.sh

# threads of each node, options, program and arguments
run() {
    local status=0
    export THREADS=$1
    timeout 100 "$bin/gcluster-run" -n "$(wc -w <<<"$1")" "${@:2}" >out 2>err || status=$?
    [ $status = 0 ] || fail "threads $1: exit status $status"
}

for threads in "1 4" "3 1 2"; do
    GCL_LOG=info run "$threads" ./node.sh ./steps 100
    cmp out steps.expected || fail "threads $threads: another result"
done
run "3 1 2" ./node.sh ./repeat
cmp out repeat.expected || fail "another result of repeat"
run "1 4" --verify ./node.sh ./steps 30
grep -q 'of 31 launches 31 were compared' err || fail "not all launches are compared"

echo "== parts follow threads before anything is measured"
cat >once.cu <<'EOF'
#include <cstdio>
__global__ void set(int *p) { p[blockIdx.x] = blockIdx.x; }
int main() {
    int *p, values[80], sum = 0;
    cudaMalloc(&p, sizeof values);
    set<<<80, 1>>>(p);
    cudaMemcpy(values, p, sizeof values, cudaMemcpyDefault);
    for (int value : values)
        sum += value;
    printf("%d\n", sum);
}
EOF
"$bin/gcluster-cc" -O1 once.cu -o once
GCL_LOG=trace run "1 4" ./node.sh ./once
[ "$(cat out)" = 3160 ] || fail "a wrong sum"
grep -q 'run set \[0, 16) on 0' err && grep -q 'run set \[16, 80) on 1' err ||
    fail "parts don't follow threads"

echo "== nodes that are alike keep even parts"
GCL_LOG=info run "2 2" ./node.sh ./steps 100
! grep -q 'nodes get other parts' err || fail "parts of nodes that are alike change"
