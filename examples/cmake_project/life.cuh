// Conway's Game of Life on a square world whose edges meet: one byte a cell, 1 alive, 0 dead.
#pragma once

// Runs the given number of generations on the device. `world` holds size * size cells on the host.
void live_on_device(unsigned char *world, int size, int generations);

// Whether a cell lives in the next generation: the rule, for host and device.
__host__ __device__ inline unsigned char lives_on(const unsigned char *world, int size, int x,
                                                  int y) {
    int neighbours = -world[y * size + x];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            neighbours += world[(y + dy + size) % size * size + (x + dx + size) % size];
    return neighbours == 3 || (neighbours == 2 && world[y * size + x]);
}
