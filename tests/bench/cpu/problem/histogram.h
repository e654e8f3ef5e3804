// How often each byte occurs.
#pragma once
#include <algorithm>

#include "../bench.h"

struct problem {
    const unsigned n = (unsigned)bench::size(1 << 26, 1 << 16, 1 << 28);
    bench::array<unsigned char> data{n, [](size_t i) { return (unsigned char)bench::hash(i); }};
    bench::array<unsigned> histogram{256};

    void reset() {
        std::fill_n(histogram.data(), histogram.size(), 0u);
    }
    double bytes() const {
        return n;
    }
    double flops() const {
        return 0;
    }
    bool check() const {
        unsigned right[256] = {};
        for (unsigned i = 0; i < n; i++)
            right[data[i]]++;
        return std::equal(right, right + 256, histogram.data());
    }
};
