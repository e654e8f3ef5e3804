// cuda::barrier, and copies that arrive at one: these are done when memcpy_async returns. Threads
// that wait look again and again at a number that the last to arrive counts up.
#ifndef GCLUSTER_LIBCU_BARRIER_H
#define GCLUSTER_LIBCU_BARRIER_H

#pragma GCC system_header

#include <stddef.h>

#include "count.h"
#include "scope.h"
#include "standard.h"

namespace cuda {

/// A size in bytes that is a multiple of `alignment`.
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;

    GCL_LIBCU constexpr explicit aligned_size_t(size_t size) : value(size) {
    }
    GCL_LIBCU constexpr operator size_t() const {
        return value;
    }
};

namespace gcl {

struct no_completion {
    GCL_LIBCU void operator()() const noexcept {
    }
};

} // namespace gcl

template <thread_scope scope, class Completion = gcl::no_completion> class barrier {
  public:
    typedef unsigned arrival_token; ///< the phase that the arrival belongs to

    barrier() = default;
    GCL_LIBCU constexpr explicit barrier(ptrdiff_t expected, Completion completion = Completion())
        : expected(static_cast<int>(expected)), missing(static_cast<int>(expected)), phase(0),
          completion(completion) {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    GCL_LIBCU arrival_token arrive(ptrdiff_t count = 1) {
        gcl::fence();
        unsigned now = gcl::add(&phase, 0u);
        if (gcl::add(&missing, -static_cast<int>(count)) == count) {
            completion();
            gcl::set(&missing, gcl::add(&expected, 0));
            gcl::fence();
            gcl::add(&phase, 1u);
        }
        return now;
    }
    GCL_LIBCU void wait(arrival_token token) const {
        while (!is_over(token))
            ;
        gcl::fence();
    }
    GCL_LIBCU void wait_parity(bool parity) const {
        while ((gcl::look(&phase) & 1) == parity)
            ;
        gcl::fence();
    }
    GCL_LIBCU bool try_wait(arrival_token token) const {
        bool over = is_over(token);
        gcl::fence();
        return over;
    }
    GCL_LIBCU void arrive_and_wait() {
        wait(arrive());
    }
    GCL_LIBCU void arrive_and_drop() {
        gcl::add(&expected, -1);
        arrive();
    }
    static constexpr GCL_LIBCU ptrdiff_t max() {
        return (1 << 20) - 1;
    }

    template <thread_scope s, class C>
    friend __host__ __device__ void init(barrier<s, C> *bar, ptrdiff_t expected, C completion);

  private:
    GCL_LIBCU bool is_over(arrival_token token) const {
        return gcl::look(&phase) != token;
    }

    int expected; ///< threads
    int missing;  ///< of this phase
    unsigned phase;
    Completion completion;
};

template <thread_scope scope, class Completion>
inline __host__ __device__ void init(barrier<scope, Completion> *bar, ptrdiff_t expected,
                                     Completion completion) {
    bar->expected = bar->missing = static_cast<int>(expected);
    bar->phase = 0;
    bar->completion = completion;
}
template <thread_scope scope, class Completion>
inline __host__ __device__ void init(barrier<scope, Completion> *bar, ptrdiff_t expected) {
    init(bar, expected, Completion());
}

namespace gcl {

template <class Word>
GCL_LIBCU void copy_words(void *to, const void *from, size_t size, size_t first, size_t step) {
    for (size_t i = first; i < size / sizeof(Word); i += step)
        static_cast<Word *>(to)[i] = static_cast<const Word *>(from)[i];
}

/// What thread `first` of `step` threads copies of `size` bytes.
GCL_LIBCU void copy(void *to, const void *from, size_t size, size_t first, size_t step) {
    size_t joint = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | size;
    if (joint % 16 == 0)
        copy_words<uint4>(to, from, size, first, step);
    else if (joint % 4 == 0)
        copy_words<unsigned>(to, from, size, first, step);
    else
        copy_words<unsigned char>(to, from, size, first, step);
}

} // namespace gcl

/// By one thread; `size`: bytes, or an aligned_size_t.
template <class Size, thread_scope scope, class Completion>
__device__ void memcpy_async(void *to, const void *from, Size size, barrier<scope, Completion> &) {
    gcl::copy(to, from, static_cast<size_t>(size), 0, 1);
}
/// By the threads of a group.
template <class Group, class Size, thread_scope scope, class Completion>
__device__ void memcpy_async(const Group &group, void *to, const void *from, Size size,
                             barrier<scope, Completion> &) {
    gcl::copy(to, from, static_cast<size_t>(size), group.thread_rank(), group.size());
}

namespace std {
template <class Completion = gcl::no_completion>
using barrier = cuda::barrier<thread_scope_system, Completion>;
} // namespace std

} // namespace cuda

#endif
