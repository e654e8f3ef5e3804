// Breadth-first search by flags: two launches and a flag to the host a level, as Rodinia has it.
#include "pays.h"

constexpr int degree = 6;

__global__ void visit(const int *edges, int *frontier, const int *visited, int *next, int *level,
                      int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || !frontier[i])
        return;
    frontier[i] = 0;
    for (int e = 0; e < degree; e++) {
        int neighbour = edges[i * degree + e];
        if (!visited[neighbour]) {
            level[neighbour] = level[i] + 1;
            next[neighbour] = 1;
        }
    }
}

__global__ void advance(int *frontier, int *visited, int *next, int *more, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || !next[i])
        return;
    frontier[i] = visited[i] = 1;
    next[i] = 0;
    *more = 1;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 17, 1 << 20, 1 << 21);
    std::vector<int> edges((size_t)n * degree), source(n);
    for (size_t i = 0; i < edges.size(); i++) // near ones, and now and then one far away
        edges[i] = i % 64 ? (int)((i / degree + noise(i) % 2048) % n) : (int)(noise(i) % n);
    source[0] = 1;
    start_clock();
    int *device_edges = copy_of(edges), *frontier = copy_of(source), *visited = copy_of(source);
    int *next = zeros<int>(n), *level = zeros<int>(n), *more = allocate<int>(1);
    const int blocks = (n + 255) / 256;
    for (int go_on = 1; go_on;) {
        check(cudaMemset(more, 0, sizeof(int)));
        visit<<<blocks, 256>>>(device_edges, frontier, visited, next, level, n);
        advance<<<blocks, 256>>>(frontier, visited, next, more, n);
        check(cudaMemcpy(&go_on, more, sizeof(int), cudaMemcpyDeviceToHost));
    }
    return report(level, n);
}
