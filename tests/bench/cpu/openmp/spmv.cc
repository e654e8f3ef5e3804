#include "../problem/spmv.h"

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const int *row_begin = p.row_begin.data(), *column = p.column.data();
    const float *value = p.value.data(), *x = p.x.data();
    bench::measure([&] {
#pragma omp parallel for schedule(static)
        for (int row = 0; row < p.n; row++) {
            float sum = 0;
            for (int k = row_begin[row]; k < row_begin[row + 1]; k++)
                sum += value[k] * x[column[k]];
            p.y[row] = sum;
        }
    });
    return bench::report(p);
}
