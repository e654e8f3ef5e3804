// Loops: what changes with each iteration, and how long they run.
// RUN: %gcluster-cc --dump=access %s | FileCheck %s
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void grid_stride(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] *= 2;
}
// CHECK: kernel grid_stride:
// CHECK-NEXT:  read a[4*sext(blockIdx.x*blockDim.x + threadIdx.x + blockDim.x*gridDim.x*i0)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n for i0 while blockDim.x*gridDim.x + (blockIdx.x*blockDim.x + threadIdx.x + blockDim.x*gridDim.x*i0) < n
// CHECK-NEXT:  write a[4*sext(blockIdx.x*blockDim.x + threadIdx.x + blockDim.x*gridDim.x*i0)] 4 bytes if blockIdx.x*blockDim.x + threadIdx.x < n for i0 while blockDim.x*gridDim.x + (blockIdx.x*blockDim.x + threadIdx.x + blockDim.x*gridDim.x*i0) < n

__global__ void triangle(float *a, int n) {
    int row = blockIdx.x;
    for (int column = threadIdx.x; column <= row; column += blockDim.x)
        a[row * n + column] = 0;
}
// CHECK: kernel triangle:
// CHECK-NEXT:  write a[4*sext(threadIdx.x + blockDim.x*i0 + blockIdx.x*n)] 4 bytes if !(blockIdx.x < threadIdx.x) for i0 while !(blockIdx.x < blockDim.x + (threadIdx.x + blockDim.x*i0))

__global__ void matmul(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
// CHECK: kernel matmul:
// CHECK-NEXT:  read a[4*sext(i0 + blockIdx.y*n)] 4 bytes if 0 < n for i0 while !(n == i0 + 1)
// CHECK-NEXT:  read b[4*sext(i0*n + (blockIdx.x*blockDim.x + threadIdx.x))] 4 bytes if 0 < n for i0 while !(n == i0 + 1)
// CHECK-NEXT:  write c[4*sext(blockIdx.y*n + (blockIdx.x*blockDim.x + threadIdx.x))] 4 bytes

__global__ void halving(float *a) {
    for (unsigned s = blockDim.x; s > 0; s >>= 1)
        a[s + threadIdx.x] = 0;
}
// CHECK: kernel halving:
// CHECK-NEXT:  write a[4*zext(threadIdx.x + (blockDim.x >>u i0))] 4 bytes if !(blockDim.x == 0) for i0 while !(blockDim.x >>u i0 <u 2)

__global__ void halving_signed(float *a, int s) {
    for (; s != 0; s /= 2)
        a[s] = 0;
}
// CHECK: kernel halving_signed:
// CHECK-NEXT:  write a[4*sext(s < 0 ? 0 - ((s < 0 ? 0 - s : s) >>u i0) : (s < 0 ? 0 - s : s) >>u i0)] 4 bytes if !(s == 0) for i0 while !((s < 0 ? 0 - ((s < 0 ? 0 - s : s) >>u i0) : (s < 0 ? 0 - s : s) >>u i0) + 1 <u 3)

__global__ void doubling(float *a, unsigned n) {
    for (unsigned s = 1; s < n; s *= 2)
        a[s] = 0;
}
// CHECK: kernel doubling:
// CHECK-NEXT:  write a[4*zext(1 << i0)] 4 bytes if 1 <u n for i0 while 2*(1 << i0) <u n

__global__ void pointers(float *to, const float *from, int n, int step) {
    to += blockIdx.x * n;
    for (const float *end = from + n; from < end; from += step)
        *to++ = *from;
    *to = 0;
}
// CHECK: kernel pointers:
// CHECK-NEXT:  read from[4*sext(step)*i0] 4 bytes if 0 < n for i0 while 4*sext(step) + 4*sext(step)*i0 + from <u from + 4*sext(n)
// CHECK-NEXT:  write to[4*zext(blockIdx.x*n) + 4*i0] 4 bytes if 0 < n for i0 while 4*sext(step) + 4*sext(step)*i0 + from <u from + 4*sext(n)
// CHECK-NEXT:  write to[0 < n ? 4*zext(blockIdx.x*n) + 4*last(i0) + 4 : 4*zext(blockIdx.x*n)] 4 bytes

__global__ void inside(float *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            a[i * n + j] = 0;
}
// CHECK: kernel inside:
// CHECK-NEXT:  write a[4*zext(i0 + i1 + i0*n)] 4 bytes if 0 < n for i0 while !(n == i0 + 1) for i1 while !(n == i0 + i1 + 1)

__global__ void found(int *a, const int *keys, int n) {
    for (int i = 0; i < n; i++) {
        if (keys[i] == 5) {
            a[i] = 1;
            break;
        }
    }
}
// CHECK: kernel found:
// CHECK-NEXT:  read keys[4*zext(i0)] 4 bytes if 0 < n for i0 while (!(n == i0 + 1)) & (!(keys[4*zext(i0)] == 5))
// CHECK-NEXT:  write a[4*zext(last(i0))] 4 bytes if 0 < n if ?data_guard
// CHECK-NEXT:  GCL212 DATA_GUARD of access 1

__global__ void rest(float *a, int n) {
    int i = threadIdx.x;
    for (; i + 96 < n; i += 128)
        a[i] = a[i + 96];
    a[i] = 0;
}
// CHECK: kernel rest:
// CHECK-NEXT:  read a[4*sext(threadIdx.x + 128*i0 + 96)] 4 bytes if threadIdx.x + 96 < n for i0 while threadIdx.x + 128*i0 + 224 < n
// CHECK-NEXT:  write a[4*sext(threadIdx.x + 128*i0)] 4 bytes if threadIdx.x + 96 < n for i0 while threadIdx.x + 128*i0 + 224 < n
// CHECK-NEXT:  write a[4*sext(threadIdx.x + 96 < n ? threadIdx.x + 128*last(i0) + 128 : threadIdx.x)] 4 bytes

__global__ void alternating(float *a, int n) {
    int half = 0;
    for (int i = 0; i < n; i++) {
        a[half * n + threadIdx.x] = 0;
        half ^= 1;
    }
}
// CHECK: kernel alternating:
// CHECK-NEXT:  write a[4*zext(threadIdx.x + ((i0 & 1) == 0 ? 0 : 1)*n)] 4 bytes if 0 < n for i0 while !(n == i0 + 1)

__global__ void previous(float *a, int n) {
    int last = -1;
    for (int i = 0; i < n; i++) {
        a[last + 1] = 0;
        last = 3 * i;
    }
}
// CHECK: kernel previous:
// CHECK-NEXT:  write a[4*sext(i0 == 0 ? -1 : 3*i0 - 3) + 4] 4 bytes if 0 < n for i0 while !(n == i0 + 1)

__global__ void list(int *next, int n) {
    for (int i = threadIdx.x; i != -1; i = next[i])
        n--;
    next[threadIdx.x] = n;
}
// CHECK: kernel list:
// CHECK-NEXT:  read next[?data_index] 4 bytes if !(threadIdx.x == -1) for i0 while !(next[?data_index] == -1)
// CHECK-NEXT:  write next[4*threadIdx.x] 4 bytes
// CHECK-NEXT:  GCL211 DATA_INDEX of access 0

// A 32-bit number of which a step of 64 bits is added.
__global__ void mixed(float *a, int n, long step) {
    for (int i = threadIdx.x; i < n; i += step)
        a[i] = 0;
}
// CHECK: kernel mixed:
// CHECK-NEXT:  write a[4*sext(threadIdx.x + step*i0)] 4 bytes if threadIdx.x < n for i0 while step + (threadIdx.x + step*i0) < n

__global__ void grouped(float *a, int n) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        a[i] = 0;
}
// CHECK: kernel grouped:
// CHECK-NEXT:  write a[4*sext(blockDim.x*(blockDim.y*threadIdx.z + threadIdx.y) + threadIdx.x + blockDim.y*blockDim.x*blockDim.z*(blockIdx.x + gridDim.x*(blockIdx.y + gridDim.y*blockIdx.z)) + blockDim.y*blockDim.x*blockDim.z*(gridDim.z*(gridDim.y*gridDim.x))*i0)] 4 bytes if blockDim.x*(blockDim.y*threadIdx.z + threadIdx.y) + threadIdx.x + blockDim.y*blockDim.x*blockDim.z*(blockIdx.x + gridDim.x*(blockIdx.y + gridDim.y*blockIdx.z)) < n for i0 while blockDim.y*blockDim.x*blockDim.z*(gridDim.z*(gridDim.y*gridDim.x)) + (blockDim.x*(blockDim.y*threadIdx.z + threadIdx.y) + threadIdx.x + blockDim.y*blockDim.x*blockDim.z*(blockIdx.x + gridDim.x*(blockIdx.y + gridDim.y*blockIdx.z)) + blockDim.y*blockDim.x*blockDim.z*(gridDim.z*(gridDim.y*gridDim.x))*i0) < n
