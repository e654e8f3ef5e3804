#include "../problem/kmeans.h"

// Points whose labels are found together, then added to their centres' sums
enum { CHUNK = 1024 };

static void assign(const float *points, size_t n, const float *centres, int *label, int count) {
#pragma omp simd
    for (int i = 0; i < count; i++) {
        float nearest = 1e30f;
        int best = 0;
#pragma clang loop unroll(full)
        for (int k = 0; k < CENTRES; k++) {
            float distance = 0;
#pragma clang loop unroll(full)
            for (int d = 0; d < DIMENSIONS; d++) {
                float difference = points[d * n + i] - centres[k * DIMENSIONS + d];
                distance += difference * difference;
            }
            best = distance < nearest ? k : best;
            nearest = distance < nearest ? distance : nearest;
        }
        label[i] = best;
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const float *points = p.points.data(), *centres = p.centres.data();
    int *label = p.label.data();
    bench::measure([&] {
        // One more than the coordinates: the number of points
        float sums[CENTRES][DIMENSIONS + 1] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums)
        for (int begin = 0; begin < p.n; begin += CHUNK) {
            const int count = std::min<int>(CHUNK, p.n - begin);
            assign(points + begin, p.n, centres, label + begin, count);
            for (int i = begin; i < begin + count; i++) {
                float *sum = sums[label[i]];
                for (int d = 0; d < DIMENSIONS; d++)
                    sum[d] += points[(size_t)d * p.n + i];
                sum[DIMENSIONS]++;
            }
        }
        for (int k = 0; k < CENTRES; k++)
            for (int d = 0; d < DIMENSIONS; d++)
                p.moved[k * DIMENSIONS + d] = sums[k][d] / sums[k][DIMENSIONS];
    });
    return bench::report(p);
}
