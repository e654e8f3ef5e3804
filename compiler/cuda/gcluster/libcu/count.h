// Numbers in memory by which threads wait for each other: on devices by the functions of CUDA's
// that the compiler knows, on hosts by its builtins. All are told of all, in the strictest order.
#ifndef GCLUSTER_LIBCU_COUNT_H
#define GCLUSTER_LIBCU_COUNT_H

#pragma GCC system_header

#include "scope.h"

namespace cuda {
namespace gcl {

GCL_LIBCU void fence() {
#ifdef __CUDA_ARCH__
    __threadfence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
/// What it was.
template <class Number> GCL_LIBCU Number add(Number *where, Number what) {
#ifdef __CUDA_ARCH__
    return atomicAdd(where, what);
#else
    return __atomic_fetch_add(where, what, __ATOMIC_SEQ_CST);
#endif
}
template <class Number> GCL_LIBCU void set(Number *where, Number what) {
#ifdef __CUDA_ARCH__
    atomicExch(where, what);
#else
    __atomic_store_n(where, what, __ATOMIC_SEQ_CST);
#endif
}
/// Whether it was `from`, and has become `to`.
template <class Number> GCL_LIBCU bool change(Number *where, Number from, Number to) {
#ifdef __CUDA_ARCH__
    return atomicCAS(where, from, to) == from;
#else
    return __atomic_compare_exchange_n(where, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}
template <class Number> GCL_LIBCU Number look(const Number *where) {
    return *const_cast<const volatile Number *>(where);
}

} // namespace gcl
} // namespace cuda

#endif
