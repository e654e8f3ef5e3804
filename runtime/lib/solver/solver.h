// What the files of cuSOLVER share: handles, the numbers' types, and how a routine becomes a task.
//
// Each routine checks what it is given and launches a task (gcluster/task.h) that calls LAPACK on
// one node, in the order of the handle's stream. Workspaces aren't used: LAPACK's are allocated
// where the task runs. What LAPACK finds wrong goes into the routine's `info`, on the device.
#ifndef GCL_LIB_SOLVER_SOLVER_H
#define GCL_LIB_SOLVER_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include "gcluster/task.h"

struct cusolverDnContext {
    cudaStream_t stream;
    cusolverDeterministicMode_t mode;
};

/// Allocates a handle of `size` bytes, of zeros, for the library's part for dense matrices or for
/// sparse ones; begins the device's life. Not where LAPACK gives wrong results to several threads.
cusolverStatus_t gcl_solver_create(size_t size, void **handle);

/// How good what a routine named after Jacobi's method has computed is, in device memory.
struct gcl_solver_report {
    double residual;
    int64_t is_known;
};

struct syevjInfo {
    struct gcl_solver_report *report;
};
struct gesvdjInfo {
    struct gcl_solver_report *report;
};

/// A routine's type, by its letter.
enum gcl_solver_type { GCL_SOLVER_S, GCL_SOLVER_D, GCL_SOLVER_C, GCL_SOLVER_Z };

static inline bool gcl_solver_is_complex(enum gcl_solver_type type) {
    return type >= GCL_SOLVER_C;
}

/// Bytes of a number.
static inline uint64_t gcl_solver_size(enum gcl_solver_type type) {
    return type == GCL_SOLVER_S ? 4 : type == GCL_SOLVER_Z ? 16 : 8;
}

/// Bytes of a number's real part.
static inline uint64_t gcl_solver_real_size(enum gcl_solver_type type) {
    return type == GCL_SOLVER_S || type == GCL_SOLVER_C ? 4 : 8;
}

/// The part of a matrix that is given, as LAPACK has it.
static inline char gcl_solver_part(cublasFillMode_t part) {
    return part == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}

static inline bool gcl_solver_is_part(cublasFillMode_t part) {
    return part == CUBLAS_FILL_MODE_LOWER || part == CUBLAS_FILL_MODE_UPPER;
}

/// A task that is put together. What is found to be wrong on the way is kept, and is what launching
/// returns.
struct gcl_solver_call {
    cusolverDnHandle_t handle;
    enum gcl_solver_type type;
    cusolverStatus_t status;
    struct gcl_buffer buffers[GCL_TASK_BUFFERS];
    unsigned count;
};

struct gcl_solver_call gcl_solver_begin(cusolverDnHandle_t handle, enum gcl_solver_type type);

/// Begins a call of a routine of all types; `others` of its matrices have `same` type, and `reals`,
/// if not NULL, is the type of real numbers beside them.
struct gcl_solver_call gcl_solver_begin_generic(cusolverDnHandle_t handle, cudaDataType type,
                                                cudaDataType same, const cudaDataType *reals);

/// The call can't be: `is_valid` says whether.
void gcl_solver_require(struct gcl_solver_call *call, bool is_valid);

/// A buffer of `size` bytes; NULL is for none of 0.
void gcl_solver_add(struct gcl_solver_call *call, const void *begin, uint64_t size,
                    unsigned access);

/// A matrix of the call's type; access as of struct gcl_buffer. What is between its columns stays.
void gcl_solver_add_matrix(struct gcl_solver_call *call, const void *begin, int64_t rows,
                           int64_t columns, int64_t leading, unsigned access);

/// A vector of the call's type, or of real numbers.
void gcl_solver_add_vector(struct gcl_solver_call *call, const void *begin, int64_t count,
                           unsigned access);
void gcl_solver_add_reals(struct gcl_solver_call *call, const void *begin, int64_t count,
                          unsigned access);

/// What LAPACK says of each of `count` matrices, or one.
void gcl_solver_add_info(struct gcl_solver_call *call, int *info, int64_t count);

/// Launches it, with a payload as of gclLaunchTask.
cusolverStatus_t gcl_solver_launch(const struct gcl_task *task, const struct gcl_solver_call *call,
                                   const void *payload, size_t size);

/// What a failed call of the runtime is to whoever called the library.
cusolverStatus_t gcl_solver_status(cudaError_t error);

/// Copies `size` bytes between host and device when a stream is done, and waits.
cusolverStatus_t gcl_solver_copy(cudaStream_t stream, void *to, const void *from, size_t size);

/// Says that a function isn't there. Returns CUSOLVER_STATUS_NOT_SUPPORTED.
cusolverStatus_t gcl_solver_refuse(const char *function);

// In tasks.

/// Memory for `size` bytes, or for numbers; ends the process if there is none.
void *gcl_solver_allocate(uint64_t size);

static inline void *gcl_solver_numbers(enum gcl_solver_type type, int64_t count) {
    return gcl_solver_allocate((uint64_t)(count > 0 ? count : 1) * gcl_solver_size(type));
}

/// Where element (i, j) of a matrix is.
static inline void *gcl_solver_at(enum gcl_solver_type type, void *matrix, int64_t i, int64_t j,
                                  int64_t leading) {
    return (char *)matrix + (uint64_t)(i + j * leading) * gcl_solver_size(type);
}

/// Element `i` of a vector of reals.
static inline double gcl_solver_real(enum gcl_solver_type type, const void *reals, int64_t i) {
    return gcl_solver_real_size(type) == sizeof(float) ? (double)((const float *)reals)[i]
                                                       : ((const double *)reals)[i];
}

/// The square root of the sum of a matrix' squares.
double gcl_solver_norm(enum gcl_solver_type type, int64_t rows, int64_t columns, const void *matrix,
                       int64_t leading);

/// Multiplies each column of a matrix by its number of `factors`, which are real.
void gcl_solver_scale(enum gcl_solver_type type, int64_t rows, int64_t columns, void *matrix,
                      int64_t leading, const void *factors);

/// Copies a matrix.
void gcl_solver_move(enum gcl_solver_type type, int64_t rows, int64_t columns, void *to,
                     int64_t to_leading, const void *from, int64_t from_leading);

/// A copy of a matrix without gaps, to be freed.
void *gcl_solver_duplicate(enum gcl_solver_type type, int64_t rows, int64_t columns,
                           const void *matrix, int64_t leading);

/// The size of a workspace that LAPACK wrote into the first number of one.
int gcl_solver_wanted(enum gcl_solver_type type, const void *number);

#endif
