// RUN: %gcluster-cc -O2 %s -o %t && %t
// Warp operations under branches, with partial masks, widths, edges, and divergent loops.
#include "check.h"

__global__ void first_warp(int *out) {
    __shared__ int sums[32];
    int t = threadIdx.x, value = t;
    for (int o = 16; o > 0; o /= 2)
        value += __shfl_down_sync(0xffffffff, value, o);
    if (t % 32 == 0)
        sums[t / 32] = value;
    __syncthreads();
    if (t / 32 == 0) {
        value = t < blockDim.x / 32 ? sums[t] : 0;
        for (int o = 16; o > 0; o /= 2)
            value += __shfl_xor_sync(0xffffffff, value, o);
        out[t] = value;
    }
}

__global__ void halves(int *up, int *width, unsigned *active, unsigned long long *wide) {
    int t = threadIdx.x;
    up[t] = width[t] = -1;
    if (t < 16) {
        up[t] = __shfl_up_sync(0x0000ffff, t, 3);
        active[t] = __activemask();
    } else {
        width[t] = __shfl_sync(0xffff0000, t, 1, 8);
        active[t] = __activemask();
    }
    wide[t] = __shfl_sync(0xffffffff, 0x100000000ull * t + 7, 31 - t);
}

// Each lane goes round another number of times; those that are left vote.
__global__ void rounds(unsigned *out) {
    unsigned t = threadIdx.x, votes = 0;
    for (unsigned k = 0; k <= t % 4; k++)
        votes += __popc(__ballot_sync(__activemask(), 1));
    out[t] = votes + 1000 * (__all_sync(0xffffffff, votes > 0) != 0);
}

__global__ void matches(unsigned *any, int *all, int *reduced) {
    int t = threadIdx.x, same;
    any[t] = __match_any_sync(0xffffffff, t / 5);
    __match_all_sync(0xffffffff, t / 32, &same);
    all[t] = same;
    reduced[t] = __reduce_max_sync(0xffffffff, t - 40) + (int)__reduce_add_sync(0xffffffff, 1u);
}

int main() {
    int *out = managed<int>(32), *up = managed<int>(32), *width = managed<int>(32);
    unsigned *active = managed<unsigned>(32), *votes = managed<unsigned>(32);
    auto *wide = managed<unsigned long long>(32);
    first_warp<<<1, 256>>>(out);
    halves<<<1, 32>>>(up, width, active, wide);
    rounds<<<1, 32>>>(votes);
    SYNC();
    for (int t = 0; t < 32; t++) {
        CHECK(out[t] == 256 * 255 / 2);
        CHECK(up[t] == (t < 3 ? t : t < 16 ? t - 3 : -1));
        CHECK(width[t] == (t < 16 ? -1 : t / 8 * 8 + 1));
        CHECK(active[t] == (t < 16 ? 0x0000ffffu : 0xffff0000u));
        CHECK(wide[t] == 0x100000000ull * (31 - t) + 7);
        unsigned expected = 1000;
        for (int k = 0; k <= t % 4; k++)
            expected += 32 - 8 * k;
        CHECK(votes[t] == expected);
    }
    matches<<<1, 32>>>(votes, out, up);
    SYNC();
    for (int t = 0; t < 32; t++) {
        unsigned expected = 0;
        for (int l = 0; l < 32; l++)
            expected |= (unsigned)(l / 5 == t / 5) << l;
        CHECK(votes[t] == expected && out[t] == 1 && up[t] == 31 - 40 + 32);
    }
}
