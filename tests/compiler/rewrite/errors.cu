// Messages show the program as the user wrote it: line, column and text.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
__global__ void k(int *p) {
}
int main() {
    cudaError_t e = cudaSuccess; k<<<1, 2>>>(undeclared);
    // CHECK: errors.cu:[[# @LINE - 1]]:46: error: use of undeclared identifier 'undeclared'
    // CHECK: cudaError_t e = cudaSuccess; k<<<1, 2>>>(undeclared);
    cudaMalloc(1, 2, 3);
    // CHECK-DAG: errors.cu:[[# @LINE - 1]]:5: error: 'cudaMalloc' takes 2 arguments, and is given 3 [GCL164]
    cudaMaloc((void **)&e, 4);
    // CHECK-DAG: errors.cu:[[# @LINE - 1]]:5: error: {{.*}}'cudaMaloc'; did you mean 'cudaMalloc'?
}
// CHECK-NOT: gclMalloc
