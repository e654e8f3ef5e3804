// Kernels that read right behind a barrier what later code of the same region writes, without a
// barrier between: all warps of a GPU have read before the first one writes.
#include "../device/check.h"

enum { BLOCKS = 3, THREADS = 256, WARPS = THREADS / 32, COUNT = BLOCKS * THREADS, ROWS = 4 };

static int wrong;

// False where a kernel's result is wrong.
static bool is_right(const char *kernel, int index, int got, int expected) {
    if (got == expected)
        return true;
    fprintf(stderr, "%s: %d is %d instead of %d\n", kernel, index, got, expected);
    wrong = 1;
    return false;
}

__device__ int warp_sum(int value) {
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// Each warp leaves its sum, and all of them add up what they find.
__device__ int sum_all(int value) {
    __shared__ int s[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0)
        s[warp] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += s[w];
    return sum;
}

// The mean, and then how far values are from it: two sums in one array.
__global__ void deviation(const int *in, int *out) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    int mean = sum_all(in[i]) / THREADS;
    int difference = in[i] - mean;
    out[i] = sum_all(difference * difference) + mean;
}

__global__ void deviation_by_first(const int *in, int *out) {
    __shared__ int s[WARPS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t, warp = t / 32;
    int sum = warp_sum(in[i]);
    if (t % 32 == 0)
        s[warp] = sum;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < WARPS; w++)
            s[0] += s[w];
    }
    __syncthreads();
    int mean = s[0] / THREADS, difference = in[i] - mean;
    sum = warp_sum(difference * difference);
    if (t % 32 == 0)
        s[warp] = sum;
    __syncthreads();
    for (int w = sum = 0; w < WARPS; w++)
        sum += s[w];
    out[i] = sum + mean;
}

// Sums of rows, one after the other; the last warp adds up.
__device__ int sum_in_last(int value) {
    __shared__ int s[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0)
        s[warp] = value;
    __syncthreads();
    value = warp == WARPS - 1 && lane < WARPS ? s[lane] : 0;
    return warp == WARPS - 1 ? warp_sum(value) : 0;
}

__global__ void rows(const int *in, int *out) {
    for (int row = 0; row < ROWS; row++) {
        int sum = sum_in_last(in[blockIdx.x * THREADS + threadIdx.x] * (row + 1));
        if (threadIdx.x == THREADS - 1)
            out[blockIdx.x * ROWS + row] = sum;
    }
}

// Every thread reads its neighbour and then writes its own.
__global__ void smooth(const int *in, int *out) {
    __shared__ int s[THREADS + 1];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t + 1] = in[i];
    if (t == 0)
        s[0] = 0;
    for (int step = 0; step < 3; step++) {
        __syncthreads();
        int before = s[t];
        s[t + 1] += before;
    }
    out[i] = s[t + 1];
}

// The last thread that is left changes what all of them go by.
__global__ void countdown(const int *in, int *out) {
    __shared__ int left;
    int t = threadIdx.x, rounds = 0;
    if (t == 0)
        left = 5 + blockIdx.x;
    for (;;) {
        __syncthreads();
        if (left == 0)
            break;
        rounds += in[0] + 21;
        if (t == 0)
            left--;
    }
    out[blockIdx.x * THREADS + t] = rounds;
}

// In global memory, with threads that have returned.
__global__ void in_global(const int *in, int *out, int *total) {
    int t = threadIdx.x, b = blockIdx.x;
    if (t >= THREADS - 40)
        return;
    if (t == 0)
        total[b] = in[b];
    __syncthreads();
    int first = total[b];
    if (t == 31)
        total[b] = 1000;
    __syncthreads();
    out[b * THREADS + t] = first - total[b];
}

// 16 threads a row, the write under a condition that parts warps.
__global__ void in_rows(const int *in, int *out) {
    __shared__ int s[16][17];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * THREADS + y * 16 + x;
    s[y][x] = in[i];
    __syncthreads();
    int column = s[x][y];
    if ((x + y) % 2)
        s[y][x] = -1;
    __syncthreads();
    out[i] = column * 2 + s[x][y];
}

static int in_of(int i) {
    return i * 37 % 101 - 20;
}

static int sum_of(int block) {
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += in_of(block * THREADS + t);
    return sum;
}

static int deviation_of(int i) {
    int block = i / THREADS, mean = sum_of(block) / THREADS, sum = 0;
    for (int t = 0; t < THREADS; t++) {
        int difference = in_of(block * THREADS + t) - mean;
        sum += difference * difference;
    }
    return sum + mean;
}

static int smooth_of(int i) {
    int s[THREADS + 1] = {0};
    for (int t = 0; t < THREADS; t++)
        s[t + 1] = in_of(i / THREADS * THREADS + t);
    for (int step = 0; step < 3; step++) {
        for (int t = THREADS; t > 0; t--)
            s[t] += s[t - 1];
    }
    return s[i % THREADS + 1];
}

static int in_rows_of(int i) {
    int x = i % 16, y = i % THREADS / 16, value = in_of(i / THREADS * THREADS + x * 16 + y);
    return value * 2 + ((x + y) % 2 ? -1 : value);
}

static void check(const char *name, const int *out, int (*expected)(int), int count) {
    SYNC();
    for (int i = 0; i < count; i++) {
        bool counts = i % THREADS < THREADS - 40 || count < COUNT; // others may have returned
        if (counts && !is_right(name, i, out[i], expected(i)))
            return;
    }
}

int main() {
    int *in = managed<int>(COUNT), *out = managed<int>(COUNT), *total = managed<int>(BLOCKS);
    for (int i = 0; i < COUNT; i++)
        in[i] = in_of(i);
    deviation<<<BLOCKS, THREADS>>>(in, out);
    check("deviation", out, deviation_of, COUNT);
    deviation_by_first<<<BLOCKS, THREADS>>>(in, out);
    check("deviation_by_first", out, deviation_of, COUNT);
    rows<<<BLOCKS, THREADS>>>(in, out);
    check("rows", out, [](int i) { return sum_of(i / ROWS) * (i % ROWS + 1); }, BLOCKS * ROWS);
    smooth<<<BLOCKS, THREADS>>>(in, out);
    check("smooth", out, smooth_of, COUNT);
    countdown<<<BLOCKS, THREADS>>>(in, out);
    check("countdown", out, [](int i) { return 5 + i / THREADS; }, COUNT);
    in_global<<<BLOCKS, THREADS>>>(in, out, total);
    check("in_global", out, [](int i) { return in_of(i / THREADS) - 1000; }, COUNT);
    in_rows<<<BLOCKS, dim3(16, 16)>>>(in, out);
    check("in_rows", out, in_rows_of, COUNT);
    return wrong;
}
