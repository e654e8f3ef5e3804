#include <vector>

#include "../problem/nbody.h"

// Bodies side by side, whose sums stay in registers
enum { SIDE = 64 };

struct coordinates {
    std::vector<float> x, y, z, mass;
};

static void accelerate(const coordinates &from, int n, float softening, int begin, float *to) {
    const float *x = &from.x[begin], *y = &from.y[begin], *z = &from.z[begin];
    float ax[SIDE] = {}, ay[SIDE] = {}, az[SIDE] = {};
    for (int j = 0; j < n; j++) {
        const float xj = from.x[j], yj = from.y[j], zj = from.z[j], mass = from.mass[j];
#pragma omp simd
        for (int i = 0; i < SIDE; i++) {
            float dx = xj - x[i], dy = yj - y[i], dz = zj - z[i];
            float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + softening);
            float force = mass * inverse * inverse * inverse;
            ax[i] += dx * force;
            ay[i] += dy * force;
            az[i] += dz * force;
        }
    }
    for (int i = 0; i < SIDE; i++) {
        to[4 * i] = ax[i];
        to[4 * i + 1] = ay[i];
        to[4 * i + 2] = az[i];
        to[4 * i + 3] = 0;
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const size_t n = p.n;
    coordinates c = {std::vector<float>(n), std::vector<float>(n), std::vector<float>(n),
                     std::vector<float>(n)};
    bench::measure([&] {
        for (size_t i = 0; i < n; i++) {
            c.x[i] = p.bodies[4 * i];
            c.y[i] = p.bodies[4 * i + 1];
            c.z[i] = p.bodies[4 * i + 2];
            c.mass[i] = p.bodies[4 * i + 3];
        }
#pragma omp parallel for schedule(static)
        for (int i = 0; i < p.n; i += SIDE)
            accelerate(c, p.n, p.softening, i, &p.accelerations[4 * i]);
    });
    return bench::report(p);
}
