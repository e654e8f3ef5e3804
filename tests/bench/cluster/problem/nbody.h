// Bodies that attract each other. A body is x, y, z and mass, its acceleration x, y, z and a zero.
#pragma once
#include <cmath>

#include "common.h"

struct problem {
    int n, steps;
    float softening = 0.01f, time = 1e-6f; ///< of a step
    explicit problem(bool quick) : n(quick ? 1024 : 16384), steps(quick ? 2 : 5) {
    }
    float start(size_t i) const {
        return i % 4 == 3 ? 1 + uniform(i) : uniform(i);
    }
    /// Checks some of the accelerations of bodies [begin, end), the first of which is at `found`,
    /// that follow from where all bodies were.
    bool check(const float *bodies, const float *found, int begin, int end) const {
        for (int i = begin; i < end; i += (end - begin) / 32) {
            double sum[3] = {}, magnitude = 0;
            for (int j = 0; j < n; j++) {
                double d[3], square = softening;
                for (int c = 0; c < 3; c++) {
                    d[c] = (double)bodies[4 * j + c] - bodies[4 * i + c];
                    square += d[c] * d[c];
                }
                double force = bodies[4 * j + 3] / (square * sqrt(square));
                for (int c = 0; c < 3; c++)
                    sum[c] += d[c] * force;
                magnitude += force * sqrt(square);
            }
            for (int c = 0; c < 3; c++)
                if (!(fabs(found[4 * (size_t)(i - begin) + c] - sum[c]) <= 1e-4 * magnitude))
                    return false;
        }
        return true;
    }
};
