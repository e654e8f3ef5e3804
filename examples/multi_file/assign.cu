#include "kmeans.cuh"

__device__ static int nearest(const point *centres, int centre_count, point p) {
    int best = 0;
    float best_distance = INFINITY;
    for (int c = 0; c < centre_count; c++) {
        float dx = p.x - centres[c].x, dy = p.y - centres[c].y;
        float distance = dx * dx + dy * dy;
        if (distance < best_distance) {
            best_distance = distance;
            best = c;
        }
    }
    return best;
}

// The block's heaps lie in dynamic shared memory, as long as there are centres.
__global__ static void assign_points(const point *points, int count, const point *centres,
                                     int centre_count, heap *heaps) {
    extern __shared__ heap block_heaps[];
    for (int c = threadIdx.x; c < centre_count; c += blockDim.x)
        block_heaps[c] = {0, 0, 0};
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        heap &mine = block_heaps[nearest(centres, centre_count, points[i])];
        atomicAdd(&mine.x, points[i].x);
        atomicAdd(&mine.y, points[i].y);
        atomicAdd(&mine.members, 1);
    }
    __syncthreads();

    for (int c = threadIdx.x; c < centre_count; c += blockDim.x) {
        atomicAdd(&heaps[c].x, block_heaps[c].x);
        atomicAdd(&heaps[c].y, block_heaps[c].y);
        atomicAdd(&heaps[c].members, block_heaps[c].members);
    }
}

void assign(device_array<point> &points, device_array<point> &centres, device_array<heap> &heaps) {
    size_t shared_size = centres.size() * sizeof(heap);
    assign_points<<<blocks_for(points.size()), threads_per_block, shared_size>>>(
        points.data(), points.size(), centres.data(), centres.size(), heaps.data());
    CHECK(cudaGetLastError());
}
