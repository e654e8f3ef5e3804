// Inclusive prefix sums.
#pragma once
#include "../bench.h"

struct problem {
    const size_t n = bench::size(1 << 24, 1 << 16, 1 << 26);
    bench::array<int> in{n, [](size_t i) { return (int)(bench::hash(i) & 31); }};
    bench::array<int> out{n};

    double bytes() const {
        return 8.0 * (double)n;
    }
    double flops() const {
        return (double)n;
    }
    bool check() const {
        int sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += in[i];
            if (out[i] != sum)
                return false;
        }
        return true;
    }
};
