// Kernels that rely on the lanes of a warp doing each access together, without a barrier or
// __syncwarp between: reductions, scans and exchanges from before Volta.
#include <limits.h>

#include "../device/check.h"

enum { BLOCKS = 3, THREADS = 128, COUNT = BLOCKS * THREADS };

static int wrong;

// False where a kernel's result is wrong.
static bool is_right(const char *kernel, int index, int got, int expected) {
    if (got == expected)
        return true;
    fprintf(stderr, "%s: %d is %d instead of %d\n", kernel, index, got, expected);
    wrong = 1;
    return false;
}

__device__ int linear() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// Sums of blocks.

// Each step calls the next one inside of its branch; barriers only for steps between warps.
template <class T, int STEP> struct Shrink {
    __device__ static void run(T *s, int *out, int (*combine)(int, int)) {
        if (STEP > 16)
            __syncthreads();
        if (threadIdx.x < STEP) {
            s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + STEP]);
            Shrink<T, STEP / 2>::run(s, out, combine);
        }
    }
};

template <class T> struct Shrink<T, 0> {
    __device__ static void run(T *s, int *out, int (*)(int, int)) {
        out[blockIdx.x] += s[0];
    }
};

template <class T> __device__ void shrink_twice(const int *in, int *out) {
    __shared__ int s[THREADS], q[THREADS];
    s[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    q[threadIdx.x] = 2 * s[threadIdx.x];
    Shrink<T, THREADS / 2>::run(s, out, [](int a, int b) { return a + b; });
    Shrink<T, THREADS / 2>::run(q, out, [](int a, int b) { return a + b; });
}

__global__ void by_template(const int *in, int *out) {
    shrink_twice<int>(in, out);
}

__global__ void by_volatile_template(const int *in, int *out) {
    shrink_twice<volatile int>(in, out);
}

__device__ void last_warp(volatile int *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void by_volatile(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 3 * in[blockIdx.x * THREADS + t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32)
        last_warp(s, t);
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__global__ void by_branches(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 3 * in[blockIdx.x * THREADS + t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32)
        s[t] += s[t + 32];
    if (t < 16)
        s[t] += s[t + 16];
    if (t < 8)
        s[t] += s[t + 8];
    if (t < 4)
        s[t] += s[t + 4];
    if (t < 2)
        s[t] += s[t + 2];
    if (t < 1)
        out[blockIdx.x] = s[t] + s[t + 1];
}

__global__ void by_loop(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 3 * in[blockIdx.x * THREADS + t];
    for (int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (step >= 32)
            __syncthreads();
        if (t < step)
            s[t] += s[t + step];
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// 16 threads a row: a warp has two of them.
__global__ void by_rows(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = linear();
    s[t] = 3 * in[blockIdx.x * THREADS + t];
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (step > 16)
            __syncthreads();
        if (t < step)
            s[t] += s[t + step];
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__global__ void by_dynamic(const int *in, int *out) {
    extern __shared__ int both[];
    int *s = both + blockDim.x, t = threadIdx.x;
    both[t] = -1;
    s[t] = 3 * in[blockIdx.x * THREADS + t];
    for (int step = blockDim.x / 2; step > 0; step >>= 1) {
        if (step > 16)
            __syncthreads();
        if (t < step)
            s[t] += s[t + step];
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__global__ void by_butterfly(const int *in, int *out) {
    __shared__ volatile int s[THREADS];
    __shared__ int sums[THREADS / 32];
    int t = threadIdx.x;
    s[t] = 3 * in[blockIdx.x * THREADS + t];
    for (int bit = 1; bit < 32; bit *= 2)
        s[t] += s[t ^ bit];
    if (t % 32 == 31)
        sums[t / 32] = s[t];
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

// In global memory.
__global__ void by_global(const int *in, int *out, int *scratch) {
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32;
    scratch[i] = 3 * in[i];
    for (int step = 16; step > 0; step /= 2) {
        if (lane < step)
            scratch[i] += scratch[i + step];
    }
    if (lane == 0)
        atomicAdd(&out[blockIdx.x], scratch[i]);
}

struct Extremes {
    int least, most;
};

// Members of a structure, and a condition on what others have.
__global__ void by_members(const int *in, int *out) {
    __shared__ Extremes s[THREADS];
    int t = threadIdx.x;
    s[t].least = s[t].most = in[blockIdx.x * THREADS + t];
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (step > 16)
            __syncthreads();
        if (t < step && s[t + step].least < s[t].least)
            s[t].least = s[t + step].least;
        if (t < step && s[t + step].most > s[t].most)
            s[t].most = s[t + step].most;
    }
    if (t == 0)
        out[blockIdx.x] = s[0].least * 1000 + s[0].most;
}

// One value a thread.

__global__ void scan(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[blockIdx.x * THREADS + t];
    for (int step = 1; step < 32; step *= 2) {
        if (lane >= step)
            s[t] += s[t - step];
    }
    out[blockIdx.x * THREADS + t] = s[t];
}

// Who takes part differs from step to step: lanes from 0, from 1, …, and never all of them.
__global__ void scan_backwards(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[blockIdx.x * THREADS + t];
    for (int step = 16; step > 0; step /= 2) {
        int other = lane >= step ? s[t - step] : 0;
        if (lane >= step)
            s[t] = other + s[t];
    }
    out[blockIdx.x * THREADS + t] = s[t];
}

__global__ void reverse(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * THREADS + t];
    out[blockIdx.x * THREADS + t] = s[t ^ 31];
}

// Blocks of 50: the last warp has 18 lanes.
__global__ void rotate(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x, base = t / 32 * 32, lanes = min(32, (int)blockDim.x - base);
    s[t] = in[blockIdx.x * blockDim.x + t];
    for (int k = 0; k < 5; k++)
        s[t] = s[base + (t - base + 1) % lanes];
    out[blockIdx.x * blockDim.x + t] = s[t];
}

__global__ void broadcast(const int *in, int *out) {
    __shared__ int s[THREADS / 32];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    if (t % 32 == 31)
        s[t / 32] = in[i];
    out[i] = in[i] - s[t / 32];
}

__global__ void transposed(const int *in, int *out) {
    __shared__ int s[THREADS / 32][8][4];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    s[warp][lane / 4][lane % 4] = in[blockIdx.x * THREADS + t];
    out[blockIdx.x * THREADS + t] = s[warp][lane % 8][lane / 8];
}

__global__ void combined(const int *in, int *out) {
    __shared__ unsigned words[THREADS / 32];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    if (t % 32 == 0)
        words[t / 32] = 0;
    if (in[i] % 3 == 0)
        atomicOr(&words[t / 32], 1u << (t % 32));
    out[i] = __popc(words[t / 32] >> (t % 32));
}

// As many rounds as data say, all lanes of a warp together, and a second loop inside.
__global__ void rounds(const int *in, int *out, const int *counts) {
    __shared__ volatile int s[THREADS];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    s[t] = in[blockIdx.x * THREADS + t];
    for (int k = 0; k < counts[warp]; k++) {
        for (int step = 1; step < 32; step *= 2) {
            if (lane + step < 32)
                s[t] += s[t + step];
        }
        s[t] = s[t] & 0xffff;
    }
    out[blockIdx.x * THREADS + t] = s[t];
}

// Initial values that one lane changes before the others read them.
__global__ void corrected(const int *in, int *out) {
    __shared__ int s[THREADS];
    int t = threadIdx.x, base = t / 32 * 32;
    s[t] = in[blockIdx.x * THREADS + t];
    if (t % 32 == 0)
        s[base + 7] = 1000;
    out[blockIdx.x * THREADS + t] = s[base + (t + 3) % 32];
}

__global__ void neighbours(const int *in, volatile int *exchange, int *out) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    exchange[i] = in[i];
    out[i] = exchange[i ^ 1] - exchange[i ^ 16];
}

static int in_of(int i) {
    return i * 37 % 101 - 20;
}

static int sum_of(int block) {
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += in_of(block * THREADS + t);
    return 3 * sum;
}

static int extremes_of(int block) {
    int least = INT_MAX, most = INT_MIN;
    for (int t = 0; t < THREADS; t++) {
        int value = in_of(block * THREADS + t);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return least * 1000 + most;
}

static int scan_of(int i) {
    int sum = 0;
    for (int k = i / 32 * 32; k <= i; k++)
        sum += in_of(k);
    return sum;
}

static int count_of(int i) {
    int count = 0;
    for (int k = i; k <= (i | 31); k++)
        count += in_of(k) % 3 == 0;
    return count;
}

static int rotated_of(int i) {
    int t = i % 50, base = t / 32 * 32, lanes = base ? 18 : 32;
    return in_of(i - t + base + (t - base + 5) % lanes);
}

static int corrected_of(int i) {
    int other = (i + 3) % 32;
    return other == 7 ? 1000 : in_of(i / 32 * 32 + other);
}

static int transposed_of(int i) {
    int lane = i % 32;
    return in_of(i - lane + lane % 8 * 4 + lane / 8);
}

static int rounds_of(int i, const int *counts) {
    int s[64] = {0};
    for (int l = 0; l < 32; l++)
        s[l] = in_of(i / 32 * 32 + l);
    for (int k = 0; k < counts[i % THREADS / 32]; k++) {
        for (int l = 0; l < 32; l++) {
            for (int m = l + 1; m < 32; m++)
                s[l] += s[m];
            s[l] &= 0xffff;
        }
    }
    return s[i % 32];
}

static int *in, *out;

template <class Kernel, class... Rest>
static void check_sums(const char *name, int (*expected)(int), dim3 block, size_t dynamic,
                       Kernel kernel, Rest... rest) {
    for (int b = 0; b < BLOCKS; b++)
        out[b] = 0;
    kernel<<<BLOCKS, block, dynamic>>>(in, out, rest...);
    SYNC();
    for (int b = 0; b < BLOCKS && is_right(name, b, out[b], expected(b));)
        b++;
}

#define CHECK_SUMS(kernel) check_sums(#kernel, sum_of, THREADS, 0, kernel)

static void check_values(const char *name, int (*expected)(int), int count) {
    SYNC();
    for (int i = 0; i < count && is_right(name, i, out[i], expected(i));)
        i++;
}

static void check_all_sums() {
    int *scratch = managed<int>(COUNT);
    CHECK_SUMS(by_template);
    CHECK_SUMS(by_volatile_template);
    CHECK_SUMS(by_volatile);
    CHECK_SUMS(by_branches);
    CHECK_SUMS(by_loop);
    CHECK_SUMS(by_butterfly);
    check_sums("by_rows", sum_of, dim3(16, 8), 0, by_rows);
    check_sums("by_dynamic", sum_of, THREADS, 2 * THREADS * sizeof(int), by_dynamic);
    check_sums("by_global", sum_of, THREADS, 0, by_global, scratch);
    check_sums("by_members", extremes_of, THREADS, 0, by_members);
}

#define CHECK_VALUES(kernel, expected)                                                             \
    kernel<<<BLOCKS, THREADS>>>(in, out);                                                          \
    check_values(#kernel, expected, COUNT)

int main() {
    in = managed<int>(COUNT);
    out = managed<int>(COUNT);
    int *counts = managed<int>(THREADS / 32), *exchange = managed<int>(COUNT);
    for (int i = 0; i < COUNT; i++)
        in[i] = in_of(i);
    for (int w = 0; w < THREADS / 32; w++)
        counts[w] = w + 1;
    check_all_sums();
    CHECK_VALUES(scan, scan_of);
    CHECK_VALUES(scan_backwards, scan_of);
    CHECK_VALUES(reverse, [](int i) { return in_of(i ^ 31); });
    CHECK_VALUES(broadcast, [](int i) { return in_of(i) - in_of(i | 31); });
    CHECK_VALUES(transposed, transposed_of);
    CHECK_VALUES(combined, count_of);
    CHECK_VALUES(corrected, corrected_of);
    rotate<<<BLOCKS, 50>>>(in, out);
    check_values("rotate", rotated_of, BLOCKS * 50);
    neighbours<<<BLOCKS, THREADS>>>(in, exchange, out);
    check_values("neighbours", [](int i) { return in_of(i ^ 1) - in_of(i ^ 16); }, COUNT);
    rounds<<<BLOCKS, THREADS>>>(in, out, counts);
    SYNC();
    for (int i = 0; i < COUNT && is_right("rounds", i, out[i], rounds_of(i, counts));)
        i++;
    return wrong;
}
