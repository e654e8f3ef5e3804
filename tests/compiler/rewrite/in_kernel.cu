// Launches and host calls in device code are refused.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
__global__ void child(int *p) {
}
__global__ void parent(int *p) {
    child<<<1, 1>>>(p);
    // CHECK-DAG: in_kernel.cu:[[# @LINE - 1]]:10: error: kernel launched from device code, which is not supported [GCL123]
    cudaDeviceSynchronize();
    // CHECK-DAG: in_kernel.cu:[[# @LINE - 1]]:5: error: 'cudaDeviceSynchronize' called from device code [GCL127]
}
__host__ __device__ void both(int *p) {
#ifndef __CUDA_ARCH__
    child<<<1, 1>>>(p);
#endif
}
int main() {
    parent<<<1, 1>>>(nullptr);
    both(nullptr);
}
