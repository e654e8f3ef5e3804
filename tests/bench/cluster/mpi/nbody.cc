#include "../problem/nbody.h"
#include "ranks.h"

#include <vector>

enum { SIDE = 64 }; ///< bodies side by side, whose sums stay in registers

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

static void share(std::vector<float> &values, int count) {
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), count, MPI_FLOAT,
                  MPI_COMM_WORLD);
}

static void move(std::vector<float> &places, std::vector<float> &velocities,
                 const std::vector<float> &accelerations, int axis, int begin, float time) {
    for (size_t i = 0; i < velocities.size(); i++) {
        velocities[i] += time * accelerations[4 * i + axis];
        places[begin + i] += time * velocities[i];
    }
}

int main(int argc, char **argv) {
    ranks r(&argc, &argv);
    problem p(is_quick(argc, argv));
    const int begin = r.begin(p.n), own = r.end(p.n) - begin; // as many on each rank
    coordinates now, before;
    for (int i = 0; i < p.n; i++) {
        now.x.push_back(p.start(4 * (size_t)i));
        now.y.push_back(p.start(4 * (size_t)i + 1));
        now.z.push_back(p.start(4 * (size_t)i + 2));
        now.mass.push_back(p.start(4 * (size_t)i + 3));
    }
    std::vector<float> vx(own), vy(own), vz(own), accelerations(4 * (size_t)own);
    double start = r.together();
    for (int i = 0; i < p.steps; i++) {
        for (int k = 0; k < own; k += SIDE)
            accelerate(now, p.n, p.softening, begin + k, &accelerations[4 * (size_t)k]);
        if (i == p.steps - 1)
            before = now;
        move(now.x, vx, accelerations, 0, begin, p.time);
        move(now.y, vy, accelerations, 1, begin, p.time);
        move(now.z, vz, accelerations, 2, begin, p.time);
        share(now.x, own);
        share(now.y, own);
        share(now.z, own);
    }
    double seconds = r.together() - start;
    std::vector<float> bodies;
    for (int i = 0; i < p.n; i++)
        bodies.insert(bodies.end(), {before.x[i], before.y[i], before.z[i], before.mass[i]});
    return r.end_with(seconds, p.check(bodies.data(), accelerations.data(), begin, begin + own));
}
