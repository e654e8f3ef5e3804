// Mistakes whose messages by clang are about candidates, types and macros of our headers.
// RUN: not %gcluster-cc -c %s -o %t.o 2> %t.log
// RUN: FileCheck %s < %t.log
// RUN: FileCheck --check-prefix=OURS %s < %t.log
// RUN: grep -c checkCudaErrors.*GCL146 %t.log | FileCheck --check-prefix=ONCE %s
// ONCE: {{^1$}}
// OURS-NOT: {{__gcl|__get|gcl[A-Z]|__type}}
// OURS-NOT: note:
// OURS-NOT: error: {{.*}}{{[^]]}}$
#include <cuda_fp16.h>
#include <string>
struct functor {
    int by;
    functor(int by) : by(by) {
    }
    int operator()(int x) const {
        return x + by;
    }
    functor operator+(const functor &other) const {
        return functor(by + other.by);
    }
};
__device__ float angle = acosf(0);
// CHECK-DAG: words.cu:[[# @LINE - 1]]:18: error: variable of the device whose initial value isn't constant [GCL166]
_global_ void misspelt(int *p) {
}
// CHECK-DAG: words.cu:[[# @LINE - 2]]:1: error: '_global_' is no word of CUDA's [GCL169]
// CHECK-DAG: help: write __global__
__global__ void kernel(int *p, functor f, float4 *v, half h) {
    p[0] = threadIdx.w;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:12: error: there is no 'threadIdx.w': threadIdx, blockIdx, blockDim and gridDim have x, y and z [GCL163]
    int i = blockIdx * blockDim.x;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:22: error: 'blockIdx' is no number: it has x, y and z [GCL163]
    p[threadIdx] = 1;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:6: error: 'threadIdx' is no number: it has x, y and z [GCL163]
    int k = gridDim;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:9: error: 'gridDim' is no number: it has x, y and z [GCL163]
    threadIdx.x = 0;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'threadIdx.x' can't be assigned to: the launch gives it its value [GCL163]
    p[0] = f(1);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:12: error: 'functor' can't be called in device code: its operator() is a function of the host [GCL141]
    // CHECK-DAG: help: declare operator() __device__, or __host__ __device__
    functor g(3);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:13: error: 'functor' is a class of the host: device code can't call its functions [GCL141]
    p[0] = (f + f).by;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:15: error: this operator of 'functor' is a function of the host, which device code can't call [GCL141]
    std::string s = "x";
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:17: error: 'std::string' is a class of the host: device code can't call its functions [GCL141]
    // CHECK-DAG: help: pass a pointer to characters in memory of cudaMalloc()
    throw 1;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'throw' belongs to the host: device code has no exceptions [GCL141]
    atomicMax((float *)p, 1.0f);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: argument 1 of 'atomicMax' is of type 'float *' [GCL164]
    // CHECK-DAG: help: what it takes there: int *, unsigned int * or unsigned long long *
    atomicAdd(p[0], 1);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'atomicAdd' sets a variable, and is given its value [GCL149]
    // CHECK-DAG: {{^}}      |               &{{$}}
    __syncthreads(1);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: '__syncthreads' takes no arguments, and is given 1 [GCL164]
    v[0] = v[1] + v[2];
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:17: error: CUDA has no such operator for 'float4' and 'float4' [GCL167]
    h = h + 1.0f;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:11: error: '+' of a half and another type: it isn't said in which it is computed [GCL167]
    kernel(p, f, v, h);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'kernel' is a kernel, and is called without a launch configuration [GCL143]
    __constant__ int local;
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: variable of the device inside a function [GCL166]
}
template <typename F> __global__ void each(int *p, F f) {
    p[0] = f(p[0]);
}
void host(int *d, int2 grid, cudaStream_t stream) {
    int number, h[4];
    cudaMalloc(&number, 16);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: argument 1 of 'cudaMalloc' is of type 'int *' [GCL164]
    // CHECK-DAG: help: what it takes there: void **
    cudaMemcpy(d, h, cudaMemcpyHostToDevice);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'cudaMemcpy' takes 4 arguments, and is given 3 [GCL164]
    cudaEvent_t event;
    cudaEventCreate(event);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'cudaEventCreate' sets a variable, and is given its value [GCL149]
    float ms;
    cudaEventElapsedTime(ms, event, event);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'cudaEventElapsedTime' sets a variable, and is given its value [GCL149]
    each<<<grid, 1>>>(d, 1);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:12: error: the grid of this launch is a 'int2' [GCL165]
    each<<<1, 1, stream>>>(d, 1);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:18: error: the third argument of <<<>>> is bytes of shared memory, and is of another type here [GCL165]
    each<<<1>>>(d, 1);
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:{{[0-9]+}}: error: launch configuration without the threads of a block [GCL165]
    __shared__ int shared[4];
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: shared variable in a function of the host [GCL145]
    checkCudaErrors(cudaFree(d));
    // CHECK-DAG: words.cu:[[# @LINE - 1]]:5: error: 'checkCudaErrors' isn't part of CUDA: helper_cuda.h of its samples declares it [GCL146]
    checkCudaErrors(cudaDeviceSynchronize());
}
