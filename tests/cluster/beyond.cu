// Memory beyond the device's: sweeps, a stencil, a product, a scatter, reductions, what is freed
// and allocated anew, copies both ways and within. Prints sums, which don't depend on where memory
// is.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void fill(float *a, int n, int seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = (float)((i * 7 + seed) % 1009);
}

__global__ void triad(float *c, const float *a, const float *b, float s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + s * b[i];
}

__global__ void stencil(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                                  in[(y + 1) * w + x]);
}

__global__ void product(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

/// Where it writes and reads can't be foreseen.
__global__ void scatter(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned j = i;
    for (int k = 0; k < 3; k++)
        j = (j * 5 + 3) % (unsigned)n;
    out[(i ^ 1) % n] = in[j];
}

__global__ void count(const float *a, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[(unsigned)a[i] % 64], 1u);
}

/// Its blocks have to be there together.
__global__ void turns(float *a, float *b, int n) {
    int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += stride)
        b[i] = a[n - 1 - i];
    cooperative_groups::this_grid().sync();
    for (int i = first; i < n; i += stride)
        a[i] += b[n - 1 - i];
}

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    printf("%s: %s\n", what, cudaGetErrorName(error));
    exit(1);
}

static double sum(const float *device, int n) {
    std::vector<float> host(n);
    check(cudaMemcpy(host.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost), "copy");
    double all = 0;
    for (int i = 0; i < n; i++)
        all += host[i] * (i % 13 + 1);
    return all;
}

int main(int argc, char **argv) {
    const int w = 1024, h = 1000, n = w * h, side = 256;
    const dim3 block(32, 8);
    float *a, *b, *c;
    unsigned *bins, counted[64];
    if (argc > 1) { // as many MiB at once
        cudaError_t error = cudaMalloc(&a, (size_t)atoi(argv[1]) << 20);
        printf("%s\n", cudaGetErrorName(error));
        cudaGetLastError();
    }
    size_t free_before, free_after, total;
    cudaMemGetInfo(&free_before, &total);
    check(cudaMalloc(&a, n * sizeof *a), "a");
    check(cudaMalloc(&b, n * sizeof *b), "b");
    check(cudaMalloc(&c, n * sizeof *c), "c");
    check(cudaMalloc(&bins, sizeof counted), "bins");
    cudaMemGetInfo(&free_after, &total);
    printf("%zu bytes\n", free_before - free_after);
    fill<<<(n + 255) / 256, 256>>>(a, n, 1);
    fill<<<(n + 255) / 256, 256>>>(b, n, 2);
    for (int i = 0; i < 3; i++)
        triad<<<(n + 255) / 256, 256>>>(c, a, b, (float)i, n);
    printf("triad %.0f\n", sum(c, n));
    cudaMemset(b, 0, n * sizeof *b);
    for (int i = 0; i < 4; i++)
        stencil<<<dim3(w / 32, (h + 7) / 8), block>>>(i % 2 ? c : b, i % 2 ? b : c, w, h);
    printf("stencil %.3f\n", sum(c, n));
    product<<<dim3(side / 32, side / 8), block>>>(c, a, b, side);
    printf("product %.0f\n", sum(c, side * side));
    scatter<<<(n + 255) / 256, 256>>>(b, a, n);
    printf("scatter %.0f\n", sum(b, n));
    cudaMemset(bins, 0, sizeof counted);
    count<<<64, 256>>>(b, bins, n);
    cudaMemcpy(counted, bins, sizeof counted, cudaMemcpyDeviceToHost);
    printf("count %u %u\n", counted[0], counted[63]);
    // What is allocated where something else was doesn't show it.
    cudaFree(c);
    check(cudaMalloc(&c, n * sizeof *c), "c again");
    cudaMemcpy(c, b, n / 2 * sizeof *c, cudaMemcpyDeviceToDevice);
    printf("within %.0f\n", sum(c, n / 2));
    std::vector<float> host(n, 3);
    cudaMemcpy(a + 5, host.data(), (n - 5) * sizeof *a, cudaMemcpyHostToDevice);
    printf("in %.0f\n", sum(a, n));
    if (getenv("TURNS")) {
        int count = n;
        void *arguments[] = {&a, &b, &count};
        check(cudaLaunchCooperativeKernel((void *)turns, 8, 256, arguments), "turns");
        printf("turns %.0f\n", sum(a, n));
    }
    check(cudaDeviceSynchronize(), "end");
    if (getenv("WAITS")) {
        puts("waits");
        fflush(stdout);
        getchar();
    }
}
