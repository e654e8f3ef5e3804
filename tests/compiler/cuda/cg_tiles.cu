// Tiles and partitions of a warp: ranks, sizes, shuffles, votes, matches of every tile size.
#include <cooperative_groups.h>
#include <cstdio>
#include <initializer_list>

namespace cg = cooperative_groups;

#define CHECK(condition) wrong += !(condition)

template <unsigned N> __device__ int check_tile(const cg::thread_block &block) {
    auto tile = cg::tiled_partition<N>(block);
    unsigned i = block.thread_rank(), rank = i % N;
    int wrong = 0;
    CHECK(tile.size() == N && tile.num_threads() == N && tile.thread_rank() == rank);
    CHECK(tile.meta_group_rank() == i / N);
    CHECK(tile.meta_group_size() == (block.size() + N - 1) / N);
    CHECK(tile.shfl((int)i, 0) == (int)(i - rank));
    CHECK(tile.shfl(1.5 * i, N - 1) == 1.5 * (i - rank + N - 1));
    CHECK(tile.shfl_up(i, 1) == (rank ? i - 1 : i));
    CHECK(tile.shfl_down((unsigned long long)i << 40, 1) ==
          (unsigned long long)(rank + 1 < N ? i + 1 : i) << 40);
    CHECK(tile.shfl_xor(i, N / 2) == (i ^ (N / 2)));
    CHECK(tile.any(rank == N - 1) && tile.any(i == 0) == (i < N) && tile.all(i < 10000));
    CHECK(tile.all(rank != 0) == 0);
    unsigned full = ~0u >> (32 - N);
    CHECK(tile.ballot(1) == full && tile.ballot(rank % 2) == (0xaaaaaaaau & full));
    CHECK(tile.match_any((int)rank / 2) == ((3u << (rank & ~1u)) & full));
    int same;
    CHECK(tile.match_all(i / N, same) == full && same);
    CHECK(N == 1 || (tile.match_all(i, same) == 0 && !same));
    tile.sync();
    cg::thread_block_tile<N> untyped = tile;
    CHECK(untyped.meta_group_rank() == i / N && untyped.shfl(i, 0) == i - rank);
    cg::thread_group any = untyped;
    CHECK(any.size() == N && any.thread_rank() == rank);
    any.sync();
    return wrong;
}

struct triple {
    int a;
    float b;
    char c;
};

__device__ int check_partitions(const cg::thread_block &block) {
    unsigned i = block.thread_rank(), lane = i % 32;
    int wrong = 0;
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    CHECK(eight.meta_group_rank() == lane / 8 && eight.meta_group_size() == 4);
    triple t = {(int)i, i * 0.5f, (char)lane};
    t = eight.shfl(t, 3);
    CHECK(t.a == (int)(i / 8 * 8 + 3) && t.b == t.a * 0.5f && t.c == (char)(t.a % 32));

    cg::thread_group dynamic = cg::tiled_partition(block, 4);
    CHECK(dynamic.size() == 4 && dynamic.thread_rank() == i % 4);

    auto thirds = cg::labeled_partition(warp, lane % 3);
    CHECK(thirds.size() == (lane % 3 == 2 ? 10 : 11) && thirds.thread_rank() == lane / 3);
    CHECK(thirds.meta_group_size() == 3 && thirds.meta_group_rank() == lane % 3);
    CHECK(thirds.shfl(lane, 2) == lane % 3 + 6 &&
          thirds.shfl_up(lane, 1) == (lane < 3 ? lane : lane - 3));
    CHECK(thirds.shfl_down(lane, 1) == (lane + 3 < 32 ? lane + 3 : lane));
    CHECK(thirds.ballot(lane < 6) == 3 && thirds.any(lane == lane % 3) && !thirds.all(lane < 29));

    auto halves = cg::binary_partition(eight, lane % 8 < 3);
    CHECK(halves.size() == (lane % 8 < 3 ? 3 : 5));
    cg::thread_group untyped = halves;
    CHECK(untyped.size() == halves.size() && untyped.thread_rank() == halves.thread_rank());
    return wrong;
}

// Threads that parted ways and their groups.
__device__ int check_divergence(unsigned i) {
    unsigned lane = i % 32;
    int wrong = 0;
    if (lane % 4 == 1) {
        auto here = cg::coalesced_threads();
        CHECK(here.size() == 8 && here.thread_rank() == lane / 4);
        CHECK(here.shfl(lane, 1) == 5);
        auto pairs = cg::tiled_partition(here, 2);
        CHECK(pairs.size() == 2 && pairs.shfl(lane, 0) == lane / 8 * 8 + 1);
        CHECK(pairs.meta_group_rank() == lane / 8 && pairs.meta_group_size() == 4);
        here.sync();
    } else if (lane > 20) {
        auto here = cg::coalesced_threads();
        CHECK(here.match_any(lane % 2) == here.ballot(lane % 2 == 0) || lane % 2);
        int once = 0;
        cg::invoke_one(here, [&] { once = 1; });
        CHECK(once == (here.thread_rank() == 0));
        CHECK(cg::invoke_one_broadcast(here, [&] { return lane; }) == 22);
    }
    return wrong;
}

__global__ void check(int *total) {
    cg::thread_block block = cg::this_thread_block();
    int wrong = check_tile<1>(block) + check_tile<2>(block) + check_tile<4>(block) +
                check_tile<8>(block) + check_tile<16>(block) + check_tile<32>(block);
    wrong += 1000 * check_partitions(block) + 1000000 * check_divergence(block.thread_rank());
    if (wrong)
        atomicAdd(total, wrong);
}

int main() {
    int *total, sum = 0;
    cudaMallocManaged(&total, sizeof(int));
    for (dim3 shape : {dim3(32), dim3(96), dim3(8, 8), dim3(4, 4, 8)}) {
        *total = 0;
        check<<<2, shape>>>(total);
        cudaError_t error = cudaDeviceSynchronize();
        printf("block %u x %u x %u: %d wrong, error %d\n", shape.x, shape.y, shape.z, *total,
               error);
        sum += *total + error;
    }
    return sum != 0;
}
