// First what nodes gain from, then what they lose by, twice: heavy blocks, and every element from
// elsewhere. Variables, constants and managed memory are used on the way. Arguments: launches of
// each.
#include <cstdio>
#include <cstdlib>

enum { COUNT = 1 << 20, BLOCK = 256 };

__device__ int tiny_launches;
__constant__ float factor;

__global__ void heavy(float *a, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int j = 0; j < rounds; j++)
        x = x * factor + 0.25f;
    a[i] = x;
}

__global__ void shift(float *to, const float *from, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[(i + by) % COUNT];
}

__global__ void tiny(float *a, const int *step) {
    a[threadIdx.x] += (float)*step;
    if (threadIdx.x == 0)
        atomicAdd(&tiny_launches, 1);
}

int main(int argc, char **argv) {
    int heavies = argc > 1 ? atoi(argv[1]) : 10, shifts = argc > 2 ? atoi(argv[2]) : 10;
    float *a, *b, half = 0.5f, *result = (float *)malloc(COUNT * sizeof(float));
    int *step, launches;
    cudaMalloc(&a, COUNT * sizeof(float));
    cudaMalloc(&b, COUNT * sizeof(float));
    cudaMallocManaged(&step, sizeof(int));
    cudaMemcpyToSymbol(factor, &half, sizeof half);
    for (int i = 0; i < COUNT; i++)
        result[i] = (float)(i % 1009);
    cudaMemcpy(a, result, COUNT * sizeof(float), cudaMemcpyHostToDevice);
    for (*step = 1; *step <= 2; ++*step) {
        for (int i = 0; i < heavies; i++)
            heavy<<<COUNT / BLOCK, BLOCK>>>(a, 100);
        for (int i = 0; i < shifts; i++) {
            shift<<<COUNT / BLOCK, BLOCK>>>(b, a, COUNT / 2 + i);
            float *swapped = a;
            a = b;
            b = swapped;
        }
        for (int i = 0; i < 50; i++)
            tiny<<<1, BLOCK>>>(a, step);
        cudaDeviceSynchronize();
    }
    cudaMemcpy(result, a, COUNT * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&launches, tiny_launches, sizeof launches);
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += result[i] * (i % 7);
    printf("%.6f %d: %s\n", sum, launches, cudaGetErrorName(cudaPeekAtLastError()));
    return 0;
}
