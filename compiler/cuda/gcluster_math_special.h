// The algorithms behind gcluster_math.h, in double.
#ifndef GCLUSTER_MATH_SPECIAL_H
#define GCLUSTER_MATH_SPECIAL_H

#include "gcluster_base.h"

/// A function too long to be expanded wherever it is called.
#define __GCL_LONG static __attribute__((host, device, unused))

/// sqrt(sum of squares) without overflow: everything is scaled by a power of 2 first. An infinity
/// wins over a NaN.
__GCL_LONG double __gcl_norm(int __count, const double *__v) {
    double __largest = 0, __sum = 0;
    for (int __i = 0; __i < __count; __i++)
        __largest = __builtin_fmax(__largest, __builtin_fabs(__v[__i]));
    if (__largest == __builtin_inf())
        return __largest;
    if (__largest == 0) {
        for (int __i = 0; __i < __count; __i++)
            __sum += __v[__i]; // 0 or NaN
        return __builtin_fabs(__sum);
    }
    int __exponent = __builtin_ilogb(__largest);
    for (int __i = 0; __i < __count; __i++) {
        double __scaled = __builtin_ldexp(__v[__i], -__exponent);
        __sum = __builtin_fma(__scaled, __scaled, __sum);
    }
    return __builtin_ldexp(__builtin_sqrt(__sum), __exponent);
}
/// The same for floats, whose squares fit into a double.
__GCL_BOTH double __gcl_normf(int __count, const float *__v) {
    double __sum = 0;
    bool __infinite = false;
    for (int __i = 0; __i < __count; __i++) {
        __sum += (double)__v[__i] * __v[__i];
        __infinite = __infinite || __builtin_isinf(__v[__i]);
    }
    return __infinite ? __builtin_inf() : __builtin_sqrt(__sum);
}

/// Libraries' cube roots are off by some units in the last place; a step of Newton's method in
/// which 1 - x y^3 is exact enough mends that.
__GCL_LONG double __gcl_rcbrt(double __x) {
    _Pragma("clang fp contract(off) reassociate(off)");
    double __y = 1.0 / __builtin_cbrt(__x);
    if (__y == 0 || !(__builtin_fabs(__y) < __builtin_inf()))
        return __y;
    double __square = __y * __y, __square_rest = __builtin_fma(__y, __y, -__square);
    double __t = __x * __square;
    double __t_rest = __builtin_fma(__x, __square, -__t) + __x * __square_rest;
    double __error = __builtin_fma(-__t, __y, 1.0) - __t_rest * __y;
    return __y + __y * (__error / 3.0);
}

// The code generator supplies these, for many threads at a time.
__GCL_PURE double __gcl_math_sinpi(double __x);
__GCL_PURE double __gcl_math_cospi(double __x);
__GCL_PURE float __gcl_math_sinpif(float __x);
__GCL_PURE float __gcl_math_cospif(float __x);

// sin and cos of pi x on the host: x is brought to [-1/4, 1/4] exactly, plus a number of quarter
// turns.
__GCL_BOTH double __gcl_turn(double __x, int *__quarters) {
    double __rest = __x - 2.0 * __builtin_rint(0.5 * __x);
    double __halves = __builtin_rint(2.0 * __rest);
    *__quarters = (int)__halves & 3;
    return 3.14159265358979323846 * (__rest - 0.5 * __halves);
}
__GCL_LONG double __gcl_sinpi(double __x) {
#ifdef __CUDA_ARCH__
    return __gcl_math_sinpi(__x);
#else
    int __quarters;
    if (!(__builtin_fabs(__x) < __builtin_inf()))
        return __x - __x;
    if (__x == __builtin_rint(__x))
        return __builtin_copysign(0.0, __x);
    double __angle = __gcl_turn(__x, &__quarters);
    double __s = __quarters & 1 ? __builtin_cos(__angle) : __builtin_sin(__angle);
    return __quarters & 2 ? -__s : __s;
#endif
}
__GCL_BOTH float __gcl_sinpif(float __x) {
#ifdef __CUDA_ARCH__
    return __gcl_math_sinpif(__x);
#else
    return (float)__gcl_sinpi(__x);
#endif
}
__GCL_LONG double __gcl_cospi(double __x) {
#ifdef __CUDA_ARCH__
    return __gcl_math_cospi(__x);
#else
    int __quarters;
    if (!(__builtin_fabs(__x) < __builtin_inf()))
        return __x - __x;
    double __angle = __gcl_turn(__x, &__quarters);
    double __c = __quarters & 1 ? -__builtin_sin(__angle) : __builtin_cos(__angle);
    return (__quarters & 2 ? -__c : __c) + 0.0; // never -0
#endif
}
__GCL_BOTH float __gcl_cospif(float __x) {
#ifdef __CUDA_ARCH__
    return __gcl_math_cospif(__x);
#else
    return (float)__gcl_cospi(__x);
#endif
}

/// y with erf(y) = x and erfc(y) = q, for 0 <= x < 1 and q = 1 - x: Halley's method from Winitzki's
/// formula, on whichever of erf and erfc is small.
__GCL_LONG double __gcl_erf_solve(double __x, double __q) {
    const double __a = 0.147, __slope = 1.12837916709551257390; // 2 / sqrt(pi)
    double __l = __builtin_log(__q) + __builtin_log1p(__x);
    double __b = 2.0 / (3.14159265358979323846 * __a) + 0.5 * __l;
    double __y = __builtin_sqrt(__builtin_sqrt(__b * __b - __l / __a) - __b);
    if (__x < 0.25)
        __y = __x / __slope * (1.0 + 0.26179938779914943654 * __x * __x); // pi / 12
    for (int __i = __q < 1e-40 ? 7 : 3; __i > 0; __i--) { // the formula is poor in the far tail
        double __error = __x < 0.5 ? __builtin_erf(__y) - __x : __q - __builtin_erfc(__y);
        double __step = __error / (__slope * __builtin_exp(-__y * __y));
        __y -= __step / (1.0 + __y * __step);
    }
    return __y;
}
__GCL_LONG double __gcl_erfinv(double __x) {
    double __size = __builtin_fabs(__x);
    if (!(__size < 1.0))
        return __size == 1.0 ? __x * __builtin_inf() : __builtin_nan("");
    if (__size < 1e-9) // the next term is a twelfth of x^3 pi
        return __x * 0.88622692545275801365;
    return __builtin_copysign(__gcl_erf_solve(__size, 1.0 - __size), __x);
}
__GCL_LONG double __gcl_erfcinv(double __q) {
    if (!(__q > 0.0 && __q < 2.0))
        return __q == 0.0 ? __builtin_inf() : __q == 2.0 ? -__builtin_inf() : __builtin_nan("");
    if (__q > 0.5)
        return __q < 1.5 ? __gcl_erfinv(1.0 - __q) : -__gcl_erf_solve(__q - 1.0, 2.0 - __q);
    return __gcl_erf_solve(1.0 - __q, __q);
}

/// exp(x^2) erfc(x); beyond 10 by the asymptotic series.
__GCL_LONG double __gcl_erfcx(double __x) {
    if (__x < 10.0) {
        double __square = __x * __x;
        double __rest = __builtin_fma(__x, __x, -__square);
        double __e = __builtin_exp(__square);
        return __e == __builtin_inf() ? __e : (__e + __e * __rest) * __builtin_erfc(__x);
    }
    double __t = 0.5 / __x / __x, __sum = 1.0;
    for (int __k = 20; __k > 0; __k--)
        __sum = 1.0 - (2 * __k - 1) * __t * __sum;
    return __sum / __x * 0.56418958354775628695; // 1 / sqrt(pi)
}

/// erfc(-x / sqrt 2) / 2, corrected for what is lost in dividing by sqrt 2.
__GCL_LONG double __gcl_normcdf(double __x) {
    const double __high = 0.70710678118654752440, __low = -4.8336466567264567e-17;
    if (__x < -38.6)
        return 0.0;
    double __t = -__x * __high;
    double __rest = __builtin_fma(-__x, __high, -__t) - __x * __low;
    double __result = __builtin_erfc(__t);
    if (__t > 0.5)
        __result -= 1.12837916709551257390 * __builtin_exp(-__t * __t) * __rest;
    return 0.5 * __result;
}

/// The power series of the modified Bessel function, t being x^2 / 4, from its last term: in pairs
/// of doubles, because rounding errors would add up over the terms.
__GCL_LONG double __gcl_bessel_series(int __order, double __x) {
    _Pragma("clang fp contract(off) reassociate(off)");
    double __t = 0.25 * __x * __x, __t_rest = 0.25 * __builtin_fma(__x, __x, -4.0 * __t);
    double __sum = 1.0, __rest = 0.0;
    for (int __k = 72; __k > 0; __k--) {
        double __d = (double)__k * (__k + __order), __r = __t / __d;
        double __r_rest = (__builtin_fma(-__r, __d, __t) + __t_rest) / __d;
        double __p = __r * __sum;
        double __p_rest = __builtin_fma(__r, __sum, -__p) + (__r * __rest + __r_rest * __sum);
        __sum = 1.0 + __p;
        double __p_part = __sum - 1.0;
        __rest = ((1.0 - (__sum - __p_part)) + (__p - __p_part)) + __p_rest;
    }
    return __order ? 0.5 * __x * (__sum + __rest) : __sum + __rest;
}
/// The modified Bessel function of order 0 or 1; for large x the asymptotic series.
__GCL_LONG double __gcl_bessel_i(int __order, double __x) {
    double __size = __builtin_fabs(__x), __sum = 1.0;
    if (__size < 30.0)
        return __gcl_bessel_series(__order, __x);
    if (!(__size < __builtin_inf()))
        return __order ? __x : __size;
    for (int __k = 24; __k > 0; __k--) {
        double __odd = 2 * __k - 1;
        __sum = 1.0 + (__odd * __odd - 4.0 * __order) / (8.0 * __k * __size) * __sum;
    }
    double __half = __builtin_exp(0.5 * __size); // exp(x) itself overflows before the result does
    __sum = __half * (__sum / __builtin_sqrt(6.28318530717958647693 * __size)) * __half;
    return __order ? __builtin_copysign(__sum, __x) : __sum;
}

#undef __GCL_LONG

#endif
