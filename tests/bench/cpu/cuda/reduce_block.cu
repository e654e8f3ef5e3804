#include "../problem/reduce.h"
#include "host.h"

__global__ void reduce(const float *in, float *out) {
    __shared__ float sums[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 512 + t;
    sums[t] = in[i] + in[i + 256];
    __syncthreads();
    for (int offset = 128; offset > 0; offset >>= 1) {
        if (t < offset)
            sums[t] += sums[t + offset];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> in(p.in), out(p.blocks);
    measure([&] { reduce<<<p.blocks, 256>>>(in, out); });
    out.get(p.out);
    return bench::report(p);
}
