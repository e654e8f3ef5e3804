// The two halves of a round of k-means. Each is a file with a kernel and the function that
// launches it.
#pragma once
#include "device_array.cuh"
#include "points.h"

constexpr int threads_per_block = 128;

inline int blocks_for(int count) {
    return (count + threads_per_block - 1) / threads_per_block;
}

// What belongs to one centre: sums, so that they can be added up in any order.
struct heap {
    float x, y;
    int members;
};

// Adds every point to the heap of its nearest centre. The heaps are zero before.
void assign(device_array<point> &points, device_array<point> &centres, device_array<heap> &heaps);

// Moves every centre to the mean of its heap.
void update(device_array<heap> &heaps, device_array<point> &centres);
