// A bitonic sort of unsigned numbers. Merging stage k = 2, 4 … n has steps j = k/2, k/4 … 1: a step
// orders elements i and i + j, upwards if i & k is zero.
#pragma once
#include <algorithm>
#include <vector>

#include "../bench.h"

struct problem {
    const unsigned n = (unsigned)bench::size(1 << 20, 1 << 16, 1 << 24);
    std::vector<unsigned> start;
    bench::array<unsigned> data{n};

    problem() : start(n) {
        for (unsigned i = 0; i < n; i++)
            start[i] = bench::hash(i);
    }
    void reset() {
        std::copy(start.begin(), start.end(), data.data());
    }
    double bytes() const {
        return 8.0 * n;
    }
    // A minimum and a maximum for each pair in each step.
    double flops() const {
        double stages = 0;
        for (unsigned k = 2; k <= n; k *= 2)
            stages++;
        return n * stages * (stages + 1) / 2;
    }
    bool check() const {
        std::vector<unsigned> right = start;
        std::sort(right.begin(), right.end());
        return std::equal(right.begin(), right.end(), data.data());
    }
};
