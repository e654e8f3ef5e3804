// Heat on a plate with a cold rim. What it starts with only fades, each cell by the same factor a
// step, so that the end is known.
#pragma once
#include <cmath>
#include <vector>

#include "common.h"

struct problem {
    int n, steps;
    std::vector<double> wave;
    /// --large: for many nodes
    problem(int argc, char **argv)
        : n(is_quick(argc, argv)                ? 256
            : has_option(argc, argv, "--large") ? 8192
                                                : 4096),
          steps(is_quick(argc, argv) ? 10 : 100) {
        for (int i = 0; i < n; i++)
            wave.push_back(sin(M_PI * i / (n - 1)));
    }
    float start(int x, int y) const {
        return (float)(wave[x] * wave[y]);
    }
    double factor() const {
        return pow(0.2 + 0.8 * cos(M_PI / (n - 1)), steps);
    }
    /// Checks rows [begin, end), the first of which is at `rows`.
    bool check(const float *rows, int begin, int end) const {
        const double left = factor();
        for (int y = begin; y < end; y++)
            for (int x = 0; x < n; x++)
                if (!(fabs(rows[(size_t)(y - begin) * n + x] - left * start(x, y)) <= 1e-4))
                    return false;
        return true;
    }
};
