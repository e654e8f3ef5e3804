// Functions of the C library without branches, so that the code generator computes them for many
// threads at a time. gcluster-cc carries this file as LLVM bitcode and puts in what a program calls
// (lower/math.c); __gcl_math_<name> computes <name>.
//
// Only functions are here of which glibc's vector variant errs more than CUDA documents, or that
// have none. Errors are those of tests/compiler/cuda/accuracy.cu, in units in the last place from
// the correctly rounded result.
//
// Methods: additive argument reduction with constants short enough for exact products (W. J. Cody
// and W. Waite, Software Manual for the Elementary Functions, 1980), and logarithms whose large
// terms are kept apart (P. T. P. Tang, ACM TOMS 16, 1990), in double by way of atanh(f / (2 + f))
// as K. C. Ng arranged it for fdlibm. Polynomials are Sollya's fpminimax. Where the order of
// operations keeps an error small it has a statement of its own: products may be fused with sums
// within a statement where the processor can, and aren't elsewhere; both have been measured.
#include <math.h>
#include <stdint.h>

static inline uint64_t bits(double x) {
    return __builtin_bit_cast(uint64_t, x);
}
static inline double from_bits(uint64_t b) {
    return __builtin_bit_cast(double, b);
}
static inline uint32_t bitsf(float x) {
    return __builtin_bit_cast(uint32_t, x);
}
static inline float from_bitsf(uint32_t b) {
    return __builtin_bit_cast(float, b);
}

// Added to a number of moderate size, these leave it rounded to an integer, which is in the low
// bits of the sum.
#define SHIFT 0x1.8p52
#define SHIFTF 0x1.8p23f

/// 2^k for integers -1022 <= k <= 1024; 2^1024 is infinity.
static inline double power(double k) {
    return from_bits(bits(k + (SHIFT + 1023)) << 52);
}
static inline float powerf(float k) {
    return from_bitsf(bitsf(k + (SHIFTF + 127)) << 23);
}
/// y 2^k, where the result may overflow or become denormal.
static inline double scale(double y, double k) {
    double half = (0.5 * k + SHIFT) - SHIFT;
    return y * power(half) * power(k - half);
}
static inline float scalef(float y, float k) {
    float half = (0.5f * k + SHIFTF) - SHIFTF;
    return y * powerf(half) * powerf(k - half);
}

static inline double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x; // NaN stays
}
static inline float clampf(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

// --- exp and its relatives

/// e^x = 2^k (1 + r + more), r exact but for what `more` holds.
struct exponential {
    double k, r, more;
};
struct exponentialf {
    float k, r, more;
};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2.
static inline double exp_tail(double r) {
    double p = 0x1.1f86f00ad3918p-29;
    p = p * r + 0x1.af4ec43225c2ap-26;
    p = p * r + 0x1.27e4cfaf4c4d4p-22;
    p = p * r + 0x1.71de01afd80fep-19;
    p = p * r + 0x1.a01a01ab98777p-16;
    p = p * r + 0x1.a01a01ac1d20bp-13;
    p = p * r + 0x1.6c16c16c156a5p-10;
    p = p * r + 0x1.1111111110052p-7;
    p = p * r + 0x1.5555555555557p-5;
    p = p * r + 0x1.5555555555557p-3;
    return p * r + 0.5;
}
static inline float exp_tailf(float r) {
    float p = 0x1.a2d9ap-13f;
    p = p * r + 0x1.6d2e04p-10f;
    p = p * r + 0x1.110fc2p-7f;
    p = p * r + 0x1.555502p-5f;
    p = p * r + 0x1.555556p-3f;
    return p * r + 0.5f;
}

static inline struct exponential split_exp(double x) {
    double k = (x * 0x1.71547652b82fep0 + SHIFT) - SHIFT;
    double high = x - k * 0x1.62e42ffp-1;
    double low = k * -0x1.718432a1b0e26p-35;
    double r = high - low;
    double rest = (high - r) - low;
    double square = r * r;
    return (struct exponential){k, r, square * exp_tail(r) + rest};
}
static inline struct exponentialf split_expf(float x) {
    float k = (x * 0x1.715476p0f + SHIFTF) - SHIFTF;
    float high = x - k * 0x1.62ep-1f;
    float low = k * 0x1.0bfbe8p-15f;
    float r = high - low;
    float rest = (high - r) - low;
    float square = r * r;
    return (struct exponentialf){k, r, square * exp_tailf(r) + rest};
}

double __gcl_math_exp(double x) {
    struct exponential e = split_exp(clamp(x, -750, 710));
    return scale(1 + (e.r + e.more), e.k);
}
float __gcl_math_expf(float x) {
    x = clampf(x, -105, 89);
    float k = (x * 0x1.715476p0f + SHIFTF) - SHIFTF;
    float high = x - k * 0x1.62ep-1f;
    float r = high - k * 0x1.0bfbe8p-15f; // its rounding error costs a quarter of a unit
    float p = 0x1.6d4bfcp-10f;
    p = p * r + 0x1.120c04p-7f;
    p = p * r + 0x1.5554eap-5f;
    p = p * r + 0x1.5554dcp-3f;
    p = p * r + 0.5f;
    float square = r * r;
    return scalef(1 + (square * p + r), k);
}

double __gcl_math_exp2(double x) {
    x = clamp(x, -1080, 1024);
    double k = (x + SHIFT) - SHIFT;
    double r = (x - k) * 0x1.62e42fefa39efp-1;
    double square = r * r;
    return scale(1 + (r + square * exp_tail(r)), k);
}

float __gcl_math_exp10f(float x) {
    x = clampf(x, -46, 39);
    float k = (x * 0x1.a934fp1f + SHIFTF) - SHIFTF;
    float high = x - k * 0x1.344p-2f;
    float rest = high - k * 0x1.3509f8p-18f;
    float r = rest * 0x1.26bb1cp1f;
    float more = rest * -0x1.12aabap-25f;
    float square = r * r;
    return scalef(1 + (r + (square * exp_tailf(r) + more)), k);
}

// 2^k - 1 and 2^k r are added with their rounding error; all halved, because 2^k may overflow
// before the result does.
double __gcl_math_expm1(double x) {
    struct exponential e = split_exp(clamp(x, -40, 710));
    double half = power(e.k - 1);
    double whole = half - 0.5, part = half * e.r;
    double sum = whole + part;
    double error = part - (sum - whole);
    double result = 2 * (sum + (error + half * e.more));
    return fabs(x) < 0x1p-54 ? x : result;
}
float __gcl_math_expm1f(float x) {
    struct exponentialf e = split_expf(clampf(x, -20, 89));
    float half = powerf(e.k - 1);
    float whole = half - 0.5f, part = half * e.r;
    float sum = whole + part;
    float error = part - (sum - whole);
    float result = 2 * (sum + (error + half * e.more));
    return fabsf(x) < 0x1p-25f ? x : result;
}

// cosh x = 2 (e + 1 / (16 e)) with e = e^x / 4.
double __gcl_math_cosh(double x) {
    struct exponential e = split_exp(clamp(fabs(x), 0, 710.6));
    double quarter = power(e.k - 2);
    double sum = 1 + e.r;
    double error = e.r - (sum - 1);
    double high = quarter * sum, low = quarter * (error + e.more);
    return 2 * (high + (low + 0.0625 / (high + low)));
}

double __gcl_math_tanh(double x) {
    double size = fabs(x), square = x * x;
    double p = -0x1.58b407d943bccp-16;
    p = p * square + 0x1.649a801b660fdp-14;
    p = p * square - 0x1.ebee0c6f782ddp-13;
    p = p * square + 0x1.34c248342dddap-11;
    p = p * square - 0x1.7d9767c6ad687p-10;
    p = p * square + 0x1.d6d331436cc03p-9;
    p = p * square - 0x1.226e32bf431b8p-7;
    p = p * square + 0x1.664f4875a8d1bp-6;
    p = p * square - 0x1.ba1ba1b9f8f7cp-5;
    p = p * square + 0x1.1111111110fdap-3;
    p = p * square - 0x1.5555555555555p-2;
    double small = x + x * square * p;
    struct exponential e = split_exp(clamp(2 * size, 0, 44));
    double large = 1 - 2 / (1 + power(e.k) * (1 + (e.r + e.more)));
    double result = copysign(size < 0.55 ? small : large, x);
    return x != x ? x : result;
}

// --- log and its relatives

/// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2).
struct logarithm {
    double k, f;
    double half; ///< f^2 / 2
    double rest; ///< log(1 + f) = f - half + rest
};
struct logarithmf {
    float k, f, half, rest;
};

static inline struct logarithm split_log(double x) {
    const uint64_t start = 0x3fe6a09e667f3bcd, fraction = (1ull << 52) - 1; // sqrt(1/2)
    int is_denormal = x < 0x1p-1022;
    double normal = is_denormal ? x * 0x1p54 : x;
    uint64_t b = bits(normal) - start + (1023ull << 52);
    double k = from_bits(b >> 52 | bits(0x1p52)) - (is_denormal ? 0x1p52 + 1077 : 0x1p52 + 1023);
    double f = from_bits((b & fraction) + start) - 1;
    double s = f / (2 + f), z = s * s;
    double p = 0x1.2b5d203d23b42p-3;
    p = p * z + 0x1.39fdf94336bfep-3;
    p = p * z + 0x1.7462b7ceeaa36p-3;
    p = p * z + 0x1.c71c62dad4db8p-3;
    p = p * z + 0x1.2492492df8483p-2;
    p = p * z + 0x1.99999999952d2p-2;
    p = p * z + 0x1.5555555555558p-1;
    double half = 0.5 * f * f;
    return (struct logarithm){k, f, half, s * (half + z * p)};
}
static inline struct logarithmf split_logf(float x) {
    const uint32_t start = 0x3f3504f3, fraction = (1u << 23) - 1;
    int is_denormal = x < 0x1p-126f;
    float normal = is_denormal ? x * 0x1p25f : x;
    uint32_t b = bitsf(normal) - start + (127u << 23);
    float k = from_bitsf(b >> 23 | bitsf(0x1p23f)) - (is_denormal ? 0x1p23f + 152 : 0x1p23f + 127);
    float f = from_bitsf((b & fraction) + start) - 1;
    float p = 0x1.2cb38cp-4f;
    p = p * f - 0x1.ddb316p-4f;
    p = p * f + 0x1.dc7628p-4f;
    p = p * f - 0x1.fbbf2ap-4f;
    p = p * f + 0x1.23de3ep-3f;
    p = p * f - 0x1.556288p-3f;
    p = p * f + 0x1.999d2ap-3f;
    p = p * f - 0x1.ffffe6p-3f;
    p = p * f + 0x1.555554p-2f;
    float square = f * f;
    return (struct logarithmf){k, f, 0.5f * square, square * f * p};
}

/// A logarithm outside of the numbers that have one.
static inline double finish_log(double x, double result) {
    double odd = x == 0 ? -INFINITY : x > 0 ? x : NAN;
    return x > 0 && x < INFINITY ? result : odd;
}
static inline float finish_logf(float x, float result) {
    float odd = x == 0 ? -INFINITY : x > 0 ? x : NAN;
    return x > 0 && x < INFINITY ? result : odd;
}

/// k ln 2 + log(1 + f) + more.
static inline double join_log(struct logarithm l, double more) {
    double low = l.rest + (l.k * -0x1.718432a1b0e26p-35 + more);
    return l.k * 0x1.62e42ffp-1 - ((l.half - low) - l.f);
}
static inline float join_logf(struct logarithmf l, float more) {
    float low = l.rest + (l.k * 0x1.0bfbe8p-15f + more);
    return l.k * 0x1.62ep-1f - ((l.half - low) - l.f);
}

double __gcl_math_log(double x) {
    return finish_log(x, join_log(split_log(x), 0));
}
float __gcl_math_logf(float x) {
    return finish_logf(x, join_logf(split_logf(x), 0));
}

// 1 + x rounds; what that lost, divided by the sum, is the derivative's part of the logarithm.
double __gcl_math_log1p(double x) {
    double u = 1 + x;
    double lost_above = 1 - (u - x), lost_below = x - (u - 1);
    double lost = x >= 1 ? lost_above : lost_below;
    double result = finish_log(u, join_log(split_log(u), lost / u));
    return fabs(x) < 0x1p-54 ? x : result;
}
float __gcl_math_log1pf(float x) {
    float u = 1 + x;
    float lost_above = 1 - (u - x), lost_below = x - (u - 1);
    float lost = x >= 1 ? lost_above : lost_below;
    float result = finish_logf(u, join_logf(split_logf(u), lost / u));
    return fabsf(x) < 0x1p-25f ? x : result;
}

/// log(1 + f) = high + low, high short enough for exact products with constants of half length.
static inline double high_log(struct logarithm l) {
    return from_bits(bits(l.f - l.half) & ~0ull << 32);
}
static inline double low_log(struct logarithm l, double high) {
    return ((l.f - high) - l.half) + l.rest;
}

static inline float high_logf(struct logarithmf l) {
    return from_bitsf(bitsf(l.f - l.half) & ~0u << 12);
}
static inline float low_logf(struct logarithmf l, float high) {
    return ((l.f - high) - l.half) + l.rest;
}

double __gcl_math_log2(double x) {
    struct logarithm l = split_log(x);
    double high = high_log(l), low = low_log(l, high);
    double main = high * 0x1.715476p0;
    double rest = low * 0x1.715476p0 + (low + high) * 0x1.4ae0bf85ddf44p-26;
    double sum = l.k + main;
    double error = (l.k - sum) + main;
    return finish_log(x, sum + (error + rest));
}
float __gcl_math_log2f(float x) {
    struct logarithmf l = split_logf(x);
    float high = high_logf(l), low = low_logf(l, high);
    float main = high * 0x1.716p0f;
    float rest = low * 0x1.716p0f + (low + high) * -0x1.7135a8p-13f;
    float sum = l.k + main;
    float error = (l.k - sum) + main;
    return finish_logf(x, sum + (error + rest));
}

double __gcl_math_log10(double x) {
    struct logarithm l = split_log(x);
    double high = high_log(l), low = low_log(l, high);
    double main = high * 0x1.bcb7b2p-2, exponent = l.k * 0x1.3441350ap-2;
    double rest = low * 0x1.bcb7b2p-2 + (low + high) * -0x1.5b235e39ab2a9p-27;
    double sum = exponent + main;
    double error = (exponent - sum) + main;
    return finish_log(x, sum + (error + (rest + l.k * -0x1.0c0219dc1da99p-39)));
}

float __gcl_math_log10f(float x) {
    struct logarithmf l = split_logf(x);
    float high = high_logf(l), low = low_logf(l, high);
    float main = high * 0x1.bccp-2f, exponent = l.k * 0x1.344p-2f;
    float rest = low * 0x1.bccp-2f + (low + high) * -0x1.09d5b2p-15f;
    float sum = exponent + main;
    float error = (exponent - sum) + main;
    return finish_logf(x, sum + (error + (rest + l.k * 0x1.3509f8p-18f)));
}

// --- sin, cos, tan

/// x = quarter pi / 2 + r + rest, of the quarters the last two bits.
struct angle {
    uint64_t quarter;
    double r, rest;
};

/// Where the reduction's products stop being exact; beyond it the C library's functions are called.
#define LARGE 0x1p20

static inline struct angle reduce(double x) {
    double shifted = x * 0x1.45f306dc9c883p-1 + SHIFT;
    double k = shifted - SHIFT;
    double first = x - k * 0x1.921fb544p0;
    double second = k * 0x1.0b4611a6p-34;
    double sum = first - second; // with the error of the difference (D. E. Knuth)
    double back = first - sum;
    double error = (first - (sum + back)) + (back - second);
    double third = k * 0x1.3198a2ep-69;
    error = error - third;
    double r = sum + error;
    double rest = ((sum - r) + error) - k * 0x1.b839a252049c1p-104;
    return (struct angle){bits(shifted), r, rest};
}

static inline double sin_small(double r, double rest) {
    double z = r * r;
    double p = 0x1.5e02ab2aa3ae1p-33;
    p = p * z - 0x1.ae5ff82e3b6ep-26;
    p = p * z + 0x1.71de378b9d413p-19;
    p = p * z - 0x1.a01a019e856b7p-13;
    p = p * z + 0x1.1111111110c2p-7;
    p = p * z - 0x1.5555555555555p-3;
    double cube = z * r;
    return r + (cube * p + rest * (1 - 0.5 * z));
}
static inline double cos_small(double r, double rest) {
    double z = r * r, half = 0.5 * z;
    double p = -0x1.90668040ea742p-37;
    p = p * z + 0x1.1eeb460de992fp-29;
    p = p * z - 0x1.27e4f9f25f4dp-22;
    p = p * z + 0x1.a01a019f2c4d8p-16;
    p = p * z - 0x1.6c16c16c168ap-10;
    p = p * z + 0x1.5555555555555p-5;
    double main = 1 - half;
    double error = (1 - main) - half;
    return main + (error + (z * z * p - r * rest));
}

static inline double negate_if(uint64_t condition, double x) {
    return from_bits(bits(x) ^ condition << 63);
}

static inline double sin_of(double x, struct angle a, double s, double c) {
    double result = negate_if(a.quarter >> 1 & 1, a.quarter & 1 ? c : s);
    return fabs(x) < 0x1p-27 ? x : result;
}
static inline double cos_of(struct angle a, double s, double c) {
    return negate_if((a.quarter + 1) >> 1 & 1, a.quarter & 1 ? s : c);
}

double __gcl_math_sin(double x) {
    if (__builtin_expect(fabs(x) > LARGE, 0))
        return sin(x);
    struct angle a = reduce(x);
    return sin_of(x, a, sin_small(a.r, a.rest), cos_small(a.r, a.rest));
}
double __gcl_math_cos(double x) {
    if (__builtin_expect(fabs(x) > LARGE, 0))
        return cos(x);
    struct angle a = reduce(x);
    return cos_of(a, sin_small(a.r, a.rest), cos_small(a.r, a.rest));
}
void __gcl_math_sincos(double x, double *sine, double *cosine) {
    if (__builtin_expect(fabs(x) > LARGE, 0)) {
        *sine = sin(x);
        *cosine = cos(x);
        return;
    }
    struct angle a = reduce(x);
    double s = sin_small(a.r, a.rest), c = cos_small(a.r, a.rest);
    *sine = sin_of(x, a, s, c);
    *cosine = cos_of(a, s, c);
}
void __gcl_math_sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
double __gcl_math_tan(double x) {
    if (__builtin_expect(fabs(x) > LARGE, 0))
        return tan(x);
    struct angle a = reduce(x);
    double s = sin_small(a.r, a.rest), c = cos_small(a.r, a.rest);
    double result = (a.quarter & 1 ? c : s) / (a.quarter & 1 ? -s : c);
    return fabs(x) < 0x1p-27 ? x : result;
}

/// cos and sin of pi x: x less the next even number, in halves, is exact.
static inline struct angle reduce_turns(double x) {
    double rest = x - 2 * rint(0.5 * x);
    double shifted = 2 * rest + SHIFT;
    double part = rest - 0.5 * (shifted - SHIFT);
    double r = part * 0x1.921fb54442d18p1;
    return (struct angle){bits(shifted), r, part * 0x1.1a62633145c07p-53};
}
double __gcl_math_sinpi(double x) {
    struct angle a = reduce_turns(x);
    double s = sin_small(a.r, a.rest), c = cos_small(a.r, a.rest);
    double result = negate_if(a.quarter >> 1 & 1, a.quarter & 1 ? c : s);
    return result == 0 ? copysign(0, x) : result;
}
double __gcl_math_cospi(double x) {
    struct angle a = reduce_turns(x);
    double s = sin_small(a.r, a.rest), c = cos_small(a.r, a.rest);
    return negate_if((a.quarter + 1) >> 1 & 1, a.quarter & 1 ? s : c) + 0.0; // never -0
}

struct anglef {
    uint32_t quarter;
    float r, rest;
};
static inline struct anglef reduce_turnsf(float x) {
    float rest = x - 2 * rintf(0.5f * x);
    float shifted = 2 * rest + SHIFTF;
    float part = rest - 0.5f * (shifted - SHIFTF);
    float high = from_bitsf(bitsf(part) & ~0u << 12), low = part - high; // products with 12 bits
    float r = high * 0x1.922p1f;
    float more = low * 0x1.922p1f + part * -0x1.2aeef4p-17f;
    float sum = r + more;
    return (struct anglef){bitsf(shifted), sum, more - (sum - r)};
}
static inline float sin_smallf(float r, float rest) {
    float z = r * r;
    float p = -0x1.9a9f78p-13f;
    p = p * z + 0x1.110bc6p-7f;
    p = p * z - 0x1.555552p-3f;
    float cube = z * r;
    return r + (cube * p + rest);
}
static inline float cos_smallf(float r, float rest) {
    float z = r * r, half = 0.5f * z;
    float p = 0x1.9bb6c6p-16f;
    p = p * z - 0x1.6c1284p-10f;
    p = p * z + 0x1.555554p-5f;
    float main = 1 - half;
    float error = (1 - main) - half;
    return main + (error + (z * z * p - r * rest));
}
static inline float negate_iff(uint32_t condition, float x) {
    return from_bitsf(bitsf(x) ^ condition << 31);
}
float __gcl_math_sinpif(float x) {
    struct anglef a = reduce_turnsf(x);
    float s = sin_smallf(a.r, a.rest), c = cos_smallf(a.r, a.rest);
    float result = negate_iff(a.quarter >> 1 & 1, a.quarter & 1 ? c : s);
    return result == 0 ? copysignf(0, x) : result;
}
float __gcl_math_cospif(float x) {
    struct anglef a = reduce_turnsf(x);
    float s = sin_smallf(a.r, a.rest), c = cos_smallf(a.r, a.rest);
    return negate_iff((a.quarter + 1) >> 1 & 1, a.quarter & 1 ? s : c) + 0.0f;
}

// --- atan2, atan

/// A number with what it lacks, and the same turned: whole + sign * part, with a whole that is the
/// larger or 0.
struct sum {
    double high, low;
};
struct sumf {
    float high, low;
};
static inline struct sum turn(double whole, double rest, double sign, struct sum part) {
    double high = whole + sign * part.high;
    double error = (whole - high) + sign * part.high;
    return (struct sum){high, error + (rest + sign * part.low)};
}
static inline struct sumf turnf(float whole, float rest, float sign, struct sumf part) {
    float high = whole + sign * part.high;
    float error = (whole - high) + sign * part.high;
    return (struct sumf){high, error + (rest + sign * part.low)};
}

// x and y are scaled to moderate size and put in order; the quotient q, turned by pi / 4 if
// it is more than tan(pi / 8), leaves little for the polynomial. What was swapped is mirrored.
double __gcl_math_atan2(double y, double x) {
    double a = fabs(x), b = fabs(y);
    int is_steep = b > a;
    double large = is_steep ? b : a, small = is_steep ? a : b;
    double factor = large > 0x1p1000 ? 0x1p-100 : large < 0x1p-900 ? 0x1p200 : 1;
    small = large == INFINITY ? small == INFINITY : small * factor;
    large = large == INFINITY || large == 0 ? 1 : large * factor;
    int is_turned = small > 0x1.a827999fcef32p-2 * large;
    double difference = small - large, sum = small + large;
    double q = (is_turned ? difference : small) / (is_turned ? sum : large);
    double z = q * q;
    double p = -0x1.3b4568fbe29dep-6;
    p = p * z + 0x1.41dc6b0f42cb3p-5;
    p = p * z - 0x1.a0c76950df918p-5;
    p = p * z + 0x1.dfefe11afc08dp-5;
    p = p * z - 0x1.10fb142a71c2p-4;
    p = p * z + 0x1.3b126f7e1d72cp-4;
    p = p * z - 0x1.745d0bc5f91d2p-4;
    p = p * z + 0x1.c71c7189d0e78p-4;
    p = p * z - 0x1.249249243f3d5p-3;
    p = p * z + 0x1.999999999944bp-3;
    p = p * z - 0x1.5555555555555p-2;
    double cube = z * q;
    struct sum angle = {q, cube * p};
    angle =
        turn(is_turned ? 0x1.921fb54442d18p-1 : 0, is_turned ? 0x1.1a62633145c07p-55 : 0, 1, angle);
    angle = turn(is_steep ? 0x1.921fb54442d18p0 : 0, is_steep ? 0x1.1a62633145c07p-54 : 0,
                 is_steep ? -1 : 1, angle);
    int is_left = __builtin_signbit(x) != 0;
    angle = turn(is_left ? 0x1.921fb54442d18p1 : 0, is_left ? 0x1.1a62633145c07p-53 : 0,
                 is_left ? -1 : 1, angle);
    double result = copysign(angle.high + angle.low, y);
    return isunordered(x, y) ? x + y : result;
}
double __gcl_math_atan(double x) {
    return __gcl_math_atan2(x, 1);
}
float __gcl_math_atan2f(float y, float x) {
    float a = fabsf(x), b = fabsf(y);
    int is_steep = b > a;
    float large = is_steep ? b : a, small = is_steep ? a : b;
    float factor = large > 0x1p100f ? 0x1p-20f : large < 0x1p-100f ? 0x1p48f : 1;
    small = large == INFINITY ? small == INFINITY : small * factor;
    large = large == INFINITY || large == 0 ? 1 : large * factor;
    int is_turned = small > 0x1.a8279ap-2f * large;
    float difference = small - large, sum = small + large;
    float q = (is_turned ? difference : small) / (is_turned ? sum : large);
    float z = q * q;
    float p = -0x1.08256ep-4f;
    p = p * z + 0x1.b7fe84p-4f;
    p = p * z - 0x1.241e94p-3f;
    p = p * z + 0x1.999714p-3f;
    p = p * z - 0x1.555554p-2f;
    float cube = z * q;
    struct sumf angle = {q, cube * p};
    angle = turnf(is_turned ? 0x1.921fb6p-1f : 0, is_turned ? -0x1.777a5cp-26f : 0, 1, angle);
    angle = turnf(is_steep ? 0x1.921fb6p0f : 0, is_steep ? -0x1.777a5cp-25f : 0, is_steep ? -1 : 1,
                  angle);
    int is_left = __builtin_signbit(x) != 0;
    angle =
        turnf(is_left ? 0x1.921fb6p1f : 0, is_left ? -0x1.777a5cp-24f : 0, is_left ? -1 : 1, angle);
    float result = copysignf(angle.high + angle.low, y);
    return isunordered(x, y) ? x + y : result;
}
float __gcl_math_atanf(float x) {
    return __gcl_math_atan2f(x, 1);
}

// --- asin, acos

/// asin(x) for x <= 1/2, and asin(sqrt((1 - x) / 2)) for larger ones, of which
/// asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)) makes asin(x).
static inline struct sum asin_half(double size) {
    int is_large = size > 0.5;
    double z = is_large ? 0.5 * (1 - size) : size * size;
    double s = is_large ? sqrt(z) : size;
    double p = 0x1.d19a13990ba2p-6;
    p = p * z - 0x1.6b616b013f167p-7;
    p = p * z + 0x1.0a05191d2f4dp-6;
    p = p * z + 0x1.fafa76763565bp-8;
    p = p * z + 0x1.85975e185fba3p-7;
    p = p * z + 0x1.c862e963a8e7bp-7;
    p = p * z + 0x1.1c59e58df0e7ap-6;
    p = p * z + 0x1.6e8b224060fdep-6;
    p = p * z + 0x1.f1c71fdc396c3p-6;
    p = p * z + 0x1.6db6db67bbbbbp-5;
    p = p * z + 0x1.33333333374a6p-4;
    p = p * z + 0x1.555555555554ep-3;
    double tail = s * (z * p);
    double high = is_large ? from_bits(bits(s) & ~0ull << 32) : s;
    double square = high * high;
    double lost = is_large && z > 0 ? (z - square) / (s + high) : 0;
    return (struct sum){high, lost + tail};
}
double __gcl_math_asin(double x) {
    double size = fabs(x);
    struct sum a = asin_half(size);
    double large = (0x1.921fb54442d18p0 - 2 * a.high) - (2 * a.low - 0x1.1a62633145c07p-54);
    return copysign(size > 0.5 ? large : a.high + a.low, x);
}
double __gcl_math_acos(double x) {
    double size = fabs(x);
    struct sum a = asin_half(size);
    double sign = copysign(1, x);
    double middle = 0x1.921fb54442d18p0 - (x - (0x1.1a62633145c07p-54 - sign * a.low));
    double positive = 2 * (a.high + a.low);
    double negative = 2 * ((0x1.921fb54442d18p0 - a.high) - (a.low - 0x1.1a62633145c07p-54));
    double outer = x > 0 ? positive : negative;
    return size > 0.5 ? outer : middle;
}
static inline struct sumf asin_halff(float size) {
    int is_large = size > 0.5f;
    float z = is_large ? 0.5f * (1 - size) : size * size;
    float s = is_large ? sqrtf(z) : size;
    float p = 0x1.3a0ca4p-5f;
    p = p * z + 0x1.b107f8p-6f;
    p = p * z + 0x1.70cf0cp-5f;
    p = p * z + 0x1.332634p-4f;
    p = p * z + 0x1.55555ep-3f;
    float tail = s * (z * p);
    float high = is_large ? from_bitsf(bitsf(s) & ~0u << 12) : s;
    float square = high * high;
    float lost = is_large && z > 0 ? (z - square) / (s + high) : 0;
    return (struct sumf){high, lost + tail};
}
float __gcl_math_asinf(float x) {
    float size = fabsf(x);
    struct sumf a = asin_halff(size);
    float large = (0x1.921fb6p0f - 2 * a.high) - (2 * a.low - -0x1.777a5cp-25f);
    return copysignf(size > 0.5f ? large : a.high + a.low, x);
}
float __gcl_math_acosf(float x) {
    float size = fabsf(x);
    struct sumf a = asin_halff(size);
    float sign = copysignf(1, x);
    float middle = 0x1.921fb6p0f - (x - (-0x1.777a5cp-25f - sign * a.low));
    float positive = 2 * (a.high + a.low);
    float negative = 2 * ((0x1.921fb6p0f - a.high) - (a.low - -0x1.777a5cp-25f));
    float outer = x > 0 ? positive : negative;
    return size > 0.5f ? outer : middle;
}

// --- cbrt, erf

// t, a third of whose bits' upper half is that of x, and (t^3 / x)^(-1/3) as a polynomial.
static inline double cube_root_start(double x) {
    double high = from_bits(bits(x) >> 32 | bits(0x1p52)) - 0x1p52;
    return from_bits(bits(high * 0x1.5555555555555p-2 + (SHIFT + 715094163)) << 32);
}
static inline double cube_root_rough(double x) {
    double t = cube_root_start(x);
    double e = t * t * t / x - 1;
    double p = -0x1.04b2e59c3d61cp-3;
    p = p * e + 0x1.2b271aa9fb346p-3;
    p = p * e - 0x1.61f05842125d6p-3;
    p = p * e + 0x1.c71793e0b6856p-3;
    p = p * e - 0x1.5555579f2be6bp-2;
    return t * (p * e + 0x1.0000001ada8d6p0);
}

float __gcl_math_cbrtf(float x) {
    float result = copysignf((float)cube_root_rough(fabs((double)x)), x);
    return x == 0 || !(fabsf(x) < INFINITY) ? x + x : result;
}
// A step of Newton's method from a root so short that its square is exact.
double __gcl_math_cbrt(double x) {
    double size = fabs(x);
    int is_tiny = size < 0x1p-900, is_huge = size > 0x1p900; // the root's cube may not fit
    size *= is_tiny ? 0x1p180 : is_huge ? 0x1p-180 : 1;
    double t = from_bits(bits(cube_root_rough(size)) & ~0ull << 27);
    double square = t * t;
    double quotient = size / square;
    double step = (quotient - t) / (t + t + quotient);
    double root = (t + t * step) * (is_tiny ? 0x1p-60 : is_huge ? 0x1p60 : 1);
    double result = copysign(root, x);
    return x == 0 || !(fabs(x) < INFINITY) ? x + x : result;
}

float __gcl_math_erff(float x) {
    return (float)erf(x);
}
