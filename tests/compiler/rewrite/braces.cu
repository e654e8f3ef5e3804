// A configuration in bare braces has a message of its own.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
__global__ void k() {
}
int main() {
    k<<<{1, 2}, 32>>>();
    // CHECK: braces.cu:[[# @LINE - 1]]:9: error: launch configuration in bare braces [GCL126]
    // CHECK: help: write dim3{...}
}
