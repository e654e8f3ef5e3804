#include "../problem/sgemm.h"
#include "host.h"

static const char *source = R"CL(
kernel void sgemm(global const float *a, global const float *b, global float *c, int n) {
    local float a_tile[TILE][TILE];
    local float b_tile[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int row = get_group_id(1) * TILE + ty, column = get_group_id(0) * TILE + tx;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        a_tile[ty][tx] = a[row * n + t + tx];
        b_tile[ty][tx] = b[(t + ty) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += a_tile[ty][k] * b_tile[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source, ("-DTILE=" + std::to_string(TILE)).c_str());
    cl_kernel sgemm = cl.kernel("sgemm");
    buffer<float> a(cl, p.a), b(cl, p.b), c(cl, p.count);
    measure(cl, [&] { launch(cl, sgemm, {(size_t)p.n, (size_t)p.n}, {TILE, TILE}, a, b, c, p.n); });
    c.get(p.c);
    return bench::report(p);
}
