// Uniform distributions on (0, 1]: 32 random bits as float, 53 as double, and half a step added, so
// that 0 never comes out. Steps are 2^-32 and 2^-53, in decimals: strict C++11 knows no others.
#ifndef GCLUSTER_CURAND_UNIFORM_H
#define GCLUSTER_CURAND_UNIFORM_H

__GCL_CURAND float __gcl_uniform(unsigned __x) {
    return (float)__x * 2.3283064e-10f + 1.1641532e-10f;
}

__GCL_CURAND double __gcl_uniform_double(unsigned __x, unsigned __y) {
    unsigned long long __bits = (unsigned long long)__x ^ ((unsigned long long)__y << 21);
    return (double)__bits * 1.1102230246251565e-16 + 5.551115123125783e-17;
}

QUALIFIERS float curand_uniform(curandStateXORWOW_t *__state) {
    return __gcl_uniform(curand(__state));
}

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *__state) {
    unsigned __x = curand(__state);
    return __gcl_uniform_double(__x, curand(__state));
}

QUALIFIERS float curand_uniform(curandStatePhilox4_32_10_t *__state) {
    return __gcl_uniform(curand(__state));
}

/// Of one draw, so that only 32 bits are random; curand_uniform2_double uses two for each number.
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t *__state) {
    return (double)curand(__state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}

// MRG32k3a's draws have their own range.

QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *__state) {
    return (double)__gcl_mrg_draw(__state) * (1.0 / 4294967087.0);
}

QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *__state) {
    return (float)curand_uniform_double(__state);
}

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state);
    return make_float4(__gcl_uniform(__x.x), __gcl_uniform(__x.y), __gcl_uniform(__x.z),
                       __gcl_uniform(__x.w));
}

QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state);
    return make_double2(__gcl_uniform_double(__x.x, __x.y), __gcl_uniform_double(__x.z, __x.w));
}

QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *__state) {
    double2 __low = curand_uniform2_double(__state);
    double2 __high = curand_uniform2_double(__state);
    double4 __result;
    __result.x = __low.x;
    __result.y = __low.y;
    __result.z = __high.x;
    __result.w = __high.y;
    return __result;
}

#endif
