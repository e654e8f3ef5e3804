// How long it takes until node 0 has what node 1 has written: pieces of the upper half of an array,
// of which each node writes one half. The kernels that ask for them may read them, but don't.
//
//     transfer <MiB> <rounds> <pieces of that size>
#include "host.h"

#include <algorithm>

__global__ void write(float *out, size_t half, float value) {
    const size_t own = 2 * half / gridDim.x;
    for (size_t i = threadIdx.x; i < own; i += blockDim.x)
        out[blockIdx.x * own + i] = value;
}

__global__ void ask(const float *in, size_t count, float *out, float angle) {
    if (sinf(angle * threadIdx.x) > 2) { // never, but nobody knows before it runs
        float sum = 0;
        for (size_t i = threadIdx.x; i < count; i += blockDim.x)
            sum += in[i];
        *out += sum;
    }
}

int main(int argc, char **argv) {
    const size_t bytes = (argc > 1 ? atoi(argv[1]) : 1) * ((size_t)1 << 20);
    const int rounds = argc > 2 ? atoi(argv[2]) : 5, pieces = argc > 3 ? atoi(argv[3]) : 1;
    const size_t piece = bytes / sizeof(float), half = piece * pieces;
    float *array = allocate<float>(2 * half), *sum = allocate<float>(1);
    std::vector<double> times;
    check(cudaMemset(sum, 0, sizeof(float)));
    for (int i = 0; i <= rounds; i++) {
        write<<<64, 256>>>(array, half, i);
        double begin = finished();
        for (int k = 0; k < pieces; k++)
            ask<<<1, 256>>>(array + half + k * piece, piece, sum, 0.1f);
        double seconds = finished() - begin;
        if (i > 0) // the first one plans
            times.push_back(seconds / pieces);
    }
    bool is_right = host_copy(array + half, half) == std::vector<float>(half, rounds);
    std::sort(times.begin(), times.end());
    return report(times[0], is_right);
}
