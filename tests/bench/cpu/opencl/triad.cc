#include "../problem/triad.h"
#include "host.h"

static const char *source = R"CL(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void triad(global double *a, global const double *b, global const double *c, double scalar) {
    int i = get_global_id(0);
    a[i] = b[i] + scalar * c[i];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel triad = cl.kernel("triad");
    buffer<double> a(cl, p.n), b(cl, p.b), c(cl, p.c);
    measure(cl, [&] { launch(cl, triad, {p.n}, {256}, a, b, c, p.scalar); });
    a.get(p.a);
    return bench::report(p);
}
