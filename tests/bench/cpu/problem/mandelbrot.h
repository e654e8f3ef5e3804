// How many steps each point of a picture stays within 2 under z = z^2 + c.
#pragma once
#include "../bench.h"

struct problem {
    const int n = (int)bench::size(1024, 128, 4096);
    const int limit = 256;
    const float left = -2.0f, top = -1.25f, step = 2.5f / (float)n;
    bench::array<int> count{(size_t)n * n};

    double bytes() const {
        return 4.0 * n * n;
    }
    double flops() const {
        double sum = 0;
        for (size_t i = 0; i < count.size(); i++)
            sum += count[i];
        return 7 * sum;
    }
    // Points on the edge of the set may differ with rounding: up to one in a hundred.
    bool check() const {
        int different = 0;
        for (size_t sample = 0; sample < 10000; sample++) {
            size_t at = bench::hash(sample) % count.size();
            double x0 = left + step * (double)(at % n), y0 = top + step * (double)(at / n);
            double x = 0, y = 0;
            int steps = 0;
            while (steps < limit && x * x + y * y <= 4) {
                double next = x * x - y * y + x0;
                y = 2 * x * y + y0;
                x = next;
                steps++;
            }
            different += steps != count[at];
        }
        return different <= 100;
    }
};
