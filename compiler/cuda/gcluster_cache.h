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
__GCL_LOAD(__ldcg)
__GCL_LOAD(__ldcs)
__GCL_LOAD(__ldlu)
__GCL_STORE(__stcg)
__GCL_STORE(__stcs)
__GCL_STORE(__stwb)
__GCL_STORE(__stwt)

#undef __GCL_LOAD
#undef __GCL_STORE

/// A load that must not be served from an earlier one.
template <class __type> __GCL_DEVICE_TEMPLATE __type __ldcv(const __type *__p) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __type __v = *__p;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return __v;
}

// Address spaces: all memory is in one, so pointers stay what they are, and nothing tells which
// kind of memory they lead to.
#define __GCL_ASKS_SPACE(__name)                                                                   \
    __GCL_EXTERN __attribute__((                                                                   \
        unavailable("pointers do not tell which memory they lead to"))) unsigned int               \
    __name(const void *__p);
__GCL_ASKS_SPACE(__isGlobal)
__GCL_ASKS_SPACE(__isShared)
__GCL_ASKS_SPACE(__isConstant)
__GCL_ASKS_SPACE(__isLocal)
__GCL_ASKS_SPACE(__isGridConstant)
#undef __GCL_ASKS_SPACE

__GCL_DEVICE unsigned long long __cvta_generic_to_global(const void *__p) {
    return (unsigned long long)__p;
}
__GCL_DEVICE unsigned long long __cvta_generic_to_shared(const void *__p) {
    return (unsigned long long)__p;
}
__GCL_DEVICE unsigned long long __cvta_generic_to_local(const void *__p) {
    return (unsigned long long)__p;
}
__GCL_DEVICE unsigned long long __cvta_generic_to_constant(const void *__p) {
    return (unsigned long long)__p;
}
__GCL_DEVICE void *__cvta_global_to_generic(unsigned long long __p) {
    return (void *)__p;
}
__GCL_DEVICE void *__cvta_shared_to_generic(unsigned long long __p) {
    return (void *)__p;
}
__GCL_DEVICE void *__cvta_local_to_generic(unsigned long long __p) {
    return (void *)__p;
}
__GCL_DEVICE void *__cvta_constant_to_generic(unsigned long long __p) {
    return (void *)__p;
}

#endif
