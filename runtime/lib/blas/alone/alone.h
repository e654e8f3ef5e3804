// Routines that one node runs, by OpenBLAS: their arguments, and the task that a call becomes.
//
// BLAS' Fortran names are used, which take every argument by its address: so routines of the four
// types differ in their names alone.
#ifndef GCL_BLAS_ALONE_H
#define GCL_BLAS_ALONE_H

#include "blas.h"

/// What a task is given beside operands, as Fortran wants it.
struct gcl_blas_call {
    char side, part, operation, diagonal;
    int32_t m, n, k, above;
    int32_t steps[3];                 ///< leading dimensions of matrices, steps of vectors
    int32_t has_scalars;              ///< 0: they are in buffers
    union gcl_blas_scalar scalars[3]; ///< alpha and beta; or one thing that is larger
};

enum {
    GCL_BLAS_OPERANDS = 3, ///< in buffers
    GCL_BLAS_SCALARS = 2   ///< likewise, behind them, in device pointer mode
};

/// A call on its way.
struct gcl_blas_alone {
    cublasHandle_t handle;
    const struct gcl_task *task;
    struct gcl_blas_call call;
    struct gcl_buffer buffers[GCL_BLAS_OPERANDS + GCL_BLAS_SCALARS];
    bool is_too_large; ///< a size or step that Fortran's integers don't hold
};

/// A size or a step as Fortran's integer.
int32_t gcl_blas_narrow(struct gcl_blas_alone *alone, int64_t size);

/// Operand `i`: a matrix, column by column.
void gcl_blas_take_matrix(struct gcl_blas_alone *alone, unsigned i, const void *at, int64_t rows,
                          int64_t columns, int64_t leading, enum gcl_blas_type type,
                          uint64_t access);
/// A vector of n elements at a step, which may be negative.
void gcl_blas_take_vector(struct gcl_blas_alone *alone, unsigned i, const void *at, int64_t n,
                          int64_t step, enum gcl_blas_type type, uint64_t access);
/// Scalar `i` of `size` bytes, as the handle's pointer mode has it.
void gcl_blas_take_scalar(struct gcl_blas_alone *alone, unsigned i, const void *at, uint64_t size,
                          uint64_t access);

/// Launches the task.
cublasStatus_t gcl_blas_run_alone(const struct gcl_blas_alone *alone);

/// Scalar `i` in a task.
static inline const void *gcl_blas_scalar(const struct gcl_blas_call *call, void *const *buffers,
                                          unsigned i) {
    return call->has_scalars ? &call->scalars[i] : buffers[GCL_BLAS_OPERANDS + i];
}

/// Letters of Fortran's for what cuBLAS has numbers for.
#define GCL_BLAS_SIDES "LR"
#define GCL_BLAS_PARTS "LU"
#define GCL_BLAS_OPERATIONS "NTC"
#define GCL_BLAS_DIAGONALS "NU"

/// The task `function`_task, which calls a Fortran subroutine with what these mean:
#define GCL_BLAS_TASK(title, function, ...)                                                        \
    static void function##run(void *const *buffers, const void *payload) {                         \
        const struct gcl_blas_call *c = payload;                                                   \
        (void)buffers;                                                                             \
        function(__VA_ARGS__);                                                                     \
    }                                                                                              \
    GCL_TASK(function##task, "cublas" #title, function##run)
#define SIDE &c->side
#define PART &c->part
#define OPERATION &c->operation
#define DIAGONAL &c->diagonal
#define M &c->m
#define N &c->n
#define K &c->k
#define ABOVE &c->above
#define FIRST buffers[0], &c->steps[0]
#define SECOND buffers[1], &c->steps[1]
#define THIRD buffers[2], &c->steps[2]
#define ALPHA gcl_blas_scalar(c, buffers, 0)
#define BETA gcl_blas_scalar(c, buffers, 1)

typedef const void *gcl_blas_address; ///< an argument of Fortran's

#endif
