// a = b + scalar c, on doubles.
#pragma once
#include "../bench.h"

struct problem {
    const size_t n = bench::size(1 << 25, 1 << 14, 1 << 26);
    const double scalar = 0.4;
    bench::array<double> a{n};
    bench::array<double> b{n, [](size_t i) { return 0.5 * (double)(i & 1023); }};
    bench::array<double> c{n, [](size_t i) { return (double)(i % 77); }};

    double bytes() const {
        return 24.0 * (double)n;
    }
    double flops() const {
        return 2.0 * (double)n;
    }
    bool check() const {
        for (size_t i = 0; i < n; i++)
            if (!bench::near(a[i], b[i] + scalar * c[i], 1e-9))
                return false;
        return true;
    }
};
