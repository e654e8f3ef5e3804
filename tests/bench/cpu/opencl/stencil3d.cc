#include "../problem/stencil3d.h"
#include "host.h"

static const char *source = R"CL(
// A work-item walks along z and keeps the cells before, at and behind it in registers.
kernel void stencil(global const float *restrict in, global float *restrict out, int n, float centre,
                    float neighbour) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || x >= n - 1 || y == 0 || y >= n - 1)
        return;
    size_t plane = (size_t)n * n, i = (size_t)y * n + x;
    float before = in[i], here = in[i + plane];
    for (int z = 1; z < n - 1; z++) {
        i += plane;
        float behind = in[i + plane];
        out[i] = centre * here +
                 neighbour * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + before + behind);
        before = here;
        here = behind;
    }
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
                launch(cl, stencil, global, local, a, b, p.n, p.centre, p.neighbour);
                launch(cl, stencil, global, local, b, a, p.n, p.centre, p.neighbour);
            }
        },
        [&] {
            a.set(p.start.data());
            b.set(p.start.data());
        });
    a.get(p.a);
    return bench::report(p);
}
