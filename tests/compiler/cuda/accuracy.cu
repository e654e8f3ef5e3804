// RUN: %gcluster-cc -O2 %s -o %t
// RUN: env GCL_CPU_LEVEL=v2 %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: %t
// RUN: %gcluster-cc -O2 -use_fast_math %s -o %t && %t
// How far mathematical functions are from the correctly rounded result, in units in the last place:
// no further than CUDA documents (CUDA C++ Programming Guide, "Mathematical Functions"). The
// reference is the host's libm in double for float, in long double for double.
// With the argument "all" every float is tried, and more doubles; "print" shows what was found.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { BATCH = 1 << 16, BLOCK = 256 };

// Name, and CUDA's bounds for float and double.
#define ONE(X)                                                                                     \
    X(acos, 2, 2)                                                                                  \
    X(acosh, 4, 3)                                                                                 \
    X(asin, 2, 2)                                                                                  \
    X(asinh, 3, 3)                                                                                 \
    X(atan, 2, 2)                                                                                  \
    X(atanh, 3, 2)                                                                                 \
    X(cbrt, 1, 1)                                                                                  \
    X(cos, 2, 2)                                                                                   \
    X(cosh, 2, 1)                                                                                  \
    X(cospi, 1, 2)                                                                                 \
    X(erf, 2, 2)                                                                                   \
    X(erfc, 4, 5)                                                                                  \
    X(exp, 1, 1)                                                                                   \
    X(exp10, 2, 1)                                                                                 \
    X(exp2, 2, 1)                                                                                  \
    X(expm1, 1, 1)                                                                                 \
    X(log, 1, 1)                                                                                   \
    X(log10, 2, 1)                                                                                 \
    X(log1p, 1, 1)                                                                                 \
    X(log2, 1, 1)                                                                                  \
    X(sin, 2, 2)                                                                                   \
    X(sinh, 3, 2)                                                                                  \
    X(sinpi, 1, 2)                                                                                 \
    X(tan, 4, 2)                                                                                   \
    X(tanh, 2, 1)
#define TWO(X)                                                                                     \
    X(atan2, 3, 2)                                                                                 \
    X(hypot, 3, 2)                                                                                 \
    X(pow, 4, 2)

#define KERNEL(name, type, ...)                                                                    \
    __global__ void name##_##type(const type *x, const type *y, type *out) {                       \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        out[i] = __VA_ARGS__;                                                                      \
    }
#define KERNELS_1(name, float_bound, double_bound)                                                 \
    KERNEL(name, float, name##f(x[i])) KERNEL(name, double, name(x[i]))
#define KERNELS_2(name, float_bound, double_bound)                                                 \
    KERNEL(name, float, name##f(x[i], y[i])) KERNEL(name, double, name(x[i], y[i]))
ONE(KERNELS_1)
TWO(KERNELS_2)

static long double exp10l_(long double x) {
    return powl(10, x);
}
#define exp10l exp10l_

static long double sine_of_pi(long double x) {
    x -= 2 * roundl(x / 2);
    if (fabsl(x) > 0.5L)
        x = copysignl(1, x) - x;
    return sinl(acosl(-1.0L) * x);
}
static long double sinpil(long double x) {
    long double result = sine_of_pi(x);
    return result == 0 ? copysignl(0, x) : result;
}
static long double cospil(long double x) {
    return fabsl(x) > 0x1p53L                 ? x - x + 1
           : fabsl(sine_of_pi(0.5L - x)) == 0 ? 0
                                              : sine_of_pi(0.5L - x);
}

// The numbers of a type in their order.
static int64_t rank(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}
static int64_t rank(float x) {
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

static uint64_t draw() {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

static double uniform() {
    return (double)(draw() >> 11) * 0x1p-52 - 1; // [-1, 1)
}

// Doubles from everywhere, and more from where functions bend.
static double draw_double() {
    double x;
    uint64_t bits = draw();
    switch (draw() % 8) {
    case 0:
        memcpy(&x, &bits, sizeof x);
        return x;
    case 1:
        return uniform();
    case 2:
        return 4 * uniform();
    case 3:
        return 750 * uniform();
    case 4:
        return 0x1p21 * uniform();
    case 5:
        return 1 + ldexp(uniform(), -(int)(draw() % 40));
    case 6:
        return (double)(draw() % 2000000) * 1.5707963267948966 * (1 + 0x1p-51 * uniform());
    default:
        return ldexp(uniform(), (int)(draw() % 60) - 30);
    }
}

static const double edges[] = {
    0.0,
    -0.0,
    INFINITY,
    -INFINITY,
    NAN,
    1,
    -1,
    2,
    -2,
    0.5,
    -0.5,
    3,
    -3,
    10,
    0x1p-1074,
    -0x1p-1074,
    0x1p-1022,
    0x1p-149,
    0x1p-126,
    88.72,
    88.73,
    -103.9,
    -104,
    709.78,
    710,
    -745.13,
    -746,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    0x1.fffffep127,
    -0x1.fffffep127,
};
enum { EDGES = sizeof edges / sizeof *edges };

static bool all, print;
static int failures;

template <class T> struct Function {
    const char *name;
    void (*kernel)(const T *, const T *, T *);
    T (*reference)(T x, T y);
    int arguments, bound;
};

template <class T> struct Batch {
    T *x, *y, *out;
    uint64_t begin;
};

template <class T> static T any(uint64_t i);
template <> float any(uint64_t i) {
    uint32_t bits = (uint32_t)i * (all ? 1 : 40503);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
template <> double any(uint64_t) {
    return draw_double();
}

template <class T> static void fill(const Function<T> &f, Batch<T> &b) {
    for (int i = 0; i < BATCH; i++) {
        uint64_t n = b.begin + i;
        b.x[i] = any<T>(n);
        b.y[i] = (T)(draw() % 2 ? draw_double() : b.x[i] * uniform());
        if (f.arguments == 2 && n < EDGES * EDGES) {
            b.x[i] = (T)edges[n / EDGES];
            b.y[i] = (T)edges[n % EDGES];
        } else if (f.arguments == 1 && n < EDGES) {
            b.x[i] = (T)edges[n];
        } else if (f.arguments == 2) {
            b.x[i] = (T)draw_double();
        }
    }
}

template <class T> static int64_t error(T got, T want) {
    if (got != got || want != want)
        return got != got && want != want ? 0 : INT64_MAX;
    if (got == 0 && want == 0)
        return std::signbit(got) != std::signbit(want) ? INT64_MAX : 0;
    return llabs(rank(got) - rank(want));
}

template <class T> static void test(const Function<T> &f, Batch<T> b, uint64_t count) {
    int64_t worst = 0;
    T x = 0, y = 0, got = 0;
    for (b.begin = 0; b.begin < count; b.begin += BATCH) {
        fill(f, b);
        f.kernel<<<BATCH / BLOCK, BLOCK>>>(b.x, b.y, b.out);
        cudaDeviceSynchronize();
        for (int i = 0; i < BATCH; i++) {
            int64_t e = error(b.out[i], f.reference(b.x[i], b.y[i]));
            if (e > worst) {
                worst = e;
                x = b.x[i], y = b.y[i], got = b.out[i];
            }
        }
    }
    bool failed = worst > f.bound;
    if (failed || print)
        printf("%-6s %-6s %lld of %d at %a, %a: %a, not %a\n", f.name,
               sizeof(T) == 4 ? "float" : "double", (long long)worst, f.bound, x, y, got,
               f.reference(x, y));
    failures += failed;
}

int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        all = all || !strcmp(words[i], "all");
        print = print || !strcmp(words[i], "print");
    }
    Batch<float> floats = {};
    Batch<double> doubles = {};
    for (float **p : {&floats.x, &floats.y, &floats.out})
        cudaMallocManaged(p, BATCH * sizeof(float));
    for (double **p : {&doubles.x, &doubles.y, &doubles.out})
        cudaMallocManaged(p, BATCH * sizeof(double));
    uint64_t float_count = all ? 1ull << 32 : 1 << 17, double_count = all ? 1 << 24 : 1 << 16;

#define TEST(type, name, bound, arguments, batch, count, ...)                                      \
    test<type>({#name, name##_##type, [](type x, type y) { return (void)y, (type)__VA_ARGS__; },   \
                arguments, bound},                                                                 \
               batch, count);
#define TEST_1(name, f, d)                                                                         \
    TEST(float, name, f, 1, floats, float_count, name((double)x))                                  \
    TEST(double, name, d, 1, doubles, double_count, name##l(x))
#define TEST_2(name, f, d)                                                                         \
    TEST(float, name, f, 2, floats, double_count, name((double)x, (double)y))                      \
    TEST(double, name, d, 2, doubles, double_count, name##l(x, y))
    ONE(TEST_1)
    TWO(TEST_2)
    printf("%d of the functions err too much\n", failures);
    return failures != 0;
}
