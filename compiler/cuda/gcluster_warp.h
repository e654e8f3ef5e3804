// Warp operations: shuffles, votes, matches, reductions.
//
// Each is a cut, where the lanes named by a mask wait for each other. The cut's functions move 64
// bits between absolute lanes; which lane a shuffle reads follows from PTX's definition of shfl. The
// old operations without mask take the lanes that happen to be converged: mask 0.
#ifndef GCLUSTER_WARP_H
#define GCLUSTER_WARP_H

#include "gcluster_device.h"

__GCL_CUT void __gcl_warp_sync(unsigned int __mask);
__GCL_CUT unsigned int __gcl_warp_ballot(unsigned int __mask, int __predicate);
__GCL_CUT unsigned long long __gcl_warp_shuffle(unsigned int __mask, unsigned long long __value,
                                                unsigned int __source_lane);
__GCL_CUT unsigned int __gcl_warp_match(unsigned int __mask, unsigned long long __value);

#define __GCL_WARP_REDUCE(__operation)                                                             \
    __GCL_CUT unsigned long long __gcl_warp_reduce_##__operation(unsigned int __mask,              \
                                                                 unsigned long long __value);
__GCL_WARP_REDUCE(add)
__GCL_WARP_REDUCE(and)
__GCL_WARP_REDUCE(or)
__GCL_WARP_REDUCE(xor)
__GCL_WARP_REDUCE(min_signed)
__GCL_WARP_REDUCE(max_signed)
__GCL_WARP_REDUCE(min_unsigned)
__GCL_WARP_REDUCE(max_unsigned)
#undef __GCL_WARP_REDUCE

/// This thread's lane.
__GCL_DEVICE unsigned int __gcl_lane() {
    return (__gcl_tid_x() + __gcl_ntid_x() * (__gcl_tid_y() + __gcl_ntid_y() * __gcl_tid_z())) & 31;
}
__GCL_DEVICE unsigned int __gcl_lane_last(unsigned int __lane, int __width) {
    return __lane | ((unsigned int)__width - 1u);
}
__GCL_DEVICE unsigned int __gcl_lane_of(int __source, int __width) {
    unsigned int __inside = (unsigned int)__width - 1u;
    return (__gcl_lane() & ~__inside & 31u) | ((unsigned int)__source & __inside);
}
__GCL_DEVICE unsigned int __gcl_lane_up(unsigned int __delta, int __width) {
    unsigned int __lane = __gcl_lane(), __first = __lane & ~((unsigned int)__width - 1u);
    int __source = (int)__lane - (int)(__delta & 31u);
    return __source < (int)__first ? __lane : (unsigned int)__source;
}
__GCL_DEVICE unsigned int __gcl_lane_down(unsigned int __delta, int __width) {
    unsigned int __lane = __gcl_lane(), __source = __lane + (__delta & 31u);
    return __source > __gcl_lane_last(__lane, __width) ? __lane : __source;
}
__GCL_DEVICE unsigned int __gcl_lane_xor(int __flip, int __width) {
    unsigned int __lane = __gcl_lane(), __source = __lane ^ ((unsigned int)__flip & 31u);
    return __source > __gcl_lane_last(__lane, __width) ? __lane : __source;
}

/// The four shuffles of `__type`, which travels as the integer `__bits` of the same size.
#define __GCL_SHUFFLES(__type, __bits)                                                             \
    __GCL_DEVICE __type __gcl_shuffle(unsigned int __mask, __type __v, unsigned int __lane) {      \
        return __builtin_bit_cast(                                                                 \
            __type,                                                                                \
            (__bits)__gcl_warp_shuffle(__mask, __builtin_bit_cast(__bits, __v), __lane));          \
    }                                                                                              \
    __GCL_SHUFFLE(__type, shfl, int, of)                                                           \
    __GCL_SHUFFLE(__type, shfl_up, unsigned int, up)                                               \
    __GCL_SHUFFLE(__type, shfl_down, unsigned int, down)                                           \
    __GCL_SHUFFLE(__type, shfl_xor, int, xor)
#define __GCL_SHUFFLE(__type, __name, __which, __direction)                                        \
    __GCL_DEVICE __type __##__name##_sync(unsigned int __mask, __type __v, __which __n,            \
                                          int __width = 32) {                                      \
        return __gcl_shuffle(__mask, __v, __gcl_lane_##__direction(__n, __width));                 \
    }                                                                                              \
    __GCL_DEVICE __type __##__name(__type __v, __which __n, int __width = 32) {                    \
        return __gcl_shuffle(0, __v, __gcl_lane_##__direction(__n, __width));                      \
    }

__GCL_SHUFFLES(int, unsigned int)
__GCL_SHUFFLES(unsigned int, unsigned int)
__GCL_SHUFFLES(long, unsigned long)
__GCL_SHUFFLES(unsigned long, unsigned long)
__GCL_SHUFFLES(long long, unsigned long long)
__GCL_SHUFFLES(unsigned long long, unsigned long long)
__GCL_SHUFFLES(float, unsigned int)
__GCL_SHUFFLES(double, unsigned long long)

#undef __GCL_SHUFFLES
#undef __GCL_SHUFFLE

__GCL_DEVICE void __syncwarp(unsigned int __mask = 0xffffffffu) {
    __gcl_warp_sync(__mask);
}
__GCL_DEVICE unsigned int __activemask() {
    return __gcl_warp_ballot(0, 1);
}

__GCL_DEVICE unsigned int __ballot_sync(unsigned int __mask, int __predicate) {
    return __gcl_warp_ballot(__mask, __predicate);
}
__GCL_DEVICE int __any_sync(unsigned int __mask, int __predicate) {
    return __gcl_warp_ballot(__mask, __predicate) != 0;
}
__GCL_DEVICE int __all_sync(unsigned int __mask, int __predicate) {
    return __gcl_warp_ballot(__mask, !__predicate) == 0;
}
__GCL_DEVICE int __uni_sync(unsigned int __mask, int __predicate) {
    return __gcl_warp_match(__mask, __predicate != 0) == __mask;
}
__GCL_DEVICE unsigned int __ballot(int __predicate) {
    return __gcl_warp_ballot(0, __predicate);
}
__GCL_DEVICE int __any(int __predicate) {
    return __any_sync(0, __predicate);
}
__GCL_DEVICE int __all(int __predicate) {
    return __all_sync(0, __predicate);
}

/// The matches of `__type`.
#define __GCL_MATCHES(__type, __bits)                                                              \
    __GCL_DEVICE unsigned int __match_any_sync(unsigned int __mask, __type __v) {                  \
        return __gcl_warp_match(__mask, __builtin_bit_cast(__bits, __v));                          \
    }                                                                                              \
    __GCL_DEVICE unsigned int __match_all_sync(unsigned int __mask, __type __v, int *__all_same) { \
        *__all_same = __match_any_sync(__mask, __v) == __mask;                                     \
        return *__all_same ? __mask : 0u;                                                          \
    }

__GCL_MATCHES(int, unsigned int)
__GCL_MATCHES(unsigned int, unsigned int)
__GCL_MATCHES(long, unsigned long)
__GCL_MATCHES(unsigned long, unsigned long)
__GCL_MATCHES(long long, unsigned long long)
__GCL_MATCHES(unsigned long long, unsigned long long)
__GCL_MATCHES(float, unsigned int)
__GCL_MATCHES(double, unsigned long long)

#undef __GCL_MATCHES

__GCL_DEVICE unsigned int __reduce_add_sync(unsigned int __mask, unsigned int __v) {
    return (unsigned int)__gcl_warp_reduce_add(__mask, __v);
}
__GCL_DEVICE int __reduce_add_sync(unsigned int __mask, int __v) {
    return (int)__gcl_warp_reduce_add(__mask, (unsigned int)__v);
}
__GCL_DEVICE unsigned int __reduce_min_sync(unsigned int __mask, unsigned int __v) {
    return (unsigned int)__gcl_warp_reduce_min_unsigned(__mask, __v);
}
__GCL_DEVICE int __reduce_min_sync(unsigned int __mask, int __v) {
    return (int)__gcl_warp_reduce_min_signed(__mask, (unsigned long long)__v);
}
__GCL_DEVICE unsigned int __reduce_max_sync(unsigned int __mask, unsigned int __v) {
    return (unsigned int)__gcl_warp_reduce_max_unsigned(__mask, __v);
}
__GCL_DEVICE int __reduce_max_sync(unsigned int __mask, int __v) {
    return (int)__gcl_warp_reduce_max_signed(__mask, (unsigned long long)__v);
}
__GCL_DEVICE unsigned int __reduce_and_sync(unsigned int __mask, unsigned int __v) {
    return (unsigned int)__gcl_warp_reduce_and(__mask, __v);
}
__GCL_DEVICE unsigned int __reduce_or_sync(unsigned int __mask, unsigned int __v) {
    return (unsigned int)__gcl_warp_reduce_or(__mask, __v);
}
__GCL_DEVICE unsigned int __reduce_xor_sync(unsigned int __mask, unsigned int __v) {
    return (unsigned int)__gcl_warp_reduce_xor(__mask, __v);
}

#endif
