// Blocks, grids and the group type that holds any of them; asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>

namespace cg = cooperative_groups;

// A tree sum that any group can run.
__device__ int sum(cg::thread_group group, int *scratch, int value) {
    int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half)
            value += scratch[rank + half];
        group.sync();
    }
    return rank == 0 ? value : -1;
}

__global__ void sum_groups(int *block_sums, int *tile_sums) {
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    int i = block.thread_rank();
    int total = sum(block, scratch, i);
    if (i == 0)
        block_sums[block.group_index().x] = total;
    cg::sync(block);
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    total = sum(tile, scratch + i / 16 * 16, i);
    if (tile.thread_rank() == 0)
        tile_sums[blockIdx.x * (block.size() / 16) + tile.meta_group_rank()] = total;
}

__global__ void copy_through_shared(const float *in, float *out, int *wrong) {
    __shared__ float staged[128];
    cg::thread_block block = cg::this_thread_block();
    unsigned base = 128 * block.group_index().x;
    cg::memcpy_async(block, staged, in + base, sizeof(float) * 128);
    cg::wait(block);
    dim3 at = block.thread_index(), size = block.dim_threads();
    unsigned i = (at.z * size.y + at.y) * size.x + at.x;
    if (i != block.thread_rank() || block.size() != 64 || block.group_dim().y != 4)
        atomicAdd(wrong, 1);
    out[base + i] = staged[127 - i];
    out[base + 64 + i] = staged[63 - i];
    block.sync();
    cg::memcpy_async(block, (char *)staged + 1, (const char *)in, 77);
    cg::wait_prior<0>(block);
    if (((const char *)staged)[1 + i] != ((const char *)in)[i])
        atomicAdd(wrong, 1);
    cg::thread_block::arrival_token token = block.barrier_arrive();
    block.barrier_wait(static_cast<cg::thread_block::arrival_token &&>(token));
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.num_blocks() != 1 || cluster.thread_rank() != i)
        atomicAdd(wrong, 1);
    cluster.sync();
}

// Each step needs what all blocks wrote in the step before.
__global__ void walk(int *a, int *b, int steps, int *wrong) {
    cg::grid_group grid = cg::this_grid();
    unsigned long long i = grid.thread_rank(), n = grid.size();
    if (!grid.is_valid() || n != (unsigned long long)gridDim.x * blockDim.x ||
        grid.num_blocks() != gridDim.x || grid.block_rank() != blockIdx.x)
        atomicAdd(wrong, 1);
    for (int step = 0; step < steps; step++) {
        b[i] = a[(i + 1) % n] + 1;
        grid.sync();
        int *swapped = a;
        a = b;
        b = swapped;
    }
}

int main() {
    int *sums, *wrong, failures = 0;
    cudaMallocManaged(&sums, 1024 * sizeof(int));
    cudaMallocManaged(&wrong, sizeof(int));
    *wrong = 0;
    sum_groups<<<2, 64, 64 * sizeof(int)>>>(sums, sums + 2);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        failures += sums[i] != 2016;
    for (int i = 0; i < 8; i++)
        failures += sums[2 + i] != 16 * 16 * (i % 4) + 120;
    printf("sums: %d wrong\n", failures);

    float *in, *out;
    cudaMallocManaged(&in, 512 * sizeof(float));
    cudaMallocManaged(&out, 512 * sizeof(float));
    for (int i = 0; i < 512; i++)
        in[i] = i + 0.25f;
    copy_through_shared<<<4, dim3(4, 4, 4)>>>(in, out, wrong);
    cudaDeviceSynchronize();
    for (int i = 0; i < 512; i++)
        failures += out[i] != in[i / 128 * 128 + 127 - i % 128];
    printf("copies: %d wrong, %d inside\n", failures, *wrong);

    int threads = 4 * 64, steps = 10, *a = sums, *b = sums + 256;
    for (int i = 0; i < threads; i++)
        a[i] = i;
    void *arguments[] = {&a, &b, &steps, &wrong};
    if (cudaLaunchCooperativeKernel((void *)walk, dim3(4), dim3(64), arguments, 0, 0))
        failures++;
    if (cudaDeviceSynchronize())
        failures++;
    for (int i = 0; i < threads; i++)
        failures += a[i] != (i + steps) % threads + steps;
    printf("grid: %d wrong, %d inside\n", failures, *wrong);
    return failures + *wrong != 0;
}
