// The operations by which elements are reduced, each a row of one list: for the host (combine.c),
// and for GPUs (exec/device/cuda/library), which give the same bit by bit.
#ifndef GCL_PLAN_OPERATIONS_H
#define GCL_PLAN_OPERATIONS_H

#include <stdint.h>

// As fmin and fmax: of a number and what is none, the number. Of 0.0 and -0.0, the first.
#define GCL_LEAST(a, b) ((b) < (a) || (a) != (a) ? (b) : (a))
#define GCL_MOST(a, b) ((b) > (a) || (a) != (a) ? (b) : (a))

/// X(name, reduction, type, neutral, result of a and b). A float's -0.0 is neutral where 0.0 isn't.
/// A name is that of the reduction (gcl_reduction_names) and an element's bits.
#define GCL_OPERATIONS(X)                                                                          \
    X(add32, ADD, uint32_t, 0, a + b)                                                              \
    X(add64, ADD, uint64_t, 0, a + b)                                                              \
    X(fadd32, FADD, float, -0.0f, a + b)                                                           \
    X(fadd64, FADD, double, -0.0, a + b)                                                           \
    X(and32, AND, uint32_t, UINT32_MAX, a &b)                                                      \
    X(and64, AND, uint64_t, UINT64_MAX, a &b)                                                      \
    X(or32, OR, uint32_t, 0, a | b)                                                                \
    X(or64, OR, uint64_t, 0, a | b)                                                                \
    X(xor32, XOR, uint32_t, 0, a ^ b)                                                              \
    X(xor64, XOR, uint64_t, 0, a ^ b)                                                              \
    X(umin32, UMIN, uint32_t, UINT32_MAX, a < b ? a : b)                                           \
    X(umin64, UMIN, uint64_t, UINT64_MAX, a < b ? a : b)                                           \
    X(umax32, UMAX, uint32_t, 0, a > b ? a : b)                                                    \
    X(umax64, UMAX, uint64_t, 0, a > b ? a : b)                                                    \
    X(smin32, SMIN, int32_t, INT32_MAX, a < b ? a : b)                                             \
    X(smin64, SMIN, int64_t, INT64_MAX, a < b ? a : b)                                             \
    X(smax32, SMAX, int32_t, INT32_MIN, a > b ? a : b)                                             \
    X(smax64, SMAX, int64_t, INT64_MIN, a > b ? a : b)                                             \
    X(fmin32, FMIN, float, INFINITY, GCL_LEAST(a, b))                                              \
    X(fmin64, FMIN, double, (double)INFINITY, GCL_LEAST(a, b))                                     \
    X(fmax32, FMAX, float, -INFINITY, GCL_MOST(a, b))                                              \
    X(fmax64, FMAX, double, -(double)INFINITY, GCL_MOST(a, b))

#endif
