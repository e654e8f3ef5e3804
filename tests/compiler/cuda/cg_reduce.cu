// Reductions and scans of tiles and of coalesced threads, with given and own operators.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

#define CHECK(condition) wrong += !(condition)

struct range {
    int low, high;
};

// What a loop over the group's members computes; they are i0, i0 + stride, ...
template <typename G> __device__ int check_group(const G &group, int first, int stride, int i) {
    int wrong = 0, count = group.size(), rank = (i - first) / stride;
    int sum = 0, xored = 0, below = 0;
    double fraction = 0;
    for (int k = 0, member = first; k < count; k++, member += stride) {
        sum += member;
        xored ^= member;
        fraction += member * 0.5;
        below += k < rank ? member : 0;
    }
    int last = first + (count - 1) * stride;
    CHECK(cg::reduce(group, i, cg::plus<int>()) == sum);
    CHECK(cg::reduce(group, -i, cg::plus<int>()) == -sum);
    CHECK(cg::reduce(group, -i, cg::less<int>()) == -last);
    CHECK(cg::reduce(group, -i, cg::greater<int>()) == -first);
    CHECK(cg::reduce(group, (unsigned)-i - 1, cg::greater<unsigned>()) == (unsigned)-first - 1);
    CHECK(cg::reduce(group, i, cg::bit_xor<int>()) == xored);
    CHECK(cg::reduce(group, ~i, cg::bit_and<int>()) == ~cg::reduce(group, i, cg::bit_or<int>()));
    CHECK(cg::reduce(group, i * 0.5, cg::plus<double>()) == fraction);
    CHECK(cg::reduce(group, (float)i, cg::greater<float>()) == (float)last);
    CHECK(cg::reduce(group, (long long)i << 33, cg::plus<long long>()) == (long long)sum << 33);
    auto join = [](const range &a, const range &b) {
        return range{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    };
    range all = cg::reduce(group, range{i, i}, join);
    CHECK(all.low == first && all.high == last);

    CHECK(cg::inclusive_scan(group, i) == below + i);
    CHECK(cg::exclusive_scan(group, i) == below);
    CHECK(cg::inclusive_scan(group, -i, cg::less<int>()) == -i);
    CHECK(cg::exclusive_scan(group, (double)i, cg::plus<double>()) == below);
    return wrong;
}

__global__ void check(int *total) {
    auto block = cg::this_thread_block();
    int i = block.thread_rank(), wrong = 0;
    auto warp = cg::tiled_partition<32>(block);
    wrong += check_group(warp, i / 32 * 32, 1, i);
    wrong += check_group(cg::tiled_partition<8>(block), i / 8 * 8, 1, i);
    wrong += check_group(cg::tiled_partition<1>(block), i, 1, i);
    wrong += check_group(cg::labeled_partition(warp, i % 5), i / 32 * 32 + (i % 32) % 5, 5, i) *
             (i < 32); // labels of later warps begin elsewhere
    if (i % 3 == 0 && i < 32)
        wrong += check_group(cg::coalesced_threads(), 0, 3, i);
    if (wrong)
        atomicAdd(total, wrong);
}

int main() {
    int *total;
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    check<<<3, 64>>>(total);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d wrong, error %d\n", *total, (int)error);
    return *total + error != 0;
}
