// Places that depend on data.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void gather(const int *index, const float *in, float *out) {
    out[threadIdx.x] = in[index[threadIdx.x]];
}
// CHECK: kernel gather:
// CHECK-NEXT:  read index[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  read in[4*sext(index[4*threadIdx.x])] 4 bytes
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes

__global__ void pairs(const int2 *index, float *out) {
    int2 pair = index[threadIdx.x];
    out[pair.x] = 1;
    out[pair.y] = 1;
}
// CHECK: kernel pairs:
// CHECK-NEXT:  read index[8*threadIdx.x] 4 bytes
// CHECK-NEXT:  read index[8*threadIdx.x + 4] 4 bytes
// CHECK-NEXT:  write out[4*sext(index[8*threadIdx.x])] 4 bytes
// CHECK-NEXT:  write out[4*sext(index[8*threadIdx.x + 4])] 4 bytes

__global__ void rows(const int *begin, const int *columns, const float *x, float *y) {
    float sum = 0;
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; k++)
        sum += x[columns[k]];
    y[threadIdx.x] = sum;
}
// CHECK: kernel rows:
// CHECK-NEXT:  read begin[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  read begin[4*zext(threadIdx.x + 1)] 4 bytes for i0 while begin[4*threadIdx.x] + i0 < begin[4*zext(threadIdx.x + 1)]
// CHECK-NEXT:  read columns[4*sext(begin[4*threadIdx.x] + i0)] 4 bytes for i0 while begin[4*threadIdx.x] + i0 < begin[4*zext(threadIdx.x + 1)] if begin[4*threadIdx.x] + i0 < begin[4*zext(threadIdx.x + 1)]
// CHECK-NEXT:  read x[4*sext(columns[4*sext(begin[4*threadIdx.x] + i0)])] 4 bytes for i0 while begin[4*threadIdx.x] + i0 < begin[4*zext(threadIdx.x + 1)] if begin[4*threadIdx.x] + i0 < begin[4*zext(threadIdx.x + 1)]
// CHECK-NEXT:  write y[4*threadIdx.x] 4 bytes

__global__ void histogram(const unsigned char *data, int *bins) {
    atomicAdd(&bins[data[threadIdx.x]], 1);
}
// CHECK: kernel histogram:
// CHECK-NEXT:  read data[threadIdx.x] 1 bytes
// CHECK-NEXT:  add bins[4*zext(data[threadIdx.x])] 4 bytes

__global__ void exchanged(float *a, int n) {
    __shared__ int place[32];
    place[threadIdx.x] = n;
    __syncthreads();
    a[place[threadIdx.x ^ 1]] = 0;
    a[__shfl_sync(~0u, n, 3)] = 0;
}
// CHECK: kernel exchanged:
// CHECK-NEXT:  write a[?exchanged_index] 4 bytes
// CHECK-NEXT:  write a[?exchanged_index >> 30] 4 bytes
// CHECK-NEXT:  GCL216 EXCHANGED_INDEX of access 0
// CHECK-NEXT:  GCL216 EXCHANGED_INDEX of access 1

__global__ void by_float(float *a, float x) {
    a[(int)(x * threadIdx.x)] = 0;
}
// CHECK: kernel by_float:
// CHECK-NEXT:  write a[?float_index] 4 bytes
// CHECK-NEXT:  GCL214 FLOAT_INDEX of access 0

__global__ void bounded(const float *x, int *bins, int n) {
    atomicAdd(&bins[min(max((int)x[threadIdx.x], 0), n - 1)], 1);
}
// CHECK: kernel bounded:
// CHECK-NEXT:  read x[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  add bins[4*sext(min(max(?float_index, 0), n - 1))] 4 bytes
// CHECK-NEXT:  GCL214 FLOAT_INDEX of access 1

__global__ void counted(float *a, unsigned n) {
    a[__popc(n)] = 0;
}
// CHECK: kernel counted:
// CHECK-NEXT:  write a[4*zext(?operation)] 4 bytes
// CHECK-NEXT:  GCL218 OPERATION of access 0
