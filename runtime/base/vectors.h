// Functions that are compiled for each level of the processor that has longer vectors.
#ifndef GCL_BASE_VECTORS_H
#define GCL_BASE_VECTORS_H

/// Of a function that GCL_IN_VECTORS is about.
#define GCL_IN_VECTORS_INLINE __attribute__((always_inline)) static inline

/// Defines function `name` as `name`_plain, compiled for the processor that it runs on. (No
/// target_clones: TSan can't have their resolvers.)
#if defined __x86_64__
#define GCL_IN_VECTORS(type, name, parameters, arguments)                                          \
    __attribute__((target("arch=x86-64-v4"))) static type name##_v4 parameters {                   \
        return name##_plain arguments;                                                             \
    }                                                                                              \
    __attribute__((target("arch=x86-64-v3"))) static type name##_v3 parameters {                   \
        return name##_plain arguments;                                                             \
    }                                                                                              \
    static type name parameters {                                                                  \
        return __builtin_cpu_supports("x86-64-v4")   ? name##_v4 arguments                         \
               : __builtin_cpu_supports("x86-64-v3") ? name##_v3 arguments                         \
                                                     : name##_plain arguments;                     \
    }
#else
#define GCL_IN_VECTORS(type, name, parameters, arguments)                                          \
    static type name parameters {                                                                  \
        return name##_plain arguments;                                                             \
    }
#endif

#endif
