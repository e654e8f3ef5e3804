#include "kmeans.cuh"

__global__ static void move_centres(const heap *heaps, point *centres, int centre_count) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < centre_count && heaps[c].members > 0) // a centre that nobody is near stays
        centres[c] = {heaps[c].x / heaps[c].members, heaps[c].y / heaps[c].members};
}

void update(device_array<heap> &heaps, device_array<point> &centres) {
    move_centres<<<blocks_for(centres.size()), threads_per_block>>>(heaps.data(), centres.data(),
                                                                    centres.size());
    CHECK(cudaGetLastError());
}
