// Mathematical functions in device code: those of the C library give what the host's give, and
// those that only CUDA has keep to the error that CUDA documents. Also: values at the edges.
#include "../device/check.h"
#include <cmath>

enum { COUNT = 400 };

// What the host's libm has too.
#define LIBRARY(X)                                                                                 \
    X(acos)                                                                                        \
    X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc)       \
        X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor) X(j0) X(j1) X(lgamma) X(log) X(log10)    \
            X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan)   \
                X(tanh) X(tgamma) X(trunc) X(y0) X(y1)

// What it hasn't: a reference in long double, and CUDA's bounds for double and float in ulps.
#define OWN(X)                                                                                     \
    X(rsqrt, 1 / sqrtl(x), 2, 2)                                                                   \
    X(rcbrt, 1 / cbrtl(x), 1, 1)                                                                   \
    X(sinpi, sine_of_pi(x), 2, 1)                                                                  \
    X(cospi, sine_of_pi(0.5L - x), 2, 1)                                                           \
    X(erfcx, expl((long double)x *x) * erfcl(x), 4, 4)                                             \
    X(normcdf, erfcl(-x / sqrtl(2.0L)) / 2, 5, 5)

struct Output {
    double library[64], own[16];
    float libraryf[64], ownf[16];
};

__global__ void compute(const double *in, Output *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    const double x = in[i];
    const float f = (float)x;
#define X(name) out[i].library[n] = name(x), out[i].libraryf[n++] = name##f(f);
    LIBRARY(X)
#undef X
    n = 0;
#define X(name, reference, ulps, ulpsf) out[i].own[n] = name(x), out[i].ownf[n++] = name##f(f);
    OWN(X)
#undef X
}

static long double sine_of_pi(long double x) {
    x -= 2 * roundl(x / 2);
    if (fabsl(x) > 0.5L)
        x = copysignl(1, x) - x;
    return sinl(acosl(-1.0L) * x);
}

static bool close(double got, long double want, double ulps, int digits) {
    if (want != want || std::isinf((double)want))
        return got == (double)want || (got != got && want != want);
    int exponent = 0;
    frexpl(want, &exponent);
    exponent = exponent < -1021 ? -1021 : exponent;
    return fabsl(got - want) <= ulps * ldexpl(1, exponent - digits);
}

static void check(double x, const Output &o) {
    int n = 0;
#define X(name)                                                                                    \
    if (!close(o.library[n], name(x), 4, 53))                                                      \
        fprintf(stderr, #name "(%a) = %a\n", x, o.library[n]), exit(1);                            \
    if (!close(o.libraryf[n], name##f((float)x), 4, 24))                                           \
        fprintf(stderr, #name "f(%a) = %a\n", x, o.libraryf[n]), exit(1);                          \
    n++;
    LIBRARY(X)
#undef X
    double exact = x;
    n = 0;
#define X(name, reference, ulps, ulpsf)                                                            \
    x = exact;                                                                                     \
    if (!close(o.own[n], reference, ulps, 53))                                                     \
        fprintf(stderr, #name "(%a) = %a\n", x, o.own[n]), exit(1);                                \
    x = (float)exact;                                                                              \
    if (!close(o.ownf[n], reference, ulpsf, 24) && std::fabs(o.ownf[n]) < 3e38f &&                 \
        o.ownf[n] > 1e-37f)                                                                        \
        fprintf(stderr, #name "f(%a) = %a\n", x, o.ownf[n]), exit(1);                              \
    n++;
    OWN(X)
#undef X
}

__global__ void edges(double *out, float *outf) {
    const double inf = INFINITY, three[] = {1e200, 2e200, 2e200};
    int n = 0;
    out[n++] = erfinv(1.0), out[n++] = -erfinv(-1.0), out[n++] = erfcinv(0.0),
    out[n++] = -erfcinv(2.0);
    out[n++] = normcdfinv(1.0), out[n++] = norm3d(inf, (double)NAN, 0.0),
    out[n++] = erfcx(-30.0); // 7: inf
    out[n++] = erfinv(2.0), out[n++] = sinpi(inf),
    out[n++] = norm3d((double)NAN, 1.0, 0.0); // 10: NaN
    out[n++] = sinpi(3.0), out[n++] = cospi(2.5), out[n++] = normcdf(-40.0),
    out[n++] = erfcinv(1.0);
    out[n++] = norm3d(1e200, 2e200, 2e200) / 3e200, out[n++] = norm(3, three) / 3e200;
    out[n++] = rnorm3d(1.0, 2.0, 2.0) * 3, out[n++] = norm4d(2.0, 2.0, 2.0, 2.0) / 4;
    out[n++] = rhypot(3.0, 4.0) * 5, out[n++] = cyl_bessel_i0(0.0), out[n++] = erf(erfinv(0.5)) * 2;
    out[n++] = normcdf(normcdfinv(0.25)) * 4, out[n++] = __saturatef(7.0f),
    out[n++] = fdividef(2, 2);
    out[n++] = cyl_bessel_i0(1.0) / 1.2660658777520083356, out[n++] = fma(2.0, 3.0, -5.0);
    out[n++] = cyl_bessel_i1(40.0) / 1.4707396163259354e16;
    double s, c, whole;
    float sf, cf;
    int exponent;
    sincospi(0.5, &s, &c);
    out[n++] = s + c;
    sincos(0.5, &s, &c);
    out[n++] = s * s + c * c;
    sincosf(0.5f, &sf, &cf);
    out[n++] = sf * sf + cf * cf;
    out[n++] = 2 * frexp(1024.0, &exponent) * exponent / 11,
    out[n++] = 4 * modf(2.25, &whole) * whole / 2;
    out[n++] = 10 * remquo(10.0, 3.0, &exponent) / (exponent == 3 ? 10 : 0);
    out[n++] = jn(2, 3.0) / 0.48609126058589107691, out[n++] = __powf(2.0f, 10.0f) / 1024;
    out[n++] = 0; // ends the ones
    *outf = rsqrt(4.0f) + sqrt(4.0f) + pow(2.0f, 3) + abs(-1.5f) + fmod(5.0f, 3.0f) + exp10(1.0f);
}

int main() {
    double *in = managed<double>(COUNT), *out = managed<double>(64);
    float *sum = managed<float>(1);
    Output *outputs = managed<Output>(COUNT);
    for (int i = 0; i < COUNT; i++)
        in[i] = i < 4 ? i : (i % 2 ? 1 : -1) * std::ldexp(1 + i / 400.0, i % 12 - 8) + 0.001;
    compute<<<COUNT / 40, 40>>>(in, outputs);
    edges<<<1, 1>>>(out, sum);
    SYNC();
    for (int i = 0; i < COUNT; i++)
        check(in[i], outputs[i]);
    for (int n = 0; n < 7; n++)
        CHECK(out[n] == INFINITY);
    for (int n = 7; n < 10; n++)
        CHECK(out[n] != out[n]);
    for (int n = 10; n < 14; n++)
        CHECK(out[n] == 0);
    for (int n = 14; out[n] != 0; n++) {
        if (std::fabs(out[n] - 1) > 1e-6 || (n < 27 && std::fabs(out[n] - 1) > 1e-14))
            fprintf(stderr, "edge %d: %.17g\n", n, out[n]), exit(1);
    }
    CHECK(*sum == 0.5f + 2 + 8 + 1.5f + 2 + 10);
}
