// The video intrinsics, part by part, against plain arithmetic.
#include "../device/check.h"
#include <random>

enum { COUNT = 1024 };

// Name, whether its parts have a sign, what a part of the result is; m is the largest value with
// sign, a and b are the parts.
#define BINARY(X)                                                                                  \
    X(__vadd, 0, a + b)                                                                            \
    X(__vaddss, 1, clamp(a + b, -m - 1, m))                                                        \
    X(__vaddus, 0, clamp(a + b, 0, 2 * m + 1))                                                     \
    X(__vsub, 0, a - b)                                                                            \
    X(__vsubss, 1, clamp(a - b, -m - 1, m))                                                        \
    X(__vsubus, 0, clamp(a - b, 0, 2 * m + 1))                                                     \
    X(__vavgs, 1, (a + b + (a + b >= 0)) >> 1)                                                     \
    X(__vavgu, 0, (a + b + 1) / 2)                                                                 \
    X(__vhaddu, 0, (a + b) / 2)                                                                    \
    X(__vabsdiffs, 1, a > b ? a - b : b - a)                                                       \
    X(__vabsdiffu, 0, a > b ? a - b : b - a)                                                       \
    X(__vmaxs, 1, a > b ? a : b)                                                                   \
    X(__vmaxu, 0, a > b ? a : b)                                                                   \
    X(__vmins, 1, a < b ? a : b)                                                                   \
    X(__vminu, 0, a < b ? a : b)                                                                   \
    X(__vcmpeq, 0, a == b ? -1 : 0)                                                                \
    X(__vcmpne, 0, a != b ? -1 : 0)                                                                \
    X(__vcmpges, 1, a >= b ? -1 : 0)                                                               \
    X(__vcmpgeu, 0, a >= b ? -1 : 0)                                                               \
    X(__vcmpgts, 1, a > b ? -1 : 0)                                                                \
    X(__vcmpltu, 0, a < b ? -1 : 0)                                                                \
    X(__vseteq, 0, a == b)                                                                         \
    X(__vsetles, 1, a <= b)                                                                        \
    X(__vsetgtu, 0, a > b)
#define UNARY(X)                                                                                   \
    X(__vabs, 1, a < 0 ? -a : a)                                                                   \
    X(__vabsss, 1, clamp(a < 0 ? -a : a, 0, m))                                                    \
    X(__vneg, 1, -a)                                                                               \
    X(__vnegss, 1, clamp(-a, -m - 1, m))

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

static int part(unsigned int word, int at, int bits, bool has_sign) {
    int value = (int)(word >> at & ((1u << bits) - 1));
    return has_sign && value >> (bits - 1) ? value - (1 << bits) : value;
}

struct Output {
    unsigned int two[32], four[32], sums[4];
};

__global__ void compute(const uint2 *inputs, Output *outputs) {
    unsigned int x = inputs[threadIdx.x + blockIdx.x * blockDim.x].x;
    unsigned int y = inputs[threadIdx.x + blockIdx.x * blockDim.x].y;
    Output &o = outputs[threadIdx.x + blockIdx.x * blockDim.x];
    int n = 0;
#define X(name, has_sign, result) o.two[n] = name##2(x, y), o.four[n++] = name##4(x, y);
    BINARY(X)
#undef X
#define X(name, has_sign, result) o.two[n] = name##2(x), o.four[n++] = name##4(x);
    UNARY(X)
#undef X
    o.sums[0] = __vsads2(x, y), o.sums[1] = __vsads4(x, y);
    o.sums[2] = __vsadu2(x, y), o.sums[3] = __vsadu4(x, y);
}

static unsigned int sum_of_differences(uint2 in, int bits, bool has_sign) {
    int sum = 0;
    for (int at = 0; at < 32; at += bits)
        sum += std::abs(part(in.x, at, bits, has_sign) - part(in.y, at, bits, has_sign));
    return sum;
}

static void check(uint2 in, const Output &o, int bits) {
    const unsigned int *got = bits == 16 ? o.two : o.four;
    const int m = (1 << (bits - 1)) - 1;
    const unsigned int all = (1u << bits) - 1;
    for (int at = 0; at < 32; at += bits) {
        int n = 0;
#define X(name, has_sign, result)                                                                  \
    {                                                                                              \
        int a = part(in.x, at, bits, has_sign), b = part(in.y, at, bits, has_sign);                \
        (void)b;                                                                                   \
        (void)m;                                                                                   \
        CHECK((got[n++] >> at & all) == ((unsigned int)(result)&all));                             \
    }
        BINARY(X)
        UNARY(X)
#undef X
    }
    CHECK(o.sums[bits == 8] == sum_of_differences(in, bits, true));
    CHECK(o.sums[2 + (bits == 8)] == sum_of_differences(in, bits, false));
}

int main() {
    static const unsigned int extreme[] = {0, ~0u, 0x80808080, 0x80008000, 0x7fff7f7f, 0x01010001};
    std::mt19937 bits(5);
    uint2 *inputs = managed<uint2>(COUNT);
    Output *outputs = managed<Output>(COUNT);
    for (int n = 0; n < COUNT; n++) {
        inputs[n].x = bits() % 3 ? (unsigned int)bits() : extreme[bits() % 6];
        inputs[n].y = bits() % 3 ? (unsigned int)bits() : extreme[bits() % 6];
    }
    compute<<<COUNT / 128, 128>>>(inputs, outputs);
    SYNC();
    for (int n = 0; n < COUNT; n++) {
        check(inputs[n], outputs[n], 16);
        check(inputs[n], outputs[n], 8);
    }
}
