// What memory beyond the device's has at its edges: kernels that follow pointers to what is
// overwritten next, arrays that end near the end of a chunk, and all tiers full. Prints how many
// elements are wrong.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { TABLES = 6, ENTRIES = 1 << 18, ROUNDS = 6, BLOCK = 256 };

__global__ void fill(unsigned *table, unsigned n, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = i + seed;
}

__global__ void follow(unsigned *out, unsigned *const *tables) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < TABLES; t++)
        out[i] += tables[t][i];
}

__host__ __device__ unsigned step(unsigned value) {
    return value * 3 + 1;
}

__global__ void move(unsigned *to, const unsigned *from, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = step(from[i]);
}

static void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    puts(cudaGetErrorName(error));
    exit(1);
}

static std::vector<unsigned> fetch(const unsigned *table, unsigned n) {
    std::vector<unsigned> host(n);
    check(cudaMemcpy(host.data(), table, n * sizeof *table, cudaMemcpyDeviceToHost));
    return host;
}

/// Elements of a table that aren't their numbers plus `seed`, after some steps.
static int count_wrong(const unsigned *table, unsigned n, unsigned seed, int steps) {
    std::vector<unsigned> host = fetch(table, n);
    int wrong = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned expected = i + seed;
        for (int k = 0; k < steps; k++)
            expected = step(expected);
        wrong += host[i] != expected;
    }
    return wrong;
}

static int follow_pointers() {
    unsigned *tables[TABLES], **device, *out, expected = 0;
    for (unsigned *&table : tables)
        check(cudaMalloc(&table, ENTRIES * sizeof *table));
    check(cudaMalloc(&device, sizeof tables));
    check(cudaMalloc(&out, ENTRIES * sizeof *out));
    check(cudaMemset(out, 0, ENTRIES * sizeof *out));
    check(cudaMemcpy(device, tables, sizeof tables, cudaMemcpyHostToDevice));
    for (int round = 0; round < ROUNDS; round++) {
        for (int t = 0; t < TABLES; t++)
            fill<<<ENTRIES / BLOCK, BLOCK>>>(tables[t], ENTRIES, round + t);
        follow<<<ENTRIES / BLOCK, BLOCK>>>(out, device);
        for (unsigned *table : tables)
            check(cudaMemsetAsync(table, 7, ENTRIES * sizeof *table));
        for (int t = 0; t < TABLES; t++)
            expected += round + t;
    }
    std::vector<unsigned> host = fetch(out, ENTRIES);
    int wrong = 0;
    for (unsigned i = 0; i < ENTRIES; i++)
        wrong += host[i] != i * ROUNDS * TABLES + expected;
    for (unsigned *table : tables)
        check(cudaFree(table));
    check(cudaFree(device));
    check(cudaFree(out));
    return wrong;
}

/// To and fro, in arrays with so many bytes in their last chunks.
static int end_in_chunk(unsigned rest) {
    unsigned n = ((4u << 20) + rest) / sizeof(unsigned), blocks = (n + BLOCK - 1) / BLOCK;
    unsigned *there, *here;
    check(cudaMalloc(&there, n * sizeof *there));
    check(cudaMalloc(&here, n * sizeof *here));
    fill<<<blocks, BLOCK>>>(here, n, 1);
    for (int round = 0; round < ROUNDS; round++) {
        move<<<blocks, BLOCK>>>(there, here, n);
        move<<<blocks, BLOCK>>>(here, there, n);
    }
    int wrong = count_wrong(here, n, 1, 2 * ROUNDS);
    check(cudaFree(there));
    check(cudaFree(here));
    return wrong;
}

/// Fills tables until nothing is given any more, down to one chunk.
static int fill_all() {
    std::vector<unsigned *> tables;
    unsigned *table, entries = ENTRIES;
    for (; entries >= 1 << 14; entries /= 16) {
        while (cudaMalloc(&table, entries * sizeof *table) == cudaSuccess) {
            fill<<<entries / BLOCK, BLOCK>>>(table, entries, 0);
            if (entries == ENTRIES)
                tables.push_back(table);
        }
        cudaGetLastError();
    }
    for (size_t i = 0; i + 1 < tables.size(); i++)
        move<<<ENTRIES / BLOCK, BLOCK>>>(tables[i + 1], tables[i], ENTRIES);
    return tables.size() < 8 ? -1
                             : count_wrong(tables[0], ENTRIES, 0, 0) +
                                   count_wrong(tables.back(), ENTRIES, 0, (int)tables.size() - 1);
}

int main() {
    printf("%d", follow_pointers());
    for (unsigned rest : {61440, 61448, 65532, 61536, 0, 4096})
        printf(" %d", end_in_chunk(rest));
    printf(" %d\n", fill_all());
}
