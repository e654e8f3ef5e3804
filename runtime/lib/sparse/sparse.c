#include "sparse/sparse.h"

#include <stdio.h>
#include <stdlib.h>

// Sizes.

static int64_t slot_count(const struct gcl_sparse_shape *shape) {
    if (shape->format == CUSPARSE_FORMAT_COO)
        return shape->nnz;
    return (shape->format == CUSPARSE_FORMAT_CSC ? shape->columns : shape->rows) + 1;
}

/// Elements of an array that each matrix of a batch has, `stride` apart.
static uint64_t batched(const struct gcl_sparse_shape *shape, int64_t count, int64_t stride) {
    return (uint64_t)(count + (shape->batch - 1) * stride);
}

uint64_t gcl_sparse_offsets_size(const struct gcl_sparse_shape *shape) {
    return batched(shape, slot_count(shape), shape->offset_stride) *
           gcl_index_size(shape->offset_type);
}

uint64_t gcl_sparse_indices_size(const struct gcl_sparse_shape *shape) {
    return batched(shape, shape->nnz, shape->value_stride) * gcl_index_size(shape->index_type);
}

uint64_t gcl_sparse_values_size(const struct gcl_sparse_shape *shape) {
    return batched(shape, shape->nnz, shape->value_stride) * gcl_number_size(shape->type);
}

uint64_t gcl_dense_size(const struct gcl_dense_shape *shape) {
    if (shape->rows == 0 || shape->columns == 0)
        return 0;
    int64_t last = (shape->rows - 1) * shape->row_step + (shape->columns - 1) * shape->column_step +
                   (shape->batch - 1) * shape->stride;
    return (uint64_t)(last + 1) * gcl_number_size(shape->type);
}

bool gcl_dense_is_whole(const struct gcl_dense_shape *shape) {
    uint64_t count = (uint64_t)(shape->rows * shape->columns * shape->batch);
    return gcl_dense_size(shape) == count * gcl_number_size(shape->type);
}

struct gcl_dense_shape gcl_dense_turned(struct gcl_dense_shape shape, cusparseOperation_t op) {
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return shape;
    struct gcl_dense_shape turned = shape;
    turned.rows = shape.columns;
    turned.columns = shape.rows;
    turned.row_step = shape.column_step;
    turned.column_step = shape.row_step;
    return turned;
}

// Tasks.

void gcl_sparse_add(struct gcl_sparse_call *call, const void *begin, uint64_t size,
                    unsigned access) {
    call->buffers[call->count++] = (struct gcl_buffer){(void *)(uintptr_t)begin, size, access};
}

void gcl_sparse_add_matrix(struct gcl_sparse_call *call, cusparseConstSpMatDescr_t matrix,
                           unsigned access) {
    gcl_sparse_add(call, matrix->offsets, gcl_sparse_offsets_size(&matrix->shape), GCL_BUFFER_READ);
    gcl_sparse_add(call, matrix->indices, gcl_sparse_indices_size(&matrix->shape), GCL_BUFFER_READ);
    gcl_sparse_add(call, matrix->values, gcl_sparse_values_size(&matrix->shape), access);
}

struct gcl_sparse_scalar gcl_sparse_add_scalar(struct gcl_sparse_call *call, const void *scalar,
                                               cudaDataType type) {
    struct gcl_sparse_scalar s = {.type = type};
    s.is_on_device = call->handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
    if (s.is_on_device)
        gcl_sparse_add(call, scalar, gcl_number_size(type), GCL_BUFFER_READ);
    else
        s.value = gcl_number_load(type, scalar, 0);
    return s;
}

gcl_number gcl_sparse_scalar_value(const struct gcl_sparse_scalar *scalar, void *const **next) {
    return scalar->is_on_device ? gcl_number_load(scalar->type, *(*next)++, 0) : scalar->value;
}

cusparseStatus_t gcl_sparse_launch(const struct gcl_task *task, struct gcl_sparse_call *call,
                                   const void *payload, size_t size) {
    return gcl_sparse_status(
        gclLaunchTask(task, call->buffers, call->count, payload, size, call->handle->stream));
}

void *gcl_sparse_allocate(uint64_t size) {
    void *memory = malloc(size ? size : 1);
    if (memory)
        return memory;
    fprintf(stderr, "gcluster: error: cuSPARSE: no memory for %llu bytes\n",
            (unsigned long long)size);
    abort();
}

// The rest.

cusparseStatus_t gcl_sparse_status(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    return error ? CUSPARSE_STATUS_EXECUTION_FAILED : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t gcl_sparse_buffer_size(cusparseHandle_t handle, size_t *size, size_t bytes) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!size)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *size = bytes;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t gcl_sparse_refuse(const char *what) {
    fprintf(stderr, "gcluster: error: cuSPARSE: %s\n", what);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t gcl_sparse_fetch(cusparseHandle_t handle, const void *device, uint64_t size,
                                  void **host) {
    *host = malloc(size ? size : 1);
    if (!*host)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    cudaError_t error =
        size ? cudaMemcpyAsync(*host, device, size, cudaMemcpyDefault, handle->stream)
             : cudaSuccess;
    if (!error)
        error = cudaStreamSynchronize(handle->stream);
    return gcl_sparse_status(error);
}

cusparseStatus_t gcl_sparse_put(cusparseHandle_t handle, void *device, const void *host,
                                uint64_t size) {
    cudaError_t error =
        size ? cudaMemcpyAsync(device, host, size, cudaMemcpyDefault, handle->stream) : cudaSuccess;
    if (!error)
        error = cudaStreamSynchronize(handle->stream);
    return gcl_sparse_status(error);
}

cusparseStatus_t gcl_sparse_put_matrix(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                       const void *offsets, const void *indices,
                                       const void *values) {
    const struct gcl_sparse_shape *shape = &matrix->shape;
    cusparseStatus_t status =
        gcl_sparse_put(handle, matrix->offsets, offsets, gcl_sparse_offsets_size(shape));
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = gcl_sparse_put(handle, matrix->indices, indices, gcl_sparse_indices_size(shape));
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = gcl_sparse_put(handle, matrix->values, values, gcl_sparse_values_size(shape));
    return status;
}
