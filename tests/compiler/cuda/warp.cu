// Warp operations, lane by lane, against what PTX's definitions say: all shuffles with all widths
// and types, votes, matches, reductions, masks of a part of the warp, blocks of two dimensions.
#include "../device/check.h"

enum { LANES = 32, WIDTHS = 6, DELTAS = 7 };

__constant__ int deltas[DELTAS] = {0, 1, 2, 5, 16, 31, 33};

template <class T> struct Shuffles {
    T of[WIDTHS][DELTAS][LANES], up[WIDTHS][DELTAS][LANES], down[WIDTHS][DELTAS][LANES];
    T flip[WIDTHS][DELTAS][LANES];
};

template <class T> __global__ void shuffle(Shuffles<T> *r, T scale) {
    int lane = threadIdx.x + threadIdx.y * blockDim.x;
    T value = scale * (lane + 1);
    for (int w = 0; w < WIDTHS; w++) {
        for (int d = 0; d < DELTAS; d++) {
            r->of[w][d][lane] = __shfl_sync(0xffffffff, value, lane + deltas[d], 1 << w);
            r->up[w][d][lane] = __shfl_up_sync(0xffffffff, value, deltas[d], 1 << w);
            r->down[w][d][lane] = __shfl_down_sync(0xffffffff, value, deltas[d], 1 << w);
            r->flip[w][d][lane] = __shfl_xor_sync(0xffffffff, value, deltas[d], 1 << w);
        }
    }
}

template <class T> static void test_shuffles(T scale) {
    static const int delta[DELTAS] = {0, 1, 2, 5, 16, 31, 33};
    Shuffles<T> *r = managed<Shuffles<T>>(1);
    shuffle<<<1, dim3(8, 4)>>>(r, scale);
    SYNC();
    for (int w = 0; w < WIDTHS; w++) {
        for (int d = 0; d < DELTAS; d++) {
            for (int lane = 0; lane < LANES; lane++) {
                int width = 1 << w, first = lane / width * width, last = first + width - 1;
                int by = delta[d] % 32, up = lane - by, down = lane + by, flip = lane ^ by;
                int of = first + (lane + delta[d]) % width;
                CHECK(r->of[w][d][lane] == scale * (of + 1));
                CHECK(r->up[w][d][lane] == scale * ((up < first ? lane : up) + 1));
                CHECK(r->down[w][d][lane] == scale * ((down > last ? lane : down) + 1));
                CHECK(r->flip[w][d][lane] == scale * ((flip > last ? lane : flip) + 1));
            }
        }
    }
    cudaFree(r);
}

struct Others {
    unsigned ballot[LANES], any_even[LANES], match[LANES], match_wide[LANES], all_match[LANES];
    unsigned active[LANES], odd_ballot[LANES], lanes_below[LANES];
    int any[LANES], all[LANES], not_all[LANES], same[LANES], differs[LANES], predicate[LANES];
    int sum[LANES], low[LANES], high[LANES], odd_sum[LANES];
    unsigned usum[LANES], ulow[LANES], uhigh[LANES], both[LANES], either[LANES], parity[LANES];
    int legacy[LANES];
};

__global__ void operate(Others *r) {
    const unsigned all = 0xffffffff;
    int lane = threadIdx.x;
    r->ballot[lane] = __ballot_sync(all, lane % 3 == 0);
    r->any[lane] = __any_sync(all, lane == 17);
    r->all[lane] = __all_sync(all, lane < 32);
    r->not_all[lane] = __all_sync(all, lane != 5);
    r->match[lane] = __match_any_sync(all, lane / 4);
    r->match_wide[lane] = __match_any_sync(all, (lane % 2) * 0x100000000ull);
    r->all_match[lane] = __match_all_sync(all, 7.0f, &r->same[lane]);
    __match_all_sync(all, lane / 31, &r->differs[lane]);
    r->sum[lane] = __reduce_add_sync(all, lane - 20);
    r->low[lane] = __reduce_min_sync(all, lane - 20);
    r->high[lane] = __reduce_max_sync(all, -lane - 1);
    r->usum[lane] = __reduce_add_sync(all, (unsigned)lane + 0x80000000u);
    r->ulow[lane] = __reduce_min_sync(all, 0x80000000u + lane);
    r->uhigh[lane] = __reduce_max_sync(all, 0x80000000u + lane);
    r->both[lane] = __reduce_and_sync(all, ~(1u << lane % 8));
    r->either[lane] = __reduce_or_sync(all, 1u << lane % 16);
    r->parity[lane] = __reduce_xor_sync(all, (unsigned)lane);
    r->active[lane] = 0;
    if (lane % 2) {
        r->odd_ballot[lane] = __ballot_sync(0xaaaaaaaa, lane > 16);
        r->odd_sum[lane] = __reduce_add_sync(0xaaaaaaaa, lane);
        r->active[lane] = __activemask();
    }
    __syncwarp();
    r->lanes_below[lane] = __popc(__activemask() & ((1u << lane) - 1));
    r->legacy[lane] =
        __shfl(lane, 3) + __shfl_down(lane, 1) + (int)__ballot(1) + __any(0) + __all(1);
}

static void test_others() {
    Others *r = managed<Others>(1);
    operate<<<1, 32>>>(r);
    SYNC();
    for (int lane = 0; lane < LANES; lane++) {
        CHECK(r->ballot[lane] == 0x49249249 && r->any[lane] == 1);
        CHECK(r->all[lane] == 1 && r->not_all[lane] == 0);
        CHECK(r->match[lane] == 0xfu << lane / 4 * 4);
        CHECK(r->match_wide[lane] == (lane % 2 ? 0xaaaaaaaa : 0x55555555));
        CHECK(r->all_match[lane] == 0xffffffff && r->same[lane] == 1 && r->differs[lane] == 0);
        CHECK(r->sum[lane] == 496 - 640 && r->low[lane] == -20 && r->high[lane] == -1);
        CHECK(r->usum[lane] == 496 && r->ulow[lane] == 0x80000000 && r->uhigh[lane] == 0x8000001f);
        CHECK(r->both[lane] == 0xffffff00 && r->either[lane] == 0xffff && r->parity[lane] == 0);
        CHECK(r->active[lane] == (lane % 2 ? 0xaaaaaaaa : 0));
        if (lane % 2)
            CHECK(r->odd_ballot[lane] == 0xaaaa0000 && r->odd_sum[lane] == 256);
        CHECK(r->lanes_below[lane] == (unsigned)lane);
        CHECK(r->legacy[lane] == 3 + (lane == 31 ? 31 : lane + 1) - 1 + 0 + 1);
    }
}

// Lanes that take no part give 0: a sum over the first lanes needs no other loop than one over all.
__global__ void sum_first(const int *in, int *out, int count) {
    int lane = threadIdx.x, value = in[lane];
    unsigned mask = __ballot_sync(0xffffffff, lane < count);
    out[lane] = -1;
    if (lane < count) {
        for (int offset = 16; offset > 0; offset /= 2)
            value += __shfl_down_sync(mask, value, offset);
        out[lane] =
            lane == 0 ? value : __shfl_sync(mask, in[lane], 31) + __shfl_xor_sync(mask, 1, 0);
    }
}

static void test_absent() {
    int *in = managed<int>(LANES), *out = managed<int>(LANES);
    for (int i = 0; i < LANES; i++)
        in[i] = i + 1;
    for (int count : {1, 8, 20}) {
        sum_first<<<1, LANES>>>(in, out, count);
        SYNC();
        for (int i = 0; i < LANES; i++)
            CHECK(out[i] == (i == 0 ? count * (count + 1) / 2 : i < count ? 1 : -1));
    }
}

int main() {
    test_absent();
    test_shuffles<int>(-3);
    test_shuffles<unsigned>(0x7000001);
    test_shuffles<long>(-0x100000001);
    test_shuffles<unsigned long>(0x700000001);
    test_shuffles<long long>(-0x300000001);
    test_shuffles<unsigned long long>(0x700000001);
    test_shuffles<float>(-0.75f);
    test_shuffles<double>(1e-300);
    test_others();
}
