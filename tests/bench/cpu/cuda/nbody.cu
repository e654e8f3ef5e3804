#include "../problem/nbody.h"
#include "host.h"

enum { TILE = 256 };

__global__ void accelerate(const float4 *bodies, float4 *accelerations, int n, float softening) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += TILE) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
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
    accelerations[i] = make_float4(ax, ay, az, 0);
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> bodies(p.bodies), accelerations(4 * p.n);
    measure([&] {
        accelerate<<<p.n / TILE, TILE>>>((float4 *)(float *)bodies,
                                         (float4 *)(float *)accelerations, p.n, p.softening);
    });
    accelerations.get(p.accelerations);
    return bench::report(p);
}
