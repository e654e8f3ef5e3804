// Time steps of a 5-point mean on a square, whose edge stays as it is.
#pragma once
#include "stencil.h"

struct problem : stencil {
    problem() : stencil(bench::size(4096, 128, 8192), bench::size(20, 6), 2) {
    }
    double flops() const {
        return 5.0 * (double)cells * steps;
    }
    bool check() const {
        for (int i = 0; i < n; i++)
            if (a[i] != start[i] || a[(size_t)i * n] != start[(size_t)i * n])
                return false;
        for (int sample = 0; sample < 16; sample++) {
            int x = sample < 4 ? (sample & 1 ? n - 2 : 1) : (int)(bench::hash(2 * sample) % n);
            int y = sample < 4 ? (sample & 2 ? n - 2 : 1) : (int)(bench::hash(2 * sample + 1) % n);
            if (!bench::near(a[(size_t)y * n + x], right_value(x, y), 1e-5))
                return false;
        }
        return true;
    }

  private:
    // The same steps on the surroundings that a cell's value depends on.
    float right_value(int x, int y) const {
        int left = std::max(0, x - steps), right = std::min(n, x + steps + 1);
        int top = std::max(0, y - steps), bottom = std::min(n, y + steps + 1);
        int width = right - left;
        std::vector<float> now((size_t)width * (bottom - top));
        for (int i = top; i < bottom; i++)
            std::copy_n(&start[(size_t)i * n + left], width, &now[(size_t)(i - top) * width]);
        for (int step = 0; step < steps; step++) {
            std::vector<float> next = now;
            for (int i = 1; i < bottom - top - 1; i++) {
                for (int j = 1; j < width - 1; j++) {
                    const float *cell = &now[(size_t)i * width + j];
                    next[(size_t)i * width + j] =
                        0.2f * (cell[0] + cell[-1] + cell[1] + cell[-width] + cell[width]);
                }
            }
            now.swap(next);
        }
        return now[(size_t)(y - top) * width + (x - left)];
    }
};
