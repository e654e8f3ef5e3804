// RUN: %gcluster-cc -O2 %s -o %t && %t
// Inline PTX as real programs have it: special registers, bit fields, predicates, shuffles, memory.
#include "check.h"

struct Results {
    unsigned lane, below, field, inserted, permuted, sum, picked, scanned, loaded, ballot, pair;
    unsigned logic, majority, upper, upper_sum;
    long long product64, summed;
    float product;
    unsigned long long wide;
};

__device__ int inclusive_add(int value, int offset, unsigned mask) {
    int result;
    asm volatile("{"
                 "  .reg .s32 r0;"
                 "  .reg .pred p;"
                 "  shfl.sync.up.b32 r0|p, %1, %2, 0, %4;"
                 "  @p add.s32 r0, r0, %3;"
                 "  @!p mov.s32 r0, %3;"
                 "  mov.s32 %0, r0;"
                 "}"
                 : "=r"(result)
                 : "r"(value), "r"(offset), "r"(value), "r"(mask));
    return result;
}

__global__ void kernel(Results *out, const unsigned *in, unsigned *stored) {
    int t = threadIdx.x;
    Results r = {};
    asm("mov.u32 %0, %%laneid;" : "=r"(r.lane));
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(r.below));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r.field) : "r"(0xabcd1234), "r"(8), "r"(t % 33));
    asm("bfi.b32 %0, %1, %2, %3, %4;"
        : "=r"(r.inserted)
        : "r"(0xff), "r"(0x12345678), "r"(4), "r"(8));
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r.permuted) : "r"(0x33221100), "r"(0x77665584), "r"(0xc740));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r.logic) : "r"(t * 77), "r"(0x12345678), "r"(t << 9));
    asm("lop3.b32 %0, %1, %2, %3, %4;"
        : "=r"(r.majority)
        : "r"(t * 77), "r"(0x12345678), "r"(t << 9), "n"(0xe8));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r.upper) : "r"(0xfffffff0 + t), "r"(0x80000001));
    asm("mad.hi.u32 %0, %1, %2, %1;" : "=r"(r.upper_sum) : "r"(0xfffffff0 + t), "r"(0x80000001));
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(r.product64) : "r"(-5 - t), "r"(1 << 30));
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r.summed) : "r"(-5 - t), "r"(1 << 30), "l"(7ll));
    asm("vadd.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r.sum) : "r"(t), "r"(2), "r"(3));
    asm("{ .reg .pred q; setp.ne.u32 q, %1, 0; selp.u32 %0, 7, 9, q; }"
        : "=r"(r.picked)
        : "r"(t % 2));
    int total = t;
    for (int offset = 1; offset < 32; offset *= 2)
        total = inclusive_add(total, offset, 0xffffffff);
    r.scanned = total;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(r.loaded) : "l"(in + t));
    asm volatile("st.global.cg.u32 [%0], %1;" : : "l"(stored + t), "r"(t * 3) : "memory");
    asm("mul.f32 %0, %1, %2;" : "=f"(r.product) : "f"(1.5f), "f"((float)t));
    asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(r.wide) : "l"(1ull << 33), "l"(3ull), "l"(5ull));
    r.product += r.wide == 3 * (1ull << 33) + 5 ? 0 : 1;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(r.ballot)
                 : "r"(t % 32));
    uint2 pair;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(pair.x), "=r"(pair.y) : "l"(in + t / 2 * 2));
    r.pair = pair.x + pair.y;
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" : : "l"(&r.wide), "r"(17), "r"(0));
    out[t] = r;
    if (t % 2)
        asm volatile("exit;");
    out[t].wide++;
}

int main() {
    Results *out = managed<Results>(64);
    unsigned *in = managed<unsigned>(64), *stored = managed<unsigned>(64);
    for (unsigned t = 0; t < 64; t++)
        in[t] = 1000 + t;
    kernel<<<1, 64>>>(out, in, stored);
    SYNC();
    for (unsigned t = 0; t < 64; t++) {
        const Results &r = out[t];
        unsigned lane = t % 32, length = t % 33, sum = 0;
        for (unsigned l = t - lane; l <= t; l++)
            sum += l;
        unsigned mask = length == 32 ? ~0u : (1u << length) - 1;
        CHECK(r.lane == lane && r.below == (1u << lane) - 1);
        CHECK(r.field == (0xabcd1234u >> 8 & mask) && r.inserted == 0x12345ff8);
        CHECK(r.permuted == 0xff778400);
        unsigned a = t * 77, b = 0x12345678, c = t << 9;
        CHECK(r.logic == (a ^ b ^ c) && r.majority == ((a & b) | (b & c) | (a & c)));
        CHECK(r.upper == (unsigned)((0xfffffff0ull + t) % (1ull << 32) * 0x80000001ull >> 32));
        CHECK(r.upper_sum == r.upper + 0xfffffff0 + t);
        CHECK(r.product64 == (-5ll - t) * (1ll << 30) && r.summed == r.product64 + 7);
        CHECK(r.sum == t + 5 && r.picked == (t % 2 ? 7 : 9) && r.scanned == sum);
        CHECK(r.loaded == 1000 + t && stored[t] == 3 * t && r.product == 1.5f * t);
        CHECK(r.ballot == 31 && r.pair == 2 * 1000 + 2 * (t / 2 * 2) + 1);
        CHECK(r.wide == 17 + (t % 2 == 0));
    }
}
