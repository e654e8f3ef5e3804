// C = A B, square matrices of floats.
#pragma once
#include <cmath>

#include "../bench.h"

struct problem {
    const int n = (int)bench::size(1024, 128, 4096);
    const size_t count = (size_t)n * n;
    bench::array<float> a{count, [](size_t i) { return bench::uniform(i) - 0.5f; }};
    bench::array<float> b{count, [](size_t i) { return bench::uniform(i + 12345) - 0.5f; }};
    bench::array<float> c{count};

    double bytes() const {
        return 12.0 * (double)count;
    }
    double flops() const {
        return 2.0 * (double)count * n;
    }
    bool check() const {
        for (size_t sample = 0; sample < 4096; sample++) {
            size_t at = bench::hash(sample) % count, row = at / n, column = at % n;
            double right = 0, magnitude = 0;
            for (int k = 0; k < n; k++) {
                double product = (double)a[row * n + k] * b[(size_t)k * n + column];
                right += product;
                magnitude += fabs(product);
            }
            if (!bench::near(c[at], right, 1e-5 * magnitude + 1e-6))
                return false;
        }
        return true;
    }
};
