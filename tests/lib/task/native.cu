// A kernel whose blocks a function of the host runs on CPUs: it splits as its text says.
#include <cstdint>
#include <cstdio>

#include "gcluster/kernel.h"

struct arguments {
    const float *in;
    float *out;
    int count;
};

extern "C" uint32_t run_shift(struct gcl_block *block, uint32_t, uint32_t, uint32_t) {
    const arguments *a = reinterpret_cast<const arguments *>(block->arguments);
    for (uint32_t t = 0; t < block->thread_count; t++) {
        int i = block->block_index[0] * block->thread_count + t;
        if (i < a->count)
            a->out[i] = a->in[i + 1] + 0.5f; // by which it is told from the kernel
    }
    return GCL_EXIT;
}

__global__ void __attribute__((annotate("gcl.native=run_shift"))) shift(const float *in, float *out,
                                                                        int count) {
    __shared__ float kept[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x] = i < count ? in[i + 1] : 0;
    __syncthreads();
    if (i < count)
        out[i] = kept[threadIdx.x];
}

int main() {
    enum { COUNT = 1000, TIMES = 5 };
    static float host[COUNT + TIMES];
    float *in, *out;
    for (int i = 0; i < COUNT + TIMES; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (int k = 0; k < TIMES; k++) {
        int left = COUNT + TIMES - 1 - k;
        shift<<<(left + 127) / 128, 128>>>(in, out, left);
        float *other = in;
        in = out;
        out = other;
    }
    cudaMemcpy(host, in, COUNT * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        if (host[i] != i + TIMES + TIMES * 0.5f) {
            printf("%d: %g\n", i, host[i]);
            return 1;
        }
    }
    return cudaGetLastError();
}
