// Sobol's quasirandom sequences, with or without a constant that scrambles them, in 32 and 64 bits:
// number i is the sum of the direction vectors that the Gray code of i names (Antonov and Saleev,
// 1979). Direction vectors come from the host: curandGetDirectionVectors32 and 64.
#ifndef GCLUSTER_CURAND_SOBOL_H
#define GCLUSTER_CURAND_SOBOL_H

#define __GCL_SOBOL_STATE(__name, __word, __bits)                                                  \
    struct __name {                                                                                \
        __word i, x, c;                                                                            \
        __word direction_vectors[__bits];                                                          \
    };                                                                                             \
    typedef struct __name __name##_t;
__GCL_SOBOL_STATE(curandStateSobol32, unsigned, 32)
__GCL_SOBOL_STATE(curandStateScrambledSobol32, unsigned, 32)
__GCL_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
__GCL_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef __GCL_SOBOL_STATE

/// Number `__i` of the sequence.
template <int __bits, typename __word>
__GCL_CURAND __word __gcl_sobol(const __word *__vectors, __word __i) {
    __word __gray = __i ^ (__i >> 1), __x = 0;
    for (int __k = 0; __k < __bits; __k++)
        __x ^= __vectors[__k] & (0 - (__gray >> __k & 1));
    return __x;
}

#define __GCL_SOBOL(__state_type, __word, __bits, __count_zeros)                                   \
    QUALIFIERS void skipahead(__word __count, __state_type *__state) {                             \
        __state->i += __count;                                                                     \
        __state->x = __state->c ^ __gcl_sobol<__bits>(__state->direction_vectors, __state->i);     \
    }                                                                                              \
    QUALIFIERS __word curand(__state_type *__state) {                                              \
        __word __result = __state->x, __left = ~__state->i;                                        \
        int __changed = __left ? __count_zeros(__left) : __bits - 1;                               \
        __state->x ^= __state->direction_vectors[__changed];                                       \
        __state->i++;                                                                              \
        return __result;                                                                           \
    }                                                                                              \
    __GCL_CURAND void __gcl_sobol_init(const __word *__vectors, __word __constant,                 \
                                       __state_type *__state) {                                    \
        for (int __k = 0; __k < __bits; __k++)                                                     \
            __state->direction_vectors[__k] = __vectors[__k];                                      \
        __state->i = 0;                                                                            \
        __state->c = __constant;                                                                   \
    }
__GCL_SOBOL(curandStateSobol32_t, unsigned, 32, __builtin_ctz)
__GCL_SOBOL(curandStateScrambledSobol32_t, unsigned, 32, __builtin_ctz)
__GCL_SOBOL(curandStateSobol64_t, unsigned long long, 64, __builtin_ctzll)
__GCL_SOBOL(curandStateScrambledSobol64_t, unsigned long long, 64, __builtin_ctzll)
#undef __GCL_SOBOL

#define __GCL_SOBOL_INIT(__bits, __word)                                                           \
    QUALIFIERS void curand_init(curandDirectionVectors##__bits##_t __vectors, __word __offset,     \
                                curandStateSobol##__bits##_t *__state) {                           \
        __gcl_sobol_init(__vectors, 0, __state);                                                   \
        skipahead(__offset, __state);                                                              \
    }                                                                                              \
    QUALIFIERS void curand_init(curandDirectionVectors##__bits##_t __vectors, __word __constant,   \
                                __word __offset, curandStateScrambledSobol##__bits##_t *__state) { \
        __gcl_sobol_init(__vectors, __constant, __state);                                          \
        skipahead(__offset, __state);                                                              \
    }
__GCL_SOBOL_INIT(32, unsigned)
__GCL_SOBOL_INIT(64, unsigned long long)
#undef __GCL_SOBOL_INIT

// Distributions, each by the inverse of its cumulative function, so that a number makes a number.
// Compilers without CUDA have no erfcinv; steps are 2^-32 and 2^-53, as in
// gcluster_curand_uniform.h.
#ifdef __CUDA__

__GCL_CURAND float __gcl_quasi_uniform(unsigned __x) {
    return __gcl_uniform(__x);
}
__GCL_CURAND float __gcl_quasi_uniform(unsigned long long __x) {
    return __gcl_uniform((unsigned)(__x >> 32));
}
__GCL_CURAND double __gcl_quasi_uniform_double(unsigned __x) {
    return (double)__x * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
__GCL_CURAND double __gcl_quasi_uniform_double(unsigned long long __x) {
    return (double)(__x >> 11) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}

// From the half that is nearer to 0, where floating-point numbers are dense.

__GCL_CURAND float __gcl_quasi_normal(unsigned __x) {
    bool __is_upper = __x > 0x80000000u;
    float __p = __gcl_uniform(__is_upper ? ~__x : __x);
    return (__is_upper ? 1.41421354f : -1.41421354f) * erfcinvf(2.0f * __p);
}
__GCL_CURAND float __gcl_quasi_normal(unsigned long long __x) {
    return __gcl_quasi_normal((unsigned)(__x >> 32));
}
__GCL_CURAND double __gcl_quasi_normal_double(unsigned __x) {
    bool __is_upper = __x > 0x80000000u;
    double __p =
        (double)(__is_upper ? ~__x : __x) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
    return (__is_upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * __p);
}
__GCL_CURAND double __gcl_quasi_normal_double(unsigned long long __x) {
    unsigned long long __bits = __x >> 11, __most = 0x1fffffffffffffull;
    bool __is_upper = __bits > 0x10000000000000ull;
    double __p = (double)(__is_upper ? __most - __bits : __bits) * 1.1102230246251565e-16 +
                 5.551115123125783e-17;
    return (__is_upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * __p);
}

/// The least number whose cumulative probability is that of `__x`; for large means by Cornish and
/// Fisher's expansion about the normal distribution.
template <typename __word> __GCL_CURAND unsigned __gcl_quasi_poisson(__word __x, double __mean) {
    if (__mean >= 500) {
        double __z = __gcl_quasi_normal_double(__x);
        double __k = __mean + __builtin_sqrt(__mean) * __z + (__z * __z - 1) / 6;
        return __k > 0 ? (unsigned)__builtin_floor(__k + 0.5) : 0;
    }
    double __u = __gcl_quasi_uniform_double(__x), __p = __builtin_exp(-__mean), __sum = __p;
    unsigned __k = 0;
    while (__sum < __u && __p > 0) {
        __p *= __mean / ++__k;
        __sum += __p;
    }
    return __k;
}

#define __GCL_QUASI(__state_type)                                                                  \
    QUALIFIERS float curand_uniform(__state_type *__state) {                                       \
        return __gcl_quasi_uniform(curand(__state));                                               \
    }                                                                                              \
    QUALIFIERS double curand_uniform_double(__state_type *__state) {                               \
        return __gcl_quasi_uniform_double(curand(__state));                                        \
    }                                                                                              \
    QUALIFIERS float curand_normal(__state_type *__state) {                                        \
        return __gcl_quasi_normal(curand(__state));                                                \
    }                                                                                              \
    QUALIFIERS double curand_normal_double(__state_type *__state) {                                \
        return __gcl_quasi_normal_double(curand(__state));                                         \
    }                                                                                              \
    QUALIFIERS float curand_log_normal(__state_type *__state, float __mean, float __deviation) {   \
        return __builtin_expf(__mean + __deviation * curand_normal(__state));                      \
    }                                                                                              \
    QUALIFIERS double curand_log_normal_double(__state_type *__state, double __mean,               \
                                               double __deviation) {                               \
        return __builtin_exp(__mean + __deviation * curand_normal_double(__state));                \
    }                                                                                              \
    QUALIFIERS unsigned curand_poisson(__state_type *__state, double __mean) {                     \
        return __gcl_quasi_poisson(curand(__state), __mean);                                       \
    }
__GCL_QUASI(curandStateSobol32_t)
__GCL_QUASI(curandStateScrambledSobol32_t)
__GCL_QUASI(curandStateSobol64_t)
__GCL_QUASI(curandStateScrambledSobol64_t)
#undef __GCL_QUASI
#endif

#endif
