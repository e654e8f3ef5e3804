// Gravity, all pairs: each step reads what all blocks have written in the one before.
#include "pays.h"

__global__ void accelerate(const float4 *bodies, float4 *velocities, int n, float dt) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), f = tile[k].w * r * r * r;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        __syncthreads();
    }
    velocities[i].x += dt * ax;
    velocities[i].y += dt * ay;
    velocities[i].z += dt * az;
}

__global__ void move(float4 *bodies, const float4 *velocities, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bodies[i].x += dt * velocities[i].x;
    bodies[i].y += dt * velocities[i].y;
    bodies[i].z += dt * velocities[i].z;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 2048, 4096, 8192);
    const int steps = by_size(argc, argv, 10, 16, 10);
    const std::vector<float> start = uniforms((size_t)n * 4);
    start_clock();
    float *memory = copy_of(start);
    float4 *bodies = reinterpret_cast<float4 *>(memory), *velocities = zeros<float4>(n);
    for (int i = 0; i < steps; i++) {
        accelerate<<<n / 128, 128>>>(bodies, velocities, n, 1e-3f);
        move<<<n / 128, 128>>>(bodies, velocities, 1e-3f);
    }
    return report(memory, (size_t)n * 4);
}
