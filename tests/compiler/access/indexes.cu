// Addresses: sums, products, quotients, clamps, of 32 and 64 bits.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cuda_runtime.h>

__global__ void vector_add(const float *__restrict__ a, const float *b, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}
// CHECK: kernel vector_add:
// CHECK-NEXT:  read a[4*sext(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n
// CHECK-NEXT:  read b[4*sext(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n
// CHECK-NEXT:  write out[4*sext(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n

__global__ void stencil(const float *in, float *out, int w, int h) {
    int x = threadIdx.x + blockDim.x * blockIdx.x;
    int y = threadIdx.y + blockDim.y * blockIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[y * w + x] =
            in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
}
// CHECK: kernel stencil:
// CHECK-NEXT:  read in[4*sext((blockIdx.y*blockDim.y + threadIdx.y)*w + (blockIdx.x*blockDim.x + threadIdx.x)) - 4] 4 bytes if 0 < blockIdx.x*blockDim.x + threadIdx.x if 0 < blockIdx.y*blockDim.y + threadIdx.y if blockIdx.x*blockDim.x + threadIdx.x < w - 1 if blockIdx.y*blockDim.y + threadIdx.y < h - 1
// CHECK-NEXT:  read in[4*sext((blockIdx.y*blockDim.y + threadIdx.y)*w + (blockIdx.x*blockDim.x + threadIdx.x)) + 4] 4 bytes if 0 < blockIdx.x*blockDim.x + threadIdx.x if 0 < blockIdx.y*blockDim.y + threadIdx.y if blockIdx.x*blockDim.x + threadIdx.x < w - 1 if blockIdx.y*blockDim.y + threadIdx.y < h - 1
// CHECK-NEXT:  read in[4*sext(blockIdx.x*blockDim.x + threadIdx.x + w*(blockIdx.y*blockDim.y + threadIdx.y - 1))] 4 bytes if 0 < blockIdx.x*blockDim.x + threadIdx.x if 0 < blockIdx.y*blockDim.y + threadIdx.y if blockIdx.x*blockDim.x + threadIdx.x < w - 1 if blockIdx.y*blockDim.y + threadIdx.y < h - 1
// CHECK-NEXT:  read in[4*sext(blockIdx.x*blockDim.x + threadIdx.x + w*(blockIdx.y*blockDim.y + threadIdx.y + 1))] 4 bytes if 0 < blockIdx.x*blockDim.x + threadIdx.x if 0 < blockIdx.y*blockDim.y + threadIdx.y if blockIdx.x*blockDim.x + threadIdx.x < w - 1 if blockIdx.y*blockDim.y + threadIdx.y < h - 1
// CHECK-NEXT:  write out[4*sext((blockIdx.y*blockDim.y + threadIdx.y)*w + (blockIdx.x*blockDim.x + threadIdx.x))] 4 bytes if 0 < blockIdx.x*blockDim.x + threadIdx.x if 0 < blockIdx.y*blockDim.y + threadIdx.y if blockIdx.x*blockDim.x + threadIdx.x < w - 1 if blockIdx.y*blockDim.y + threadIdx.y < h - 1

__global__ void split(float *a, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / w, column = i % w;
    a[column * w + row] = 0;
}
// CHECK: kernel split:
// CHECK-NEXT:  write a[4*sext((blockIdx.x*blockDim.x + threadIdx.x) / w + w*(blockIdx.x*blockDim.x + threadIdx.x - w*((blockIdx.x*blockDim.x + threadIdx.x) / w)))] 4 bytes

__global__ void unsigned_split(float *a, unsigned w) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i % w * 32 + i / w] = 0;
}
// CHECK: kernel unsigned_split:
// CHECK-NEXT:  write a[4*zext((blockIdx.x*blockDim.x + threadIdx.x) /u w + 32*(blockIdx.x*blockDim.x + threadIdx.x - w*((blockIdx.x*blockDim.x + threadIdx.x) /u w)))] 4 bytes

__global__ void reversed(int *a, int n) {
    a[n - 1 - (int)threadIdx.x] = 0;
}
// CHECK: kernel reversed:
// CHECK-NEXT:  write a[4*sext((threadIdx.x ^ -1) + n)] 4 bytes

// In 64 bits the sum is as wide as its parts, in 32 it wraps around before.
__global__ void wide(float *a, size_t pitch) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    a[i + threadIdx.y * pitch] = 0;
    a[j] = 0;
}
// CHECK: kernel wide:
// CHECK-NEXT:  write a[4*(threadIdx.y*pitch) + 4*(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes
// CHECK-NEXT:  write a[4*zext(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes

__global__ void bits(short *a) {
    a[(threadIdx.x ^ 5) | (blockIdx.x << 10)] = 0;
}
// CHECK: kernel bits:
// CHECK-NEXT:  write a[2*zext((1024*blockIdx.x | threadIdx.x) ^ 5)] 2 bytes

__global__ void clamped(const float *in, float *out, int n) {
    int i = threadIdx.x;
    out[i] = in[max(i - 1, 0)] + in[min(i + 1, n - 1)] + in[abs(i - 7)] + in[i < n ? i : n];
}
// CHECK: kernel clamped:
// CHECK-NEXT:  read in[4*zext(max(threadIdx.x, 1)) - 4] 4 bytes
// CHECK-NEXT:  read in[4*sext(min(threadIdx.x + 1, n - 1))] 4 bytes
// CHECK-NEXT:  read in[4*zext(threadIdx.x - 7 < 0 ? 0 - (threadIdx.x - 7) : threadIdx.x - 7)] 4 bytes
// CHECK-NEXT:  read in[4*sext(min(threadIdx.x, n))] 4 bytes
// CHECK-NEXT:  write out[4*threadIdx.x] 4 bytes

__global__ void vectors(const float4 *in, float4 *out) {
    out[threadIdx.x] = in[threadIdx.x + 1];
}
// CHECK: kernel vectors:
// CHECK-NEXT:  read in[16*zext(threadIdx.x + 1)] 16 bytes
// CHECK-NEXT:  write out[16*threadIdx.x] 16 bytes

__device__ __noinline__ int place(int row, int column, int width) {
    return row * width + column;
}

template <class T, int Width> __global__ void in_template(T *out) {
    out[place(blockIdx.x, threadIdx.x, Width)] = T();
}
// CHECK: kernel in_template<double, 48>:
// CHECK-NEXT:  write out[8*sext(48*blockIdx.x + threadIdx.x)] 8 bytes
template __global__ void in_template<double, 48>(double *);

__global__ void moved(char *to, const char *from, size_t size) {
    memcpy(to + size * threadIdx.x, from, size);
    memset(to, 0, 64);
}
// CHECK: kernel moved:
// CHECK-NEXT:  read from[0] size bytes
// CHECK-NEXT:  write to[threadIdx.x*size] size bytes
// CHECK-NEXT:  write to[0] 64 bytes

// What a function of the library writes, and no byte behind it.
__global__ void turned(float *f, double *d, int *e, float x) {
    sincosf(x, f + 3 * threadIdx.x, f + 3 * threadIdx.x + 1);
    sincos(x, d, d + 4);
    f[512] = frexpf(x, e + 2 * threadIdx.x);
}
// CHECK: kernel turned:
// CHECK-NEXT:  write f[4*zext(3*threadIdx.x)] 4 bytes
// CHECK-NEXT:  write f[4*zext(3*threadIdx.x) + 4] 4 bytes
// CHECK-NEXT:  write d[0] 8 bytes
// CHECK-NEXT:  write d[32] 8 bytes
// CHECK-NEXT:  write e[4*zext(2*threadIdx.x)] 4 bytes
