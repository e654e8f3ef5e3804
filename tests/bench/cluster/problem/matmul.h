// A square matrix is multiplied by another one, the product again by the first, and so on: each
// time every part of the machine needs all of the latest product. The first matrix is u times v
// transposed, so that the end is known.
#pragma once
#include <cmath>
#include <vector>

#include "common.h"

struct problem {
    int n, steps;
    explicit problem(bool quick) : n(quick ? 128 : 1536), steps(quick ? 2 : 3) {
    }
    float u(int i) const {
        return 1 + uniform(i);
    }
    float v(int i) const {
        return uniform(n + i) / n;
    }
    float a(int y, int x) const {
        return u(y) * v(x);
    }
    float b(int y, int x) const {
        return uniform((size_t)y * n + x);
    }
    /// Checks rows [begin, end), the first of which is at `rows`.
    bool check(const float *rows, int begin, int end) const {
        std::vector<double> product(n);
        double factor = 0;
        for (int i = 0; i < n; i++) {
            factor += (double)v(i) * u(i);
            for (int x = 0; x < n; x++)
                product[x] += (double)v(i) * b(i, x);
        }
        factor = pow(factor, steps - 1);
        for (int y = begin; y < end; y++)
            for (int x = 0; x < n; x++) {
                double right = u(y) * factor * product[x];
                if (!(fabs(rows[(size_t)(y - begin) * n + x] - right) <= 1e-4 * right))
                    return false;
            }
        return true;
    }
};
