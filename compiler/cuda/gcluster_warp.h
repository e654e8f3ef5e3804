// Warp operations: shuffles, votes, matches, reductions.
//
// Each is a cut, where the lanes named by a mask wait for each other. The cut's functions move 64
// bits between absolute lanes; which lane a shuffle reads follows from PTX's definition of shfl.
// The old operations without mask take the lanes that happen to be converged: mask 0.
#ifndef GCLUSTER_WARP_H
#define GCLUSTER_WARP_H

#include "gcluster_device.h"
#include "gcluster_minmax.h" // __gcl_rank

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

/// This thread's number in its block, x fastest.
__GCL_PURE unsigned int __gcl_thread();
/// This thread's lane.
__GCL_DEVICE unsigned int __gcl_lane() {
    return __gcl_thread() & 31;
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

/// A number as the integer whose low bits are its own.
template <class __type> __GCL_DEVICE_TEMPLATE unsigned long long __gcl_bits_of(__type __v) {
    unsigned long long __bits = 0;
    __builtin_memcpy(&__bits, &__v, sizeof __v);
    return __bits;
}
/// `__type` where it is an arithmetic type, else no type: half and user's types have overloads.
template <class __type, bool = __gcl_rank<__type>::value != 0> struct __gcl_number {};
template <class __type> struct __gcl_number<__type, true> {
    typedef __type type;
};
#define __GCL_NUMBER                                                                               \
    template <class __type> __GCL_DEVICE_TEMPLATE typename __gcl_number<__type>::type

__GCL_NUMBER __gcl_shuffle(unsigned int __mask, __type __v, unsigned int __lane) {
    unsigned long long __bits = __gcl_warp_shuffle(__mask, __gcl_bits_of(__v), __lane);
    __builtin_memcpy(&__v, &__bits, sizeof __v);
    return __v;
}

#define __GCL_SHUFFLE(__name, __which, __direction)                                                \
    __GCL_NUMBER __name##_sync(unsigned int __mask, __type __v, __which __n, int __width = 32) {   \
        return __gcl_shuffle(__mask, __v, __gcl_lane_##__direction(__n, __width));                 \
    }                                                                                              \
    __GCL_NUMBER __name(__type __v, __which __n, int __width = 32) {                               \
        return __gcl_shuffle(0, __v, __gcl_lane_##__direction(__n, __width));                      \
    }
__GCL_SHUFFLE(__shfl, int, of)
__GCL_SHUFFLE(__shfl_up, unsigned int, up)
__GCL_SHUFFLE(__shfl_down, unsigned int, down)
__GCL_SHUFFLE(__shfl_xor, int, xor)
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

template <class __type>
__GCL_DEVICE_TEMPLATE unsigned int __match_any_sync(unsigned int __mask, __type __v) {
    return __gcl_warp_match(__mask, __gcl_bits_of(typename __gcl_number<__type>::type(__v)));
}
template <class __type>
__GCL_DEVICE_TEMPLATE unsigned int __match_all_sync(unsigned int __mask, __type __v,
                                                    int *__all_same) {
    *__all_same = __match_any_sync(__mask, __v) == __mask;
    return *__all_same ? __mask : 0u;
}
#undef __GCL_NUMBER

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
