// Array of structures: each step changes three of eight fields, so that blocks write with gaps.
#include "pays.h"

struct particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void move(particle *particles, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particles[i].x += dt * particles[i].vx;
    particles[i].y += dt * particles[i].vy;
    particles[i].z += dt * particles[i].vz;
}

__global__ void kick(particle *particles, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        particles[i].vz -= dt * particles[i].charge / (1 + particles[i].mass);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 16, 1 << 18, 1 << 19);
    const int steps = by_size(argc, argv, 60, 60, 80);
    const std::vector<float> start = uniforms((size_t)n * 8);
    start_clock();
    float *memory = copy_of(start);
    particle *particles = reinterpret_cast<particle *>(memory);
    for (int i = 0; i < steps; i++) {
        kick<<<(n + 127) / 128, 128>>>(particles, n, 0.01f);
        move<<<(n + 127) / 128, 128>>>(particles, n, 0.01f);
    }
    return report(memory, (size_t)n * 8);
}
