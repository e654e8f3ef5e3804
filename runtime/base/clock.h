// The runtime's clock.
#ifndef GCL_BASE_CLOCK_H
#define GCL_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Nanoseconds since some moment before the program began; never goes back.
static inline uint64_t gcl_clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// The time in so many nanoseconds, as condition variables have it.
static inline struct timespec gcl_clock_in(uint64_t ns) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t end = (uint64_t)t.tv_nsec + ns;
    return (struct timespec){.tv_sec = t.tv_sec + (time_t)(end / 1000000000),
                             .tv_nsec = (long)(end % 1000000000)};
}

/// Tells the core that the caller spins.
static inline void gcl_clock_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
