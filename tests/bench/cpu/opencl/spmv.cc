#include "../problem/spmv.h"
#include "host.h"

static const char *source = R"CL(
kernel void spmv(global const int *row_begin, global const int *column, global const float *value,
                 global const float *x, global float *y, int n) {
    int row = get_global_id(0);
    if (row < n) {
        float sum = 0;
        int end = row_begin[row + 1];
        for (int k = row_begin[row]; k < end; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel spmv = cl.kernel("spmv");
    buffer<int> row_begin(cl, p.row_begin), column(cl, p.column);
    buffer<float> value(cl, p.value), x(cl, p.x), y(cl, p.n);
    measure(cl,
            [&] { launch(cl, spmv, {(size_t)p.n}, {256}, row_begin, column, value, x, y, p.n); });
    y.get(p.y);
    return bench::report(p);
}
