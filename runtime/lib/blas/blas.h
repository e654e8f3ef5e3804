// What the functions of the library share: handles, how a routine's arguments become those of
// kernels and tasks, and how it answers.
//
// Every routine checks what it is given, launches kernels (kernels.h) or a task (gcluster/task.h)
// into the handle's stream, and returns; nothing waits but what writes results to host memory.
#ifndef GCL_BLAS_BLAS_H
#define GCL_BLAS_BLAS_H

#include <stdbool.h>

#include "gcluster/task.h"
#include "kernels.h"
#include <cublas_api.h>
#include <cuda_runtime_api.h>

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    cublasMath_t math_mode;
    int sm_count;
};

/// A routine's type, by its letter.
enum gcl_blas_type { GCL_BLAS_S, GCL_BLAS_D, GCL_BLAS_C, GCL_BLAS_Z };

static inline uint32_t gcl_blas_size(enum gcl_blas_type type) {
    return type == GCL_BLAS_S ? 4 : type == GCL_BLAS_Z ? 16 : 8;
}

static inline bool gcl_blas_is_complex(enum gcl_blas_type type) {
    return type >= GCL_BLAS_C;
}

/// Of a routine's kernels, which follow each other in the order of types, that of `type`; `single`
/// is the first.
static inline enum gcl_blas_kernel gcl_blas_of_type(enum gcl_blas_kernel single,
                                                    enum gcl_blas_type type) {
    return (enum gcl_blas_kernel)((int)single + (int)type);
}

/// What a failed call of the runtime is to whoever called the library.
cublasStatus_t gcl_blas_status(cudaError_t error);

/// Logs that a function, or a use of it, isn't there. Returns CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t gcl_blas_refuse(const char *function, const char *why);

/// Sizes of a grid or a block.
struct gcl_blas_extent {
    int64_t x, y, z;
};

cublasStatus_t gcl_blas_launch(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                               struct gcl_blas_extent grid, struct gcl_blas_extent block,
                               const void *arguments);

/// A scalar of the routine's type, as the handle's pointer mode has it.
struct gcl_blas_factor gcl_blas_factor(cublasHandle_t handle, const void *scalar,
                                       enum gcl_blas_type type);

/// Whether a factor is known to be 0.
bool gcl_blas_factor_is_zero(const struct gcl_blas_factor *factor);

/// Writes a result of `size` bytes, that is or will be in device memory, where the routine wants
/// it: to host memory, waiting for the stream, or to device memory.
cublasStatus_t gcl_blas_give(cublasHandle_t handle, const void *device, void *result, size_t size);

static inline bool gcl_blas_is_operation(cublasOperation_t operation) {
    return (unsigned)operation <= CUBLAS_OP_C;
}

/// Whether a matrix of so many rows can have a leading dimension.
static inline bool gcl_blas_is_wide(int64_t leading, int64_t rows) {
    return leading >= (rows > 1 ? rows : 1);
}

static inline int64_t gcl_blas_divide_up(int64_t count, int64_t size) {
    return (count + size - 1) / size;
}

/// Leading dimensions and steps that OpenBLAS' 32-bit integers hold.
static inline bool gcl_blas_fits(int64_t size) {
    return size <= INT32_MAX && size >= -INT32_MAX;
}

/// Which kernel multiplies which numbers: of `in`, to become `out`, with scalars of `scale`.
struct gcl_blas_combination {
    cudaDataType in, out;
    cublasComputeType_t compute;
    enum gcl_blas_kernel kernel;
    cudaDataType scale;
};

/// NULL: there is none for these types.
const struct gcl_blas_combination *gcl_blas_combination(cudaDataType in, cudaDataType out,
                                                        cublasComputeType_t compute);

/// A scalar of one of the types that combinations have.
struct gcl_blas_factor gcl_blas_scale(cublasHandle_t handle, const void *scalar, cudaDataType type);

/// Vectors of elements of `size` bytes, and the slices that blocks get; y may be NULL.
struct gcl_blas_vectors gcl_blas_vectors(int64_t size, int64_t n, const void *x, int64_t x_step,
                                         const void *y, int64_t y_step);

/// Runs a kernel that changes y, or x where there is no y.
cublasStatus_t gcl_blas_change(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                               struct gcl_blas_vectors *v);

/// Runs a kernel that leaves a number of `type` for each block, and writes what they are together
/// to where the pointer mode says: their sum, or the norm of those as a vector.
cublasStatus_t gcl_blas_reduce(cublasHandle_t handle, enum gcl_blas_kernel kernel, bool is_norm,
                               enum gcl_blas_type type, struct gcl_blas_vectors *v, void *result);

/// A product, m x n with k terms; sets tiles and launches. `kernel` is that of its types.
cublasStatus_t gcl_blas_multiply(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                                 struct gcl_blas_gemm *gemm);

/// The kernel for matrices at pointers, if that is what `stride` says: these follow those for
/// matrices at strides.
static inline enum gcl_blas_kernel gcl_blas_variant(enum gcl_blas_kernel kernel, int64_t stride) {
    int between = (int)GCL_BLAS_gemms_s - (int)GCL_BLAS_gemm_s;
    return stride == GCL_BLAS_POINTERS ? (enum gcl_blas_kernel)((int)kernel + between) : kernel;
}

/// An operand op(A) of a product, where A has the leading dimension `leading`.
struct gcl_blas_matrix gcl_blas_operand(const void *at, cublasOperation_t operation,
                                        int64_t leading, bool is_complex);

#endif
