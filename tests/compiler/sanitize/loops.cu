// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: %t 2>&1 | FileCheck --implicit-check-not=footprint: --implicit-check-not=race: %s
// CHECK: all right
// Loops that end in one of several ways, whose ends are seen by loops around them, or whose
// counters wrap around: what they touch is in their footprints.
#include <cstdio>

// Which way out was taken decides what comes behind the loop.
__global__ void search(int n, int m, unsigned char *a) {
    int found = 0;
    for (int x = 0; x < n; x++) {
        if (x * 5 > m + threadIdx.x)
            break;
        found = x * 3 + 50;
    }
    a[found] = 1;
}

__global__ void search_on(int n, int m, unsigned char *a) {
    int found = 0, x = 0;
    for (;;) {
        if (x * 5 > m + threadIdx.x)
            break;
        found = x * 3 + 50;
        if (++x >= n)
            break;
    }
    a[found] = 1;
}

// Where the inner loop ends decides whether the outer one goes on.
__global__ void rows(int n, int m, unsigned char *a) {
    for (int y = threadIdx.x; y < n; y += blockDim.x) {
        int x = m + (y & 3);
        for (; x >= 0; x -= 3)
            a[y * 100 + x] = 1;
        if (x == -2)
            return;
        a[y * 100 + 99] = 2;
    }
}

// Where it ends is where it begins in the next row.
__global__ void chain(int n, int m, unsigned char *a) {
    int begin = 0;
    for (int y = 0; y < n; y++) {
        int x = y;
        for (; x < m + y; x += 3)
            a[begin + x] = 1;
        begin = x;
    }
}

// True in all iterations but the first, and the last.
__global__ void but_first(const float *in, float *out, int n) {
    bool later = false;
    for (int k = 0; k < n; k++) {
        if (later)
            out[k] = in[k];
        later = k < n - 3;
    }
}

// 10, 110, 210, and then 54.
__global__ void around(unsigned char first, unsigned char end, int *a) {
    for (unsigned char j = first; j < end; j += 100)
        a[j] = 1;
}

template <class T> T *make() {
    T *memory;
    cudaMalloc(&memory, 8000);
    cudaMemset(memory, 0, 8000);
    return memory;
}

int main() {
    unsigned char *bytes = make<unsigned char>();
    float *in = make<float>(), *out = make<float>();
    search<<<1, 1>>>(20, 40, bytes);
    search<<<1, 1>>>(20, 400, bytes);
    search_on<<<1, 1>>>(20, 40, bytes);
    search_on<<<1, 1>>>(20, 400, bytes);
    rows<<<1, 7>>>(60, 20, bytes);
    chain<<<1, 1>>>(9, 30, bytes);
    but_first<<<1, 1>>>(in, out, 60);
    around<<<1, 1>>>(10, 250, make<int>());
    if (cudaDeviceSynchronize() == cudaSuccess)
        printf("all right\n");
}
