// Accesses that take a warp many transactions are hinted at, where the distance is known.
// RUN: %gcluster-cc --dump=shapes -Wgcluster-uncoalesced -Wgcluster-bank-conflict %s 2> %t.log
// RUN: FileCheck --implicit-check-not=remark: %s < %t.log
// RUN: %gcluster-cc --dump=shapes %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE-NOT: GCL31
struct particle {
    float x, y, z;
    double w[3];
};
struct point {
    float x, y;
};
struct options {
    float *data;
    int offset;
};
enum { LENGTH = 64 };
const int width = 1024;
__device__ float table[4096];
#define HIDDEN(x) (x + 1)
__global__ void rows(const float *in, float *out, const particle *p, const point *q, int n, int pitch, options o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < LENGTH; k++)
        out[i] += in[i * LENGTH + k];
    // CHECK: warps.cu:[[# @LINE - 1]]:19: remark: neighbouring threads read 256 bytes apart: 32 transactions of 32 bytes a warp instead of 4 [GCL314]
    // CHECK: help: have neighbouring threads access neighbouring elements, or go through shared memory
    out[i * 8] = p[i].z + q[i].y;
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: neighbouring threads write 32 bytes apart: 32 transactions
    // CHECK: warps.cu:[[# @LINE - 2]]:18: remark: neighbouring threads read 40 bytes apart, the size of 'particle': 32 transactions
    // CHECK: help: keep each member in an array of its own
    out[i] = p[i].w[1] + p[i].x;
    const particle &mine = p[i * 2];
    out[i] = mine.y;
    // CHECK: warps.cu:[[# @LINE - 1]]:14: remark: neighbouring threads read 80 bytes apart: 32 transactions
    const float *row = in + i * 16;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        out[k] = row[k] + in[k] + in[n - i];
    // CHECK: warps.cu:[[# @LINE - 1]]:18: remark: neighbouring threads read 68 bytes apart: 32 transactions
    out[(n - i) << 5]++;
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: neighbouring threads update 128 bytes apart: 32 transactions
    *(out + o.offset + i * 10) = o.data[(threadIdx.x & 31) * 5] + table[i * 11];
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: neighbouring threads write 40 bytes apart: 32 transactions
    // CHECK: warps.cu:[[# @LINE - 2]]:34: remark: neighbouring threads read 20 bytes apart: 20 transactions of 32 bytes a warp instead of 4 [GCL314]
    // CHECK: warps.cu:[[# @LINE - 3]]:67: remark: neighbouring threads read 44 bytes apart: 32 transactions
    // Not known but for a factor, which may be 1.
    out[i * pitch] = in[pitch * (i + 1) * o.offset * 2] + in[i << pitch] + in[i % 8 * pitch] + in[i * pitch + i];
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: neighbouring threads write pitch * 4 bytes apart: up to 32 transactions of 32 bytes a warp instead of 4 [GCL314]
    // CHECK: warps.cu:[[# @LINE - 2]]:22: remark: neighbouring threads read pitch * o.offset * 8 bytes apart: up to 32 transactions
    out[(i + n) * (pitch + 1)] = in[i * HIDDEN(pitch)];
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: neighbouring threads write (pitch + 1) * 4 bytes apart: up to 32 transactions
    // Not known, vectors, or the same element.
    out[n * pitch] = in[i * 4] + in[(i / 32) * 64] + in[(threadIdx.x / 32) * 64];
    int j = i;
    for (int k = j; k < n; k++)
        j += k;
    out[j * 64] = 0;
}
__global__ void vectors(const double4 *in, const float4 *other, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x + in[i].y + other[i].z;
}
__global__ void few(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0 || i == 7)
        out[i * 21] = 0;
    if (threadIdx.x % 32 == 0 && n > 0)
        out[i * 22] = 0;
    if (threadIdx.x < 8)
        out[i * 23] = 0;
    if (in[i] > 0)
        out[i * 24] = 0;
    if (i < 8 || 16 > i)
        out[i * 34] = 0;
    if (i > 0 && i < n - 1)
        out[i * 35] = 0;
    // CHECK: warps.cu:[[# @LINE - 1]]:9: remark: neighbouring threads write 140 bytes apart
    for (int k = 0; k < in[i]; k++)
        out[i * 25] = k;
    for (int k = 0; k < n; k++) {
        out[i * 26] = k;
        if (in[i] > k)
            break;
    }
    if (i < n && threadIdx.x / 32 == 1)
        out[i * 27] = 0;
    if (i < n && !(threadIdx.x / 32 == 1))
        out[i * 29] = n > 3 ? in[i * 31] + 1 : -in[i * 33];
    // CHECK: warps.cu:[[# @LINE - 3]]:9: remark: neighbouring threads write 108 bytes apart
    // CHECK: warps.cu:[[# @LINE - 2]]:9: remark: neighbouring threads write 116 bytes apart
    // CHECK: warps.cu:[[# @LINE - 3]]:31: remark: neighbouring threads read 124 bytes apart
    // CHECK: warps.cu:[[# @LINE - 4]]:49: remark: neighbouring threads read 132 bytes apart
    if (threadIdx.x != 0)
        return;
    out[i * 28] = 0;
}
__global__ void transpose(const float *in, float *out) {
    __shared__ float tile[32][32], padded[32][33];
    __shared__ double wide[32][width / 32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    wide[threadIdx.x][threadIdx.y] = padded[threadIdx.x][threadIdx.y] = in[x * width + y];
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: threads of a warp hit the same bank 16 times (stride of 256 bytes) [GCL315]
    // CHECK: help: pad the row by one element, to 33
    // CHECK: warps.cu:[[# @LINE - 3]]:73: remark: neighbouring threads read 4096 bytes apart: 32 transactions
    __syncthreads();
    out[y * width + x] = tile[threadIdx.x][threadIdx.y];
    // CHECK: warps.cu:[[# @LINE - 1]]:26: remark: threads of a warp hit the same bank 32 times (stride of 128 bytes) [GCL315]
    // CHECK: help: pad the row by one element, to 33
    out[y * width + x] = tile[threadIdx.x][threadIdx.x] + tile[threadIdx.x][threadIdx.x ^ threadIdx.y];
}
// Two rows of the block are in one warp.
__global__ void small(const float *in, float *out) {
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[x * blockDim.x + y];
    // CHECK: warps.cu:[[# @LINE - 1]]:18: remark: neighbouring threads read 64 bytes apart: 16 transactions of 32 bytes a warp instead of 4 [GCL314]
    __syncthreads();
    out[y * 16 + x] = tile[x][y];
    // CHECK: warps.cu:[[# @LINE - 1]]:23: remark: threads of a warp hit the same bank 8 times (stride of 64 bytes) [GCL315]
}
__global__ void flat(float *out) {
    extern __shared__ float s[];
    s[threadIdx.x * 8] = s[threadIdx.x * 4] + s[threadIdx.x * 2] + s[threadIdx.x * 9];
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: threads of a warp hit the same bank 8 times (stride of 32 bytes) [GCL315]
    // CHECK: help: have neighbouring threads access neighbouring elements
    out[threadIdx.x] = s[threadIdx.x];
}
// Which threads are in a warp isn't known.
__global__ void plane(float *out) {
    out[threadIdx.x * 64 + threadIdx.y] = 0;
}
// Neighbours in x are in no warp of their own.
__global__ void column(float *out) {
    out[threadIdx.x * 64 + threadIdx.y] = 0;
}
__global__ void anywhere(float *out, const int *in) {
    extern __shared__ float s[];
    out[threadIdx.x * 64] = s[threadIdx.x * 8];
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: neighbouring threads write 256 bytes apart: up to 32 transactions of 32 bytes a warp instead of 4 [GCL314]
    // CHECK: warps.cu:[[# @LINE - 2]]:29: remark: threads of a warp hit the same bank up to 8 times (stride of 32 bytes) [GCL315]
}
template <int N, class T> __global__ void scaled(T *out) {
    out[threadIdx.x * N] = 0;
}
// What reads through the read-only cache.
__global__ void cached(const float *in, float *out, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __ldg(&in[i * 16]) + __ldg(in + i * pitch) + __ldg(&in[i]) + __ldg(in + 20 * i + 3);
    // CHECK: warps.cu:[[# @LINE - 1]]:14: remark: neighbouring threads read 64 bytes apart: 32 transactions of 32 bytes a warp instead of 4 [GCL314]
    // CHECK: warps.cu:[[# @LINE - 2]]:35: remark: neighbouring threads read pitch * 4 bytes apart: up to 32 transactions
    // CHECK: warps.cu:[[# @LINE - 3]]:75: remark: neighbouring threads read 80 bytes apart: 32 transactions
}
// Functions of the device are looked at as kernels call them.
__device__ float element(const float *values, int ld, int i) {
    return values[i * ld];
    // CHECK: warps.cu:[[# @LINE - 1]]:12: remark: neighbouring threads of 'callers' read 256 bytes apart: 32 transactions of 32 bytes a warp instead of 4 [GCL314]
}
template <class T> __device__ T sum(const T *values, int n) {
    T sum = 0;
    for (int k = 0; k < n; k++)
        sum += values[k];
    // CHECK: warps.cu:[[# @LINE - 1]]:16: remark: neighbouring threads of 'callers' read n * 4 bytes apart: up to 32 transactions
    return sum;
}
__device__ void put(float (&tile)[32][32], float value) {
    tile[threadIdx.x][0] = value;
    // CHECK: warps.cu:[[# @LINE - 1]]:5: remark: threads of a warp of 'callers' hit the same bank 32 times (stride of 128 bytes) [GCL315]
}
__device__ float inner(const float *values, int i) {
    return values[i * 10];
    // CHECK: warps.cu:[[# @LINE - 1]]:12: remark: neighbouring threads of 'callers' read 40 bytes apart: 32 transactions
}
__device__ float outer(const float *values, int i) {
    return inner(values + 1, i + 1);
}
// Where its pointer or index leads isn't known.
__device__ float moved(const float *values, int i, int n) {
    for (int k = 0; k < n; k++, values++, i += k)
        n += values[0] + table[i * 9];
    return n;
}
__device__ float seldom(const float *values, int i) {
    return values[i * 12];
}
__device__ float again(const float *values, int i, int depth) {
    return depth > 0 ? again(values, i, depth - 1) : values[i];
}
__global__ void callers(const float *in, float *out, int n) {
    __shared__ float tile[32][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    put(tile, in[i]);
    __syncthreads();
    out[i] = tile[threadIdx.y][threadIdx.x] + element(in, 1, i) + element(in, 64, i) + sum(in + i * n, n) + outer(in, i);
    out[i] += moved(in + i * 11, i, n) + again(in, i, n);
    if (in[i] > 0)
        out[i] += seldom(in, i);
}
__global__ void others(const float *in, float *out) {
    out[threadIdx.x] = element(in, 32, threadIdx.x);
}
void launch(float *p, dim3 block) {
    rows<<<1, 256>>>(p, p, nullptr, nullptr, 1, 2, {});
    few<<<1, 256>>>(p, p, 1);
    vectors<<<1, 256>>>(nullptr, nullptr, nullptr);
    transpose<<<1, dim3(32, 32)>>>(p, p);
    small<<<1, dim3(16, 16)>>>(p, p);
    flat<<<1, 32, 4096>>>(p);
    plane<<<1, block>>>(p);
    column<<<1, dim3(1, 64)>>>(p);
    scaled<64><<<1, 64>>>(p);
    cached<<<1, 256>>>(p, p, 5);
    callers<<<1, 256>>>(p, p, 5);
    others<<<1, 256>>>(p, p);
}
