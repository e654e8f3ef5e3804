#include "../problem/histogram.h"
#include "host.h"

static const char *source = R"CL(
kernel void count_bytes(global const uchar *data, global uint *histogram, uint n) {
    local uint bins[256];
    bins[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_add(&bins[data[i]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&histogram[get_local_id(0)], bins[get_local_id(0)]);
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
