// A = L U in place, without pivoting, by blocks: factor the block on the diagonal, solve for those
// right of it and below it, subtract their products from the rest. L's diagonal is 1.
#pragma once
#include <algorithm>
#include <vector>

#include "../bench.h"

struct problem {
    const int n = (int)bench::size(1024, 128, 2048); // a multiple of 64
    const size_t count = (size_t)n * n;
    std::vector<float> start;
    bench::array<float> a{count};

    // A strong diagonal makes pivoting needless.
    problem() : start(count) {
        for (size_t i = 0; i < count; i++)
            start[i] = bench::uniform(i) - 0.5f + (i / n == i % n ? (float)n / 8 : 0);
    }
    void reset() {
        std::copy(start.begin(), start.end(), a.data());
    }
    double bytes() const {
        return 8.0 * (double)count;
    }
    double flops() const {
        return 2.0 / 3 * (double)count * n;
    }
    bool check() const {
        for (size_t sample = 0; sample < 4096; sample++) {
            size_t at = bench::hash(sample) % count, row = at / n, column = at % n;
            double sum = 0;
            for (size_t k = 0; k <= std::min(row, column); k++)
                sum += (k == row ? 1.0 : a[row * n + k]) * a[k * n + column];
            if (!bench::near(sum, start[at], 1e-3))
                return false;
        }
        return true;
    }
};
