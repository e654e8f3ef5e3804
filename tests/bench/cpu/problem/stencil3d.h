// Time steps of a 7-point stencil on a cube, whose faces stay as they are.
#pragma once
#include <cstdlib>

#include "stencil.h"

struct problem : stencil {
    const float centre = 0.4f, neighbour = 0.1f;

    problem() : stencil(bench::size(256, 32, 512), bench::size(10, 4), 3) {
    }
    double flops() const {
        return 8.0 * (double)cells * steps;
    }
    bool check() const {
        for (int sample = 0; sample < 64; sample++) {
            int x = coordinate(3 * sample), y = coordinate(3 * sample + 1);
            int z = coordinate(3 * sample + 2);
            if (!bench::near(a[((size_t)z * n + y) * n + x], right_value(x, y, z), 1e-5))
                return false;
        }
        return true;
    }

  private:
    // Often near a face, where mistakes are.
    int coordinate(int i) const {
        int at = (int)(bench::hash(i) % n);
        return at % 4 == 0 ? 1 : at % 4 == 1 ? n - 2 : at;
    }
    // The same steps on the surroundings that a cell's value depends on.
    double right_value(int x, int y, int z) const {
        const int size = 2 * steps + 1;
        std::vector<double> now((size_t)size * size * size);
        auto inside = [&](int v) { return v > 0 && v < n - 1; };
        auto for_all = [&](auto visit) {
            for (int k = 0; k < size; k++)
                for (int j = 0; j < size; j++)
                    for (int i = 0; i < size; i++)
                        visit(x + i - steps, y + j - steps, z + k - steps,
                              (k * size + j) * size + i);
        };
        for_all([&](int i, int j, int k, int at) {
            if (std::min({i, j, k}) >= 0 && std::max({i, j, k}) < n)
                now[at] = start[((size_t)k * n + j) * n + i];
        });
        for (int step = 1; step <= steps; step++) {
            std::vector<double> next = now;
            for_all([&](int i, int j, int k, int at) {
                int distance = std::max({abs(i - x), abs(j - y), abs(k - z)});
                if (distance > steps - step || !inside(i) || !inside(j) || !inside(k))
                    return;
                next[at] =
                    centre * now[at] +
                    neighbour * (now[at - 1] + now[at + 1] + now[at - size] + now[at + size] +
                                 now[at - size * size] + now[at + size * size]);
            });
            now.swap(next);
        }
        return now[((size_t)steps * size + steps) * size + steps];
    }
};
