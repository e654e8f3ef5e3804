// nvcuda::experimental::pipeline: batches of copies from global to shared memory.
#ifndef GCLUSTER_CUDA_PIPELINE_H
#define GCLUSTER_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#define __GCL_PIPELINE inline __attribute__((device, always_inline, nodebug))

namespace nvcuda {
namespace experimental {

/// A thread's batches in their order, counted from 0.
class pipeline {
  public:
    __GCL_PIPELINE pipeline() : __count(0) {
    }
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /// Returns the number of the batch that ends here.
    __GCL_PIPELINE size_t commit() {
        __pipeline_commit();
        return __count++;
    }
    __GCL_PIPELINE void wait(size_t __batch) {
        __pipeline_wait_prior(__count > __batch ? __count - __batch - 1 : 0);
    }
    __GCL_PIPELINE void commit_and_wait() {
        wait(commit());
    }
    template <unsigned __prior> __GCL_PIPELINE void wait_prior() {
        __pipeline_wait_prior(__prior);
    }

  private:
    size_t __count;
};

/// The largest piece that a copy of type `__type` falls into; 0: it isn't made of words.
template <class __type> struct __piece {
    static constexpr size_t __least = alignof(__type) < 16 ? alignof(__type) : 16;
    static constexpr size_t __size = __least < 4 ? 0 : __least;
};

template <class __type>
__GCL_PIPELINE void memcpy_async(__type &__to, const __type &__from, pipeline &) {
    constexpr size_t __size = __piece<__type>::__size;
    if (__size == 0)
        __to = __from;
#pragma unroll
    for (size_t __i = 0; __size > 0 && __i < sizeof(__type); __i += __size)
        __pipeline_memcpy_async((char *)&__to + __i, (const char *)&__from + __i, __size);
}
/// Elements beyond those of the source become 0.
template <class __type, size_t __room, size_t __count>
__GCL_PIPELINE void memcpy_async(__type (*__to)[__room], const __type (*__from)[__count],
                                 pipeline &__pipe) {
    static_assert(__count <= __room, "more elements than there is room for");
    __type __zero = {};
#pragma unroll
    for (size_t __i = 0; __i < __room; __i++) {
        if (__i < __count)
            memcpy_async((*__to)[__i], (*__from)[__i], __pipe);
        else
            (*__to)[__i] = __zero;
    }
}
/// The first elements of an array as one of known length.
template <size_t __count, class __type>
__GCL_PIPELINE auto segment(__type *__p) -> __type (*)[__count] {
    return (__type(*)[__count])__p;
}

} // namespace experimental
} // namespace nvcuda

#undef __GCL_PIPELINE

#endif

#endif
