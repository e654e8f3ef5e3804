#include "../problem/reduce.h"
#include "host.h"

__global__ void reduce(const element *in, element *out) {
    __shared__ element sums[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * 512 + threadIdx.x;
    element sum = in[i] + in[i + 256];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < 8 ? sums[lane] : 0;
        for (int offset = 4; offset > 0; offset >>= 1)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<element> in(p.in), out(p.blocks);
    measure([&] { reduce<<<p.blocks, 256>>>(in, out); });
    out.get(p.out);
    return bench::report(p);
}
