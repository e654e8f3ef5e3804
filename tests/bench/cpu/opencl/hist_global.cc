#include "../problem/histogram.h"
#include "host.h"

static const char *source = R"CL(
kernel void count_bytes(global const uchar *data, global uint *histogram, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_add(&histogram[data[i]], 1u);
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel count = cl.kernel("count_bytes");
    buffer<unsigned char> data(cl, p.data);
    buffer<unsigned> histogram(cl, 256);
    measure(
        cl, [&] { launch(cl, count, {1024 * 256}, {256}, data, histogram, p.n); },
        [&] { histogram.clear(); });
    histogram.get(p.histogram);
    return bench::report(p);
}
