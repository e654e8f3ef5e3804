#include "../problem/spmv.h"
#include "host.h"

__global__ void spmv(const int *row_begin, const int *column, const float *value, const float *x,
                     float *y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float sum = 0;
        int end = row_begin[row + 1];
        for (int k = row_begin[row]; k < end; k++)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<int> row_begin(p.row_begin), column(p.column);
    device_array<float> value(p.value), x(p.x), y(p.n);
    measure([&] { spmv<<<(p.n + 255) / 256, 256>>>(row_begin, column, value, x, y, p.n); });
    y.get(p.y);
    return bench::report(p);
}
