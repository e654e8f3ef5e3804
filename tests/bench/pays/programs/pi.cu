// Pi by random points: nothing but arithmetic, and a sum at the end.
#include "pays.h"

__global__ void throw_points(unsigned *inside, int count) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = noise(thread + 1) | 1, hits = 0;
    for (int i = 0; i < count; i++) {
        float xy[2];
        for (float &coordinate : xy) { // xorshift
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            coordinate = (state >> 8) / 16777216.0f;
        }
        hits += xy[0] * xy[0] + xy[1] * xy[1] < 1;
    }
    inside[thread] = hits;
}

__global__ void sum(const unsigned *inside, unsigned *total, int n) {
    __shared__ unsigned sums[256];
    unsigned own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        own += inside[i];
    sums[threadIdx.x] = own;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *total = sums[0];
}

int main(int argc, char **argv) {
    const int threads = 1 << 14, count = by_size(argc, argv, 8000, 40000, 150000);
    start_clock();
    unsigned *inside = allocate<unsigned>(threads), *total = allocate<unsigned>(1);
    throw_points<<<threads / 128, 128>>>(inside, count);
    sum<<<1, 256>>>(inside, total, threads);
    return report(total, 1);
}
