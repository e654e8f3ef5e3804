// Fields of structures that are written in turn: what nodes have and lack of them are boxes that
// repeat several runs, however many structures there are, and the launches spread.
#include <cstdio>
#include <cstdlib>

enum { COUNT = 1 << 18, BLOCK = 128, STEPS = 2 };

struct particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void kick(particle *particles, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    particles[i].vz -= by * particles[i].charge / (1 + particles[i].mass);
}

__global__ void move(particle *particles, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    particles[i].x += by * particles[i].vx;
    particles[i].y += by * particles[i].vy;
    particles[i].z += by * particles[i].vz;
}

int main() {
    float *fields = (float *)malloc(COUNT * sizeof(particle));
    particle *particles;
    double sum = 0;
    for (int i = 0; i < 8 * COUNT; i++)
        fields[i] = (float)(i % 1013) / 1013;
    cudaMalloc(&particles, COUNT * sizeof *particles);
    cudaMemcpy(particles, fields, COUNT * sizeof *particles, cudaMemcpyHostToDevice);
    for (int i = 0; i < STEPS; i++) {
        kick<<<COUNT / BLOCK, BLOCK>>>(particles, 0.25f);
        move<<<COUNT / BLOCK, BLOCK>>>(particles, 0.25f);
    }
    cudaMemcpy(fields, particles, COUNT * sizeof *particles, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8 * COUNT; i++)
        sum += fields[i] * (i % 5);
    printf("%.6f %s\n", sum, cudaGetErrorName(cudaPeekAtLastError()));
    return 0;
}
