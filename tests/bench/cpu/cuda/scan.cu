#include "../problem/scan.h"
#include "host.h"

enum { THREADS = 256, CHUNK = 4 * THREADS };

// Inclusive sums over a block's threads, by doubling distances.
__device__ int scan_threads(int value) {
    __shared__ int sums[2][THREADS];
    int from = 0, t = threadIdx.x;
    sums[0][t] = value;
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        sums[1 - from][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
        from = 1 - from;
        __syncthreads();
    }
    return sums[from][t];
}

// Sums within chunks of four elements a thread, and each chunk's total.
__global__ void scan_chunks(const int4 *in, int4 *out, int *totals) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    int4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int sum = scan_threads(v.w), before = sum - v.w;
    out[i] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
    if (threadIdx.x == THREADS - 1)
        totals[blockIdx.x] = sum;
}

// One block turns the totals into what comes before each chunk.
__global__ void scan_totals(int *totals, int count) {
    __shared__ int carry;
    if (threadIdx.x == 0)
        carry = 0;
    __syncthreads();
    for (int begin = 0; begin < count; begin += THREADS) {
        int i = begin + threadIdx.x;
        int value = i < count ? totals[i] : 0;
        int before = carry, sum = scan_threads(value);
        if (i < count)
            totals[i] = before + sum - value;
        __syncthreads();
        if (threadIdx.x == THREADS - 1)
            carry = before + sum;
        __syncthreads();
    }
}

__global__ void add_totals(int4 *out, const int *totals) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    int before = totals[blockIdx.x];
    int4 v = out[i];
    out[i] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const int chunks = (int)(p.n / CHUNK);
    device_array<int> in(p.in), out(p.n), totals(chunks);
    measure([&] {
        int4 *from = (int4 *)(int *)in, *to = (int4 *)(int *)out;
        scan_chunks<<<chunks, THREADS>>>(from, to, totals);
        scan_totals<<<1, THREADS>>>(totals, chunks);
        add_totals<<<chunks, THREADS>>>(to, totals);
    });
    out.get(p.out);
    return bench::report(p);
}
