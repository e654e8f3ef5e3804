// Where a block's threads read from several parts of one stretch of memory, all of them read from
// one part before they read from the next.
// RUN: %gcluster-cc --dump=regions %s | FileCheck %s
// RUN: %gcluster-cc --sanitize=footprint --dump=regions %s | FileCheck --check-prefix=WHOLE %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include "../device/check.h"

enum { BLOCK = 256, BLOCKS = 5 };

// Sums over a block's threads, so that there is a barrier.
__device__ float sum_threads(float value) {
    __shared__ float sums[BLOCK];
    int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += sums[i];
    return sum;
}

// A part of one stretch is read before the cut, and one behind it; the first lies lower.
// CHECK-LABEL: define internal i32 @_Z3twoPKfPf.region0.lane(
// CHECK: load float, ptr [[FIRST:%[0-9]+]]
// CHECK-NOT: load float, ptr %
// CHECK: ret i32 1
// CHECK-LABEL: define internal i32 @_Z3twoPKfPf.region1.lane(
// CHECK: getelementptr{{.*}} i64 1024
// CHECK: ret i32 2
// CHECK-LABEL: define internal i32 @_Z3twoPKfPf.region2.lane(
// WHOLE-LABEL: define internal i32 @_Z3twoPKfPf.region1.lane(
// WHOLE-NOT: @_Z3twoPKfPf.region2.lane(
__global__ void two(const float *in, float *out) {
    int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
    float sum = sum_threads(in[i] - in[i + BLOCK]);
    if (t == 0)
        out[blockIdx.x] = sum;
}

// The second part comes first in the program.
// CHECK-LABEL: define internal i32 @_Z9backwardsPKfPf.region0.lane(
// CHECK-NOT: i64 1024
// CHECK: ret i32 1
// CHECK-LABEL: define internal i32 @_Z9backwardsPKfPf.region1.lane(
// CHECK: getelementptr{{.*}} i64 1024
// CHECK: ret i32 2
__global__ void backwards(const float *in, float *out) {
    int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
    float second = in[i + BLOCK] * 3;
    float sum = sum_threads(in[i] - second);
    if (t == 0)
        out[blockIdx.x] = sum;
}

// The size of the block is known by its name, threads sum what there is, and two arrays are read.
// CHECK-LABEL: define internal i32 @_Z6boundsPKfS0_Pfj.region2.lane(
// CHECK-NOT: @_Z6boundsPKfS0_Pfj.region3.lane(
__global__ void bounds(const float *a, const float *b, float *out, unsigned count) {
    extern __shared__ float products[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    float product = i < count ? a[i] * b[i] : 0;
    if (i + blockDim.x < count)
        product += a[i + blockDim.x] * b[i + blockDim.x];
    products[t] = product;
    __syncthreads();
    if (t == 0) {
        for (unsigned other = 1; other < blockDim.x; other++)
            product += products[other];
        out[blockIdx.x] = product;
    }
}

// Three parts, of numbers that are read in two.
// CHECK-LABEL: define internal i32 @_Z5threePK5pointPf.region3.lane(
// CHECK-NOT: @_Z5threePK5pointPf.region4.lane(
struct point {
    float x, y;
};
__global__ void three(const point *in, float *out) {
    int t = threadIdx.x, i = blockIdx.x * 3 * BLOCK + t;
    point a = in[i], b = in[i + BLOCK], c = in[i + 2 * BLOCK];
    float sum = sum_threads(a.x * a.y + b.x * b.y - c.x * c.y);
    if (t == 0)
        out[blockIdx.x] = sum;
}

// What a thread reads may be what it has written: the loads stay behind each other.
// CHECK-LABEL: define internal i32 @_Z7writtenPfS_.region2.lane(
// CHECK-NOT: @_Z7writtenPfS_.region3.lane(
__global__ void written(float *data, float *out) {
    int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
    float first = data[i];
    out[blockIdx.x * 2 * BLOCK + t] = first + 1;
    float second = data[i + BLOCK];
    out[blockIdx.x * 2 * BLOCK + BLOCK + t] = sum_threads(second) + first;
}

// One part is missing; the next block reads it, or nobody.
// CHECK-LABEL: define internal i32 @_Z5holesPKfPf.region1.lane(
// CHECK-NOT: @_Z5holesPKfPf.region2.lane(
__global__ void holes(const float *in, float *out) {
    int t = threadIdx.x, i = blockIdx.x * 3 * BLOCK + t;
    float sum = sum_threads(in[i] + in[i + 2 * BLOCK]);
    if (t == 0)
        out[blockIdx.x] = sum;
}

// Threads that have left don't come to the loads.
// CHECK-LABEL: define internal i32 @_Z4leftPKfPfi.region1.lane(
// CHECK-NOT: @_Z4leftPKfPfi.region2.lane(
__global__ void left(const float *in, float *out, int count) {
    int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
    if ((int)blockIdx.x * BLOCK + t >= count)
        return;
    __shared__ float kept[BLOCK];
    kept[t] = in[i] + in[i + BLOCK];
    __syncthreads();
    out[blockIdx.x * BLOCK + t] = kept[t];
}

// Small and whole: sums are exact.
static float number(int i) {
    return (float)(i * 7919 % 101) - 50;
}

template <typename Element> static Element *numbers(int count) {
    Element *data = managed<Element>(count);
    for (unsigned i = 0; i < count * sizeof(Element) / sizeof(float); i++)
        ((float *)data)[i] = number((int)i);
    return data;
}

// `value`: what thread t of block b adds.
template <typename Value> static void check_sums(const float *out, Value value) {
    for (int b = 0; b < BLOCKS; b++) {
        float sum = 0;
        for (int t = 0; t < BLOCK; t++)
            sum += value(b, t);
        CHECK(out[b] == sum);
    }
}

int main() {
    float *in = numbers<float>(3 * BLOCK * BLOCKS), *out = managed<float>(BLOCKS);
    two<<<BLOCKS, BLOCK>>>(in, out);
    SYNC();
    check_sums(out,
               [=](int b, int t) { return in[b * 2 * BLOCK + t] - in[b * 2 * BLOCK + BLOCK + t]; });
    backwards<<<BLOCKS, BLOCK>>>(in, out);
    SYNC();
    check_sums(out, [=](int b, int t) {
        return in[b * 2 * BLOCK + t] - in[b * 2 * BLOCK + BLOCK + t] * 3;
    });
    holes<<<BLOCKS, BLOCK>>>(in, out);
    SYNC();
    check_sums(out, [=](int b, int t) {
        return in[b * 3 * BLOCK + t] + in[b * 3 * BLOCK + 2 * BLOCK + t];
    });
    point *points = numbers<point>(3 * BLOCK * BLOCKS);
    three<<<BLOCKS, BLOCK>>>(points, out);
    SYNC();
    check_sums(out, [=](int b, int t) {
        const point *p = &points[b * 3 * BLOCK + t], *q = p + BLOCK, *r = q + BLOCK;
        return p->x * p->y + q->x * q->y - r->x * r->y;
    });

    for (int count : {0, 1, BLOCK + 1, 5 * BLOCK - 7, 2 * BLOCKS * BLOCK}) {
        const float *other = in + BLOCK;
        bounds<<<BLOCKS, BLOCK, BLOCK * sizeof(float)>>>(in, other, out, count);
        SYNC();
        check_sums(out, [=](int b, int t) {
            int i = b * 2 * BLOCK + t;
            return (i < count ? in[i] * other[i] : 0) +
                   (i + BLOCK < count ? in[i + BLOCK] * other[i + BLOCK] : 0);
        });
    }

    // What the second load reads, the thread has written.
    float *data = numbers<float>(3 * BLOCK), sum = 0;
    for (int t = 0; t < BLOCK; t++)
        sum += data[t] + 1;
    written<<<1, BLOCK>>>(data, data + BLOCK);
    SYNC();
    for (int t = 0; t < BLOCK; t++)
        CHECK(data[BLOCK + t] == data[t] + 1 && data[2 * BLOCK + t] == sum + data[t]);

    float *kept = managed<float>(BLOCK * BLOCKS);
    for (int count : {0, 1, BLOCK - 3, BLOCK + 0, 3 * BLOCK + 17, BLOCKS * BLOCK}) {
        for (int i = 0; i < BLOCK * BLOCKS; i++)
            kept[i] = -1;
        left<<<BLOCKS, BLOCK>>>(in, kept, count);
        SYNC();
        for (int i = 0; i < BLOCK * BLOCKS; i++) {
            int at = i / BLOCK * 2 * BLOCK + i % BLOCK;
            CHECK(kept[i] == (i < count ? in[at] + in[at + BLOCK] : -1));
        }
    }
}
