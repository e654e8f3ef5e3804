// cuda::thread_scope and orders of memory. On CPUs and in PTX atomic operations are made for all
// threads of the system, whatever the scope.
#ifndef GCLUSTER_LIBCU_SCOPE_H
#define GCLUSTER_LIBCU_SCOPE_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include <atomic>

#define GCL_LIBCU __host__ __device__ __forceinline__

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread,
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

GCL_LIBCU void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) {
#ifdef __CUDA_ARCH__
    __threadfence_system();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

} // namespace cuda

#endif
