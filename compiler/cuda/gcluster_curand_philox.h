// Philox 4x32 with ten rounds (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011): a counter of 128 bits, scrambled under a key of 64 bits, gives four numbers.
// The key is the seed, the counter's upper half the subsequence, its lower half the offset / 4.
#ifndef GCLUSTER_CURAND_PHILOX_H
#define GCLUSTER_CURAND_PHILOX_H

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned STATE;
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

QUALIFIERS uint4 curand_Philox4x32_10(uint4 __counter, uint2 __key) {
    for (int __round = 0; __round < 10; __round++) {
        unsigned long long __x = 0xd2511f53ull * __counter.x;
        unsigned long long __z = 0xcd9e8d57ull * __counter.z;
        __counter = make_uint4((unsigned)(__z >> 32) ^ __counter.y ^ __key.x, (unsigned)__z,
                               (unsigned)(__x >> 32) ^ __counter.w ^ __key.y, (unsigned)__x);
        __key.x += 0x9e3779b9u;
        __key.y += 0xbb67ae85u;
    }
    return __counter;
}

// Adds to the counter's 64-bit half that begins at `__low`; tells whether it ran over.
__GCL_CURAND bool __gcl_philox_add(unsigned *__low, unsigned *__high, unsigned long long __count) {
    unsigned long long __half = ((unsigned long long)*__high << 32) | *__low;
    __half += __count;
    *__low = (unsigned)__half;
    *__high = (unsigned)(__half >> 32);
    return __half < __count;
}

__GCL_CURAND void __gcl_philox_advance(curandStatePhilox4_32_10_t *__state,
                                       unsigned long long __blocks) {
    if (__gcl_philox_add(&__state->ctr.x, &__state->ctr.y, __blocks))
        __gcl_philox_add(&__state->ctr.z, &__state->ctr.w, 1);
    __state->output = curand_Philox4x32_10(__state->ctr, __state->key);
}

__GCL_CURAND unsigned __gcl_philox_pick(uint4 __block, unsigned __index) {
    unsigned __low = __index & 1 ? __block.y : __block.x;
    unsigned __high = __index & 1 ? __block.w : __block.z;
    return __index & 2 ? __high : __low;
}

QUALIFIERS unsigned curand(curandStatePhilox4_32_10_t *__state) {
    unsigned __result = __gcl_philox_pick(__state->output, __state->STATE++);
    if (__state->STATE == 4) {
        __gcl_philox_advance(__state, 1);
        __state->STATE = 0;
    }
    return __result;
}

/// The next four numbers.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *__state) {
    uint4 __before = __state->output;
    __gcl_philox_advance(__state, 1);
    uint4 __after = __state->output;
    switch (__state->STATE) {
    case 1:
        return make_uint4(__before.y, __before.z, __before.w, __after.x);
    case 2:
        return make_uint4(__before.z, __before.w, __after.x, __after.y);
    case 3:
        return make_uint4(__before.w, __after.x, __after.y, __after.z);
    default:
        return __before;
    }
}

QUALIFIERS void skipahead(unsigned long long __count, curandStatePhilox4_32_10_t *__state) {
    unsigned __index = __state->STATE + (unsigned)(__count & 3);
    __state->STATE = __index & 3;
    __gcl_philox_advance(__state, __count / 4 + __index / 4);
}

QUALIFIERS void skipahead_sequence(unsigned long long __count,
                                   curandStatePhilox4_32_10_t *__state) {
    __gcl_philox_add(&__state->ctr.z, &__state->ctr.w, __count);
    __state->output = curand_Philox4x32_10(__state->ctr, __state->key);
}

QUALIFIERS void curand_init(unsigned long long __seed, unsigned long long __subsequence,
                            unsigned long long __offset, curandStatePhilox4_32_10_t *__state) {
    __state->ctr = make_uint4(0, 0, (unsigned)__subsequence, (unsigned)(__subsequence >> 32));
    __state->key = make_uint2((unsigned)__seed, (unsigned)(__seed >> 32));
    __state->STATE = 0;
    __state->boxmuller_flag = 0;
    __state->boxmuller_flag_double = 0;
    __state->boxmuller_extra = 0.0f;
    __state->boxmuller_extra_double = 0.0;
    skipahead(__offset, __state);
}

#endif
