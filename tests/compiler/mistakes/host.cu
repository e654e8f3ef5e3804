// Mistakes that the host pass finds, in CUDA's words: each once, with a code and what mends it.
// RUN: not %gcluster-cc -c %s -o %t.o 2> %t.log
// RUN: FileCheck %s < %t.log
// RUN: FileCheck --check-prefix=OURS %s < %t.log
// No name of our headers, no candidate of theirs, and nothing of clang's.
// OURS-NOT: {{__gcl|__get}}
// OURS-NOT: note:
// OURS-NOT: error: {{.*}}{{[^]]}}$
#include <cstdio>
#include <iostream>
#include <vector>
__device__ int twice(int a) {
    return 2 * a;
}
int half_of(int a) {
    return a / 2;
}
void plain(int *p) {
}
__global__ void kernel(int *p) {
    p[0] = half_of(4);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:12: error: 'half_of' is a function of the host, which device code can't call [GCL141]
    // CHECK-DAG: help: declare it __host__ __device__ if both sides are to call it
    std::vector<int> v(4);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:22: error: 'std::vector<int>' is a class of the host: device code can't call its functions [GCL141]
    // CHECK-DAG: help: pass a pointer to memory of cudaMalloc(), and the number of elements
    v.push_back(1);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:7: error: 'push_back' is a function of the host, which device code can't call [GCL141]
    std::cout << "thread " << threadIdx.x << std::endl;
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:15: error: streams of C++ belong to the host: device code can't write to them [GCL141]
    fprintf(stderr, "no\n");
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'fprintf' is a function of the host, which device code can't call [GCL141]
    // CHECK-DAG: help: printf() works in kernels
    exit(1);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'exit' is a function of the host, which device code can't call [GCL141]
    // CHECK-DAG: help: return ends a thread, __trap() the kernel
    cudaDeviceSynchronize();
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'cudaDeviceSynchronize' called from device code [GCL127]
    __shared__ int sum = 0;
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:20: error: shared variable with an initial value [GCL145]
    __shared__ int row[p[0]];
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:20: error: shared array of a size that isn't constant [GCL145]
    // CHECK-DAG: help: use extern __shared__ and give the bytes as the third argument of <<<>>>
}
template <typename T> __global__ void dynamic(T *p) {
    extern __shared__ T part[];
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:25: error: 'part' is the one dynamic shared array, and has another type before [GCL145]
    p[0] = part[0];
}
__global__ int result(int *p) {
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:12: error: kernel returns a value: its type is 'int (int *)' [GCL144]
    return p[0];
}
struct object {
    __global__ void member();
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: kernel 'member' is a member of objects [GCL144]
};
__host__ __device__ int index() {
    return threadIdx.x;
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:12: error: 'threadIdx.x' is for device code, and the host may call this function [GCL140]
}
int main() {
    int *p;
    printf("%d\n", threadIdx.x);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:20: error: 'threadIdx.x' is for device code, and this function runs on the host [GCL140]
    // CHECK-DAG: help: use it in a kernel; on the host a loop counts
    __syncthreads();
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: '__syncthreads' is for device code, and this function runs on the host [GCL140]
    // CHECK-DAG: help: the host waits for kernels with cudaDeviceSynchronize()
    atomicAdd(p, 1);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'atomicAdd' is for device code, and this function runs on the host [GCL140]
    twice(3);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'twice' is for device code, and this function runs on the host [GCL140]
    cudaMalloc(p, 16);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'cudaMalloc' sets a pointer, and is given its value [GCL149]
    // CHECK-DAG: {{^}}      |                &{{$}}
    kernel(p);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:11: error: 'kernel' is a kernel, and is called without a launch configuration [GCL143]
    // CHECK-DAG: {{^}}      |           <<<1, 1>>>{{$}}
    kernel<<1, 64>>(p);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:11: error: launch with two brackets for three [GCL148]
    // CHECK-DAG: {{^}}      |           <      >{{$}}
    plain<<<1, 64>>>(p);
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:21: error: 'plain' is launched and is no kernel [GCL144]
    result<<<1, 1>>>(p);
    dynamic<float><<<1, 64, 256>>>(nullptr);
    dynamic<double><<<1, 64, 256>>>(nullptr);
    curandState *state;
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:5: error: 'curandState' is declared in curand_kernel.h, which isn't included [GCL146]
    curandStatePhilox4_32_10_t *other;
    namespace cg = cooperative_groups;
    // CHECK-DAG: host.cu:[[# @LINE - 1]]:20: error: 'cooperative_groups' is declared in cooperative_groups.h, which isn't included [GCL146]
}
