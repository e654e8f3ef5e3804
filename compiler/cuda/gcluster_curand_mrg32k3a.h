// MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators", 1999): two recurrences of order three modulo primes below 2^32. Subsequences
// begin 2^76 numbers apart, sequences 2^127.
#ifndef GCLUSTER_CURAND_MRG32K3A_H
#define GCLUSTER_CURAND_MRG32K3A_H

struct curandStateMRG32k3a {
    unsigned s1[3];
    unsigned s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define __GCL_MRG_M1 4294967087ull
#define __GCL_MRG_M2 4294944443ull

/// The next number of 1 ... 4294967087.
__GCL_CURAND unsigned __gcl_mrg_draw(curandStateMRG32k3a_t *__state) {
    unsigned *__s1 = __state->s1, *__s2 = __state->s2;
    unsigned long long __p1 =
        (1403580ull * __s1[1] + 810728ull * (__GCL_MRG_M1 - __s1[0])) % __GCL_MRG_M1;
    unsigned long long __p2 =
        (527612ull * __s2[2] + 1370589ull * (__GCL_MRG_M2 - __s2[0])) % __GCL_MRG_M2;
    __s1[0] = __s1[1];
    __s1[1] = __s1[2];
    __s1[2] = (unsigned)__p1;
    __s2[0] = __s2[1];
    __s2[1] = __s2[2];
    __s2[2] = (unsigned)__p2;
    return (unsigned)(__p1 > __p2 ? __p1 - __p2 : __p1 + __GCL_MRG_M1 - __p2);
}

/// A number of 32 bits: the draw, stretched to the full range.
QUALIFIERS unsigned curand(curandStateMRG32k3a_t *__state) {
    return (unsigned)((double)__gcl_mrg_draw(__state) * 1.000000048662);
}

// Matrices of 3 × 3 in row order, modulo `__modulus`.
__GCL_CURAND void __gcl_mrg_multiply(unsigned *__result, const unsigned *__left,
                                     const unsigned *__right, int __columns,
                                     unsigned long long __modulus) {
    unsigned __product[9];
    for (int __i = 0; __i < 3; __i++)
        for (int __j = 0; __j < __columns; __j++) {
            unsigned long long __sum = 0;
            for (int __k = 0; __k < 3; __k++)
                __sum += (unsigned long long)__left[3 * __i + __k] *
                         __right[__columns * __k + __j] % __modulus;
            __product[__columns * __i + __j] = (unsigned)(__sum % __modulus);
        }
    for (int __i = 0; __i < 3 * __columns; __i++)
        __result[__i] = __product[__i];
}

// Applies the matrix `__count` times to the three words.
__GCL_CURAND void __gcl_mrg_jump(unsigned *__words, const unsigned (&__step)[9],
                                 unsigned long long __count, unsigned long long __modulus) {
    unsigned __power[9];
    for (int __i = 0; __i < 9; __i++)
        __power[__i] = __step[__i];
    for (; __count; __count >>= 1) {
        if (__count & 1)
            __gcl_mrg_multiply(__words, __power, __words, 1, __modulus);
        __gcl_mrg_multiply(__power, __power, __power, 3, __modulus);
    }
}

QUALIFIERS void skipahead(unsigned long long __count, curandStateMRG32k3a_t *__state) {
    const unsigned __first[9] = {0, 1, 0, 0, 0, 1, 4294156359u, 1403580u, 0};
    const unsigned __second[9] = {0, 1, 0, 0, 0, 1, 4293573854u, 0, 527612u};
    __gcl_mrg_jump(__state->s1, __first, __count, __GCL_MRG_M1);
    __gcl_mrg_jump(__state->s2, __second, __count, __GCL_MRG_M2);
}

// The matrices of one step, squared 76 and 127 times.

QUALIFIERS void skipahead_subsequence(unsigned long long __count, curandStateMRG32k3a_t *__state) {
    const unsigned __first[9] = {82758667u,   1871391091u, 4127413238u, 3672831523u, 69195019u,
                                 1871391091u, 3672091415u, 3528743235u, 69195019u};
    const unsigned __second[9] = {1511326704u, 3759209742u, 1610795712u, 4292754251u, 1511326704u,
                                  3889917532u, 3859662829u, 4292754251u, 3708466080u};
    __gcl_mrg_jump(__state->s1, __first, __count, __GCL_MRG_M1);
    __gcl_mrg_jump(__state->s2, __second, __count, __GCL_MRG_M2);
}

QUALIFIERS void skipahead_sequence(unsigned long long __count, curandStateMRG32k3a_t *__state) {
    const unsigned __first[9] = {2427906178u, 3580155704u, 949770784u, 226153695u, 1230515664u,
                                 3580155704u, 1988835001u, 986791581u, 1230515664u};
    const unsigned __second[9] = {1464411153u, 277697599u,  1610723613u, 32183930u,  1464411153u,
                                  1022607788u, 2824425944u, 32183930u,   2093834863u};
    __gcl_mrg_jump(__state->s1, __first, __count, __GCL_MRG_M1);
    __gcl_mrg_jump(__state->s2, __second, __count, __GCL_MRG_M2);
}

QUALIFIERS void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                            unsigned long long __offset, curandStateMRG32k3a_t *__state) {
    unsigned long long __low = __seed ? (unsigned)__seed ^ 0x55555555u : 1;
    unsigned long long __high = __seed ? (unsigned)(__seed >> 32) ^ 0xaaaaaaaau : 1;
    for (int __i = 0; __i < 3; __i++) {
        __state->s1[__i] = (unsigned)((__i == 1 ? __high : __low) * 12345 % __GCL_MRG_M1);
        __state->s2[__i] = (unsigned)((__i == 1 ? __low : __high) * 12345 % __GCL_MRG_M2);
    }
    skipahead_subsequence(__subsequence, __state);
    skipahead(__offset, __state);
    __state->boxmuller_flag = 0;
    __state->boxmuller_flag_double = 0;
    __state->boxmuller_extra = 0.0f;
    __state->boxmuller_extra_double = 0.0;
}

#endif
