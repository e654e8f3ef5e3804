#include "../problem/nbody.h"
#include "host.h"

#include <utility>

enum { TILE = 256 };

__global__ void step(const float4 *now, float4 *next, float4 *velocities, float4 *accelerations,
                     int n, float softening, float time) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = now[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += TILE) {
        tile[threadIdx.x] = now[t + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
            float force = other.w * inverse * inverse * inverse;
            ax += dx * force;
            ay += dy * force;
            az += dz * force;
        }
        __syncthreads();
    }
    float4 v = velocities[i];
    v = make_float4(v.x + time * ax, v.y + time * ay, v.z + time * az, 0);
    accelerations[i] = make_float4(ax, ay, az, 0);
    velocities[i] = v;
    next[i] = make_float4(me.x + time * v.x, me.y + time * v.y, me.z + time * v.z, me.w);
}

int main(int argc, char **argv) {
    problem p(is_quick(argc, argv));
    std::vector<float> start(4 * (size_t)p.n);
    for (size_t i = 0; i < start.size(); i++)
        start[i] = p.start(i);
    float *now = copy_of(start), *next = allocate<float>(start.size());
    float *velocities = allocate<float>(start.size());
    float *accelerations = allocate<float>(start.size());
    check(cudaMemset(velocities, 0, start.size() * sizeof(float)));
    auto launch = [&] {
        step<<<p.n / TILE, TILE>>>((float4 *)now, (float4 *)next, (float4 *)velocities,
                                   (float4 *)accelerations, p.n, p.softening, p.time);
        std::swap(now, next);
    };
    launch(); // data comes to where it is needed
    double begin = finished();
    for (int i = 0; i < p.steps; i++)
        launch();
    double seconds = finished() - begin;
    return report(seconds, p.check(host_copy(next, start.size()).data(),
                                   host_copy(accelerations, start.size()).data(), 0, p.n));
}
