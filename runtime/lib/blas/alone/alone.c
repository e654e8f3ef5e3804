#include "alone.h"

#include <string.h>

int32_t gcl_blas_narrow(struct gcl_blas_alone *alone, int64_t size) {
    if (!gcl_blas_fits(size))
        alone->is_too_large = true;
    return (int32_t)size;
}

static struct gcl_buffer buffer(const void *at, int64_t count, uint64_t size, uint64_t access) {
    return (struct gcl_buffer){(void *)(uintptr_t)at, count > 0 ? (uint64_t)count * size : 0,
                               access};
}

void gcl_blas_take_matrix(struct gcl_blas_alone *alone, unsigned i, const void *at, int64_t rows,
                          int64_t columns, int64_t leading, enum gcl_blas_type type,
                          uint64_t access) {
    int64_t count = rows > 0 && columns > 0 ? (columns - 1) * leading + rows : 0;
    alone->buffers[i] = buffer(at, count, gcl_blas_size(type), access);
    alone->call.steps[i] = gcl_blas_narrow(alone, leading);
}

void gcl_blas_take_vector(struct gcl_blas_alone *alone, unsigned i, const void *at, int64_t n,
                          int64_t step, enum gcl_blas_type type, uint64_t access) {
    int64_t distance = step < 0 ? -step : step;
    gcl_blas_take_matrix(alone, i, at, 1, n, distance, type, access);
    alone->call.steps[i] = gcl_blas_narrow(alone, step);
}

void gcl_blas_take_scalar(struct gcl_blas_alone *alone, unsigned i, const void *at, uint64_t size,
                          uint64_t access) {
    alone->call.has_scalars = alone->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (alone->call.has_scalars)
        memcpy(&alone->call.scalars[i], at, size);
    else
        alone->buffers[GCL_BLAS_OPERANDS + i] = buffer(at, 1, size, access);
}

cublasStatus_t gcl_blas_run_alone(const struct gcl_blas_alone *alone) {
    if (alone->is_too_large)
        return gcl_blas_refuse(alone->task->name, "sizes and steps have at most 2^31 - 1");
    return gcl_blas_status(gclLaunchTask(alone->task, alone->buffers,
                                         GCL_BLAS_OPERANDS + GCL_BLAS_SCALARS, &alone->call,
                                         sizeof alone->call, alone->handle->stream));
}
