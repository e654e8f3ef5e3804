// What stencils share: time steps on the cells of a square or a cube.
#pragma once
#include <algorithm>
#include <vector>

#include "../bench.h"

struct stencil {
    const int n;     // cells along an edge
    const int steps; // an even number
    const size_t cells;
    std::vector<float> start;
    // Steps go from one to the other and back; the result is to be in `a`.
    bench::array<float> a{cells}, b{cells};

    stencil(size_t n, size_t steps, int dimensions)
        : n((int)n), steps((int)steps), cells(dimensions == 2 ? n * n : n * n * n), start(cells) {
        for (size_t i = 0; i < cells; i++)
            start[i] = bench::uniform(i);
    }
    void reset() {
        std::copy(start.begin(), start.end(), a.data());
        std::copy(start.begin(), start.end(), b.data());
    }
    // Each step reads one array and writes the other.
    double bytes() const {
        return 8.0 * (double)cells * steps;
    }
};
