// The sum of each 512 elements.
#pragma once
#include "../bench.h"

#ifndef ELEMENT
#define ELEMENT float
#endif
using element = ELEMENT;

struct problem {
    const size_t n = bench::size(1 << 26, 1 << 16, 1 << 28);
    const size_t blocks = n / 512;
    bench::array<element> in{n, [](size_t i) { return (element)(bench::hash(i) & 15); }};
    bench::array<element> out{blocks};

    double bytes() const {
        return (double)(sizeof(element) * (n + blocks));
    }
    double flops() const {
        return (double)n;
    }
    // All sums are small integers, exact whatever the order.
    bool check() const {
        for (size_t block = 0; block < blocks; block++) {
            long right = 0;
            for (size_t i = 0; i < 512; i++)
                right += (long)in[block * 512 + i];
            if (!bench::near((double)out[block], (double)right, 0))
                return false;
        }
        return true;
    }
};
