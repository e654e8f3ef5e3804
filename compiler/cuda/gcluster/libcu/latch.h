// cuda::latch: a number that counts down, once.
#ifndef GCLUSTER_LIBCU_LATCH_H
#define GCLUSTER_LIBCU_LATCH_H

#pragma GCC system_header

#include <stddef.h>

#include "count.h"
#include "scope.h"
#include "standard.h"

namespace cuda {

template <thread_scope scope> class latch {
  public:
    latch() = default;
    GCL_LIBCU constexpr explicit latch(ptrdiff_t expected) : missing(static_cast<int>(expected)) {
    }
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    GCL_LIBCU void count_down(ptrdiff_t count = 1) {
        gcl::fence();
        gcl::add(&missing, -static_cast<int>(count));
    }
    GCL_LIBCU bool try_wait() const {
        bool over = gcl::look(&missing) == 0;
        gcl::fence();
        return over;
    }
    GCL_LIBCU void wait() const {
        while (gcl::look(&missing) != 0)
            ;
        gcl::fence();
    }
    GCL_LIBCU void arrive_and_wait(ptrdiff_t count = 1) {
        count_down(count);
        wait();
    }
    static constexpr GCL_LIBCU ptrdiff_t max() {
        return 0x7fffffff;
    }

  private:
    int missing;
};

namespace std {
using latch = cuda::latch<thread_scope_system>;
} // namespace std

} // namespace cuda

#endif
