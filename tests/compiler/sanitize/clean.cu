// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: env GCL_LOG=info %t 2>&1 | FileCheck --implicit-check-not=footprint --implicit-check-not=race: --implicit-check-not=bounds: %s
// RUN: env GCL_LOG=info GCL_CPU_LEVEL=v3 %t 2>&1 | FileCheck --implicit-check-not=footprint --implicit-check-not=race: --implicit-check-not=bounds: %s
// RUN: %gcluster-cc -O1 --cpu=scalar --sanitize=footprint %s -o %t
// RUN: env GCL_LOG=info %t 2>&1 | FileCheck --implicit-check-not=footprint --implicit-check-not=race: --implicit-check-not=bounds: %s
// CHECK: all right
// What kernels without races do in all kinds of ways is in their footprints.
#include <cstdio>

struct pair {
    unsigned char small;
    short middle;
    float large;
};

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ int total;
__device__ float table[64];

__global__ void smooth(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = weights[0] * in[i - 1] + weights[1] * in[i] + weights[2] * in[i + 1];
}

// Blocks share words, but no bytes.
__global__ void bytes(unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (unsigned char)i;
}

__global__ void members(pair *pairs, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        pairs[i].small = 1;
        pairs[i].middle = pairs[i].small + 1;
        pairs[i].large = pairs[i].middle + 1.0f;
    }
}

__global__ void columns(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int y = 0; x < width && y < height; y++)
        sum += in[y * width + x];
    if (x < width)
        out[x] = sum;
}

__global__ void turn(const float *in, float *out, int n) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void count(const int *values, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(&bins[values[i] & 15], 1);
    atomicAdd(&total, 1);
}

__global__ void pick(const int *places, const float4 *in, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[places[i]];
}

__global__ void fill_table() { table[threadIdx.x] = threadIdx.x; }

__global__ void move(pair *to, const pair *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

template <class T> __device__ __noinline__ T change(T *place, T value) {
    *place ^= value;
    return *place & 15;
}

// Where blocks are looked at together nothing is known of the number at first, and all of it later.
__global__ void differ(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((blockIdx.x ^ threadIdx.x) == 8 && i < n)
        out[i] = 1;
}

// Nobody needs the sum, which is seen when the call is part of the kernel.
__global__ void waste(const unsigned char *in, int n) {
    unsigned sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[threadIdx.x * n + k];
    change(&sum, 0u);
}

struct view {
    const int *from;
    int step, *to, *next;
};

// Nobody needs what is added first, which is seen when the view is the kernel's own.
__global__ void replace(view v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v.from += v.step;
    if (i >= n)
        return;
    v.to[i] = v.to[i] + 1000;
    int *next = v.next;
    v.to[i] = 0;
    next[i] = v.from[i];
}

// A maximum that loops find by retrying, and others without: they begin with any value.
__global__ void highest(unsigned *out, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(&out[i & 1], i / 2);
    for (int k = 0; k < n; k++) {
        unsigned value = i * 7 + k, old = *(volatile unsigned *)&out[(i + k) & 1], seen;
        do {
            seen = old;
            if (seen >= value)
                break;
            old = atomicCAS(&out[(i + k) & 1], seen, value);
        } while (old != seen);
    }
    atomicMax(&out[i & 1], i);
}

template <class T> T *make(int count) {
    T *memory;
    cudaMalloc(&memory, count * sizeof(T));
    cudaMemset(memory, 0, count * sizeof(T));
    return memory;
}

int main() {
    const int n = 1000;
    float *a = make<float>(n * 100), *b = make<float>(n * 100);
    pair *p = make<pair>(n), *q = make<pair>(n);
    int *places = make<int>(n), *bins = make<int>(16);
    float4 *four = make<float4>(n), *other = make<float4>(n);
    smooth<<<(n + 127) / 128, 128>>>(a, b, n);
    bytes<<<(n + 29) / 30, 30>>>((unsigned char *)b, n);
    members<<<3, 33>>>(p, n);
    columns<<<(n + 63) / 64, 64>>>(a, b, n, 100);
    turn<<<dim3(6, 6), dim3(16, 16)>>>(a, b, 90);
    count<<<8, 128>>>(places, bins, n);
    pick<<<8, 128>>>(places, four, other, n);
    fill_table<<<1, 64>>>();
    move<<<8, 128>>>(q, p, n);
    differ<<<3, 64>>>(places, 190);
    waste<<<1, 64>>>((const unsigned char *)a, 7);
    replace<<<8, 128>>>({bins, 0, places, (int *)b}, 16);
    highest<<<4, 64>>>((unsigned *)bins, 3);
    cudaError_t error = cudaDeviceSynchronize();
    int counted;
    cudaMemcpyFromSymbol(&counted, total, sizeof counted);
    if (error == cudaSuccess && counted == n)
        printf("all right\n");
    return error != cudaSuccess;
}
