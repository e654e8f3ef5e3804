// Launches from device code have to name their kernel; there is no waiting for them.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
__global__ void child(int *p) {
}
template <typename T> __global__ void deduced(T *p) {
}
__global__ void parent(int *p) {
    child<<<1, 1>>>(p);
    deduced<int><<<1, 1>>>(p);
    deduced<<<1, 1>>>(p);
    // CHECK-DAG: in_kernel.cu:[[# @LINE - 1]]:12: error: kernel launched from device code in a form that is not supported [GCL123]
    cudaDeviceSynchronize();
    // CHECK-DAG: in_kernel.cu:[[# @LINE - 1]]:5: error: 'cudaDeviceSynchronize' called from device code [GCL127]
}
__device__ void indirect(void (*kernel)(int *), int *p) {
    kernel<<<1, 1>>>(p);
    // CHECK-DAG: in_kernel.cu:[[# @LINE - 1]]:11: error: kernel launched from device code in a form that is not supported [GCL123]
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
