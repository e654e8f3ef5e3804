// Copies from global to shared memory that GPUs of sm_80 and newer make by themselves. On CPUs a
// copy is done when it is asked for.
#ifndef GCLUSTER_CUDA_PIPELINE_PRIMITIVES_H
#define GCLUSTER_CUDA_PIPELINE_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include "gcluster_cache.h"

/// Copies 4, 8 or 16 bytes, of which the last `__zeros` are 0 and aren't read.
__GCL_DEVICE void __pipeline_memcpy_async(void *__shared, const void *__global, size_t __size,
                                          size_t __zeros = 0) {
#if __CUDA_ARCH__ >= 800
    unsigned int __to = (unsigned int)__cvta_generic_to_shared(__shared);
    unsigned int __read = (unsigned int)(__size - __zeros);
    if (__size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(__to), "l"(__global), "r"(__read)
                     : "memory");
    else if (__size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(__to), "l"(__global), "r"(__read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(__to), "l"(__global), "r"(__read)
                     : "memory");
#else
    for (size_t __i = 0; __i < __size; __i++)
        ((char *)__shared)[__i] = __i < __size - __zeros ? ((const char *)__global)[__i] : 0;
#endif
}

/// What has been asked for since the last time becomes a batch.
__GCL_DEVICE void __pipeline_commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/// Waits for this thread's batches but the last `__prior`, of which 8 and more are taken for 8.
__GCL_DEVICE void __pipeline_wait_prior(size_t __prior) {
#if __CUDA_ARCH__ >= 800
#define __GCL_WAIT(__n)                                                                            \
    case __n:                                                                                      \
        asm volatile("cp.async.wait_group " #__n ";" : : : "memory");                              \
        break;
    switch (__prior < 8 ? __prior : 8) {
        __GCL_WAIT(0)
        __GCL_WAIT(1)
        __GCL_WAIT(2)
        __GCL_WAIT(3)
        __GCL_WAIT(4)
        __GCL_WAIT(5)
        __GCL_WAIT(6)
        __GCL_WAIT(7)
        __GCL_WAIT(8)
    }
#undef __GCL_WAIT
#else
    (void)__prior;
#endif
}

#endif

#endif
