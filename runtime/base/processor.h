// What the processor that this runs on offers.
#ifndef GCL_BASE_PROCESSOR_H
#define GCL_BASE_PROCESSOR_H

#include "gcluster/kernel.h"

/// The highest enum gcl_cpu_level whose code it runs.
static inline uint32_t gcl_processor_level(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4"))
        return GCL_CPU_V4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return GCL_CPU_V3;
    if (__builtin_cpu_supports("x86-64-v2"))
        return GCL_CPU_V2;
#endif
    return GCL_CPU_ANY;
}

#endif
