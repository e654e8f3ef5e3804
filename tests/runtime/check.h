// cmocka, and what most tests of the API do.
#ifndef GCL_TEST_CHECK_H
#define GCL_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "gcluster.h"

#define check_success(call) assert_int_equal((call), gclSuccess)
#define check_error(call, error) assert_int_equal((call), (error))

static inline void pause_ms(int ms) {
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

static inline double ms_since(uint64_t begin_ns) {
    return (double)(gcl_clock_ns() - begin_ns) / 1e6;
}

#endif
