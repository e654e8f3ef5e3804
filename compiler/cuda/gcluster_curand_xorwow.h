// XORWOW (Marsaglia, "Xorshift RNGs", 2003): five words of xorshift plus a Weyl sequence. Its
// subsequences begin 2^67 numbers apart.
#ifndef GCLUSTER_CURAND_XORWOW_H
#define GCLUSTER_CURAND_XORWOW_H

#include "gcluster_curand_jump.h"

struct curandStateXORWOW {
    unsigned d;
    unsigned v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;

__GCL_CURAND unsigned __gcl_xorwow_next(unsigned __oldest, unsigned __newest) {
    unsigned __mixed = __oldest ^ (__oldest >> 2);
    return __newest ^ (__newest << 4) ^ __mixed ^ (__mixed << 1);
}

QUALIFIERS unsigned curand(curandStateXORWOW_t *__state) {
    unsigned *__v = __state->v;
    unsigned __next = __gcl_xorwow_next(__v[0], __v[4]);
    __v[0] = __v[1];
    __v[1] = __v[2];
    __v[2] = __v[3];
    __v[3] = __v[4];
    __v[4] = __next;
    __state->d += 362437;
    return __next + __state->d;
}

// Jumps 2^power numbers ahead with the words, not with the Weyl sequence: word k of the new state
// is the sum of the words number i + k to come, for every coefficient i of the polynomial.
__GCL_CURAND void __gcl_xorwow_jump(unsigned *__v, int __power) {
    unsigned __words[164];
    for (int __i = 0; __i < 5; __i++)
        __words[__i] = __v[__i];
    for (int __i = 5; __i < 164; __i++) {
        unsigned __oldest = __words[__i - 5], __newest = __words[__i - 1];
        unsigned __mixed = __oldest ^ (__oldest >> 2);
        __words[__i] = __newest ^ (__newest << 4) ^ __mixed ^ (__mixed << 1);
    }
    unsigned __sum[5] = {0, 0, 0, 0, 0};
    for (int __block = 0; __block < 5; __block++) {
        unsigned __bits = __gcl_xorwow_powers[__power][__block];
        for (; __bits; __bits &= __bits - 1) {
            const unsigned *__from = __words + 32 * __block + __builtin_ctz(__bits);
            for (int __k = 0; __k < 5; __k++)
                __sum[__k] ^= __from[__k];
        }
    }
    for (int __k = 0; __k < 5; __k++)
        __v[__k] = __sum[__k];
}

/// As if `__count` numbers had been drawn.
QUALIFIERS void skipahead(unsigned long long __count, curandStateXORWOW_t *__state) {
    unsigned __v[5];
    for (int __k = 0; __k < 5; __k++)
        __v[__k] = __state->v[__k];
    for (unsigned __i = 0; __i < (__count & 63); __i++) {
        unsigned __next = __gcl_xorwow_next(__v[0], __v[4]);
        for (int __k = 0; __k < 4; __k++)
            __v[__k] = __v[__k + 1];
        __v[4] = __next;
    }
    for (unsigned long long __bits = __count & ~63ull; __bits; __bits &= __bits - 1)
        __gcl_xorwow_jump(__v, __builtin_ctzll(__bits));
    for (int __k = 0; __k < 5; __k++)
        __state->v[__k] = __v[__k];
    __state->d += 362437 * (unsigned)__count;
}

/// As if `__count` times 2^67 numbers had been drawn.
QUALIFIERS void skipahead_sequence(unsigned long long __count, curandStateXORWOW_t *__state) {
    unsigned __v[5];
    for (int __k = 0; __k < 5; __k++)
        __v[__k] = __state->v[__k];
    for (unsigned long long __bits = __count; __bits; __bits &= __bits - 1)
        __gcl_xorwow_jump(__v, 67 + __builtin_ctzll(__bits));
    for (int __k = 0; __k < 5; __k++)
        __state->v[__k] = __v[__k];
}

QUALIFIERS void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                            unsigned long long __offset, curandStateXORWOW_t *__state) {
    unsigned __low = ((unsigned)__seed ^ 0xaad26b49u) * 1099087573u;
    unsigned __high = ((unsigned)(__seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    __state->d = 6615241u + __high + __low;
    __state->v[0] = 123456789u + __low;
    __state->v[1] = 362436069u ^ __low;
    __state->v[2] = 521288629u + __high;
    __state->v[3] = 88675123u ^ __high;
    __state->v[4] = 5783321u + __low;
    skipahead_sequence(__subsequence, __state);
    skipahead(__offset, __state);
    __state->boxmuller_flag = 0;
    __state->boxmuller_flag_double = 0;
    __state->boxmuller_extra = 0.0f;
    __state->boxmuller_extra_double = 0.0;
}

#endif
