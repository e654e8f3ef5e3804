// Prefix sums over groups of at most a warp, in the order of the ranks.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

/// The combination of the values of all ranks up to and with the caller's own.
template <typename __group, typename __T, typename __operator>
inline __gcl_cg __T inclusive_scan(const __group &__threads, __T __value, __operator &&__combine) {
    unsigned __rank = __threads.thread_rank();
    for (unsigned __step = 1; __step < __threads.num_threads(); __step *= 2) {
        bool __inside = __rank >= __step;
        __T __other = __shuffle(__threads.__lane_mask(), __value,
                                __threads.__source_lane(__inside ? __rank - __step : __rank));
        if (__inside)
            __value = __combine(__other, __value);
    }
    return __value;
}

template <typename __group, typename __T>
inline __gcl_cg __T inclusive_scan(const __group &__threads, __T __value) {
    return inclusive_scan(__threads, __value, plus<__T>());
}

/// The combination of the values of all ranks below the caller's own; rank 0 gets T().
template <typename __group, typename __T, typename __operator>
inline __gcl_cg __T exclusive_scan(const __group &__threads, __T __value, __operator &&__combine) {
    unsigned __rank = __threads.thread_rank();
    __T __sum = inclusive_scan(__threads, __value, __combine);
    __T __below =
        __shuffle(__threads.__lane_mask(), __sum, __threads.__source_lane(__rank ? __rank - 1 : 0));
    return __rank ? __below : __T();
}

template <typename __group, typename __T>
inline __gcl_cg __T exclusive_scan(const __group &__threads, __T __value) {
    return exclusive_scan(__threads, __value, plus<__T>());
}

} // namespace cooperative_groups

#endif
