// Tiles of several warps: ranks, shuffles, votes, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

#define CHECK(condition) wrong += !(condition)

template <unsigned size> __device__ int check_tile(const cg::thread_block &block) {
    auto tile = cg::tiled_partition<size>(block);
    int i = block.thread_rank(), rank = i % size, first = i - rank, wrong = 0;
    CHECK(tile.size() == size && tile.thread_rank() == rank && tile.meta_group_rank() == i / size);
    CHECK(tile.shfl(i, 40) == first + 40 &&
          tile.shfl(i * 0.5, size - 1) == (first + size - 1) * 0.5);
    CHECK(tile.shfl_up(i, 3) == (rank < 3 ? i : i - 3));
    CHECK(tile.shfl_down(i, 33) == (rank + 33 < size ? i + 33 : i));
    CHECK(tile.shfl_xor(i, size / 2) == (i ^ (int)(size / 2)));
    CHECK(tile.any(i == 70) == (first <= 70 && 70 < first + size) && tile.all(i >= 0));
    CHECK(!tile.all(rank != size - 1));
    int sum = size * first + size * (size - 1) / 2;
    CHECK(cg::reduce(tile, i, cg::plus<int>()) == sum);
    CHECK(cg::reduce(tile, i, cg::greater<int>()) == first + (int)size - 1);
    CHECK(cg::reduce(tile, (double)i, [](double a, double b) { return a + b; }) == sum);
    int below = rank * first + rank * (rank - 1) / 2;
    CHECK(cg::inclusive_scan(tile, i) == below + i && cg::exclusive_scan(tile, i) == below);
    auto warp = cg::tiled_partition<32>(tile);
    CHECK(warp.meta_group_rank() == rank / 32 && warp.meta_group_size() == size / 32);
    cg::thread_group any = tile;
    CHECK(any.size() == size && any.thread_rank() == rank);
    any.sync();
    return wrong;
}

__global__ void check(int *total) {
    __shared__ cg::block_tile_memory<256> memory;
    auto block = cg::this_thread_block(memory);
    int wrong = check_tile<64>(block) + check_tile<128>(block) + check_tile<256>(block);
    if (wrong)
        atomicAdd(total, wrong);
}

int main() {
    int *total;
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    check<<<2, dim3(64, 4)>>>(total);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d wrong, error %d\n", *total, (int)error);
    return *total + error != 0;
}
