// Arithmetic of .f32 and .f64. The file is compiled so that the compiler leaves roundings to when
// it runs, and fuses nothing.
#include "real.h"

#include <fenv.h>
#include <math.h>

__attribute__((noinline)) void ptx_set_rounding(enum ptx_rounding rounding) {
    static const int modes[] = {[PTX_NEAREST] = FE_TONEAREST,
                                [PTX_TOWARDS_ZERO] = FE_TOWARDZERO,
                                [PTX_DOWN] = FE_DOWNWARD,
                                [PTX_UP] = FE_UPWARD,
                                [PTX_NEAREST_AWAY] = FE_TONEAREST};
    fesetround(modes[rounding]);
    __asm__ volatile("" ::: "memory");
}

/// Begins and ends what is rounded as the operation says. What is computed between lies in memory
/// that both calls may see.
#define ROUNDED(op, loop)                                                                          \
    if ((op)->rounding != PTX_NEAREST)                                                             \
        ptx_set_rounding((op)->rounding);                                                          \
    loop;                                                                                          \
    if ((op)->rounding != PTX_NEAREST)                                                             \
    ptx_set_rounding(PTX_NEAREST)

#define FLOAT_1(name, value)                                                                       \
    static const struct ptx_op *name##_f32(struct ptx_warp *warp, const struct ptx_op *op) {       \
        float room[PTX_LANES];                                                                     \
        const float *pa = ptx_float_operand(warp, op, 0, room);                                    \
        float *restrict to = (float *)(void *)warp->scratch;                                       \
        ROUNDED(                                                                                   \
            op, PTX_EACH_LANE(l) {                                                                 \
                float a = pa[l];                                                                   \
                to[l] = value;                                                                     \
            });                                                                                    \
        ptx_finish_float(to, op);                                                                  \
        ptx_store_32(warp, op->d[0], to);                                                          \
        return op + 1;                                                                             \
    }
#define FLOAT_2(name, value)                                                                       \
    static const struct ptx_op *name##_f32(struct ptx_warp *warp, const struct ptx_op *op) {       \
        float room[2][PTX_LANES];                                                                  \
        const float *pa = ptx_float_operand(warp, op, 0, room[0]);                                 \
        const float *pb = ptx_float_operand(warp, op, 1, room[1]);                                 \
        float *restrict to = (float *)(void *)warp->scratch;                                       \
        ROUNDED(                                                                                   \
            op, PTX_EACH_LANE(l) {                                                                 \
                float a = pa[l];                                                                   \
                float b = pb[l];                                                                   \
                to[l] = value;                                                                     \
            });                                                                                    \
        ptx_finish_float(to, op);                                                                  \
        ptx_store_32(warp, op->d[0], to);                                                          \
        return op + 1;                                                                             \
    }
#define FLOAT_3(name, value)                                                                       \
    static const struct ptx_op *name##_f32(struct ptx_warp *warp, const struct ptx_op *op) {       \
        float room[3][PTX_LANES];                                                                  \
        const float *pa = ptx_float_operand(warp, op, 0, room[0]);                                 \
        const float *pb = ptx_float_operand(warp, op, 1, room[1]);                                 \
        const float *pc = ptx_float_operand(warp, op, 2, room[2]);                                 \
        float *restrict to = (float *)(void *)warp->scratch;                                       \
        ROUNDED(                                                                                   \
            op, PTX_EACH_LANE(l) {                                                                 \
                float a = pa[l];                                                                   \
                float b = pb[l];                                                                   \
                float c = pc[l];                                                                   \
                to[l] = value;                                                                     \
            });                                                                                    \
        ptx_finish_float(to, op);                                                                  \
        ptx_store_32(warp, op->d[0], to);                                                          \
        return op + 1;                                                                             \
    }
#define DOUBLE(name, count, value)                                                                 \
    static const struct ptx_op *name##_f64(struct ptx_warp *warp, const struct ptx_op *op) {       \
        const double *pa = (const double *)(const void *)ptx_at(warp, op->s[0]);                   \
        const double *pb = (const double *)(const void *)ptx_at(warp, op->s[count > 1 ? 1 : 0]);   \
        const double *pc = (const double *)(const void *)ptx_at(warp, op->s[count > 2 ? 2 : 0]);   \
        double *restrict to = (double *)(void *)warp->scratch;                                     \
        ROUNDED(                                                                                   \
            op, PTX_EACH_LANE(l) {                                                                 \
                double a = pa[l];                                                                  \
                double b = pb[l];                                                                  \
                double c = pc[l];                                                                  \
                (void)b;                                                                           \
                (void)c;                                                                           \
                to[l] = value;                                                                     \
            });                                                                                    \
        ptx_store_64(warp, op->d[0], to);                                                          \
        return op + 1;                                                                             \
    }
#define BOTH(name) ptx_steps ptx_##name = {[PTX_F32] = name##_f32, [PTX_F64] = name##_f64}

FLOAT_2(add_real, a + b)
DOUBLE(add_real, 2, a + b)
BOTH(add_real);
FLOAT_2(sub_real, a - b)
DOUBLE(sub_real, 2, a - b)
BOTH(sub_real);
FLOAT_2(mul_real, a *b)
DOUBLE(mul_real, 2, a *b)
BOTH(mul_real);
FLOAT_2(div_real, a / b)
DOUBLE(div_real, 2, a / b)
BOTH(div_real);
FLOAT_3(fma_real, fmaf(a, b, c))
DOUBLE(fma_real, 3, fma(a, b, c))
BOTH(fma_real);
FLOAT_1(sqrt, sqrtf(a))
DOUBLE(sqrt, 1, sqrt(a))
BOTH(sqrt);
FLOAT_1(rcp, 1 / a)
DOUBLE(rcp, 1, 1 / a)
BOTH(rcp);
ptx_steps ptx_div_approx = {[PTX_F32] = div_real_f32};

// The lesser and the greater, where a zero with a sign is less than one without.

static float lesser_float(float a, float b) {
    return a < b || (a == b && signbit(a)) || isnan(b) ? a : b;
}
static float greater_float(float a, float b) {
    return a > b || (a == b && !signbit(a)) || isnan(b) ? a : b;
}
static double lesser(double a, double b) {
    return a < b || (a == b && signbit(a)) || isnan(b) ? a : b;
}
static double greater(double a, double b) {
    return a > b || (a == b && !signbit(a)) || isnan(b) ? a : b;
}
FLOAT_2(min_real, lesser_float(a, b))
DOUBLE(min_real, 2, lesser(a, b))
BOTH(min_real);
FLOAT_2(max_real, greater_float(a, b))
DOUBLE(max_real, 2, greater(a, b))
BOTH(max_real);
FLOAT_2(min_nan, isnan(a) || isnan(b) ? NAN : lesser_float(a, b))
ptx_steps ptx_min_nan = {[PTX_F32] = min_nan_f32};
FLOAT_2(max_nan, isnan(a) || isnan(b) ? NAN : greater_float(a, b))
ptx_steps ptx_max_nan = {[PTX_F32] = max_nan_f32};

// Signs are bits: neither NaN nor subnormal changes anything, but for what .ftz says.

FLOAT_1(neg_real, -a)
PTX_STEP_1(neg_real_f64, uint64_t, uint64_t, a ^ UINT64_C(1) << 63)
BOTH(neg_real);
FLOAT_1(abs_real, fabsf(a))
PTX_STEP_1(abs_real_f64, uint64_t, uint64_t, a &INT64_MAX)
BOTH(abs_real);
PTX_STEP_2(copysign_f32, uint32_t, uint32_t, uint32_t, (a & 0x80000000) | (b & 0x7fffffff))
PTX_STEP_2(copysign_f64, uint64_t, uint64_t, uint64_t, (a & UINT64_C(1) << 63) | (b & INT64_MAX))
BOTH(copysign);

#define TEST(name, T, type, holds)                                                                 \
    static const struct ptx_op *testp_##name##_##type(struct ptx_warp *warp,                       \
                                                      const struct ptx_op *op) {                   \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        uint32_t bits = 0;                                                                         \
        PTX_EACH_LANE(l) {                                                                         \
            T a = pa[l];                                                                           \
            bits |= (uint32_t)(holds) << l;                                                        \
        }                                                                                          \
        ptx_set_predicate(warp, op->d[0], bits);                                                   \
        return op + 1;                                                                             \
    }
#define TESTS(name, holds)                                                                         \
    TEST(name, float, f32, holds)                                                                  \
    TEST(name, double, f64, holds)                                                                 \
    ptx_steps ptx_testp_##name = {[PTX_F32] = testp_##name##_f32, [PTX_F64] = testp_##name##_f64};
TESTS(finite, isfinite(a) != 0)
TESTS(infinite, isinf(a) != 0)
TESTS(number, !isnan(a))
TESTS(notanumber, isnan(a) != 0)
TESTS(normal, isnormal(a) != 0)
TESTS(subnormal, fpclassify(a) == FP_SUBNORMAL)
