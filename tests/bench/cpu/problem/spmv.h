// y = A x for a sparse matrix, row by row; 16 elements in each row, in random columns.
#pragma once
#include "../bench.h"

struct problem {
    const int n = (int)bench::size(1 << 20, 1 << 12, 1 << 22);
    const size_t elements = 16 * (size_t)n;
    bench::array<int> row_begin{(size_t)n + 1, [](size_t i) { return 16 * (int)i; }};
    bench::array<int> column{elements, [this](size_t i) { return (int)(bench::hash(i) % n); }};
    bench::array<float> value{elements, [](size_t i) { return bench::uniform(i + 99); }};
    bench::array<float> x{(size_t)n, [](size_t i) { return bench::uniform(i + 5); }};
    bench::array<float> y{(size_t)n};

    double bytes() const {
        return 8.0 * (double)elements + 12.0 * n;
    }
    double flops() const {
        return 2.0 * (double)elements;
    }
    bool check() const {
        for (int row = 0; row < n; row++) {
            double right = 0;
            for (int k = row_begin[row]; k < row_begin[row + 1]; k++)
                right += (double)value[k] * x[column[k]];
            if (!bench::near(y[row], right, 1e-5 * right + 1e-6))
                return false;
        }
        return true;
    }
};
