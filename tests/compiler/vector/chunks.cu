// A block's part of an array begins where a division or what memory holds says: its loop goes along
// lines all the same.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=uniformity %s | FileCheck %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include <stdint.h>

#include "../device/check.h"

enum { WIDTH = 64, BLOCKS = 7, COUNT = 5000 };

// CHECK-LABEL: _Z8constantPKiPii.region0.lane
// CHECK: affine +4x: {{.*}}getelementptr inbounds i32, ptr %0
// CHECK: affine +4x: {{.*}}getelementptr inbounds i32, ptr %1
__global__ void constant(const int *in, int *out, int n) {
    int begin = blockIdx.x * (n / BLOCKS), end = blockIdx.x + 1 < BLOCKS ? begin + n / BLOCKS : n;
    for (int i = begin + threadIdx.x; i < end; i += WIDTH)
        out[i] = 3 * in[i] + 1;
}

// CHECK-LABEL: _Z7dividedPKiPii.region0.lane
// CHECK: affine +4x: {{.*}}getelementptr inbounds i32, ptr %0
// CHECK: affine +4x: {{.*}}getelementptr inbounds i32, ptr %1
__global__ void divided(const int *in, int *out, int n) {
    int blocks = gridDim.x, size = (n + blocks - 1) / blocks, begin = blockIdx.x * size;
    for (int i = begin + threadIdx.x; i < min(n, begin + size); i += WIDTH)
        out[i] = 3 * in[i] + 1;
}

// CHECK-LABEL: _Z4readPKiPiS0_.region0.lane
// CHECK: affine +4x: {{.*}}getelementptr inbounds i32, ptr %0
// CHECK: affine +4x: {{.*}}getelementptr inbounds i32, ptr %1
__global__ void read(const int *in, int *out, const int *begins) {
    int end = begins[blockIdx.x + 1];
    for (int i = begins[blockIdx.x] + threadIdx.x; i < end; i += WIDTH)
        out[i] = 3 * in[i] + 1;
}

// What the block reads behind a write may have been written: `begins` is `out`.
// CHECK-LABEL: _Z7writtenPKiPiS1_.region0.lane
__global__ void written(const int *in, int *out, int *begins) {
    out[COUNT] = 7;
    for (int i = begins[0] + threadIdx.x; i < 7 + WIDTH; i += WIDTH)
        out[i] = 3 * in[i] + 1;
}

// Numbers that wrap from one lane to the next: only those of the later lanes are negative.
// CHECK-LABEL: _Z5wrapsPiPKjj.region0.lane
// CHECK: affine +4x: {{.*}}getelementptr
__global__ void wraps(int *out, const unsigned *total, unsigned blocks) {
    for (int i = *total / blocks + threadIdx.x; i < INT32_MIN + 2 * WIDTH; i += WIDTH)
        out[(long long)i - INT32_MIN] = i - INT32_MIN + 1;
}

// Threads come to the division only if it isn't one by 0.
// CHECK-LABEL: _Z7guardedPKiPiii.region0.lane
__global__ void guarded(const int *in, int *out, int n, int blocks) {
    if (blocks == 0)
        return;
    int size = n / blocks + 1, begin = blockIdx.x * size;
    for (int i = begin + threadIdx.x; i < min(n, begin + size); i += WIDTH)
        out[i] = 3 * in[i] + 1;
}

static void check_all(int *out, const int *in) {
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        CHECK(out[i] == 3 * in[i] + 1);
        out[i] = 0;
    }
}

int main() {
    int *in = managed<int>(COUNT), *out = managed<int>(COUNT + 1);
    int *begins = managed<int>(BLOCKS + 1);
    for (int i = 0; i < COUNT; i++)
        in[i] = i * i % 1009;
    constant<<<BLOCKS, WIDTH>>>(in, out, COUNT);
    check_all(out, in);
    divided<<<BLOCKS, WIDTH>>>(in, out, COUNT);
    check_all(out, in);
    guarded<<<BLOCKS, WIDTH>>>(in, out, COUNT, BLOCKS);
    check_all(out, in);
    guarded<<<BLOCKS, WIDTH>>>(in, out, COUNT, 0);
    for (int block = 0; block <= BLOCKS; block++)
        begins[block] = COUNT * block * block / (BLOCKS * BLOCKS);
    read<<<BLOCKS, WIDTH>>>(in, out, begins);
    check_all(out, in);
    written<<<1, WIDTH>>>(in, out, out + COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        CHECK(out[i] == (i >= 7 && i < 7 + WIDTH ? 3 * in[i] + 1 : 0));
        out[i] = 0;
    }
    begins[0] = (int)(2u * (INT32_MAX - 15));
    wraps<<<1, WIDTH>>>(out, (unsigned *)begins, 2);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == (i < 2 * WIDTH && i % WIDTH < WIDTH - 16 ? i + 1 : 0));
    return 0;
}
