#include "../problem/stencil2d.h"
#include "host.h"

static const char *source = R"CL(
kernel void stencil(global const float *in, global float *out, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                                 in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel stencil = cl.kernel("stencil");
    buffer<float> a(cl, p.cells), b(cl, p.cells);
    range global = {(size_t)p.n, (size_t)p.n}, local = {32, 8};
    measure(
        cl,
        [&] {
            for (int i = 0; i < p.steps; i += 2) {
                launch(cl, stencil, global, local, a, b, p.n);
                launch(cl, stencil, global, local, b, a, p.n);
            }
        },
        [&] {
            a.set(p.start.data());
            b.set(p.start.data());
        });
    a.get(p.a);
    return bench::report(p);
}
