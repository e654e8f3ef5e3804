// The Poisson distribution: for small means the number of uniform factors that keep a product above
// exp(-mean) (Knuth), for large ones Hörmann's transformed rejection ("The transformed rejection
// method for generating Poisson random variables", 1993).
#ifndef GCLUSTER_CURAND_POISSON_H
#define GCLUSTER_CURAND_POISSON_H

template <typename __state_type>
QUALIFIERS unsigned __gcl_poisson_small(__state_type *__state, double __mean) {
    double __limit = __builtin_exp(-__mean);
    double __product = curand_uniform_double(__state);
    unsigned __count = 0;
    for (; __product > __limit; __count++)
        __product *= curand_uniform_double(__state);
    return __count;
}

template <typename __state_type>
QUALIFIERS unsigned __gcl_poisson_large(__state_type *__state, double __mean) {
    double __log_mean = __builtin_log(__mean);
    double __b = 0.931 + 2.53 * __builtin_sqrt(__mean);
    double __a = -0.059 + 0.02483 * __b;
    double __inverse_alpha = 1.1239 + 1.1328 / (__b - 3.4);
    double __accept = 0.9277 - 3.6224 / (__b - 2);
    for (;;) {
        double __u = curand_uniform_double(__state) - 0.5;
        double __v = curand_uniform_double(__state);
        double __s = 0.5 - __builtin_fabs(__u);
        double __k = __builtin_floor((2 * __a / __s + __b) * __u + __mean + 0.43);
        if (__s >= 0.07 && __v <= __accept)
            return (unsigned)__k;
        if (__k < 0 || (__s < 0.013 && __v > __s))
            continue;
        if (__builtin_log(__v * __inverse_alpha / (__a / (__s * __s) + __b)) <=
            __k * __log_mean - __mean - __builtin_lgamma(__k + 1))
            return (unsigned)__k;
    }
}

#define __GCL_POISSON(__state_type)                                                                \
    QUALIFIERS unsigned curand_poisson(__state_type *__state, double __mean) {                     \
        return __mean < 30 ? __gcl_poisson_small(__state, __mean)                                  \
                           : __gcl_poisson_large(__state, __mean);                                 \
    }
__GCL_POISSON(curandStateXORWOW_t)
__GCL_POISSON(curandStatePhilox4_32_10_t)
__GCL_POISSON(curandStateMRG32k3a_t)
#undef __GCL_POISSON

QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *__state, double __mean) {
    uint4 __result;
    __result.x = curand_poisson(__state, __mean);
    __result.y = curand_poisson(__state, __mean);
    __result.z = curand_poisson(__state, __mean);
    __result.w = curand_poisson(__state, __mean);
    return __result;
}

#endif
