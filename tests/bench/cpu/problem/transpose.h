// The transpose of a square matrix of floats.
#pragma once
#include "../bench.h"

struct problem {
    const int n = (int)bench::size(4096, 256, 8192);
    const size_t count = (size_t)n * n;
    bench::array<float> in{count, [](size_t i) { return (float)(bench::hash(i) >> 8); }};
    bench::array<float> out{count};

    double bytes() const {
        return 8.0 * (double)count;
    }
    double flops() const {
        return 0;
    }
    bool check() const {
        for (size_t row = 0; row < (size_t)n; row++)
            for (size_t column = 0; column < (size_t)n; column++)
                if (in[row * n + column] != out[column * n + row])
                    return false;
        return true;
    }
};
