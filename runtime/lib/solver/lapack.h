// LAPACK's and BLAS' routines as OpenBLAS has them: Fortran's, so that all arguments are pointers,
// and the lengths of strings, all 1, come last.
//
// Each becomes a table by type of what has the same arguments in all types.
#ifndef GCL_LIB_SOLVER_LAPACK_H
#define GCL_LIB_SOLVER_LAPACK_H

#include <stddef.h>

/// Declares a routine of other names for complex numbers.
#define GCL_LAPACK_BY_NAMES(table, s, d, c, z, ...)                                                \
    void s##_(__VA_ARGS__);                                                                        \
    void d##_(__VA_ARGS__);                                                                        \
    void c##_(__VA_ARGS__);                                                                        \
    void z##_(__VA_ARGS__);                                                                        \
    static void (*const table[])(__VA_ARGS__) = {s##_, d##_, c##_, z##_};

#define GCL_LAPACK(name, ...)                                                                      \
    GCL_LAPACK_BY_NAMES(name, s##name, d##name, c##name, z##name, __VA_ARGS__)

/// Declares a routine of real numbers, and another of complex ones.
#define GCL_LAPACK_REAL(name, table, ...)                                                          \
    void s##name##_(__VA_ARGS__);                                                                  \
    void d##name##_(__VA_ARGS__);                                                                  \
    static void (*const table[])(__VA_ARGS__) = {s##name##_, d##name##_};
#define GCL_LAPACK_COMPLEX(name, table, ...)                                                       \
    void c##name##_(__VA_ARGS__);                                                                  \
    void z##name##_(__VA_ARGS__);                                                                  \
    static void (*const table[])(__VA_ARGS__) = {NULL, NULL, c##name##_, z##name##_};

#endif
