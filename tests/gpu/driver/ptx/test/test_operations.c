// Instructions against what C says of them: one kernel has all rows of a list, and each of its
// threads random operands, which are often numbers at the edges.
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

typedef __int128 s128;
typedef unsigned __int128 u128;

enum { THREADS = 4096, BLOCK = 96 };

#define U8(a) ((int64_t)(uint8_t)(a))
#define S8(a) ((int64_t)(int8_t)(a))
#define U16(a) ((uint64_t)(uint16_t)(a))
#define S16(a) ((int64_t)(int16_t)(a))
#define S24(a) ((int64_t)((int32_t)((uint32_t)(a) << 8) >> 8))
#define U32(a) ((uint64_t)(uint32_t)(a))
#define S32(a) ((int64_t)(int32_t)(a))
#define S64(a) ((int64_t)(a))
#define SHIFT (B >> 8 & 127)
#define OTHER (C >> 8 & 127)

// Bits, one at a time.

static uint64_t clamp(s128 value, s128 least, s128 most) {
    return (uint64_t)(value < least ? least : value > most ? most : value);
}

static uint64_t count_bits(uint64_t a) {
    uint64_t count = 0;
    for (; a; a >>= 1)
        count += a & 1;
    return count;
}

static int highest_bit(uint64_t a) {
    int at = -1;
    for (; a; a >>= 1)
        at++;
    return at;
}

static uint64_t reverse_bits(uint64_t a, unsigned bits) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (a >> i & 1) << (bits - 1 - i);
    return value;
}

static uint64_t extract_bits(uint64_t a, uint64_t from, uint64_t length, unsigned bits,
                             bool is_signed) {
    uint64_t last = from + length - 1 < bits - 1 ? from + length - 1 : bits - 1, value = 0;
    uint64_t sign = is_signed && length > 0 ? a >> last & 1 : 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (i < length && from + i < bits ? a >> (from + i) & 1 : sign) << i;
    return value;
}

static uint64_t insert_bits(uint64_t a, uint64_t b, uint64_t to, uint64_t length, unsigned bits) {
    for (uint64_t i = 0; i < length && to + i < bits; i++)
        b = (b & ~(UINT64_C(1) << (to + i))) | (a >> i & 1) << (to + i);
    return b;
}

static uint64_t choose_bytes(uint64_t bytes, uint32_t selectors) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t byte = bytes >> 8 * (selectors >> 4 * i & 7) & 255;
        bool is_sign = selectors >> 4 * i & 8;
        value |= (is_sign ? (byte >= 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return value;
}

static uint64_t nth_bit(uint64_t a, unsigned n) {
    for (unsigned i = 0; i < 32; i++)
        if (a >> i & 1 && --n == 0)
            return i;
    return UINT64_MAX;
}

// Numbers.

static float F(uint64_t a) {
    uint32_t bits = (uint32_t)a;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double D(uint64_t a) {
    double value;
    memcpy(&value, &a, sizeof value);
    return value;
}

static double H(uint64_t a) {
    int exponent = a >> 10 & 31;
    double fraction = (double)(a & 1023);
    double value = exponent == 31  ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                   : exponent == 0 ? fraction * 0x1p-24
                                   : (1024 + fraction) * exp2(exponent - 25);
    return a & 0x8000 ? -value : value;
}

static uint64_t f_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? 0x7fffffff : bits;
}

/// Not numbers are compared as one.
static uint64_t d_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? UINT64_MAX >> 1 : bits;
}

/// The nearest half by search: the one whose neighbours are not nearer, the even one of two.
static uint64_t h_bits_wide(__float128 value) {
    if (value != value)
        return 0x7fff;
    uint64_t sign = value < 0 || (value == 0 && signbit((double)value)) ? 0x8000 : 0;
    __float128 magnitude = value < 0 ? -value : value;
    if (magnitude >= 65520)
        return sign | 0x7c00;
    uint64_t low = 0, high = 0x7c00;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        *((__float128)H(middle) <= magnitude ? &low : &high) = middle;
    }
    __float128 above = high == 0x7c00 ? 65536 : H(high);
    __float128 to_low = magnitude - H(low), to_high = above - magnitude;
    bool is_high = to_high < to_low || (to_high == to_low && low & 1);
    return sign | (is_high ? high : low);
}

static uint64_t h_bits(double value) {
    return h_bits_wide(value);
}

static uint64_t b_bits(float value) {
    uint64_t bits = f_bits(value);
    if (isnan(value))
        return 0x7fff;
    uint64_t rest = bits & 0xffff, high = bits >> 16;
    return high + (rest > 0x8000 || (rest == 0x8000 && high & 1));
}

static uint64_t flushed(uint64_t a) {
    return a & 0x7f800000 ? a : a & 0x80000000;
}

static float saturated(float value) {
    return !(value > 0) ? 0 : value > 1 ? 1 : value;
}

static float least_float(float a, float b) {
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a == b ? (signbit(a) ? a : b) : fminf(a, b);
}

static double greatest_double(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a == b ? (signbit(a) ? b : a) : fmax(a, b);
}

static uint64_t to_integer(double value, double least, double most, unsigned bits) {
    if (isnan(value))
        return bits == 64 ? UINT64_C(1) << 63 : 0;
    if (bits == 64 && value >= 0x1p63)
        return INT64_MAX;
    value = value < least ? least : value > most ? most : value;
    return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

/// Operands that the compiler can't compute with before the rounding is set.
#define ROUNDED(mode, bits_of, a, operator, b)                                                     \
    ({                                                                                             \
        fesetround(mode);                                                                          \
        __asm__ volatile("" ::: "memory");                                                         \
        volatile __typeof__(a) x_ = (a);                                                           \
        volatile __typeof__(b) y_ = (b);                                                           \
        volatile __typeof__((a) operator(b)) z_ = x_ operator y_;                                  \
        __asm__ volatile("" ::: "memory");                                                         \
        fesetround(FE_TONEAREST);                                                                  \
        bits_of(z_);                                                                               \
    })

struct row {
    const char *name, *text;
    unsigned bits;
    uint64_t (*expected)(uint64_t, uint64_t, uint64_t);
};

#define X(name, text, bits, value)                                                                 \
    static uint64_t expect_##name(uint64_t A, uint64_t B, uint64_t C) {                            \
        (void)A;                                                                                   \
        (void)B;                                                                                   \
        (void)C;                                                                                   \
        return (uint64_t)(value);                                                                  \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wconversion"
#include "rows_integer.inc"
#include "rows_real.inc"
#pragma GCC diagnostic pop
#undef X

#define X(name, text, bits, value) {#name, text, bits, expect_##name},
static const struct row integer_rows[] = {
#include "rows_integer.inc"
};
static const struct row real_rows[] = {
#include "rows_real.inc"
};
#undef X

static const char head[] =
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".visible .entry rows(.param .u64 in, .param .u64 out, .param .u64 count)\n{\n"
    ".reg .pred %ap, %bp, %cp, %dp, %ep, %p;\n.reg .b16 %a16, %b16, %c16, %d16, %e16;\n"
    ".reg .b32 %a32, %b32, %c32, %d32, %e32, %s32, %t32, %r<5>;\n"
    ".reg .b64 %a64, %b64, %c64, %d64, %e64, %in, %out, %count, %step, %o;\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r1, %r1, %r2, %r3;\nld.param.u64 %count, [count];\ncvt.u64.u32 %o, %r1;\n"
    "setp.ge.u64 %p, %o, %count;\n@%p bra end;\n"
    "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmad.wide.u32 %in, %r1, 32, %in;\n"
    "mad.wide.u32 %out, %r1, 8, %out;\nmul.lo.u64 %step, %count, 8;\n"
    "ld.global.v2.u64 {%a64, %b64}, [%in];\nld.global.u64 %c64, [%in+16];\n"
    "cvt.u32.u64 %a32, %a64;\ncvt.u32.u64 %b32, %b64;\ncvt.u32.u64 %c32, %c64;\n"
    "cvt.u16.u64 %a16, %a64;\ncvt.u16.u64 %b16, %b64;\ncvt.u16.u64 %c16, %c64;\n"
    "shr.u32 %s32, %b32, 8;\nand.b32 %s32, %s32, 127;\n"
    "shr.u32 %t32, %c32, 8;\nand.b32 %t32, %t32, 127;\n"
    "and.b32 %r4, %a32, 1;\nsetp.ne.u32 %ap, %r4, 0;\nand.b32 %r4, %b32, 1;\n"
    "setp.ne.u32 %bp, %r4, 0;\nand.b32 %r4, %c32, 1;\nsetp.ne.u32 %cp, %r4, 0;\n";

static char *write_kernel(const struct row *rows, size_t count) {
    size_t size = 1 << 20, used;
    char *text = malloc(size);
    assert_non_null(text);
    used = (size_t)snprintf(text, size, "%s", head);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s\n", rows[i].text);
        const char *format = rows[i].bits == 1    ? "selp.u64 %%o, 1, 0, %%dp;\n"
                             : rows[i].bits == 64 ? "mov.u64 %%o, %%d64;\n"
                                                  : "cvt.u64.u%u %%o, %%d%u;\n";
        used += (size_t)snprintf(text + used, size - used, format, rows[i].bits, rows[i].bits);
        used += (size_t)snprintf(text + used, size - used,
                                 "st.global.u64 [%%out], %%o;\nadd.u64 %%out, %%out, %%step;\n");
    }
    snprintf(text + used, size - used, "end:\nret;\n}\n");
    return text;
}

/// Numbers at edges of one width or another, close to each other, or anything.
static uint64_t random_operand(uint64_t *state) {
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x3c00,
                                     0x7c00,
                                     0xfc00,
                                     0x7e00,
                                     0x0001,
                                     0x03ff,
                                     0x0400,
                                     0x7bff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x3f800000,
                                     0xbf800000,
                                     0x7f800000,
                                     0xff800000,
                                     0x7fc00000,
                                     0x00000001,
                                     0x007fffff,
                                     0x00800000,
                                     0x7f7fffff,
                                     0x4f000000,
                                     0x477ff000,
                                     0x33000000,
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0x7fffffffffffffff),
                                     UINT64_MAX,
                                     UINT64_C(0x3ff0000000000000),
                                     UINT64_C(0x7ff0000000000000),
                                     UINT64_C(0xfff0000000000000),
                                     UINT64_C(0x7ff8000000000000),
                                     UINT64_C(0x0000000000000001),
                                     UINT64_C(0x0010000000000000),
                                     UINT64_C(0x43e0000000000000),
                                     UINT64_C(0x3ff0000010000000),
                                     UINT64_C(0x40effe0000000000)};
    uint64_t random = machine_random(state), kind = random >> 60;
    if (kind < 4)
        return edges[random % (sizeof edges / sizeof *edges)];
    if (kind < 6)
        return random & 31;
    if (kind < 8) { // small numbers with a fraction
        double real = (double)(int32_t)random / 0x1p20;
        float narrow = (float)real;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        uint64_t wide;
        memcpy(&wide, &real, sizeof wide);
        return random & 1 ? bits : wide;
    }
    if (kind < 9)
        return (random & UINT64_C(0x800fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    if (kind < 10)
        return (random & UINT64_C(0xffffffff807fffff)) | 0x3f800000;
    return random;
}

static bool is_same(const struct row *row, uint64_t is, uint64_t expected) {
    uint64_t mask = row->bits == 64 ? UINT64_MAX : (UINT64_C(1) << row->bits) - 1;
    if (row->bits == 64 && strstr(row->text, ".f64") && isnan(D(is)) && isnan(D(expected)))
        return true;
    return ((is ^ expected) & mask) == 0;
}

static void check_rows(const struct row *rows, size_t count) {
    struct machine machine;
    char *text = write_kernel(rows, count);
    machine_begin(&machine, text);
    free(text);
    uint64_t in = machine_allocate(&machine, THREADS * 32);
    uint64_t out = machine_allocate(&machine, THREADS * 8 * count);
    uint64_t *operands = machine_at(&machine, in), state = 42;
    for (size_t i = 0; i < THREADS * 4; i++)
        operands[i] = i % 64 == 1 ? operands[i - 1] : random_operand(&state);
    machine_run(&machine, "rows", (THREADS + BLOCK - 1) / BLOCK, BLOCK,
                (uint64_t[]){in, out, THREADS}, 3);
    const uint64_t *results = machine_at(&machine, out);
    unsigned wrong = 0;
    for (size_t r = 0; r < count; r++)
        for (size_t t = 0; t < THREADS; t++) {
            const uint64_t *o = operands + 4 * t;
            uint64_t is = results[r * THREADS + t], expected = rows[r].expected(o[0], o[1], o[2]);
            if (is_same(&rows[r], is, expected))
                continue;
            print_error("%s of %llx, %llx, %llx is %llx, not %llx\n", rows[r].name,
                        (unsigned long long)o[0], (unsigned long long)o[1],
                        (unsigned long long)o[2], (unsigned long long)is,
                        (unsigned long long)expected);
            wrong++;
            break;
        }
    machine_end(&machine);
    assert_int_equal(wrong, 0);
}

static void test_integers(void **state) {
    (void)state;
    check_rows(integer_rows, sizeof integer_rows / sizeof *integer_rows);
}

static void test_reals(void **state) {
    (void)state;
    check_rows(real_rows, sizeof real_rows / sizeof *real_rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_reals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
