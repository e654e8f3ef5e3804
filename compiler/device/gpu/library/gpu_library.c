// What GPU code calls and GPUs have no instruction for. gcluster-cc carries this file as LLVM
// bitcode for NVPTX (gpu/math.c).
//
// __gcl_math_<name> computes the C library's <name> where the toolkit's library isn't there or
// hasn't got it: functions of float that our library has for double alone, rounded once, those that
// are exact, and those of strings.

// --- Operations of many threads

/// All threads of a grid wait for each other. A block's first thread adds to the word at
/// `barrier`: those of all blocks together flip its highest bit and leave the others 0.
void __gcl_meet_grid(unsigned *barrier) {
    unsigned blocks = (unsigned)(__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_nctaid_y() *
                                 __nvvm_read_ptx_sreg_nctaid_z());
    int is_first = (__nvvm_read_ptx_sreg_ctaid_x() | __nvvm_read_ptx_sreg_ctaid_y() |
                    __nvvm_read_ptx_sreg_ctaid_z()) == 0;
    __nvvm_bar_sync(0);
    if ((__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() |
         __nvvm_read_ptx_sreg_tid_z()) == 0) {
        __nvvm_membar_gl();
        unsigned part = is_first ? 0x80000000u - (blocks - 1) : 1;
        unsigned before = __atomic_fetch_add(barrier, part, __ATOMIC_RELAXED);
        while (((before ^ *(volatile unsigned *)barrier) & 0x80000000u) == 0)
            continue;
        __nvvm_membar_gl();
    }
    __nvvm_bar_sync(0);
}

static unsigned shuffle_32(unsigned mask, unsigned value, int lane) {
    return (unsigned)__nvvm_shfl_sync_idx_i32(mask, (int)value, lane, 31);
}
static unsigned long long shuffle_64(unsigned mask, unsigned long long value, int lane) {
    unsigned low = shuffle_32(mask, (unsigned)value, lane);
    return (unsigned long long)shuffle_32(mask, (unsigned)(value >> 32), lane) << 32 | low;
}

/// Combines the values of the lanes in `mask`: by halves if that is a whole warp, else one by one.
#define REDUCE(name, type, plain, bits, expression)                                                \
    type __gcl_reduce_##name##_##bits(unsigned mask, type x) {                                     \
        if (mask == 0xffffffffu) {                                                                 \
            for (int far = 16; far > 0; far /= 2) {                                                \
                type y =                                                                           \
                    (type)shuffle_##bits(mask, (plain)x, (__nvvm_read_ptx_sreg_laneid() ^ far));   \
                x = expression;                                                                    \
            }                                                                                      \
            return x;                                                                              \
        }                                                                                          \
        type all = 0, own = x;                                                                     \
        for (unsigned rest = mask; rest; rest &= rest - 1) {                                       \
            type y = (type)shuffle_##bits(mask, (plain)own, __builtin_ctz(rest));                  \
            x = all;                                                                               \
            all = rest == mask ? y : expression;                                                   \
        }                                                                                          \
        return all;                                                                                \
    }
#define REDUCE_BOTH(name, expression)                                                              \
    REDUCE(name, int, unsigned, 32, expression)                                                    \
    REDUCE(name, long long, unsigned long long, 64, expression)
#define AS_UNSIGNED(x) (sizeof(x) == 4 ? (unsigned)(x) : (unsigned long long)(x))
REDUCE_BOTH(add, x + y)
REDUCE_BOTH(and, x &y)
REDUCE_BOTH(or, x | y)
REDUCE_BOTH(xor, x ^ y)
REDUCE_BOTH(min_signed, x < y ? x : y)
REDUCE_BOTH(max_signed, x > y ? x : y)
REDUCE_BOTH(min_unsigned, AS_UNSIGNED(x) < AS_UNSIGNED(y) ? x : y)
REDUCE_BOTH(max_unsigned, AS_UNSIGNED(x) > AS_UNSIGNED(y) ? x : y)

// --- Strings

typedef __SIZE_TYPE__ size_t;

static int compare(const char *a, const char *b, size_t size, int ends) {
    for (size_t i = 0; i < size; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y)
            return x < y ? -1 : 1;
        if (ends && x == 0)
            break;
    }
    return 0;
}
int __gcl_math_memcmp(const void *a, const void *b, size_t size) {
    return compare(a, b, size, 0);
}
int __gcl_math_strcmp(const char *a, const char *b) {
    return compare(a, b, (size_t)-1, 1);
}
int __gcl_math_strncmp(const char *a, const char *b, size_t size) {
    return compare(a, b, size, 1);
}
size_t __gcl_math_strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
char *__gcl_math_strcpy(char *to, const char *from) {
    size_t i = 0;
    do
        to[i] = from[i];
    while (from[i++]);
    return to;
}
char *__gcl_math_strncpy(char *to, const char *from, size_t size) {
    size_t length = 0;
    while (length < size && from[length])
        length++;
    for (size_t i = 0; i < size; i++)
        to[i] = i < length ? from[i] : 0;
    return to;
}
char *__gcl_math_strcat(char *to, const char *from) {
    __gcl_math_strcpy(to + __gcl_math_strlen(to), from);
    return to;
}

// --- Mathematics

double __gcl_math_exp(double x);
double __gcl_math_exp2(double x);
double __gcl_math_expm1(double x);
double __gcl_math_cosh(double x);
double __gcl_math_tanh(double x);
double __gcl_math_log(double x);
double __gcl_math_log1p(double x);
double __gcl_math_log2(double x);

float __gcl_math_exp2f(float x) {
    return (float)__gcl_math_exp2(x);
}
float __gcl_math_coshf(float x) {
    return (float)__gcl_math_cosh(x);
}
float __gcl_math_tanhf(float x) {
    return (float)__gcl_math_tanh(x);
}
float __gcl_math_sinhf(float x) {
    double e = __gcl_math_expm1(__builtin_fabs((double)x));
    double size = e > 0x1p200 ? e : 0.5 * (e + e / (e + 1));
    return (float)__builtin_copysign(size, (double)x);
}
float __gcl_math_hypotf(float x, float y) {
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return __builtin_inff();
    return (float)__builtin_sqrt((double)x * x + (double)y * y);
}
float __gcl_math_acoshf(float x) {
    double above = (double)x - 1;
    return (float)__gcl_math_log1p(above + __builtin_sqrt(above * (above + 2)));
}
float __gcl_math_asinhf(float x) {
    double size = __builtin_fabs((double)x), square = size * size;
    double result = __gcl_math_log1p(size + square / (1 + __builtin_sqrt(square + 1)));
    return (float)__builtin_copysign(result, (double)x);
}
float __gcl_math_atanhf(float x) {
    double size = __builtin_fabs((double)x);
    double result = 0.5 * __gcl_math_log1p(2 * size / (1 - size));
    return (float)__builtin_copysign(result, (double)x);
}

// Whether a float is an integer, and whether an odd one.
static int is_whole(float x) {
    return __builtin_truncf(x) == x;
}
static int is_odd(float x) {
    return is_whole(x) && __builtin_fabsf(x) < 0x1p24f && ((long long)x & 1);
}
float __gcl_math_powf(float x, float y) {
    if (x == 1 || y == 0)
        return 1;
    if (x != x || y != y)
        return x + y;
    if (x == -1 && __builtin_isinf(y))
        return 1;
    double size = __builtin_fabs((double)x);
    double result = size == 0 ? (y < 0 ? __builtin_inf() : 0)
                              : __gcl_math_exp2((double)y * __gcl_math_log2(size));
    if (__builtin_signbit(x) && x != 0 && !__builtin_isinf(x) && !is_whole(y))
        return __builtin_nanf("");
    return (float)(__builtin_signbit(x) && is_odd(y) ? -result : result);
}

float __gcl_math_fdimf(float x, float y) {
    return x <= y ? 0 : x - y;
}
double __gcl_math_fdim(double x, double y) {
    return x <= y ? 0 : x - y;
}

// A number that is neither 0, infinite nor NaN: its fraction in [1, 2), and its exponent.
static double split(double x, int *exponent) {
    int more = __builtin_fabs(x) < 0x1p-1022 ? 54 : 0;
    unsigned long long bits = __builtin_bit_cast(unsigned long long, more ? x * 0x1p54 : x);
    *exponent = (int)(bits >> 52 & 2047) - 1023 - more;
    return __builtin_bit_cast(double, (bits & ~(2047ull << 52)) | 1023ull << 52);
}
// 2^n for n from -1022 to 1023.
static double power(int n) {
    return __builtin_bit_cast(double, (unsigned long long)(n + 1023) << 52);
}
static int is_ordinary(double x) {
    return x != 0 && __builtin_fabs(x) < __builtin_inf();
}

// Denormal results are rounded once, by the last product.
double __gcl_math_ldexp(double x, int n) {
    int exponent;
    if (!is_ordinary(x))
        return x;
    double fraction = split(x, &exponent);
    n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
    exponent += n;
    if (exponent > 1023)
        return fraction * 0x1p1023 * 2;
    if (exponent < -1100)
        return fraction * 0x1p-1000 * 0x1p-1000;
    if (exponent < -1022)
        return fraction * power(exponent + 200) * 0x1p-200;
    return fraction * power(exponent);
}
float __gcl_math_ldexpf(float x, int n) {
    return (float)__gcl_math_ldexp(x, n);
}
double __gcl_math_scalbn(double x, int n) {
    return __gcl_math_ldexp(x, n);
}
float __gcl_math_scalbnf(float x, int n) {
    return (float)__gcl_math_ldexp(x, n);
}
double __gcl_math_frexp(double x, int *exponent) {
    *exponent = 0;
    if (!is_ordinary(x))
        return x;
    double fraction = split(x, exponent);
    *exponent += 1;
    return 0.5 * fraction;
}
float __gcl_math_frexpf(float x, int *exponent) {
    return (float)__gcl_math_frexp(x, exponent);
}
int __gcl_math_ilogb(double x) {
    int exponent = x == 0 || x != x ? -2147483647 - 1 : 2147483647;
    if (is_ordinary(x))
        split(x, &exponent);
    return exponent;
}
int __gcl_math_ilogbf(float x) {
    return __gcl_math_ilogb(x);
}
double __gcl_math_logb(double x) {
    int exponent;
    if (!is_ordinary(x))
        return x == 0 ? -__builtin_inf() : x * x;
    split(x, &exponent);
    return exponent;
}
float __gcl_math_logbf(float x) {
    return (float)__gcl_math_logb(x);
}

double __gcl_math_modf(double x, double *whole) {
    *whole = __builtin_trunc(x);
    return __builtin_copysign(__builtin_isinf(x) ? 0 : x - *whole, x);
}
float __gcl_math_modff(float x, float *whole) {
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(__builtin_isinf(x) ? 0 : x - *whole, x);
}

long __gcl_math_lrint(double x) {
    return (long)__builtin_rint(x);
}
long __gcl_math_lrintf(float x) {
    return (long)__builtin_rintf(x);
}
long __gcl_math_lround(double x) {
    return (long)__builtin_round(x);
}
long __gcl_math_lroundf(float x) {
    return (long)__builtin_roundf(x);
}
long __gcl_math_llrint(double x) {
    return (long)__builtin_rint(x);
}
long __gcl_math_llrintf(float x) {
    return (long)__builtin_rintf(x);
}
long __gcl_math_llround(double x) {
    return (long)__builtin_round(x);
}
long __gcl_math_llroundf(float x) {
    return (long)__builtin_roundf(x);
}
