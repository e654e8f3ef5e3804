// Copies made by all threads of a group. They are done when memcpy_async returns in each thread,
// so that waiting is one synchronisation of the group.
#pragma once

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

template <typename __word, typename __group>
inline __gcl_cg void __copy_words(const __group &__threads, void *__destination,
                                  const void *__source, size_t __count) {
    for (size_t __i = __threads.thread_rank(); __i < __count; __i += __threads.num_threads())
        static_cast<__word *>(__destination)[__i] = static_cast<const __word *>(__source)[__i];
}

template <typename __group>
inline __gcl_cg void __copy_bytes(const __group &__threads, void *__destination,
                                  const void *__source, size_t __size) {
    size_t __joint = (size_t)__destination | (size_t)__source | __size;
    if (__joint % 8 == 0)
        __copy_words<unsigned long long>(__threads, __destination, __source, __size / 8);
    else if (__joint % 4 == 0)
        __copy_words<unsigned>(__threads, __destination, __source, __size / 4);
    else
        __copy_words<unsigned char>(__threads, __destination, __source, __size);
}

/// Copies `__size` bytes; the size may be an integer or cuda::aligned_size_t.
template <typename __group, typename __T, typename __shape>
inline __gcl_cg void memcpy_async(const __group &__threads, __T *__destination, const __T *__source,
                                  const __shape &__size) {
    __copy_bytes(__threads, __destination, __source, static_cast<size_t>(__size));
}

template <typename __group, typename __shape>
inline __gcl_cg void memcpy_async(const __group &__threads, void *__destination,
                                  const void *__source, const __shape &__size) {
    __copy_bytes(__threads, __destination, __source, static_cast<size_t>(__size));
}

/// Copies as many elements as both sides hold.
template <typename __group, typename __T, typename __to, typename __from>
inline __gcl_cg void memcpy_async(const __group &__threads, __T *__destination,
                                  const __to &__destination_count, const __T *__source,
                                  const __from &__source_count) {
    size_t __room = static_cast<size_t>(__destination_count);
    size_t __count = static_cast<size_t>(__source_count);
    __copy_bytes(__threads, __destination, __source,
                 (__room < __count ? __room : __count) * sizeof(__T));
}

template <typename __group> inline __gcl_cg void wait(const __group &__threads) {
    __threads.sync();
}

/// Waits until at most `__stages` of the latest copies are still under way.
template <unsigned __stages, typename __group>
inline __gcl_cg void wait_prior(const __group &__threads) {
    __threads.sync();
}

} // namespace cooperative_groups

#endif
