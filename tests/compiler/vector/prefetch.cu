// Loops that come to another page in each iteration ask for memory ahead of time.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include "../device/check.h"

enum { COUNT = 5000 };

// CHECK-LABEL: define internal i32 @_Z7forwardPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-COUNT-4: call void @llvm.prefetch
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void forward(const int *in, int *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int i = thread; i < n; i += gridDim.x * blockDim.x)
        sum = 3 * sum + in[i];
    out[thread] = sum;
}

// One line for each, whatever neighbours are read as well.
// CHECK-LABEL: define internal i32 @_Z10neighboursPKhPij.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK: call void @llvm.prefetch
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void neighbours(const unsigned char *in, int *out, unsigned n) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x)
        sum = 3 * sum + in[i] + 5 * in[i + 1] + 7 * in[i + 2];
    out[thread] = sum;
}

// Nor for what the iteration before has read.
// CHECK-LABEL: define internal i32 @_Z5marchPKiPiii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-COUNT-4: call void @llvm.prefetch
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void march(const int *in, int *out, int width, int rows) {
    int c = blockIdx.x * blockDim.x + threadIdx.x + 1, sum = 0;
    for (int r = 1; r < rows - 1; r++)
        sum = 3 * sum + in[(r - 1) * width + c] * in[r * width + c - 1] +
              in[r * width + c + 1] * in[(r + 1) * width + c];
    out[c] = sum;
}

// CHECK-LABEL: define internal i32 @_Z8backwardPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK: call void @llvm.prefetch
// CHECK: ret i32
__global__ void backward(const int *in, int *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x, width = gridDim.x * blockDim.x, sum = 0;
    for (int i = n / width * width + thread; i >= 0; i -= width)
        if (i < n)
            sum = 3 * sum + in[i];
    out[thread] = sum;
}

// CHECK-LABEL: define internal i32 @_Z7columnsPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK: call void @llvm.prefetch
// CHECK: ret i32
__global__ void columns(const int *in, int *out, int rows) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    int width = gridDim.x * blockDim.x;
    for (const int *p = in + column; rows > 0; rows--, p += width)
        sum = 3 * sum + *p;
    out[column] = sum;
}

// Loops that store have memory busy.
// CHECK-LABEL: define internal i32 @_Z6copiesPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void copies(const int *in, int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + 1;
}

// The processor sees short steps coming.
// CHECK-LABEL: define internal i32 @_Z5stepsPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void steps(const int *in, int *out, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        sum += in[i];
    out[threadIdx.x] = sum;
}

// Shared memory is near, and nobody knows when the other loop ends.
// CHECK-LABEL: define internal i32 @_Z7unknownPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void unknown(const int *in, int *out, int width) {
    extern __shared__ int tile[];
    int sum = 0, t = threadIdx.x;
    for (int row = 0; row < 4; row++)
        tile[row * width + t] = row + t;
    for (int row = 0; row < width / 64; row++)
        sum += tile[row * width + t];
    for (int i = t; in[i] != 0; i += width)
        sum += in[i];
    out[t] = sum;
}

static int *numbers(int count) {
    int *in = managed<int>(count);
    for (int i = 0; i < count; i++)
        in[i] = i * 7919 % 1000 + 1;
    return in;
}

// Blocks of any size, loops of any length.
static void check_all(int blocks, int threads) {
    const int *in = numbers(COUNT), width = blocks * threads, rows = COUNT / width;
    int *out = managed<int>(COUNT);
    auto *bytes = (const unsigned char *)in;
    forward<<<blocks, threads>>>(in, out, COUNT);
    SYNC();
    for (int t = 0; t < width; t++) {
        int sum = 0;
        for (int i = t; i < COUNT; i += width)
            sum = 3 * sum + in[i];
        CHECK(out[t] == sum);
    }
    backward<<<blocks, threads>>>(in, out, COUNT);
    SYNC();
    for (int t = 0; t < width; t++) {
        int sum = 0;
        for (int i = COUNT / width * width + t; i >= 0; i -= width)
            sum = i < COUNT ? 3 * sum + in[i] : sum;
        CHECK(out[t] == sum);
    }
    neighbours<<<blocks, threads>>>(bytes, out, COUNT);
    SYNC();
    for (int t = 0; t < width; t++) {
        int sum = 0;
        for (int i = t; i < COUNT; i += width)
            sum = 3 * sum + bytes[i] + 5 * bytes[i + 1] + 7 * bytes[i + 2];
        CHECK(out[t] == sum);
    }
    columns<<<blocks, threads>>>(in, out, rows);
    SYNC();
    for (int column = 0; column < width; column++) {
        int sum = 0;
        for (int row = 0; row < rows; row++)
            sum = 3 * sum + in[row * width + column];
        CHECK(out[column] == sum);
    }
    copies<<<blocks, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == in[i] + 1);
}

static void check_march(int width, int rows) {
    const int *in = numbers(width * rows);
    int *out = managed<int>(width);
    march<<<1, width - 2>>>(in, out, width, rows);
    SYNC();
    for (int c = 1; c < width - 1; c++) {
        int sum = 0;
        for (const int *at = in + width + c; at < in + (rows - 1) * width; at += width)
            sum = 3 * sum + at[-width] * at[-1] + at[1] * at[width];
        CHECK(out[c] == sum);
    }
}

int main() {
    check_all(1, 7);
    check_all(3, 64);
    check_all(4, 256);
    check_all(8, 100);
    check_all(16, 256);
    check_march(258, 20);
    check_march(100, 5);
    const int *in = numbers(COUNT);
    int *out = managed<int>(256);
    steps<<<1, 256>>>(in, out, COUNT);
    SYNC();
    for (int t = 0; t < 256; t++) {
        int sum = 0;
        for (int i = t; i < COUNT; i += 256)
            sum += in[i];
        CHECK(out[t] == sum);
    }
}
