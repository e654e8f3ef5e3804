// Integer intrinsics against the plainest code there is for each, on random and extreme numbers.
#include "../device/check.h"
#include <climits>
#include <random>

struct Output {
    int clz, clzll, ffs, ffsll, popc, popcll, mulhi, mul24, hadd, rhadd, dp4a, dp2a_lo, dp2a_hi;
    unsigned int brev, umulhi, umul24, sad, usad, uhadd, urhadd, udp4a, udp2a_lo, perm;
    unsigned int left, left_clamped, right, right_clamped, nth;
    unsigned long long brevll, umul64hi;
    long long mul64hi;
};
struct Input {
    int x, y, z;
    long long l, k;
};

__global__ void compute(const Input *inputs, Output *outputs) {
    const Input i = inputs[blockIdx.x * blockDim.x + threadIdx.x];
    Output &o = outputs[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned int x = i.x, y = i.y, z = i.z;
    o.clz = __clz(i.x), o.clzll = __clzll(i.l), o.ffs = __ffs(i.x), o.ffsll = __ffsll(i.l);
    o.popc = __popc(x), o.popcll = __popcll(i.l), o.brev = __brev(x), o.brevll = __brevll(i.l);
    o.mulhi = __mulhi(i.x, i.y), o.umulhi = __umulhi(x, y);
    o.mul64hi = __mul64hi(i.l, i.k), o.umul64hi = __umul64hi(i.l, i.k);
    o.mul24 = __mul24(i.x, i.y), o.umul24 = __umul24(x, y);
    o.sad = __sad(i.x, i.y, z), o.usad = __usad(x, y, z);
    o.hadd = __hadd(i.x, i.y), o.rhadd = __rhadd(i.x, i.y);
    o.uhadd = __uhadd(x, y), o.urhadd = __urhadd(x, y);
    o.dp4a = __dp4a(i.x, i.y, i.z), o.udp4a = __dp4a(x, y, z);
    o.dp2a_lo = __dp2a_lo(i.x, i.y, i.z), o.dp2a_hi = __dp2a_hi(i.x, i.y, i.z);
    o.udp2a_lo = __dp2a_lo(x, y, z);
    o.perm = __byte_perm(x, y, z);
    o.left = __funnelshift_l(x, y, z & 63), o.left_clamped = __funnelshift_lc(x, y, z & 63);
    o.right = __funnelshift_r(x, y, z & 63), o.right_clamped = __funnelshift_rc(x, y, z & 63);
    o.nth = __fns(x, z & 31, (i.y % 9));
}

static int leading(unsigned long long x, int bits) {
    int n = 0;
    while (n < bits && !(x >> (bits - 1 - n) & 1))
        n++;
    return n;
}
static int lowest(unsigned long long x) {
    for (int n = 0; n < 64; n++) {
        if (x >> n & 1)
            return n + 1;
    }
    return 0;
}
static int ones(unsigned long long x) {
    int n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}
static unsigned long long reversed(unsigned long long x, int bits) {
    unsigned long long r = 0;
    for (int n = 0; n < bits; n++)
        r |= (x >> n & 1) << (bits - 1 - n);
    return r;
}
static int byte(int x, int i) {
    return (signed char)(x >> 8 * i);
}
static int half(int x, int i) {
    return (short)(x >> 16 * i);
}

static unsigned int nth_bit(unsigned int mask, int base, int offset) {
    if (offset == 0)
        return mask >> base & 1 ? base : ~0u;
    int step = offset < 0 ? -1 : 1, left = offset * step;
    for (int n = base; n >= 0 && n < 32; n += step) {
        if (mask >> n & 1 && --left == 0)
            return n;
    }
    return ~0u;
}

static void check_bits(const Input &i, const Output &o) {
    unsigned int x = i.x, y = i.y, s = (unsigned int)i.z & 63;
    unsigned long long l = i.l, both = (unsigned long long)y << 32 | x;
    CHECK(o.clz == leading(x, 32) && o.clzll == leading(l, 64));
    CHECK(o.ffs == lowest(x) && o.ffsll == lowest(l));
    CHECK(o.popc == ones(x) && o.popcll == ones(l));
    CHECK(o.brev == reversed(x, 32) && o.brevll == reversed(l, 64));
    CHECK(o.left == (unsigned int)(both << s % 32 >> 32));
    CHECK(o.right == (unsigned int)(both >> s % 32));
    CHECK(o.left_clamped == (s >= 32 ? x : o.left) && o.right_clamped == (s >= 32 ? y : o.right));
    CHECK(o.nth == nth_bit(x, i.z & 31, i.y % 9));
    for (int n = 0; n < 4; n++) {
        unsigned int source = (unsigned int)i.z >> 4 * n & 7;
        CHECK((o.perm >> 8 * n & 255) == (both >> 8 * source & 255));
    }
}

static void check_sums(const Input &i, const Output &o) {
    long long x = i.x, y = i.y;
    unsigned long long ux = (unsigned int)i.x, uy = (unsigned int)i.y;
    CHECK(o.mulhi == (int)(x * y >> 32) && o.umulhi == (unsigned int)(ux * uy >> 32));
    CHECK(o.mul64hi == (long long)((__int128)i.l * i.k >> 64));
    CHECK(o.umul64hi == (unsigned long long)((unsigned __int128)(unsigned long long)i.l *
                                                 (unsigned long long)i.k >>
                                             64));
    CHECK(o.umul24 == (unsigned int)((ux & 0xffffff) * (uy & 0xffffff)));
    long long x24 = (ux & 0x7fffff) - (long long)(ux & 0x800000);
    long long y24 = (uy & 0x7fffff) - (long long)(uy & 0x800000);
    CHECK(o.mul24 == (int)(x24 * y24));
    CHECK(o.sad == (unsigned int)((x > y ? x - y : y - x) + (unsigned int)i.z));
    CHECK(o.usad == (unsigned int)((ux > uy ? ux - uy : uy - ux) + (unsigned int)i.z));
    CHECK(o.hadd == (int)((x + y) >> 1) && o.rhadd == (int)((x + y + 1) >> 1));
    CHECK(o.uhadd == (unsigned int)((ux + uy) >> 1));
    CHECK(o.urhadd == (unsigned int)((ux + uy + 1) >> 1));
    long long dot = i.z, udot = (unsigned int)i.z;
    for (int n = 0; n < 4; n++) {
        dot += byte(i.x, n) * byte(i.y, n);
        udot += (byte(i.x, n) & 255) * (byte(i.y, n) & 255);
    }
    CHECK(o.dp4a == (int)dot && o.udp4a == (unsigned int)udot);
    CHECK(o.dp2a_lo ==
          (int)((long long)i.z + half(i.x, 0) * byte(i.y, 0) + half(i.x, 1) * byte(i.y, 1)));
    CHECK(o.dp2a_hi ==
          (int)((long long)i.z + half(i.x, 0) * byte(i.y, 2) + half(i.x, 1) * byte(i.y, 3)));
    CHECK(o.udp2a_lo ==
          (unsigned int)((unsigned int)i.z + (half(i.x, 0) & 65535) * (byte(i.y, 0) & 255) +
                         (half(i.x, 1) & 65535) * (byte(i.y, 1) & 255)));
}

int main() {
    enum { COUNT = 2048 };
    static const long long extreme[] = {0, 1, -1, INT_MIN, INT_MAX, LLONG_MIN, LLONG_MAX, 0x80};
    std::mt19937_64 bits(3);
    Input *inputs = managed<Input>(COUNT);
    Output *outputs = managed<Output>(COUNT);
    for (int n = 0; n < COUNT; n++) {
        auto next = [&] {
            return bits() % 3 ? (long long)bits() >> bits() % 64 : extreme[bits() % 8];
        };
        inputs[n] = {(int)next(), (int)next(), (int)next(), next(), next()};
    }
    compute<<<COUNT / 64, 64>>>(inputs, outputs);
    SYNC();
    for (int n = 0; n < COUNT; n++) {
        check_bits(inputs[n], outputs[n]);
        check_sums(inputs[n], outputs[n]);
    }
}
