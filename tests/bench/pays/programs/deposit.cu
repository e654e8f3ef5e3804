// Particles in cells: charges are added to a grid by atomics, the grid's slope moves the particles.
#include "pays.h"

constexpr int one = 1 << 16; // a cell's width, in fixed point: sums don't depend on their order

__global__ void deposit(const int2 *positions, int *charge, int cells, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = positions[i].x / one, y = positions[i].y / one;
    int right = positions[i].x % one / 256, below = positions[i].y % one / 256;
    atomicAdd(&charge[y * cells + x], (256 - right) * (256 - below));
    atomicAdd(&charge[y * cells + (x + 1) % cells], right * (256 - below));
    atomicAdd(&charge[(y + 1) % cells * cells + x], (256 - right) * below);
    atomicAdd(&charge[(y + 1) % cells * cells + (x + 1) % cells], right * below);
}

__global__ void push(int2 *positions, const int *charge, int cells, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = positions[i].x / one, y = positions[i].y / one, width = cells * one;
    int dx = charge[y * cells + (x + 1) % cells] - charge[y * cells + (x + cells - 1) % cells];
    int dy = charge[(y + 1) % cells * cells + x] - charge[(y + cells - 1) % cells * cells + x];
    positions[i].x = (positions[i].x + dx / 16 % one + width) % width;
    positions[i].y = (positions[i].y + dy / 16 % one + width) % width;
}

int main(int argc, char **argv) {
    const int cells = 64, n = by_size(argc, argv, 1 << 14, 1 << 17, 1 << 18);
    const int steps = by_size(argc, argv, 20, 20, 40);
    std::vector<int> start((size_t)n * 2);
    for (size_t i = 0; i < start.size(); i++)
        start[i] = (int)(noise((unsigned)i) % (cells * one));
    start_clock();
    int *memory = copy_of(start), *charge = allocate<int>(cells * cells);
    int2 *positions = reinterpret_cast<int2 *>(memory);
    for (int i = 0; i < steps; i++) {
        check(cudaMemset(charge, 0, cells * cells * sizeof(int)));
        deposit<<<(n + 127) / 128, 128>>>(positions, charge, cells, n);
        push<<<(n + 127) / 128, 128>>>(positions, charge, cells, n);
    }
    return report(memory, (size_t)n * 2);
}
