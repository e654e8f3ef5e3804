// Shortest ways between all pairs: a launch a node of the graph, over the whole matrix in place.
#include "pays.h"

__global__ void relax(int *distance, int n, int k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int way = distance[y * n + k] + distance[k * n + x];
    if (way < distance[y * n + x])
        distance[y * n + x] = way;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 384, 768, 1152);
    std::vector<int> start((size_t)n * n);
    for (int i = 0; i < n * n; i++)
        start[i] = i % (n + 1) == 0 ? 0 : 1 + (int)(noise(i) % 10000);
    start_clock();
    int *distance = copy_of(start);
    for (int k = 0; k < n; k++)
        relax<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(distance, n, k);
    return report(distance, (size_t)n * n);
}
