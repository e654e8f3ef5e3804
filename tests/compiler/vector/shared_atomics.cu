// Atomic operations on shared memory: by all lanes or some, several in a row, with results that
// somebody asks for or nobody does.
// RUN: %gcluster-cc -march=x86-64-v4 --dump=vector %s | FileCheck %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include "../device/check.h"

enum { COUNT = 1999, BINS = 61 };

// Two operations of a lane are done together, for all lanes or for some.
// CHECK-LABEL: define internal i32 @_Z4bothPKiPii.region1.lane.x86-64-v4.full(
// CHECK: chunk:
// CHECK-NOT: chunk{{[0-9]+}}:
// CHECK: lane:
// CHECK-NOT: lane{{[0-9]+}}:
// CHECK: ret i32
__global__ void both(const int *in, int *out, int n) {
    __shared__ int sums[BINS], most[BINS];
    if (threadIdx.x < BINS)
        sums[threadIdx.x] = most[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int bin = in[i] % BINS;
        atomicAdd(&sums[bin], i);
        atomicMax(&most[bin], in[i + 1]);
    }
    __syncthreads();
    if (threadIdx.x < BINS) {
        out[threadIdx.x] = sums[threadIdx.x];
        out[BINS + threadIdx.x] = most[threadIdx.x];
    }
}

// Small numbers, of which some lanes do nothing.
template <class T> __global__ void bins(const T *in, unsigned *out, int n) {
    __shared__ unsigned count[256], skipped;
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        count[i] = 0;
    if (threadIdx.x == 0)
        skipped = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (in[i] % 5 != 3)
            atomicAdd(&count[(unsigned char)in[i]], (unsigned)(unsigned char)in[i] + 1);
        else
            atomicInc(&skipped, ~0u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        out[i] = count[i];
    if (threadIdx.x == 0)
        out[256] = skipped;
}

// What is read in between was changed by the same thread.
__global__ void reads(int *out) {
    __shared__ int cells[1024];
    int t = threadIdx.x;
    cells[t] = t;
    __syncthreads();
    int *mine = &cells[t ^ 1];
    atomicAdd(mine, 1000);
    int seen = *mine;
    atomicSub(mine, seen);
    atomicOr(mine, 4);
    int before = atomicExch(mine, seen + 7);
    out[t] = *mine + 10000 * before;
}

// Every result once.
__global__ void places(int *out, int n) {
    __shared__ int next;
    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (i % 3 == 0)
            out[atomicAdd(&next, 1)] = i;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[n] = next;
}

__global__ void floats(const float *in, float *out, int n) {
    __shared__ float sums[4][16];
    __shared__ double total[16];
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        sums[i / 16][i % 16] = 0;
    for (int i = threadIdx.x; i < 16; i += blockDim.x)
        total[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int bin = i * 7 % 16;
        for (int d = 0; d < 4; d++)
            atomicAdd(&sums[d][bin], in[i * 4 + d]);
        atomicAdd(&total[bin], (double)in[i * 4]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        out[i] = sums[i / 16][i % 16];
    for (int i = threadIdx.x; i < 16; i += blockDim.x)
        out[64 + i] = (float)total[i];
}

static void check_both(int threads) {
    int *in = managed<int>(COUNT + 1), *out = managed<int>(2 * BINS), expected[2 * BINS] = {};
    for (int i = 0; i <= COUNT; i++)
        in[i] = i * 7919 % 10007;
    both<<<1, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        int bin = in[i] % BINS, *most = &expected[BINS + bin];
        expected[bin] += i;
        *most = in[i + 1] > *most ? in[i + 1] : *most;
    }
    for (int i = 0; i < 2 * BINS; i++)
        CHECK(out[i] == expected[i]);
}

template <class T> static void check_bins(int threads) {
    T *in = managed<T>(COUNT);
    unsigned *out = managed<unsigned>(257), expected[257] = {};
    for (int i = 0; i < COUNT; i++)
        in[i] = (T)(i < 512 ? i / 2 * 5 : i * 7919);
    bins<<<1, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        unsigned bin = (unsigned char)in[i];
        if (in[i] % 5 != 3)
            expected[bin] += bin + 1;
        else
            expected[256]++;
    }
    for (int i = 0; i < 257; i++)
        CHECK(out[i] == expected[i]);
}

static void check_reads(int threads) {
    int *out = managed<int>(threads);
    reads<<<1, threads>>>(out);
    SYNC();
    for (int t = 0; t < threads; t++)
        CHECK(out[t] == (t ^ 1) + 1000 + 7 + 10000 * 4);
}

static void check_places(int threads) {
    int *out = managed<int>(COUNT + 1), count = 0;
    bool seen[COUNT] = {};
    places<<<1, threads>>>(out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i += 3)
        count++;
    CHECK(out[COUNT] == count);
    for (int i = 0; i < count; i++) {
        CHECK(out[i] % 3 == 0 && !seen[out[i]]);
        seen[out[i]] = true;
    }
}

// Numbers whose sums are exact in any order.
static void check_floats(int threads) {
    float *in = managed<float>(4 * COUNT), *out = managed<float>(80), expected[80] = {};
    for (int i = 0; i < 4 * COUNT; i++)
        in[i] = (float)(i * 7919 % 1001);
    floats<<<1, threads>>>(in, out, COUNT);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        int bin = i * 7 % 16;
        for (int d = 0; d < 4; d++)
            expected[d * 16 + bin] += in[i * 4 + d];
        expected[64 + bin] += in[i * 4];
    }
    for (int i = 0; i < 80; i++)
        CHECK(out[i] == expected[i]);
}

int main() {
    for (int threads : {64, 100, 128, 256, 1024}) {
        check_both(threads);
        check_bins<unsigned char>(threads);
        check_bins<short>(threads);
        check_bins<int>(threads);
        check_reads(threads);
        check_places(threads);
        check_floats(threads);
    }
}
