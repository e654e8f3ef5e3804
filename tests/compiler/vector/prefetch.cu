// Loops that come to another page in each iteration ask for memory ahead of time.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
#include "../device/check.h"

enum { COUNT = 5000 };

// CHECK-LABEL: define internal i32 @_Z7forwardPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK: call void @llvm.prefetch
// CHECK: call <64 x i32> @llvm.masked.load
// CHECK: ret i32
__global__ void forward(const int *in, int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + 1;
}

// One line for each, whatever neighbours are read as well.
// CHECK-LABEL: define internal i32 @_Z10neighboursPKhPhj.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK: call void @llvm.prefetch
// CHECK-NOT: llvm.prefetch
// CHECK: ret i32
__global__ void neighbours(const unsigned char *in, unsigned char *out, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + in[i + 1] + in[i + 2];
}

// CHECK-LABEL: define internal i32 @_Z8backwardPKiPii.region0.lane{{[.0-9]*}}.x86-64-v4.full(
// CHECK: call void @llvm.prefetch
// CHECK: ret i32
__global__ void backward(const int *in, int *out, int n) {
    int width = gridDim.x * blockDim.x;
    for (int i = n / width * width + blockIdx.x * blockDim.x + threadIdx.x; i >= 0; i -= width)
        if (i < n)
            out[i] = in[i] - 1;
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
    const int *in = numbers(COUNT);
    int *out = managed<int>(COUNT), width = blocks * threads, rows = COUNT / width;
    auto *bytes = managed<unsigned char>(COUNT);
    forward<<<blocks, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == in[i] + 1);
    backward<<<blocks, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == in[i] - 1);
    neighbours<<<blocks, threads>>>((const unsigned char *)in, bytes, COUNT - 2);
    SYNC();
    for (int i = 0; i + 2 < COUNT; i++) {
        auto *from = (const unsigned char *)in + i;
        CHECK(bytes[i] == (unsigned char)(from[0] + from[1] + from[2]));
    }
    columns<<<blocks, threads>>>(in, out, rows);
    SYNC();
    for (int column = 0; column < width && column < COUNT; column++) {
        int sum = 0;
        for (int row = 0; row < rows; row++)
            sum = 3 * sum + in[row * width + column];
        CHECK(out[column] == sum);
    }
}

int main() {
    check_all(1, 7);
    check_all(3, 64);
    check_all(4, 256);
    check_all(8, 100);
    check_all(16, 256);
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
