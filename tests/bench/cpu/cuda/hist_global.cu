#include "../problem/histogram.h"
#include "host.h"

__global__ void count(const unsigned char *data, unsigned *histogram, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&histogram[data[i]], 1u);
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<unsigned char> data(p.data);
    device_array<unsigned> histogram(256);
    measure([&] { count<<<1024, 256>>>(data, histogram, p.n); }, [&] { histogram.clear(); });
    histogram.get(p.histogram);
    return bench::report(p);
}
