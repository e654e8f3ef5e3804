// One step of k-means: each point gets the nearest centre's number, each centre moves to the mean
// of its points. Coordinate d of point i is points[d n + i], of centre k centres[k DIMENSIONS + d].
#pragma once
#include <algorithm>
#include <vector>

#include "../bench.h"

enum { CENTRES = 16, DIMENSIONS = 4 };

struct problem {
    const int n = (int)bench::size(1 << 22, 1 << 14, 1 << 24);
    bench::array<float> points{(size_t)n * DIMENSIONS, bench::uniform};
    bench::array<int> label{(size_t)n};
    bench::array<float> centres{CENTRES * DIMENSIONS};
    bench::array<float> moved{CENTRES * DIMENSIONS};

    problem() {
        for (int i = 0; i < CENTRES * DIMENSIONS; i++)
            centres[i] = points[(size_t)(i % DIMENSIONS) * n + i / DIMENSIONS];
    }
    double bytes() const {
        return 4.0 * (DIMENSIONS + 1) * n;
    }
    double flops() const {
        return (3.0 * CENTRES * DIMENSIONS + DIMENSIONS) * n;
    }
    bool check() const {
        return check_labels() && check_means();
    }

  private:
    double distance(int point, int centre) const {
        double sum = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            double difference =
                (double)points[(size_t)d * n + point] - centres[centre * DIMENSIONS + d];
            sum += difference * difference;
        }
        return sum;
    }
    bool check_labels() const {
        for (int sample = 0; sample < 65536; sample++) {
            int point = (int)(bench::hash(sample) % n);
            double nearest = distance(point, 0);
            for (int k = 1; k < CENTRES; k++)
                nearest = std::min(nearest, distance(point, k));
            if (label[point] < 0 || label[point] >= CENTRES ||
                !bench::near(distance(point, label[point]), nearest, 1e-6))
                return false;
        }
        return true;
    }
    bool check_means() const {
        double sum[CENTRES][DIMENSIONS] = {}, count[CENTRES] = {};
        for (int i = 0; i < n; i++) {
            count[label[i] & (CENTRES - 1)]++;
            for (int d = 0; d < DIMENSIONS; d++)
                sum[label[i] & (CENTRES - 1)][d] += points[(size_t)d * n + i];
        }
        for (int k = 0; k < CENTRES; k++)
            for (int d = 0; d < DIMENSIONS; d++)
                if (!bench::near(moved[k * DIMENSIONS + d], sum[k][d] / count[k], 1e-3))
                    return false;
        return true;
    }
};
