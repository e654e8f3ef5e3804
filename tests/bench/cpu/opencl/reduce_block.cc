#include "../problem/reduce.h"
#include "host.h"

static const char *source = R"CL(
kernel void reduce(global const float *in, global float *out) {
    local float sums[256];
    int t = get_local_id(0);
    int i = get_group_id(0) * 512 + t;
    sums[t] = in[i] + in[i + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = 128; offset > 0; offset >>= 1) {
        if (t < offset)
            sums[t] += sums[t + offset];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = sums[0];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel reduce = cl.kernel("reduce");
    buffer<float> in(cl, p.in), out(cl, p.blocks);
    measure(cl, [&] { launch(cl, reduce, {p.n / 2}, {256}, in, out); });
    out.get(p.out);
    return bench::report(p);
}
