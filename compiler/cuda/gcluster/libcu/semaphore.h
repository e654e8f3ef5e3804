// cuda::counting_semaphore: a number of passes, each with one thread at a time.
#ifndef GCLUSTER_LIBCU_SEMAPHORE_H
#define GCLUSTER_LIBCU_SEMAPHORE_H

#pragma GCC system_header

#include <stddef.h>

#include "count.h"
#include "scope.h"
#include "standard.h"

namespace cuda {

template <thread_scope scope, ptrdiff_t most = 0x7fffffff> class counting_semaphore {
  public:
    counting_semaphore() = default;
    GCL_LIBCU constexpr explicit counting_semaphore(ptrdiff_t count)
        : left(static_cast<int>(count)) {
    }
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    GCL_LIBCU void release(ptrdiff_t count = 1) {
        gcl::fence();
        gcl::add(&left, static_cast<int>(count));
    }
    GCL_LIBCU bool try_acquire() {
        int now = gcl::look(&left);
        bool has = now > 0 && gcl::change(&left, now, now - 1);
        gcl::fence();
        return has;
    }
    GCL_LIBCU void acquire() {
        while (!try_acquire())
            ;
    }
    static constexpr GCL_LIBCU ptrdiff_t max() {
        return most;
    }

  private:
    int left;
};

template <thread_scope scope> using binary_semaphore = counting_semaphore<scope, 1>;

namespace std {
template <ptrdiff_t most = 0x7fffffff>
using counting_semaphore = cuda::counting_semaphore<thread_scope_system, most>;
using binary_semaphore = cuda::binary_semaphore<thread_scope_system>;
} // namespace std

} // namespace cuda

#endif
