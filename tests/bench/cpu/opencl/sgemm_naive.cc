#include "../problem/sgemm.h"
#include "host.h"

static const char *source = R"CL(
kernel void sgemm(global const float *a, global const float *b, global float *c, int n) {
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel sgemm = cl.kernel("sgemm");
    buffer<float> a(cl, p.a), b(cl, p.b), c(cl, p.count);
    measure(cl, [&] { launch(cl, sgemm, {(size_t)p.n, (size_t)p.n}, {16, 16}, a, b, c, p.n); });
    c.get(p.c);
    return bench::report(p);
}
