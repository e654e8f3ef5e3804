// A launch of more arguments than there are is refused for that.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
__global__ void k(int *) {
}
int main() {
    k<<<1, 2, 0, 0, 5>>>(nullptr);
    // CHECK: {{.*}}.cu:[[#@LINE-1]]:21: error: launch configuration of more than four arguments [GCL165]
    // CHECK: help: write <<<grid, block, bytes of shared memory, stream>>>
}
