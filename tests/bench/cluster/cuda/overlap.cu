// How long a copy and a kernel take that have nothing to do with each other: alone, and in two
// streams at the same time. The kernel has one block and is made to take about as long as the copy.
//
//     overlap in|out <MiB> <rounds>
#include "host.h"

#include <algorithm>
#include <cstring>

__global__ void write(float *out, size_t count, float value) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = value;
}

__global__ void compute(float *out, int steps) {
    float value = threadIdx.x;
    for (int i = 0; i < steps; i++)
        value = value * 0.999f + 1;
    out[threadIdx.x] = value;
}

struct Problem {
    bool is_in;
    size_t count;
    float *device, *host, *result;
    cudaStream_t copies, kernels;

    /// Best of some rounds; the memory is made anew before each of them, in parts on all nodes.
    double time(bool copies_some, int steps, int rounds) {
        double best = 1e30;
        for (int round = 0; round < rounds; round++) {
            write<<<(count + 255) / 256, 256>>>(device, count, is_in ? 2 : 1);
            double begin = finished();
            if (steps)
                compute<<<1, 32, 0, kernels>>>(result, steps);
            if (copies_some && is_in)
                check(cudaMemcpyAsync(device, host, count * sizeof(float), cudaMemcpyHostToDevice,
                                      copies));
            else if (copies_some)
                check(cudaMemcpyAsync(host, device, count * sizeof(float), cudaMemcpyDeviceToHost,
                                      copies));
            best = std::min(best, finished() - begin);
        }
        return best;
    }
};

int main(int argc, char **argv) {
    Problem p = {};
    p.is_in = argc > 1 && !strcmp(argv[1], "in");
    p.count = (argc > 2 ? atoi(argv[2]) : 64) * ((size_t)1 << 20) / sizeof(float);
    const int rounds = argc > 3 ? atoi(argv[3]) : 5, trial = 1000000;
    p.device = allocate<float>(p.count);
    p.result = allocate<float>(32);
    check(cudaMallocHost(&p.host, p.count * sizeof(float)));
    std::fill(p.host, p.host + p.count, 1.0f);
    check(cudaStreamCreateWithFlags(&p.copies, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&p.kernels, cudaStreamNonBlocking));
    p.time(true, trial, 1);
    double copy = p.time(true, 0, rounds);
    int steps = (int)(trial * copy / p.time(false, trial, rounds));
    double kernel = p.time(false, steps, rounds), both = p.time(true, steps, rounds);
    bool is_right = host_copy(p.device, p.count) == std::vector<float>(p.count, 1);
    for (size_t i = 0; i < p.count; i++)
        is_right = is_right && p.host[i] == 1;
    printf("longer %.9f copy %.9f kernel %.9f\n", std::max(copy, kernel), copy, kernel);
    return report(both, is_right);
}
