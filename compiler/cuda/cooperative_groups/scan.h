// Prefix sums over tiles and coalesced threads, in the order of the ranks.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

template <bool __is_wide> struct __group_scan {
    template <typename __group, typename __T, typename __operator>
    static __gcl_cg __T __inclusive(const __group &__threads, __T __value, __operator &__combine) {
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

    // The value of the rank below.
    template <typename __group, typename __T>
    static __gcl_cg __T __below(const __group &__threads, __T __value) {
        unsigned __rank = __threads.thread_rank();
        return __shuffle(__threads.__lane_mask(), __value,
                         __threads.__source_lane(__rank ? __rank - 1 : 0));
    }
};

// Of several warps: each for itself, then the sums of the warps before it.
template <> struct __group_scan<true> {
    template <typename __group, typename __T, typename __operator>
    static __gcl_cg __T __inclusive(const __group &__threads, __T __value, __operator &__combine) {
        auto __warp = tiled_partition<32>(this_thread_block());
        __value = __group_scan<false>::__inclusive(__warp, __value, __combine);
        unsigned __before = __threads.thread_rank() / 32;
        __T __sum = __threads.__fold(__warp.shfl(__value, 31), __combine, __before);
        return __before ? __combine(__sum, __value) : __value;
    }

    template <typename __group, typename __T>
    static __gcl_cg __T __below(const __group &__threads, __T __value) {
        return __threads.shfl_up(__value, 1);
    }
};

/// The combination of the values of all ranks up to and with the caller's own.
template <typename __group, typename __T, typename __operator>
inline __gcl_cg __T inclusive_scan(const __group &__threads, __T __value, __operator &&__combine) {
    return __group_scan<__is_wide_tile<__group>::value>::__inclusive(__threads, __value, __combine);
}

template <typename __group, typename __T>
inline __gcl_cg __T inclusive_scan(const __group &__threads, __T __value) {
    return inclusive_scan(__threads, __value, plus<__T>());
}

/// The combination of the values of all ranks below the caller's own; rank 0 gets T().
template <typename __group, typename __T, typename __operator>
inline __gcl_cg __T exclusive_scan(const __group &__threads, __T __value, __operator &&__combine) {
    using __scan = __group_scan<__is_wide_tile<__group>::value>;
    __T __below = __scan::__below(__threads, __scan::__inclusive(__threads, __value, __combine));
    return __threads.thread_rank() ? __below : __T();
}

template <typename __group, typename __T>
inline __gcl_cg __T exclusive_scan(const __group &__threads, __T __value) {
    return exclusive_scan(__threads, __value, plus<__T>());
}

} // namespace cooperative_groups

#endif
