// Places that one thread walks through in strides that wrap around.
#include <cstdio>

enum { COUNT = 128, STRIDE = 7 };

__global__ void gather(const int *in, int *out) {
    for (int i = 0; i < COUNT; i++)
        out[i] = in[i * STRIDE % COUNT];
}

__global__ void gather_first(const int *in, int *out) {
    if (threadIdx.x == 0)
        for (int i = 0; i < COUNT; i++)
            out[i] = in[i * STRIDE % COUNT];
}

__global__ void gather_own(const int *in, int *out) {
    __shared__ int all[COUNT];
    for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
        all[i] = in[i];
    __syncthreads();
    int own[COUNT];
    for (int i = 0; i < COUNT; i++)
        own[i] = all[i * STRIDE % COUNT];
    for (int i = 0; i < COUNT; i++)
        out[threadIdx.x * COUNT + i] = own[(i + (int)threadIdx.x) * STRIDE % COUNT];
}

int main() {
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, COUNT * sizeof *in);
    cudaMallocManaged(&out, 32 * COUNT * sizeof *out);
    for (int i = 0; i < COUNT; i++)
        in[i] = i;
    gather<<<1, 1>>>(in, out);
    gather_first<<<1, 32>>>(in, out + COUNT);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * COUNT; i++)
        wrong += out[i] != i * STRIDE % COUNT;
    gather_own<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32 * COUNT; i++)
        wrong += out[i] != (i % COUNT + i / COUNT) * STRIDE % COUNT * STRIDE % COUNT;
    if (wrong)
        printf("%d are wrong\n", wrong);
    return wrong != 0;
}
