// Integers of 128 bits, which are no elements of vectors: each lane has its own.
#include <cstdio>
#include <cstdlib>

typedef unsigned __int128 u128;

enum { COUNT = 256, LIST = 40 };

struct numbers {
    u128 sum;
    __int128 least;
    unsigned long long hash;
};

// Rounds, what is shifted by, and which element is added to differ from thread to thread.
static __host__ __device__ numbers work(int t, const int *n, unsigned long long p) {
    u128 x = p, y = t;
    unsigned long long list[LIST];
    for (int i = 0; i < LIST; i++)
        list[i] = (unsigned long long)i * t;
    for (int i = 0; i < n[t]; i++) {
        x = x * p + n[(t + i) % COUNT];
        list[i * t % LIST] += (unsigned long long)x;
        y *= 3;
    }
    __int128 least = (__int128)x;
    if (least < 0)
        least = -least;
    if ((__int128)y < least && t % 3)
        least = (__int128)y;
    unsigned long long hash = 0;
    for (int i = 0; i < LIST; i++)
        hash = hash * 31 + list[i];
    long long odd = 0;
    for (__int128 i = t; i < 64; i += t % 3 + 1)
        odd += (long long)i;
    return {(((u128)p << 50) >> (t % 100)) + y, least, hash + (unsigned long long)odd};
}

__global__ void run(numbers *out, const int *n, unsigned long long p) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = work(t, n, p);
}

int main() {
    numbers *out;
    int *n, wrong = 0;
    cudaMallocManaged(&out, COUNT * sizeof *out);
    cudaMallocManaged(&n, COUNT * sizeof *n);
    for (int i = 0; i < COUNT; i++)
        n[i] = i * 7 % 13;
    run<<<COUNT / 64, 64>>>(out, n, 1000003);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int t = 0; t < COUNT; t++) {
        numbers expected = work(t, n, 1000003);
        wrong += out[t].sum != expected.sum || out[t].least != expected.least ||
                 out[t].hash != expected.hash;
    }
    if (wrong)
        printf("%d are wrong\n", wrong);
    return wrong != 0;
}
