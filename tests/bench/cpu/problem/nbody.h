// The acceleration of each body by all: x, y, z and mass of a body are four floats, and so are the
// acceleration and a zero.
#pragma once
#include <cmath>

#include "../bench.h"

struct problem {
    const int n = (int)bench::size(16384, 1024, 1 << 16);
    const float softening = 0.01f;
    bench::array<float> bodies{4 * (size_t)n, [](size_t i) {
                                   return i % 4 == 3 ? 1 + bench::uniform(i) : bench::uniform(i);
                               }};
    bench::array<float> accelerations{4 * (size_t)n};

    double bytes() const {
        return 32.0 * n;
    }
    // 3 differences, 6 for the distance, root, inverse, 3 for the force, 6 sums
    double flops() const {
        return 20.0 * n * n;
    }
    bool check() const {
        for (int sample = 0; sample < 64; sample++) {
            int i = (int)(bench::hash(sample) % n);
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
                if (!bench::near(accelerations[4 * i + c], sum[c], 1e-4 * magnitude))
                    return false;
        }
        return true;
    }
};
