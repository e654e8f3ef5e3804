// k-means: the nearest centre of each point, sums by atomics, and new centres from the host.
#include "pays.h"

constexpr int centres = 16, dimensions = 4;

__global__ void assign(const int *points, const int *centre, int *sums, int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = 0;
    long long least = 1ll << 62;
    for (int c = 0; c < centres; c++) {
        long long distance = 0;
        for (int d = 0; d < dimensions; d++) {
            long long along = points[i * dimensions + d] - centre[c * dimensions + d];
            distance += along * along;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    for (int d = 0; d < dimensions; d++)
        atomicAdd(&sums[best * dimensions + d], points[i * dimensions + d]);
    atomicAdd(&counts[best], 1);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 15, 1 << 17, 1 << 18);
    const int steps = by_size(argc, argv, 20, 20, 40);
    std::vector<int> start((size_t)n * dimensions), centre(centres * dimensions);
    for (size_t i = 0; i < start.size(); i++)
        start[i] = (int)(noise((unsigned)i) % 4096);
    for (size_t i = 0; i < centre.size(); i++)
        centre[i] = start[i];
    std::vector<int> sums(centre.size()), counts(centres);
    start_clock();
    int *points = copy_of(start), *device_centre = copy_of(centre);
    int *device_sums = copy_of(sums), *device_counts = copy_of(counts);
    const size_t sums_size = sums.size() * sizeof(int), counts_size = centres * sizeof(int);
    for (int step = 0; step < steps; step++) {
        check(cudaMemset(device_sums, 0, sums_size));
        check(cudaMemset(device_counts, 0, counts_size));
        assign<<<(n + 127) / 128, 128>>>(points, device_centre, device_sums, device_counts, n);
        check(cudaMemcpy(sums.data(), device_sums, sums_size, cudaMemcpyDeviceToHost));
        check(cudaMemcpy(counts.data(), device_counts, counts_size, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < centre.size(); i++)
            centre[i] = counts[i / dimensions] ? sums[i] / counts[i / dimensions] : centre[i];
        check(cudaMemcpy(device_centre, centre.data(), sums_size, cudaMemcpyHostToDevice));
    }
    return report(centre);
}
