// Which allocation a pointer leads to, and which memory is not global.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

struct view {
    const float *data;
    int stride;
    float *rows[2];
};

__global__ void by_value(view v, float *out) {
    out[threadIdx.x] = v.data[threadIdx.x * v.stride];
    v.rows[1][threadIdx.x] = 0;
}
// CHECK: kernel by_value:
// CHECK-NEXT:  read v[4*zext(v+8*threadIdx.x)] 4 bytes
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  write v+24[4*threadIdx.x] 4 bytes

__global__ void changed(view v, float *out) {
    v.stride++;
    out[threadIdx.x * v.stride] = 0;
}
// CHECK: kernel changed:
// CHECK-NEXT:  write out[4*zext(threadIdx.x*(v+8 + 1))] 4 bytes

__device__ int counter;
__constant__ float weights[9];
__global__ void variables(float *out) {
    out[threadIdx.x] = weights[threadIdx.x % 9];
    counter = 1;
}
// CHECK: kernel variables:
// CHECK-NEXT:  read weights[4*zext(threadIdx.x %u 9)] 4 bytes
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  write counter[0] 4 bytes

__global__ void selected(float *a, float *b, bool first) {
    float *p = first ? a : b;
    p[threadIdx.x] = 1;
}
// CHECK: kernel selected:
// CHECK-NEXT:  write a[4*threadIdx.x] 4 bytes if first
// CHECK-NEXT:  write b[4*threadIdx.x] 4 bytes if !first

__global__ void loaded(float **rows, int n) {
    rows[blockIdx.x][threadIdx.x] = n;
}
// CHECK: kernel loaded:
// CHECK-NEXT:  read rows[8*blockIdx.x] 8 bytes
// CHECK-NEXT:  write (rows->0)[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  GCL213 LOADED_POINTER of access 1

__global__ void shared_histogram(const unsigned char *data, int *bins, int n) {
    __shared__ int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
// CHECK: kernel shared_histogram:
// CHECK-NEXT:  read data[sext(blockIdx.x*blockDim.x + threadIdx.x + blockDim.x*gridDim.x*i0)] 1 bytes if blockIdx.x*blockDim.x + threadIdx.x < n for i0 while blockDim.x*gridDim.x + (blockIdx.x*blockDim.x + threadIdx.x + blockDim.x*gridDim.x*i0) < n
// CHECK-NEXT:  add bins[4*threadIdx.x] 4 bytes

__global__ void private_array(int *out, int k) {
    const int table[4] = {3, 1, 4, 1};
    int local[8];
    for (int i = 0; i < 8; i++)
        local[i] = out[i];
    out[threadIdx.x] = local[k & 7] + table[k & 3];
}
// CHECK: kernel private_array:
// CHECK-NEXT:  read out[0] 4 bytes
// CHECK-NEXT:  read out[4] 4 bytes
// CHECK-NEXT:  read out[8] 4 bytes
// CHECK-NEXT:  read out[12] 4 bytes
// CHECK-NEXT:  read out[16] 4 bytes
// CHECK-NEXT:  read out[20] 4 bytes
// CHECK-NEXT:  read out[24] 4 bytes
// CHECK-NEXT:  read out[28] 4 bytes
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes

__global__ void addressed(unsigned long long address) {
    *(int *)(address + 4 * threadIdx.x) = 0;
}
// CHECK: kernel addressed:
// CHECK-NEXT:  write address[zext(4*threadIdx.x)] 4 bytes

__global__ void textured(cudaTextureObject_t texture, float *out) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}
// CHECK: kernel textured:
// CHECK-NEXT:  read texture[104] 4 bytes
// CHECK-NEXT:  read texture[64] 4 bytes
// CHECK-NEXT:  read texture[24] 4 bytes
// CHECK-NEXT:  read texture[100] 4 bytes
// CHECK-NEXT:  read texture[80] 4 bytes
// CHECK-NEXT:  read texture[92] 4 bytes
// CHECK-NEXT:  read texture[52] 4 bytes
// CHECK-NEXT:  read texture[28] 4 bytes
// CHECK-NEXT:  read texture[84] 4 bytes
// CHECK-NEXT:  read texture[0] 8 bytes
// CHECK-NEXT:  read texture[8] 8 bytes
// CHECK-NEXT:  read (texture->9)[?float_index] 1 bytes
// CHECK-NEXT:  read texture[40] 8 bytes
// CHECK-NEXT:  read texture[0] 144 bytes
// CHECK-NEXT:  read texture[0] 40 bytes
// CHECK-NEXT:  read (texture->14)[?float_index] 1 bytes
// CHECK-NEXT:  read texture[116] 4 bytes
// CHECK-NEXT:  read texture[120] 4 bytes
// CHECK-NEXT:  read texture[124] 4 bytes
// CHECK-NEXT:  read texture[48] 4 bytes
// CHECK-NEXT:  read texture[112] 4 bytes
// CHECK-NEXT:  read (texture->12)[?float_index] 1 bytes
// CHECK-NEXT:  read ((texture->12)->21)[?float_index] 1 bytes
// CHECK-NEXT:  read ((texture->12)->21)[?float_index] 1 bytes
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  GCL214 FLOAT_INDEX of access 11
