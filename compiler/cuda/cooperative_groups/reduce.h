// Reductions over tiles and coalesced threads: every thread of the group gets the result.
//
// The operators of this header on integers are one warp operation. Everything else is a tree of
// shuffles whose shape depends on ranks alone, so the result of a floating-point sum is the same
// in every run.
#pragma once

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

template <typename __T> struct plus {
    __gcl_cg __T operator()(__T __left, __T __right) const {
        return __left + __right;
    }
};

template <typename __T> struct less {
    __gcl_cg __T operator()(__T __left, __T __right) const {
        return __right < __left ? __right : __left;
    }
};

template <typename __T> struct greater {
    __gcl_cg __T operator()(__T __left, __T __right) const {
        return __left < __right ? __right : __left;
    }
};

template <typename __T> struct bit_and {
    __gcl_cg __T operator()(__T __left, __T __right) const {
        return __left & __right;
    }
};

template <typename __T> struct bit_or {
    __gcl_cg __T operator()(__T __left, __T __right) const {
        return __left | __right;
    }
};

template <typename __T> struct bit_xor {
    __gcl_cg __T operator()(__T __left, __T __right) const {
        return __left ^ __right;
    }
};

/// Any operator: a tree of shuffles to rank 0, which then passes the result to all.
template <typename __operator, typename __T, bool __is_integer> struct __lane_reduction {
    template <typename __group, typename __function>
    static __gcl_cg __T __apply(const __group &__threads, __T __value, __function &__combine) {
        unsigned __mask = __threads.__lane_mask();
        unsigned __rank = __threads.thread_rank();
        unsigned __count = __threads.num_threads();
        for (unsigned __step = 1; __step < __count; __step *= 2) {
            bool __inside = __rank + __step < __count;
            __T __other = __shuffle(__mask, __value,
                                    __threads.__source_lane(__inside ? __rank + __step : __rank));
            if (__inside)
                __value = __combine(__value, __other);
        }
        return __shuffle(__mask, __value, __threads.__source_lane(0));
    }
};

#define __GCL_LANE_REDUCTION(__operator, __signed_name, __unsigned_name)                           \
    template <typename __T> struct __lane_reduction<__operator<__T>, __T, true> {                  \
        template <typename __group>                                                                \
        static __gcl_cg __T __apply(const __group &__threads, __T __value,                         \
                                    const __operator<__T> &) {                                     \
            unsigned __mask = __threads.__lane_mask();                                             \
            if (std::is_signed<__T>::value)                                                        \
                return (__T)__gcl_warp_reduce_##__signed_name(                                     \
                    __mask, (unsigned long long)(long long)__value);                               \
            return (__T)__gcl_warp_reduce_##__unsigned_name(__mask, (unsigned long long)__value);  \
        }                                                                                          \
    };
__GCL_LANE_REDUCTION(plus, add, add)
__GCL_LANE_REDUCTION(less, min_signed, min_unsigned)
__GCL_LANE_REDUCTION(greater, max_signed, max_unsigned)
__GCL_LANE_REDUCTION(bit_and, and, and)
__GCL_LANE_REDUCTION(bit_or, or, or)
__GCL_LANE_REDUCTION(bit_xor, xor, xor)
#undef __GCL_LANE_REDUCTION

template <bool __is_wide> struct __group_reduction {
    template <typename __group, typename __T, typename __operator>
    static __gcl_cg __T __apply(const __group &__threads, __T __value, __operator &__combine) {
        using __plain = typename std::decay<__operator>::type;
        constexpr bool __integral = std::is_integral<__T>::value && sizeof(__T) <= 8;
        return __lane_reduction<__plain, __T, __integral>::__apply(__threads, __value, __combine);
    }
};

// Of several warps: each for itself, then their results.
template <> struct __group_reduction<true> {
    template <typename __group, typename __T, typename __operator>
    static __gcl_cg __T __apply(const __group &__threads, __T __value, __operator &__combine) {
        auto __warp = tiled_partition<32>(this_thread_block());
        return __threads.__fold(__group_reduction<false>::__apply(__warp, __value, __combine),
                                __combine, __group::size() / 32);
    }
};

template <typename __group, typename __T, typename __operator>
inline __gcl_cg __T reduce(const __group &__threads, __T __value, __operator &&__combine) {
    return __group_reduction<__is_wide_tile<__group>::value>::__apply(__threads, __value,
                                                                      __combine);
}

template <typename __group, typename __T>
inline __gcl_cg __T reduce(const __group &__threads, __T __value) {
    return reduce(__threads, __value, plus<__T>());
}

/// Reduces, and one thread of the group stores the result.
template <typename __group, typename __T, typename __operator>
inline __gcl_cg void reduce_store_async(const __group &__threads, __T *__destination, __T __value,
                                        __operator &&__combine) {
    __T __result = reduce(__threads, __value, __combine);
    if (__threads.thread_rank() == 0)
        *__destination = __result;
}

} // namespace cooperative_groups

#endif
