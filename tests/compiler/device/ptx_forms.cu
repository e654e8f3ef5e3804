// RUN: %gcluster-cc -O2 %s -o %t && %t
// RUN: %gcluster-cc -G %s -o %t && %t
// Forms of inline PTX beside those of ptx.cu: vectors of registers, carries, results that are
// operands too, predicates before loads and stores, shared addresses, conversions, halves.
#include "check.h"
#include <cuda_fp16.h>

__device__ double through_halves(double x) {
    double y;
    asm("{ .reg .s32 lo, hi; mov.b64 {lo, hi}, %1; add.s32 hi, hi, 0; mov.b64 %0, {lo, hi}; }"
        : "=d"(y)
        : "d"(x));
    return y;
}

__global__ void moves(double *numbers, unsigned *words) {
    unsigned t = threadIdx.x, low, high, packed;
    unsigned short a, b;
    numbers[t] = through_halves(t * 1.5);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(0x123456789abcdef0ull));
    asm("mov.b32 {%0, %1}, %2;" : "=h"(a), "=h"(b) : "r"(0xaaaabbbb));
    asm("mov.b32 %0, {%1, %2};" : "=r"(packed) : "h"(b), "h"(a));
    float one, half;
    asm("mov.f32 %0, 0f3F800000; // a number by its bits" : "=f"(one));
    asm("{ /* a conversion */ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }"
        : "=f"(half)
        : "f"(one / 3));
    words[0] = low == 0x9abcdef0 && high == 0x12345678;
    words[1] = packed == 0xbbbbaaaa;
    words[2] = one == 1 && half == __half2float(__float2half(1.0f / 3));
}

// 128-bit sum and product of 64-bit numbers, by carries that go from one asm to the next.
__global__ void carries(unsigned *sum, const unsigned *x, const unsigned *y) {
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum[0]) : "r"(x[0]), "r"(y[0]));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum[1]) : "r"(x[1]), "r"(y[1]));
    asm volatile("addc.u32 %0, 0, 0;" : "=r"(sum[2]));
    unsigned p0, p1, p2, p3;
    asm("{ mul.lo.u32 %0, %4, %6; mul.hi.u32 %1, %4, %6;"
        "  mad.lo.cc.u32 %1, %4, %7, %1; madc.hi.u32 %2, %4, %7, 0;"
        "  mad.lo.cc.u32 %1, %5, %6, %1; madc.hi.cc.u32 %2, %5, %6, %2; addc.u32 %3, 0, 0;"
        "  mad.lo.cc.u32 %2, %5, %7, %2; madc.hi.u32 %3, %5, %7, %3; }"
        : "=&r"(p0), "=&r"(p1), "=&r"(p2), "=&r"(p3)
        : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]));
    unsigned __int128 product = (unsigned __int128)((unsigned long long)x[1] << 32 | x[0]) *
                                ((unsigned long long)y[1] << 32 | y[0]);
    sum[3] = p0 == (unsigned)product && p1 == (unsigned)(product >> 32) &&
             p2 == (unsigned)(product >> 64) && p3 == (unsigned)(product >> 96);
    asm volatile("sub.cc.u32 %0, 3, 5; subc.u32 %1, 9, 0;" : "=r"(sum[4]), "=r"(sum[5]));
}

__global__ void predicates(int *out, const int *in, int n) {
    int t = threadIdx.x, value = -1;
    // Nothing is read, nor written, where the predicate doesn't hold.
    asm volatile("{ .reg .pred p; setp.lt.and.s32 p, %1, %2, %3; @p ld.global.s32 %0, [%4+4]; }"
                 : "+r"(value)
                 : "r"(t), "r"(n), "n"(1), "l"(in + t));
    asm volatile(
        "{ .reg .pred p; .reg .pred q; setp.ne.b32 p|q, %0, 0; @!p st.global.s32 [%1], %2; }"
        :
        : "r"(t % 3), "l"(out + t), "r"(value)
        : "memory");
    int sum = 10;
    asm("add.s32 %0, %0, %1;" : "+r"(sum) : "r"(t));
    out[64 + t] = sum;
}

__global__ void in_shared(int *out) {
    __shared__ int values[64];
    extern __shared__ int more[];
    unsigned t = threadIdx.x, first, second;
    unsigned at = (unsigned)__cvta_generic_to_shared(&values[t]);
    asm volatile("st.shared.u32 [%0], %1;" : : "r"(at), "r"(t * 5) : "memory");
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %0; st.shared.u32 [a], %1; }"
                 :
                 : "l"(more + t), "r"(t * 7)
                 : "memory");
    __syncthreads();
    unsigned next = (unsigned)__cvta_generic_to_shared(&values[(t + 1) % 64]);
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(first) : "r"(next));
    second = more[(t + 2) % 64];
    __syncthreads();
    atomicAdd(&out[128], 1);
    asm volatile("red.global.add.u32 [%0], %1;" : : "l"(out + 129), "r"(t) : "memory");
    unsigned before;
    asm volatile("atom.shared.max.s32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(at), "r"(1000)
                 : "memory");
    out[t] = first;
    out[64 + t] = second + (before != t * 5) + (values[t] != 1000);
    out[130] = __isShared(&values[t]) && __isShared(more + 63) && !__isShared(out) &&
               __isGlobal(out) && !__isGlobal(values) && !__isLocal(out) &&
               __cvta_shared_to_generic(at) == &values[t];
}

__global__ void copies(int *out, const int4 *in, int n) {
    __shared__ int4 tile[32];
    unsigned t = threadIdx.x, to = (unsigned)__cvta_generic_to_shared(&tile[t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(to), "l"(in + t), "r"((int)t < n ? 16 : t % 16)
                 : "memory");
    asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" : : "n"(0) : "memory");
    __syncthreads();
    int4 other = tile[31 - t];
    out[4 * t] = other.x, out[4 * t + 1] = other.y, out[4 * t + 2] = other.z;
    out[4 * t + 3] = other.w;
}

#define ONE(instruction, x)                                                                        \
    ({                                                                                             \
        unsigned r;                                                                                \
        asm(instruction " %0, %1;" : "=r"(r) : "r"(x));                                            \
        r;                                                                                         \
    })
#define TWO(instruction, x, y)                                                                     \
    ({                                                                                             \
        unsigned r;                                                                                \
        asm(instruction " %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));                                \
        r;                                                                                         \
    })
#define THREE(instruction, x, y, z)                                                                \
    ({                                                                                             \
        unsigned r;                                                                                \
        asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));                    \
        r;                                                                                         \
    })

__global__ void by_name(int *wrong, float x) {
    unsigned r;
    int i;
    float f;
    *wrong += ONE("popc.b32", 0xff00) != 8;
    *wrong += ONE("clz.b32", 0xff00) != 16 || ONE("clz.b32", 0) != 32;
    *wrong += ONE("brev.b32", 1) != 0x80000000 || ONE("bfind.u32", 0xff00) != 15;
    *wrong += ONE("bfind.s32", -1) != 0xffffffff || ONE("abs.s32", -5) != 5;
    *wrong += THREE("bfe.s32", 0xf0, 4, 4) != 0xffffffff || THREE("bfe.s32", 0x70, 4, 4) != 7;
    *wrong += THREE("bfe.u32", 0xabcd, 40, 4) != 0;
    *wrong += THREE("shf.l.wrap.b32", 0x80000000, 1, 1) != 3;
    *wrong += THREE("shf.r.clamp.b32", 4, 1, 1) != 0x80000002;
    *wrong += THREE("dp4a.s32.s32", 0x01ff02fe, 0x01020304, 10) != 10 + 1 - 2 + 6 - 8;
    *wrong +=
        THREE("sad.u32", 3, 10, 1) != 8 || THREE("prmt.b32.rc16", 0x1234abcd, 0, 1) != 0x12341234;
    *wrong += TWO("mul24.lo.s32", 0x00ffffff, 5) != (unsigned)-5;
    *wrong += TWO("min.s32", -3, 2) != (unsigned)-3 || TWO("max.u32", -3, 2) != (unsigned)-3;
    *wrong += TWO("add.f16x2", 0x3c004000, 0x3c003800) != 0x40004100;
    *wrong += THREE("fma.rn.f16x2", 0x40004000, 0x42004200, 0x3c003c00) != 0x47004700;
    *wrong += ONE("neg.bf16x2", 0x3f80bf80) != 0xbf803f80;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(1.0f), "f"(x));
    *wrong += r != 0x3f804040;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(1.0f + 0x1p-11f));
    *wrong += r != 0x3f802000;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(-x / 2 - 1));
    *wrong += i != -2;
    asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(i) : "f"(x / 2));
    *wrong += i != 2;
    asm("cvt.u32.u8 %0, %1;" : "=r"(r) : "r"(0x1ff));
    *wrong += r != 0xff;
    asm("fma.rn.f32 %0, %1, %1, %1;" : "=f"(f) : "f"(x));
    *wrong += f != 12;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(x));
    *wrong += fabsf(f - 8) > 1e-5f;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(x + 1));
    *wrong += fabsf(f - 0.5f) > 1e-6f;
    asm("set.gtu.u32.f32 %0, %1, %2;" : "=r"(r) : "f"(x), "f"(NAN));
    *wrong += r != 0xffffffff;
    asm("slct.s32.s32 %0, 5, 6, %1;" : "=r"(r) : "r"(-1));
    *wrong += r != 6;
    asm volatile("activemask.b32 %0;" : "=r"(r));
    *wrong += r != 1;
    asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(i) : "r"(-7), "r"(1));
    *wrong += i != -7;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(9), "r"(1));
    *wrong += r != 1;
    asm volatile("prefetch.global.L2 [%0];" : : "l"(wrong));
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
    asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_last.b64 policy, 1.0;"
                 "  ld.global.L1::no_allocate.L2::cache_hint.s32 %0, [%1], policy; }"
                 : "=r"(i)
                 : "l"(wrong));
    *wrong += i != *wrong;
}

int main() {
    double *numbers = managed<double>(64);
    unsigned *words = managed<unsigned>(256), *x = managed<unsigned>(2), *y = managed<unsigned>(2);
    int *out = managed<int>(256), *in = managed<int>(256);
    moves<<<1, 64>>>(numbers, words);
    SYNC();
    CHECK(numbers[63] == 94.5 && words[0] && words[1] && words[2]);
    x[0] = 0xfffffff0, x[1] = 0xffffffff, y[0] = 0x20, y[1] = 0xfedcba98;
    carries<<<1, 1>>>(words, x, y);
    SYNC();
    CHECK(words[0] == 0x10 && words[1] == 0xfedcba98 && words[2] == 1 && words[3]);
    CHECK(words[4] == (unsigned)-2 && words[5] == 8);
    for (int i = 0; i < 256; i++)
        in[i] = 100 + i;
    predicates<<<1, 64>>>(out, in, 40);
    SYNC();
    for (int t = 0; t < 64; t++) {
        CHECK(out[t] == (t % 3 ? 0 : t < 40 ? 101 + t : -1));
        CHECK(out[64 + t] == 10 + t);
    }
    in_shared<<<1, 64, 256>>>(out);
    SYNC();
    for (int t = 0; t < 64; t++)
        CHECK(out[t] == (t + 1) % 64 * 5 && out[64 + t] == (t + 2) % 64 * 7);
    CHECK(out[128] == 64 && out[129] == 63 * 32 && out[130] == 1);
    copies<<<1, 32>>>(out, (const int4 *)in, 20);
    SYNC();
    for (int i = 0; i < 128; i++) {
        int from = 31 - i / 4, byte = i % 4 * 4, left = (from < 20 ? 16 : from % 16) - byte;
        unsigned kept = left >= 4 ? ~0u : left <= 0 ? 0 : (1u << 8 * left) - 1;
        CHECK(out[i] == (int)(in[4 * from + i % 4] & kept));
    }
    in[0] = 0;
    by_name<<<1, 1>>>(in, 3);
    SYNC();
    CHECK(in[0] == 0);
}
