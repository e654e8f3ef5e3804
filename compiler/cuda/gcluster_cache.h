// Loads and stores with advice for caches that only a GPU has: here they are plain ones.
#ifndef GCLUSTER_CACHE_H
#define GCLUSTER_CACHE_H

#include "gcluster_base.h"

#include "gcluster_atomic.h" // __gcl_same

// Templates over every type, so that half and vectors are in: nvcc has a list of types.
#define __GCL_LOAD(__name)                                                                         \
    template <class __type> __GCL_DEVICE_TEMPLATE __type __name(const __type *__p) {               \
        return *__p;                                                                               \
    }
#define __GCL_STORE(__name)                                                                        \
    template <class __type>                                                                        \
    __GCL_DEVICE_TEMPLATE void __name(__type *__p, typename __gcl_same<__type>::type __v) {        \
        *__p = __v;                                                                                \
    }

__GCL_LOAD(__ldg)
__GCL_LOAD(__ldca)
__GCL_LOAD(__ldcs)
__GCL_LOAD(__ldlu)
__GCL_STORE(__stcg)
__GCL_STORE(__stcs)
__GCL_STORE(__stwb)
__GCL_STORE(__stwt)

#undef __GCL_LOAD
#undef __GCL_STORE

// A load past the first cache sees what others have written since the last one, so that a loop may
// wait for it: scalars are loaded each time.
template <bool __is_scalar> struct __gcl_cached {
    template <class __type> static __GCL_DEVICE_TEMPLATE __type __load(const __type *__p) {
        return *(const volatile __type *)__p;
    }
};
template <> struct __gcl_cached<false> {
    template <class __type> static __GCL_DEVICE_TEMPLATE __type __load(const __type *__p) {
        return *__p;
    }
};
template <class __type> __GCL_DEVICE_TEMPLATE __type __ldcg(const __type *__p) {
    return __gcl_cached<__is_scalar(__type)>::__load(__p);
}

/// A load that must not be served from an earlier one.
template <class __type> __GCL_DEVICE_TEMPLATE __type __ldcv(const __type *__p) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __type __v = __gcl_cached<__is_scalar(__type)>::__load(__p);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return __v;
}

// Address spaces. Addresses of shared memory count from where that of the block begins, so that
// they fit into 32 bits; the others are addresses like all others.
#define __GCL_ASKS_SPACE(__name, __space)                                                          \
    __GCL_DEVICE unsigned int __name(const void *__p) {                                            \
        unsigned int __is;                                                                         \
        asm("{ .reg .pred p; isspacep." __space " p, %1; selp.u32 %0, 1, 0, p; }"                  \
            : "=r"(__is)                                                                           \
            : "l"(__p));                                                                           \
        return __is;                                                                               \
    }
__GCL_ASKS_SPACE(__isGlobal, "global")
__GCL_ASKS_SPACE(__isShared, "shared")
__GCL_ASKS_SPACE(__isConstant, "const")
__GCL_ASKS_SPACE(__isLocal, "local")
__GCL_ASKS_SPACE(__isGridConstant, "param")
#undef __GCL_ASKS_SPACE

#define __GCL_CONVERTS(__name, __space)                                                            \
    __GCL_DEVICE __SIZE_TYPE__ __cvta_generic_to_##__name(const void *__p) {                       \
        __SIZE_TYPE__ __address;                                                                   \
        asm("cvta.to." __space ".u64 %0, %1;" : "=l"(__address) : "l"(__p));                       \
        return __address;                                                                          \
    }                                                                                              \
    __GCL_DEVICE void *__cvta_##__name##_to_generic(__SIZE_TYPE__ __address) {                     \
        void *__p;                                                                                 \
        asm("cvta." __space ".u64 %0, %1;" : "=l"(__p) : "l"(__address));                          \
        return __p;                                                                                \
    }
__GCL_CONVERTS(global, "global")
__GCL_CONVERTS(shared, "shared")
__GCL_CONVERTS(local, "local")
__GCL_CONVERTS(constant, "const")
#undef __GCL_CONVERTS

#endif
