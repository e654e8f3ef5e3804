#!/bin/bash
# A prediction runs the program as it is, and foresees what a job would move: by what is counted, as
# times are a machine's.
# Arguments: folder of gcluster-run, work folder.
set -euo pipefail
. "$(dirname "$0")/job.sh"
"$bin/gcluster-cc" -O1 "$here/phases.cu" -o phases
./phases >expected 2>/dev/null

predict() {
    timeout 120 "$bin/gcluster-run" --predict "$@" >out 2>err
}

predict 2,3,7 --link 12.5GB/s,2us ./phases || fail "exit status $?"
cmp out expected || fail "another result"
grep -q "links of .* GB/s and 2 us" err || fail "the link isn't said"
python3 - <<'EOF' || fail "not what it takes"
import re, xml.dom.minidom
text = open("err").read()
unit = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
lines = re.findall(r"^ +(\d+) +([\d.]+) (us|ms|s) +([\d.]+)x", text, re.M)
assert [nodes for nodes, *_ in lines] == ["1", "2", "3", "7"], text
times = [float(time) * unit[name] for _, time, name, _ in lines]
for (*_, speed_up), time in zip(lines, times):
    assert abs(float(speed_up) / (times[0] / time) - 1) < 0.05, (speed_up, times)
kernels = dict(re.findall(r"^  (\w+) +(\d+) .* (?:us|ms|s) ", text, re.M))
assert (kernels["heavy"], kernels["shift"], kernels["tiny"]) == ("20", "20", "100"), text
assert re.search(r"^  tiny .*has too few blocks", text, re.M), text
assert xml.dom.minidom.parse("phases-predict.svg").getElementsByTagName("circle").length == 4
EOF

# As many bytes move as in a job.
moved() {
    sed -n -E "s/^ +3 .* ([0-9.]+ [KM]iB) .*/\1/p" err
}
[ "$(moved)" = "$("$bin/gcluster-run" -n 3 --stats ./phases 2>&1 |
    sed -n -E 's/^ +all transfers .* ([0-9.]+ [KM]iB) at .*$/\1/p')" ] || fail "not what a job of 3 moves"

# Indices are looked up, since memory has what it will have: the lookup is split.
cat >look.cu <<'EOF'
#include <cstdio>
#include <vector>
__global__ void gather(float *to, const float *from, const int *index) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[index[i]];
}
__global__ void alone(int *ticket, int *seen) {
    seen[blockIdx.x] = atomicAdd(ticket, 1);
}
int main() {
    const int n = 1 << 16;
    std::vector<int> index(n);
    for (int i = 0; i < n; i++)
        index[i] = i ^ 1;
    float *from, *to;
    int *device, *seen;
    cudaMalloc(&from, n * sizeof(float));
    cudaMalloc(&to, n * sizeof(float));
    cudaMalloc(&device, n * sizeof(int));
    cudaMalloc(&seen, 64 * sizeof(int));
    cudaMemset(from, 0, n * sizeof(float));
    cudaMemcpy(device, index.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    gather<<<n / 256, 256>>>(to, from, device);
    alone<<<64, 32>>>(device, seen);
    return cudaDeviceSynchronize();
}
EOF
"$bin/gcluster-cc" -O1 look.cu -o look
predict 4 --picture elsewhere.svg ./look || fail "lookups: exit status $?"
grep -q '^  gather  *1 ' err && ! grep -q '^  gather.*stays on one node' err ||
    fail "lookups: they aren't split"
grep -q '^  alone.*stays on one node: .*\[GCL201\]' err || fail "no reason why a kernel doesn't scale"
[ -s elsewhere.svg ] || fail "no picture where it should be"

# Where the program waits, word goes to other nodes and back: each of ten waits takes two of the link's
# latencies, and launches that aren't waited for take none.
cat >waits.cu <<'EOF'
#include <cstdlib>
__global__ void step(float *a) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
int main(int, char **argv) {
    float *a;
    cudaMalloc(&a, 64 * 128 * sizeof(float));
    cudaMemset(a, 0, 64 * 128 * sizeof(float));
    for (int i = 0; i < 10; i++) {
        step<<<64, 128>>>(a);
        if (atoi(argv[1]))
            cudaDeviceSynchronize();
    }
    return cudaDeviceSynchronize();
}
EOF
"$bin/gcluster-cc" -O1 waits.cu -o waits
added() { # milliseconds that two nodes take longer
    predict 2 --link "$1" "./$2" "$3" || fail "$2: exit status $?"
    awk '$1 ~ /^[12]$/ && $2 ~ /^[0-9.]+$/ && $3 ~ /^(us|ms|s)$/ {
             time[$1] = $2 * ($3 == "us" ? 0.001 : $3 == "s" ? 1000 : 1)
         } END { printf "%.0f\n", time[2] - time[1] }' err
}
[ "$(added 1GB/s,50ms waits 1)" -ge 900 ] || fail "ten waits cost nothing: $(cat err)"
[ "$(added 1GB/s,50ms waits 0)" -le 500 ] || fail "launches cost what waits do: $(cat err)"

# What comes from the host goes on to other nodes while the host does something else: 2 MiB at 10 MB/s.
cat >scatters.cu <<'EOF'
#include <cstdlib>
#include <unistd.h>
#include <vector>
__global__ void step(float *a) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
int main(int, char **argv) {
    const int n = 1 << 20;
    std::vector<float> start(n);
    float *a;
    cudaMalloc(&a, n * sizeof(float));
    cudaMemcpy(a, start.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    usleep(1000 * atoi(argv[1]));
    step<<<n / 256, 256>>>(a);
    return cudaDeviceSynchronize();
}
EOF
"$bin/gcluster-cc" -O1 scatters.cu -o scatters
[ "$(added 10MB/s,1us scatters 0)" -ge 150 ] || fail "nothing goes on: $(cat err)"
[ "$(added 10MB/s,1us scatters 400)" -le 100 ] || fail "the host waits for what goes on: $(cat err)"

# What can't be read starts nothing.
refuse() {
    local status=0
    predict "$@" || status=$?
    [ $status -eq 2 ] && [ ! -s out ] && grep -q '^gcluster-run: ' err || fail "taken: $*"
}
refuse 3,2 ./phases
refuse 1 ./phases
refuse 2, ./phases
refuse 2 --link 3 ./phases
refuse 2 --link 0GB/s,1us ./phases
refuse 2 -n 2 ./phases
! GCL_PREDICT=2 "$bin/gcluster-run" -n 2 ./phases >out 2>err || fail "a job predicts"
grep -q "GCL_PREDICT is for one process" err || fail "a job: no reason given"
predict 2 --picture missing/x.svg ./phases || fail "a picture that can't be written ends the program"
grep -q "missing/x.svg can't be written: No such file" err || fail "nothing is said of the picture"
