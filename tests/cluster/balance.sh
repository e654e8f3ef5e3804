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

echo "== host functions launch kernels"
cat >called.cu <<'EOF'
#include <cstdio>
__global__ void add(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
static int *numbers, result[4096];
static void go(void *) {
    for (int i = 0; i < 20; i++)
        add<<<64, 64>>>(numbers);
}
int main() {
    cudaMalloc(&numbers, sizeof result);
    cudaMemset(numbers, 0, sizeof result);
    for (int i = 0; i < 5; i++) {
        add<<<64, 64>>>(numbers);
        cudaLaunchHostFunc(0, go, nullptr);
    }
    cudaDeviceSynchronize(); // the last function has been called:
    cudaDeviceSynchronize(); // so have its kernels
    cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDefault);
    printf("%d %d\n", result[0], result[4095]);
}
EOF
"$bin/gcluster-cc" -O1 called.cu -o called
run "1 3" ./node.sh ./called
[ "$(cat out)" = "105 105" ] || fail "wrong numbers"

echo "== a kernel waits for the program"
cat >waits.cu <<'EOF'
#include <cstdio>
__global__ void wait(volatile int *flag) { while (!*flag); }
__global__ void add(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
int main() {
    int *flag, *numbers, last = 0;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMallocHost(&flag, sizeof *flag);
    cudaMalloc(&numbers, 4096 * sizeof last);
    cudaMemset(numbers, 0, 4096 * sizeof last);
    *flag = 0;
    cudaDeviceSynchronize();
    wait<<<1, 1, 0, stream>>>(flag);
    for (int i = 0; i < 10; i++)
        add<<<64, 64>>>(numbers);
    *(volatile int *)flag = 1;
    cudaDeviceSynchronize();
    cudaMemcpy(&last, numbers + 4095, sizeof last, cudaMemcpyDefault);
    printf("%d\n", last);
}
EOF
"$bin/gcluster-cc" -O1 waits.cu -o waits
run "1 3" ./node.sh ./waits
[ "$(cat out)" = 10 ] || fail "a wrong number"

echo "== what was looked up for other parts"
cat >looked.cu <<'EOF'
#include <cstdio>
#include <vector>
__global__ void put(int *x, int turn) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i + turn * 7;
}
__global__ void scatter(int *y, const int *to, const int *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = x[i];
    for (int k = 0; k < 400; k++)
        h = h * 1664525u + 1013904223u;
    y[to[i]] = x[i] + (h == 12345u);
}
int main() {
    const int n = 1 << 18;
    int *x, *y, *to, wrong = 0;
    std::vector<int> places(n), host(n);
    for (int i = 0; i < n; i++)
        places[i] = (i + 1000) % n;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, n * sizeof *y);
    cudaMalloc(&to, n * sizeof *to);
    cudaMemcpy(to, places.data(), n * sizeof *to, cudaMemcpyHostToDevice);
    for (int turn = 0; turn < 10; turn++) {
        put<<<n / 256, 256>>>(x, turn);
        scatter<<<n / 256, 256>>>(y, to, x);
        cudaMemcpy(host.data(), y, n * sizeof *y, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++)
            wrong += host[places[i]] / 2 != (i + turn * 7) / 2;
    }
    printf("%d\n", wrong);
}
EOF
"$bin/gcluster-cc" -O1 looked.cu -o looked
run "1 4" ./node.sh ./looked
[ "$(cat out)" = 0 ] || fail "wrong numbers"

echo "== nodes that are alike keep even parts"
GCL_LOG=info run "2 2" ./node.sh ./steps 100
! grep -q 'nodes get other parts' err || fail "parts of nodes that are alike change"
