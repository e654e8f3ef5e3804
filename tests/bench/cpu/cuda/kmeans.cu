#include "../problem/kmeans.h"
#include "host.h"

__global__ void assign(const float *__restrict__ points, const float *__restrict__ centres,
                       int *__restrict__ label, int n) {
    __shared__ float centre[CENTRES * DIMENSIONS];
    if (threadIdx.x < CENTRES * DIMENSIONS)
        centre[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float point[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++)
        point[d] = points[d * n + i];
    float nearest = 1e30f;
    int best = 0;
    for (int k = 0; k < CENTRES; k++) {
        float distance = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            float difference = point[d] - centre[k * DIMENSIONS + d];
            distance += difference * difference;
        }
        if (distance < nearest) {
            nearest = distance;
            best = k;
        }
    }
    label[i] = best;
}

__global__ void accumulate(const float *__restrict__ points, const int *__restrict__ label,
                           float *sums, int *counts, int n) {
    __shared__ float sum[CENTRES * DIMENSIONS];
    __shared__ int count[CENTRES];
    if (threadIdx.x < CENTRES * DIMENSIONS)
        sum[threadIdx.x] = 0;
    if (threadIdx.x < CENTRES)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int k = label[i];
        for (int d = 0; d < DIMENSIONS; d++)
            atomicAdd(&sum[k * DIMENSIONS + d], points[d * n + i]);
        atomicAdd(&count[k], 1);
    }
    __syncthreads();
    if (threadIdx.x < CENTRES * DIMENSIONS)
        atomicAdd(&sums[threadIdx.x], sum[threadIdx.x]);
    if (threadIdx.x < CENTRES)
        atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

__global__ void divide(const float *sums, const int *counts, float *moved) {
    moved[threadIdx.x] = sums[threadIdx.x] / (float)counts[threadIdx.x / DIMENSIONS];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> points(p.points), centres(p.centres), moved(CENTRES * DIMENSIONS);
    device_array<float> sums(CENTRES * DIMENSIONS);
    device_array<int> label(p.n), counts(CENTRES);
    measure([&] {
        sums.clear();
        counts.clear();
        assign<<<(p.n + 255) / 256, 256>>>(points, centres, label, p.n);
        accumulate<<<256, 256>>>(points, label, sums, counts, p.n);
        divide<<<1, CENTRES * DIMENSIONS>>>(sums, counts, moved);
    });
    label.get(p.label);
    moved.get(p.moved);
    return bench::report(p);
}
