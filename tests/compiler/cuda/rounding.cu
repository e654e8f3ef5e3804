// Arithmetic and conversions with the rounding mode in the name, against the host's FPU in that
// mode: random numbers of all sizes, and the special ones.
#include "../device/check.h"
#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>

enum { MODES = 4, COUNT = 4000 };

struct Input {
    double a, b, c;
    float x, y, z;
    long long l;
    unsigned long long u;
};
struct Output {
    double add[MODES], sub[MODES], mul[MODES], div[MODES], root[MODES], fused[MODES];
    double from_l[MODES], from_u[MODES];
    float addf[MODES], subf[MODES], mulf[MODES], divf[MODES], rootf[MODES], fusedf[MODES];
    float narrow[MODES], from_lf[MODES], from_uf[MODES];
};

#define ALL_OF_MODE(m, mode)                                                                       \
    o.add[m] = __dadd_##mode(i.a, i.b), o.sub[m] = __dsub_##mode(i.a, i.b);                        \
    o.mul[m] = __dmul_##mode(i.a, i.b), o.div[m] = __ddiv_##mode(i.a, i.b);                        \
    o.root[m] = __dsqrt_##mode(i.a), o.fused[m] = __fma_##mode(i.a, i.b, i.c);                     \
    o.from_l[m] = __ll2double_##mode(i.l), o.from_u[m] = __ull2double_##mode(i.u);                 \
    o.addf[m] = __fadd_##mode(i.x, i.y), o.subf[m] = __fsub_##mode(i.x, i.y);                      \
    o.mulf[m] = __fmul_##mode(i.x, i.y), o.divf[m] = __fdiv_##mode(i.x, i.y);                      \
    o.rootf[m] = __fsqrt_##mode(i.x), o.fusedf[m] = __fmaf_##mode(i.x, i.y, i.z);                  \
    o.narrow[m] = __double2float_##mode(i.a), o.from_lf[m] = __ll2float_##mode(i.l);               \
    o.from_uf[m] = __ull2float_##mode(i.u);

__global__ void compute(const Input *inputs, Output *outputs) {
    const Input i = inputs[blockIdx.x * blockDim.x + threadIdx.x];
    Output &o = outputs[blockIdx.x * blockDim.x + threadIdx.x];
    ALL_OF_MODE(0, rn)
    ALL_OF_MODE(1, rz)
    ALL_OF_MODE(2, ru)
    ALL_OF_MODE(3, rd)
}

static std::mt19937_64 random_bits(1);

static double number() {
    static const double special[] = {0.0, -0.0, INFINITY,  -INFINITY, NAN,
                                     1,   -1,   0x1p-1074, 0x1p-1022, -1.7976931348623157e308};
    int sign = random_bits() % 2 ? 1 : -1;
    switch (random_bits() % 5) {
    case 0:
        return special[random_bits() % 10];
    case 1:
        return sign * (double)(random_bits() % 2000);
    case 2:
        return sign * std::ldexp((double)(random_bits() >> 11), (int)(random_bits() % 80) - 93);
    case 3:
        return sign * std::ldexp((double)(random_bits() >> 11), -1044 - (int)(random_bits() % 60));
    default:
        return sign * std::ldexp((double)(random_bits() >> 11), (int)(random_bits() % 2000) - 1040);
    }
}

static Input input(int n) {
    Input i = {number(), number(), number()};
    i.x = (float)(n % 2 ? number() : std::ldexp(number(), -900));
    i.y = (float)number(), i.z = (float)number();
    if (n % 3 == 0)
        i.c = -(i.a * i.b), i.z = -(i.x * i.y);
    if (n % 5 == 0)
        i.b = -i.a * (1 + 1e-15 * (n % 4));
    i.l = (long long)random_bits() >> random_bits() % 63;
    i.u = random_bits() >> random_bits() % 63 | 1; // hosts convert 0 to -0 when rounding down
    return i;
}

template <class T> static bool same(T a, T b) {
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool right(const Input &i, const Output &o, int m) {
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    volatile double a = i.a, b = i.b, c = i.c;
    volatile float x = i.x, y = i.y, z = i.z;
    volatile long long l = i.l;
    volatile unsigned long long u = i.u;
    fesetround(modes[m]);
    volatile double add = a + b, sub = a - b, mul = a * b, div = a / b, root = std::sqrt(a);
    volatile double fused = std::fma(a, b, c), from_l = l, from_u = u;
    volatile float addf = x + y, subf = x - y, mulf = x * y, divf = x / y, rootf = std::sqrt(x);
    volatile float fusedf = std::fma(x, y, z), narrow = a, from_lf = l, from_uf = u;
    fesetround(FE_TONEAREST);
    return same<double>(o.add[m], add) && same<double>(o.sub[m], sub) &&
           same<double>(o.mul[m], mul) && same<double>(o.div[m], div) &&
           same<double>(o.root[m], root) && same<double>(o.fused[m], fused) &&
           same<double>(o.from_l[m], from_l) && same<double>(o.from_u[m], from_u) &&
           same<float>(o.addf[m], addf) && same<float>(o.subf[m], subf) &&
           same<float>(o.mulf[m], mulf) && same<float>(o.divf[m], divf) &&
           same<float>(o.rootf[m], rootf) && same<float>(o.fusedf[m], fusedf) &&
           same<float>(o.narrow[m], narrow) && same<float>(o.from_lf[m], from_lf) &&
           same<float>(o.from_uf[m], from_uf);
}

int main() {
    Input *inputs = managed<Input>(COUNT);
    Output *outputs = managed<Output>(COUNT);
    for (int n = 0; n < COUNT; n++)
        inputs[n] = input(n);
    compute<<<COUNT / 100, 100>>>(inputs, outputs);
    SYNC();
    for (int n = 0; n < COUNT; n++) {
        for (int m = 0; m < MODES; m++) {
            if (!right(inputs[n], outputs[n], m))
                fprintf(stderr, "mode %d: a %a b %a c %a x %a y %a z %a l %lld u %llu\n", m,
                        inputs[n].a, inputs[n].b, inputs[n].c, inputs[n].x, inputs[n].y,
                        inputs[n].z, inputs[n].l, inputs[n].u);
            CHECK(right(inputs[n], outputs[n], m));
        }
    }
}
