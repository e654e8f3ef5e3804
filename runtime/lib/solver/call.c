#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cusolverStatus_t gcl_solver_status(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return CUSOLVER_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CUSOLVER_STATUS_ALLOC_FAILED;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidResourceHandle:
        return CUSOLVER_STATUS_INVALID_VALUE;
    default:
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
}

cusolverStatus_t gcl_solver_copy(cudaStream_t stream, void *to, const void *from, size_t size) {
    cudaError_t error = cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream);
    if (!error)
        error = cudaStreamSynchronize(stream);
    return gcl_solver_status(error);
}

cusolverStatus_t gcl_solver_refuse(const char *function) {
    fprintf(stderr, "gcluster: %s is not supported\n", function);
    return CUSOLVER_STATUS_NOT_SUPPORTED;
}

// Putting tasks together.

struct gcl_solver_call gcl_solver_begin(cusolverDnHandle_t handle, enum gcl_solver_type type) {
    return (struct gcl_solver_call){.handle = handle,
                                    .type = type,
                                    .status = handle ? CUSOLVER_STATUS_SUCCESS
                                                     : CUSOLVER_STATUS_NOT_INITIALIZED};
}

struct gcl_solver_call gcl_solver_begin_generic(cusolverDnHandle_t handle, cudaDataType type,
                                                cudaDataType same, const cudaDataType *reals) {
    struct gcl_solver_call call = gcl_solver_begin(handle, GCL_SOLVER_S);
    bool is_single = type == CUDA_R_32F || type == CUDA_C_32F;
    bool is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    bool is_known = is_single || is_complex || type == CUDA_R_64F;
    call.type = is_complex ? (is_single ? GCL_SOLVER_C : GCL_SOLVER_Z)
                           : (is_single ? GCL_SOLVER_S : GCL_SOLVER_D);
    gcl_solver_require(&call, is_known && same == type &&
                                  (!reals || *reals == (is_single ? CUDA_R_32F : CUDA_R_64F)));
    return call;
}

void gcl_solver_require(struct gcl_solver_call *call, bool is_valid) {
    if (!is_valid && call->status == CUSOLVER_STATUS_SUCCESS)
        call->status = CUSOLVER_STATUS_INVALID_VALUE;
}

void gcl_solver_add(struct gcl_solver_call *call, const void *begin, uint64_t size,
                    unsigned access) {
    gcl_solver_require(call, begin || size == 0);
    call->buffers[call->count++] = (struct gcl_buffer){(void *)(uintptr_t)begin, size, access};
}

void gcl_solver_add_matrix(struct gcl_solver_call *call, const void *begin, int64_t rows,
                           int64_t columns, int64_t leading, unsigned access) {
    // LAPACK's integers have 32 bits.
    bool is_valid = rows >= 0 && columns >= 0 && columns <= INT32_MAX && leading >= rows &&
                    leading >= 1 && leading <= INT32_MAX;
    gcl_solver_require(call, is_valid);
    int64_t count = is_valid && rows > 0 && columns > 0 ? (columns - 1) * leading + rows : 0;
    if (rows != leading && access == GCL_BUFFER_WRITE)
        access |= GCL_BUFFER_READ;
    gcl_solver_add(call, begin, (uint64_t)count * gcl_solver_size(call->type), access);
}

void gcl_solver_add_vector(struct gcl_solver_call *call, const void *begin, int64_t count,
                           unsigned access) {
    gcl_solver_add(call, begin, (uint64_t)(count > 0 ? count : 0) * gcl_solver_size(call->type),
                   access);
}

void gcl_solver_add_reals(struct gcl_solver_call *call, const void *begin, int64_t count,
                          unsigned access) {
    gcl_solver_add(call, begin,
                   (uint64_t)(count > 0 ? count : 0) * gcl_solver_real_size(call->type), access);
}

void gcl_solver_add_info(struct gcl_solver_call *call, int *info, int64_t count) {
    gcl_solver_add(call, info, (uint64_t)(count > 0 ? count : 0) * sizeof *info, GCL_BUFFER_WRITE);
}

cusolverStatus_t gcl_solver_launch(const struct gcl_task *task, const struct gcl_solver_call *call,
                                   const void *payload, size_t size) {
    if (call->status != CUSOLVER_STATUS_SUCCESS)
        return call->status;
    return gcl_solver_status(gclLaunchTask(task, call->buffers, call->count, payload, size,
                                           (gclStream_t)call->handle->stream));
}

// In tasks.

void *gcl_solver_allocate(uint64_t size) {
    void *memory = malloc(size ? size : 1);
    if (memory)
        return memory;
    fprintf(stderr, "gcluster: cuSOLVER: no memory for %llu bytes\n", (unsigned long long)size);
    abort();
}

double gcl_solver_norm(enum gcl_solver_type type, int64_t rows, int64_t columns, const void *matrix,
                       int64_t leading) {
    int64_t parts = gcl_solver_is_complex(type) ? 2 : 1;
    double sum = 0;
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < rows * parts; i++) {
            double x = gcl_solver_real(type, matrix, j * leading * parts + i);
            sum += x * x;
        }
    }
    return sqrt(sum);
}

void gcl_solver_scale(enum gcl_solver_type type, int64_t rows, int64_t columns, void *matrix,
                      int64_t leading, const void *factors) {
    int64_t parts = gcl_solver_is_complex(type) ? 2 : 1;
    bool is_single = gcl_solver_real_size(type) == sizeof(float);
    for (int64_t j = 0; j < columns; j++) {
        double factor = gcl_solver_real(type, factors, j);
        for (int64_t i = j * leading * parts; i < (j * leading + rows) * parts; i++) {
            if (is_single)
                ((float *)matrix)[i] *= (float)factor;
            else
                ((double *)matrix)[i] *= factor;
        }
    }
}

void gcl_solver_move(enum gcl_solver_type type, int64_t rows, int64_t columns, void *to,
                     int64_t to_leading, const void *from, int64_t from_leading) {
    uint64_t size = gcl_solver_size(type);
    for (int64_t j = 0; j < columns; j++)
        memmove((char *)to + (uint64_t)(j * to_leading) * size,
                (const char *)from + (uint64_t)(j * from_leading) * size, (uint64_t)rows * size);
}

void *gcl_solver_duplicate(enum gcl_solver_type type, int64_t rows, int64_t columns,
                           const void *matrix, int64_t leading) {
    void *copy = gcl_solver_numbers(type, rows * columns);
    gcl_solver_move(type, rows, columns, copy, rows, matrix, leading);
    return copy;
}

int gcl_solver_wanted(enum gcl_solver_type type, const void *number) {
    // A float may have been rounded down.
    if (gcl_solver_real_size(type) == sizeof(float))
        return (int)((double)*(const float *)number * (1 + 0x1p-23)) + 1;
    return (int)*(const double *)number;
}
