// Batches of small problems, all of one size, whose matrices the program gives by arrays of
// pointers in device memory.
//
// A task names its buffers when it is launched, so a call waits for the stream and reads the
// pointers. Matrices that lie one behind the other are one buffer, and their batch is one task;
// else there is a task for each problem. Tasks are given the pointers, too, and find a matrix by
// its distance from where its operand's buffer begins.
#ifndef GCL_BLAS_BATCH_H
#define GCL_BLAS_BATCH_H

#include <stddef.h>

#include "blas.h"

enum { GCL_BLAS_BATCH_OPERANDS = 2 };

/// A task's buffers.
enum gcl_blas_batch_buffer {
    GCL_BLAS_BATCH_MATRICES, ///< of each operand
    GCL_BLAS_BATCH_POINTERS = GCL_BLAS_BATCH_MATRICES + GCL_BLAS_BATCH_OPERANDS, ///< likewise
    GCL_BLAS_BATCH_PIVOTS = GCL_BLAS_BATCH_POINTERS + GCL_BLAS_BATCH_OPERANDS,
    GCL_BLAS_BATCH_INFOS,
    GCL_BLAS_BATCH_ALPHA,
    GCL_BLAS_BATCH_BUFFERS
};

/// What a task is given beside buffers, as LAPACK wants it.
struct gcl_blas_batch {
    enum gcl_blas_type type;
    char side, part, operation, diagonal;
    int32_t count; ///< problems of the task
    int32_t m, n, columns;
    int32_t leading[GCL_BLAS_BATCH_OPERANDS];
    int32_t has_pivots, has_infos, has_alpha; ///< alpha: here
    union gcl_blas_scalar alpha;
    const char *begins[GCL_BLAS_BATCH_OPERANDS]; ///< of the buffers, as the pointers have it
};

/// Matrices at pointers, or vectors of one column.
struct gcl_blas_batch_operand {
    const void *pointers; ///< a device array; NULL: there is no such operand
    int64_t rows, columns;
    uint64_t access;
};

/// A call on its way.
struct gcl_blas_batched {
    cublasHandle_t handle;
    const struct gcl_task *task;
    struct gcl_blas_batch batch; ///< `count` problems in all
    struct gcl_blas_batch_operand operands[GCL_BLAS_BATCH_OPERANDS];
    struct gcl_buffer pivots, infos, alpha; ///< pivots and infos: those of one problem, the first
};

/// Launches what the call comes to; waits for the stream before.
cublasStatus_t gcl_blas_run_batch(const struct gcl_blas_batched *call);

/// `count` numbers that say how problems went, in device memory.
static inline struct gcl_buffer gcl_blas_infos(int *infos) {
    return (struct gcl_buffer){infos, sizeof *infos, GCL_BUFFER_WRITE};
}

/// Each of `count` problems of no size went well; `infos` may be NULL.
cublasStatus_t gcl_blas_skip_batch(cublasHandle_t handle, int *infos, int count);

/// Whether LAPACK takes a matrix with so many rows.
static inline bool gcl_blas_batch_is_wide(int64_t leading, int64_t rows) {
    return gcl_blas_is_wide(leading, rows) && leading <= INT32_MAX;
}

// In tasks.

/// Memory for `size` bytes; ends the process if there is none.
void *gcl_blas_allocate(uint64_t size);

/// The matrix that an operand has in problem `i`.
static inline void *gcl_blas_batch_matrix(const struct gcl_blas_batch *batch, void *const *buffers,
                                          unsigned operand, int32_t i) {
    const char *const *pointers = buffers[GCL_BLAS_BATCH_POINTERS + operand];
    return (char *)buffers[GCL_BLAS_BATCH_MATRICES + operand] +
           (pointers[i] - batch->begins[operand]);
}

/// Where it is to be said how problem `i` went; `unused` where nobody wants to know.
static inline int *gcl_blas_batch_info(const struct gcl_blas_batch *batch, void *const *buffers,
                                       int32_t i, int *unused) {
    return batch->has_infos ? (int *)buffers[GCL_BLAS_BATCH_INFOS] + i : unused;
}

/// Declares a routine of LAPACK's or BLAS' in all types, and makes a table by type of it. Lengths
/// of strings, all 1, come last.
#define GCL_BLAS_ROUTINE(name, ...)                                                                \
    void s##name##_(__VA_ARGS__);                                                                  \
    void d##name##_(__VA_ARGS__);                                                                  \
    void c##name##_(__VA_ARGS__);                                                                  \
    void z##name##_(__VA_ARGS__);                                                                  \
    static void (*const name[])(__VA_ARGS__) = {s##name##_, d##name##_, c##name##_, z##name##_};

#endif
