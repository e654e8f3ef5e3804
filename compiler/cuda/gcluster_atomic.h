// atomicAdd() and kin, on global and shared memory.
//
// Each is one atomic instruction of the intermediate code where there is one, else a loop that
// compares and swaps. They order nothing, as in CUDA. A scope (_block) allows what is weaker; what
// the host and other devices are to see as well (_system) is volatile, which tells the code
// generator for GPUs.
#ifndef GCLUSTER_ATOMIC_H
#define GCLUSTER_ATOMIC_H

#include "gcluster_base.h"
#include "vector_types.h"

/// `__type` itself, where template arguments must not be deduced from a value.
template <class __type> struct __gcl_same {
    typedef __type type;
};
/// Types that CUDA's own overloads leave out though their size is supported.
template <class __type> struct __gcl_atomic_other {};
template <> struct __gcl_atomic_other<long> {
    typedef long type;
};
template <> struct __gcl_atomic_other<unsigned long> {
    typedef unsigned long type;
};
template <> struct __gcl_atomic_other<long long> {
    typedef long long type;
};
/// CUDA lacks one of its operations alone, atomicSub, which programs define.
template <> struct __gcl_atomic_other<unsigned long long> {
    typedef unsigned long long type;
};

/// Replaces `*__p` by `__expression` of its value `__old`.
#define __GCL_ATOMIC_LOOP(__type, __expression)                                                    \
    __type __old = __atomic_load_n(__p, __ATOMIC_RELAXED);                                         \
    while (!__atomic_compare_exchange_n(__p, &__old, (__expression), false, __ATOMIC_RELAXED,      \
                                        __ATOMIC_RELAXED))                                         \
        ;                                                                                          \
    return __old;

/// One operation for one type.
#define __GCL_ATOMIC(__name, __type, __body)                                                       \
    __GCL_DEVICE __type __name(__type *__p, __type __v){                                           \
        __body} __GCL_DEVICE __type __name##_system(__type *__address, __type __v) {               \
        volatile __type *__p = __address;                                                          \
        __body                                                                                     \
    }
/// An operation's weaker scope.
#define __GCL_ATOMIC_BLOCK(__name)                                                                 \
    template <class __type>                                                                        \
    __GCL_DEVICE_TEMPLATE __type __name##_block(__type *__p,                                       \
                                                typename __gcl_same<__type>::type __v) {           \
        return __name(__p, __v);                                                                   \
    }
#define __GCL_ATOMIC_OTHER_SCOPE(__name, __builtin, __qualifier)                                   \
    template <class __type>                                                                        \
    __GCL_DEVICE_TEMPLATE typename __gcl_atomic_other<__type>::type __name(                        \
        __type *__p, typename __gcl_same<__type>::type __v) {                                      \
        return __builtin((__qualifier __type *)__p, __v, __ATOMIC_RELAXED);                        \
    }
/// One operation for the types that nvcc leaves out, long and size_t among them.
#define __GCL_ATOMIC_OTHER(__name, __builtin)                                                      \
    __GCL_ATOMIC_OTHER_SCOPE(__name, __builtin, )                                                  \
    __GCL_ATOMIC_OTHER_SCOPE(__name##_system, __builtin, volatile)

#define __GCL_ATOMIC_ADD(__type)                                                                   \
    __GCL_ATOMIC(atomicAdd, __type, return __atomic_fetch_add(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_SUB(__type)                                                                   \
    __GCL_ATOMIC(atomicSub, __type, return __atomic_fetch_sub(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_EXCH(__type)                                                                  \
    __GCL_ATOMIC(atomicExch, __type, return __atomic_exchange_n(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_MIN(__type)                                                                   \
    __GCL_ATOMIC(atomicMin, __type, return __atomic_fetch_min(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_MAX(__type)                                                                   \
    __GCL_ATOMIC(atomicMax, __type, return __atomic_fetch_max(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_AND(__type)                                                                   \
    __GCL_ATOMIC(atomicAnd, __type, return __atomic_fetch_and(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_OR(__type)                                                                    \
    __GCL_ATOMIC(atomicOr, __type, return __atomic_fetch_or(__p, __v, __ATOMIC_RELAXED);)
#define __GCL_ATOMIC_XOR(__type)                                                                   \
    __GCL_ATOMIC(atomicXor, __type, return __atomic_fetch_xor(__p, __v, __ATOMIC_RELAXED);)

__GCL_ATOMIC_ADD(int)
__GCL_ATOMIC_ADD(unsigned int)
__GCL_ATOMIC_ADD(unsigned long long)
__GCL_ATOMIC_ADD(float)
__GCL_ATOMIC_ADD(double)
__GCL_ATOMIC_OTHER(atomicAdd, __atomic_fetch_add)

__GCL_ATOMIC_SUB(int)
__GCL_ATOMIC_SUB(unsigned int)
__GCL_ATOMIC_OTHER(atomicSub, __atomic_fetch_sub)

__GCL_ATOMIC_EXCH(int)
__GCL_ATOMIC_EXCH(unsigned int)
__GCL_ATOMIC_EXCH(unsigned long long)
__GCL_ATOMIC(atomicExch, float, __atomic_exchange(__p, &__v, &__v, __ATOMIC_RELAXED); return __v;)
__GCL_ATOMIC(atomicExch, double, __atomic_exchange(__p, &__v, &__v, __ATOMIC_RELAXED); return __v;)
__GCL_ATOMIC_OTHER(atomicExch, __atomic_exchange_n)

__GCL_ATOMIC_MIN(int)
__GCL_ATOMIC_MIN(unsigned int)
__GCL_ATOMIC_MIN(unsigned long long)
__GCL_ATOMIC_OTHER(atomicMin, __atomic_fetch_min)
__GCL_ATOMIC_MAX(int)
__GCL_ATOMIC_MAX(unsigned int)
__GCL_ATOMIC_MAX(unsigned long long)
__GCL_ATOMIC_OTHER(atomicMax, __atomic_fetch_max)

__GCL_ATOMIC_AND(int)
__GCL_ATOMIC_AND(unsigned int)
__GCL_ATOMIC_AND(unsigned long long)
__GCL_ATOMIC_OTHER(atomicAnd, __atomic_fetch_and)
__GCL_ATOMIC_OR(int)
__GCL_ATOMIC_OR(unsigned int)
__GCL_ATOMIC_OR(unsigned long long)
__GCL_ATOMIC_OTHER(atomicOr, __atomic_fetch_or)
__GCL_ATOMIC_XOR(int)
__GCL_ATOMIC_XOR(unsigned int)
__GCL_ATOMIC_XOR(unsigned long long)
__GCL_ATOMIC_OTHER(atomicXor, __atomic_fetch_xor)

__GCL_ATOMIC(atomicInc, unsigned int,
             __GCL_ATOMIC_LOOP(unsigned int, __old >= __v ? 0u : __old + 1u))
__GCL_ATOMIC(atomicDec, unsigned int,
             __GCL_ATOMIC_LOOP(unsigned int, __old == 0u || __old > __v ? __v : __old - 1u))

// Nothing of the program moves past a comparison, as locks are made of it; for other threads it
// orders nothing, which the order on failure tells the code generator for GPUs.
#define __GCL_ATOMIC_CAS_SCOPE(__name, __type, __qualifier)                                        \
    __GCL_DEVICE __type __name(__type *__p, __type __compare, __type __v) {                        \
        __atomic_compare_exchange_n((__qualifier __type *)__p, &__compare, __v, false,             \
                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);                           \
        return __compare;                                                                          \
    }
#define __GCL_ATOMIC_CAS(__type)                                                                   \
    __GCL_ATOMIC_CAS_SCOPE(atomicCAS, __type, )                                                    \
    __GCL_ATOMIC_CAS_SCOPE(atomicCAS_system, __type, volatile)
__GCL_ATOMIC_CAS(int)
__GCL_ATOMIC_CAS(unsigned int)
__GCL_ATOMIC_CAS(unsigned long long)
__GCL_ATOMIC_CAS(unsigned short)
#undef __GCL_ATOMIC_CAS_SCOPE

#define __GCL_ATOMIC_CAS_SCOPE(__name, __qualifier)                                                \
    template <class __type>                                                                        \
    __GCL_DEVICE_TEMPLATE typename __gcl_atomic_other<__type>::type __name(                        \
        __type *__p, typename __gcl_same<__type>::type __compare,                                  \
        typename __gcl_same<__type>::type __v) {                                                   \
        __atomic_compare_exchange_n((__qualifier __type *)__p, &__compare, __v, false,             \
                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);                           \
        return __compare;                                                                          \
    }
__GCL_ATOMIC_CAS_SCOPE(atomicCAS, )
__GCL_ATOMIC_CAS_SCOPE(atomicCAS_system, volatile)
#undef __GCL_ATOMIC_CAS_SCOPE

template <class __type>
__GCL_DEVICE_TEMPLATE __type atomicCAS_block(__type *__p,
                                             typename __gcl_same<__type>::type __compare,
                                             typename __gcl_same<__type>::type __v) {
    return atomicCAS(__p, __compare, __v);
}

// A vector is added element by element: that is all CUDA promises.
#define __GCL_ATOMIC_VECTORS(__name)                                                               \
    __GCL_DEVICE float2 __name(float2 *__p, float2 __v) {                                          \
        return {__name(&__p->x, __v.x), __name(&__p->y, __v.y)};                                   \
    }                                                                                              \
    __GCL_DEVICE float4 __name(float4 *__p, float4 __v) {                                          \
        return {__name(&__p->x, __v.x), __name(&__p->y, __v.y), __name(&__p->z, __v.z),            \
                __name(&__p->w, __v.w)};                                                           \
    }
__GCL_ATOMIC_VECTORS(atomicAdd)
__GCL_ATOMIC_VECTORS(atomicAdd_system)
#undef __GCL_ATOMIC_VECTORS

__GCL_ATOMIC_BLOCK(atomicAdd)
__GCL_ATOMIC_BLOCK(atomicSub)
__GCL_ATOMIC_BLOCK(atomicExch)
__GCL_ATOMIC_BLOCK(atomicMin)
__GCL_ATOMIC_BLOCK(atomicMax)
__GCL_ATOMIC_BLOCK(atomicInc)
__GCL_ATOMIC_BLOCK(atomicDec)
__GCL_ATOMIC_BLOCK(atomicAnd)
__GCL_ATOMIC_BLOCK(atomicOr)
__GCL_ATOMIC_BLOCK(atomicXor)

#undef __GCL_ATOMIC_BLOCK
#undef __GCL_ATOMIC_OTHER_SCOPE
#undef __GCL_ATOMIC_ADD
#undef __GCL_ATOMIC_SUB
#undef __GCL_ATOMIC_EXCH
#undef __GCL_ATOMIC_MIN
#undef __GCL_ATOMIC_MAX
#undef __GCL_ATOMIC_AND
#undef __GCL_ATOMIC_OR
#undef __GCL_ATOMIC_XOR
#undef __GCL_ATOMIC_OTHER
#undef __GCL_ATOMIC_CAS

// CUDA's own spelling of the compiler's atomics, with a scope behind: whatever it is, ours are as
// strong.
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

/// Tells a sequential comparison of the program's from atomicCAS.
__GCL_DEVICE constexpr int __gcl_failure_order(int __success, int __failure) {
    return __success == __ATOMIC_SEQ_CST ? __ATOMIC_SEQ_CST : __failure;
}
#define __nv_atomic_load_n(__p, __order, ...) __atomic_load_n(__p, __order)
#define __nv_atomic_load(__p, __v, __order, ...) __atomic_load(__p, __v, __order)
#define __nv_atomic_store_n(__p, __v, __order, ...) __atomic_store_n(__p, __v, __order)
#define __nv_atomic_store(__p, __v, __order, ...) __atomic_store(__p, __v, __order)
#define __nv_atomic_exchange_n(__p, __v, __order, ...) __atomic_exchange_n(__p, __v, __order)
#define __nv_atomic_exchange(__p, __v, __old, __order, ...)                                        \
    __atomic_exchange(__p, __v, __old, __order)
#define __nv_atomic_compare_exchange_n(__p, __old, __v, __weak, __success, __failure, ...)         \
    __atomic_compare_exchange_n(__p, __old, __v, __weak, __success,                                \
                                __gcl_failure_order(__success, __failure))
#define __nv_atomic_compare_exchange(__p, __old, __v, __weak, __success, __failure, ...)           \
    __atomic_compare_exchange(__p, __old, __v, __weak, __success,                                  \
                              __gcl_failure_order(__success, __failure))
#define __nv_atomic_fetch_add(__p, __v, __order, ...) __atomic_fetch_add(__p, __v, __order)
#define __nv_atomic_fetch_sub(__p, __v, __order, ...) __atomic_fetch_sub(__p, __v, __order)
#define __nv_atomic_fetch_and(__p, __v, __order, ...) __atomic_fetch_and(__p, __v, __order)
#define __nv_atomic_fetch_or(__p, __v, __order, ...) __atomic_fetch_or(__p, __v, __order)
#define __nv_atomic_fetch_xor(__p, __v, __order, ...) __atomic_fetch_xor(__p, __v, __order)
#define __nv_atomic_fetch_min(__p, __v, __order, ...) __atomic_fetch_min(__p, __v, __order)
#define __nv_atomic_fetch_max(__p, __v, __order, ...) __atomic_fetch_max(__p, __v, __order)
#define __nv_atomic_add(__p, __v, __order, ...) ((void)__atomic_fetch_add(__p, __v, __order))
#define __nv_atomic_sub(__p, __v, __order, ...) ((void)__atomic_fetch_sub(__p, __v, __order))
#define __nv_atomic_and(__p, __v, __order, ...) ((void)__atomic_fetch_and(__p, __v, __order))
#define __nv_atomic_or(__p, __v, __order, ...) ((void)__atomic_fetch_or(__p, __v, __order))
#define __nv_atomic_xor(__p, __v, __order, ...) ((void)__atomic_fetch_xor(__p, __v, __order))
#define __nv_atomic_min(__p, __v, __order, ...) ((void)__atomic_fetch_min(__p, __v, __order))
#define __nv_atomic_max(__p, __v, __order, ...) ((void)__atomic_fetch_max(__p, __v, __order))
#define __nv_atomic_thread_fence(__order, ...) __atomic_thread_fence(__order)

#endif
