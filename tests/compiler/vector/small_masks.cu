// Loads and stores under a mask for which a processor has no instruction: where all lanes run after
// all, they are those without a mask.
// RUN: %gcluster-cc -march=x86-64-v3 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include "../device/check.h"

enum { COUNT = 3001 };

// CHECK-LABEL: define internal i32 @_Z5bytesPKhPhi.region0.lane.x86-64-v3.full(
// CHECK: load <32 x i8>
// CHECK: lane:
// CHECK: store <32 x i8>
// CHECK: ret i32
__global__ void bytes(const unsigned char *in, unsigned char *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 3;
}

// Backwards, in rows, and some of them only.
__global__ void shorts(const short *in, short *out, const int *wanted, int rows, int width) {
    int x = threadIdx.x, y = threadIdx.y;
    for (int row = y; row < rows; row += blockDim.y) {
        if (x < width && wanted[row])
            out[row * width + x] = in[row * width + width - 1 - x] + 1;
        else if (x < width && in[row * width + x] % 2)
            out[row * width + x] = in[row * width + x];
    }
}

static void check_bytes(int blocks, int threads) {
    auto *in = managed<unsigned char>(COUNT), *out = managed<unsigned char>(COUNT);
    for (int i = 0; i < COUNT; i++)
        in[i] = (unsigned char)(i * 37);
    bytes<<<blocks, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        CHECK(out[i] == (unsigned char)(in[i] * 3));
}

static void check_shorts(dim3 block, int width) {
    int rows = COUNT / width, *wanted = managed<int>(rows);
    short *in = managed<short>(COUNT), *out = managed<short>(COUNT);
    for (int i = 0; i < COUNT; i++)
        in[i] = (short)(i * 7919 % 30011);
    for (int row = 0; row < rows; row++)
        wanted[row] = row % 5 < 2;
    shorts<<<1, block>>>(in, out, wanted, rows, width);
    SYNC();
    for (int i = 0; i < rows * width; i++) {
        int row = i / width, x = i % width;
        short odd = in[i] % 2 ? in[i] : 0;
        CHECK(out[i] == (wanted[row] ? in[row * width + width - 1 - x] + 1 : odd));
    }
}

int main() {
    for (int threads : {7, 64, 100, 256}) {
        check_bytes(1, threads);
        check_bytes(5, threads);
    }
    check_shorts(dim3(64, 4), 64);
    check_shorts(dim3(64, 4), 50);
    check_shorts(dim3(16, 16), 16);
    check_shorts(dim3(100), 99);
}
