// RUN: %gcluster-cc -O2 %s -o %t && %t
// Structs by value of many sizes, also such that the kernel changes; 3-D blocks and grids.
#include "check.h"

struct Small { char a; };
struct Three { float x, y, z; };
struct Big { double values[9]; int count; short tail[3]; };
struct Empty {};

__global__ void by_value(Small s, Three t, Empty, Big b, bool flag, char c, Three *out, long long l) {
    if (threadIdx.x == 0)
        b.count++;
    for (int i = 0; i < b.count; i++)
        t.x += b.values[i];
    out[threadIdx.x] = {t.x, t.y + s.a + c, flag ? t.z + (float)l : b.tail[2]};
}

__global__ void shape(int4 *out, dim3 expected) {
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    bool right = blockDim.x == expected.x && blockDim.y == expected.y && blockDim.z == expected.z;
    __shared__ int last;
    if (thread == 0)
        last = 0;
    __syncthreads();
    atomicMax(&last, thread);
    __syncthreads();
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        make_int4(threadIdx.x, threadIdx.y, threadIdx.z, right ? last : -1);
}

int main() {
    Three *out = managed<Three>(32);
    Big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, {0, 0, 42}};
    by_value<<<1, 32>>>({1}, {10, 20, 30}, {}, b, true, 2, out, 5);
    SYNC();
    for (int t = 0; t < 32; t++)
        CHECK(out[t].x == (t ? 16 : 20) && out[t].y == 23 && out[t].z == 35);
    CHECK(b.count == 3);

    const dim3 shapes[] = {{1, 1, 1}, {7, 1, 1}, {33, 1, 1}, {5, 3, 2}, {1, 32, 32}, {8, 8, 8}};
    int4 *numbers = managed<int4>(1024 * 12);
    for (dim3 s : shapes) {
        int threads = s.x * s.y * s.z;
        shape<<<dim3(2, 3, 2), s>>>(numbers, s);
        SYNC();
        for (int i = 0; i < 12 * threads; i++) {
            int t = i % threads;
            int4 n = numbers[i];
            CHECK(n.x == t % s.x && n.y == t / s.x % s.y && n.z == t / s.x / s.y);
            CHECK(n.w == threads - 1);
        }
    }
}
