// Routines that one node runs, by OpenBLAS: their arguments, and the task that a call becomes.
//
// BLAS' Fortran names are used, which take every argument by its address: so routines of the four
// types differ in their names alone.
#ifndef GCL_BLAS_ALONE_H
#define GCL_BLAS_ALONE_H

#include <string.h>

#include "blas.h"
#include "vendor/vendor.h"

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

/// The task `function`_task, which calls a Fortran subroutine, or on a GPU the vendor's function of
/// the same arguments, with what these mean:
#define GCL_BLAS_TASK(title, function, ...)                                                        \
    GCL_BLAS_TASK_AS(title, function, (__VA_ARGS__), (handle, __VA_ARGS__))
/// A task whose subroutine and vendor's function have different arguments.
#define GCL_BLAS_TASK_AS(title, function, fortran, vendor)                                         \
    static void function##run(void *const *buffers, const void *payload) {                         \
        const struct gcl_blas_call *c = payload;                                                   \
        GCL_BLAS_FORTRAN(c)                                                                        \
        (void)buffers;                                                                             \
        function fortran;                                                                          \
    }                                                                                              \
    GCL_TASK(function##task, "cublas" #title, function##run)                                       \
    static bool function##put(const struct gcl_vendor_launch *launch) {                            \
        static __typeof__(&cublas##title##_v2) routine;                                            \
        void *buffers[GCL_TASK_BUFFERS];                                                           \
        const struct gcl_blas_call *c = gcl_task_open(launch->arguments, buffers);                 \
        cublasHandle_t handle =                                                                    \
            gcl_blas_vendor_begin(launch->stream, c->has_scalars ? CUBLAS_POINTER_MODE_HOST        \
                                                                 : CUBLAS_POINTER_MODE_DEVICE);    \
        GCL_BLAS_VENDOR(c)                                                                         \
        if (!routine)                                                                              \
            routine = (__typeof__(routine))gcl_blas_vendor_function("cublas" #title "_v2");        \
        return routine && handle && routine vendor == CUBLAS_STATUS_SUCCESS;                       \
    }                                                                                              \
    __attribute__((constructor)) static void function##offer(void) {                               \
        static const struct gcl_vendor offered = {gcl_blas_vendor_is_there, function##put};        \
        gcl_vendor_offer(&function##task, &offered);                                               \
    }
#define SIDE side
#define PART part
#define OPERATION operation
#define DIAGONAL diagonal
#define M m
#define N n
#define K k
#define ABOVE above
#define FIRST buffers[0], first_step
#define SECOND buffers[1], second_step
#define THIRD buffers[2], third_step
#define ALPHA alpha
#define BETA beta

/// What those are to Fortran, and to cuBLAS.
#define GCL_BLAS_FORTRAN(c)                                                                        \
    GCL_BLAS_UNUSED const char *side = &(c)->side, *part = &(c)->part,                             \
                               *operation = &(c)->operation, *diagonal = &(c)->diagonal;           \
    GCL_BLAS_UNUSED const int32_t *m = &(c)->m, *n = &(c)->n, *k = &(c)->k, *above = &(c)->above,  \
                                  *first_step = &(c)->steps[0], *second_step = &(c)->steps[1],     \
                                  *third_step = &(c)->steps[2];                                    \
    GCL_BLAS_UNUSED const void *alpha = gcl_blas_scalar(c, buffers, 0),                            \
                               *beta = gcl_blas_scalar(c, buffers, 1);
#define GCL_BLAS_VENDOR(c)                                                                         \
    GCL_BLAS_UNUSED cublasSideMode_t side =                                                        \
        (cublasSideMode_t)gcl_blas_number_of(GCL_BLAS_SIDES, (c)->side);                           \
    GCL_BLAS_UNUSED cublasFillMode_t part =                                                        \
        (cublasFillMode_t)gcl_blas_number_of(GCL_BLAS_PARTS, (c)->part);                           \
    GCL_BLAS_UNUSED cublasOperation_t operation =                                                  \
        (cublasOperation_t)gcl_blas_number_of(GCL_BLAS_OPERATIONS, (c)->operation);                \
    GCL_BLAS_UNUSED cublasDiagType_t diagonal =                                                    \
        (cublasDiagType_t)gcl_blas_number_of(GCL_BLAS_DIAGONALS, (c)->diagonal);                   \
    GCL_BLAS_UNUSED int m = (c)->m, n = (c)->n, k = (c)->k, above = (c)->above,                    \
                        first_step = (c)->steps[0], second_step = (c)->steps[1],                   \
                        third_step = (c)->steps[2];                                                \
    struct gcl_blas_vendor_scalar scalars[3] = {                                                   \
        {(c)->scalars[0]}, {(c)->scalars[1]}, {(c)->scalars[2]}};                                  \
    GCL_BLAS_UNUSED const void *alpha =                                                            \
                                   (c)->has_scalars ? &scalars[0] : buffers[GCL_BLAS_OPERANDS],    \
                               *beta = (c)->has_scalars ? &scalars[1]                              \
                                                        : buffers[GCL_BLAS_OPERANDS + 1];
#define GCL_BLAS_UNUSED __attribute__((unused))

/// cuBLAS' number for one of Fortran's letters.
static inline int gcl_blas_number_of(const char *letters, char letter) {
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : 0;
}

typedef const void *gcl_blas_address; ///< an argument of Fortran's

#endif
