// What handles of cuSPARSE's stand for, and what its functions share.
#ifndef GCL_LIB_SPARSE_SPARSE_H
#define GCL_LIB_SPARSE_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include <cusparse.h>

#include "gcluster/task.h"
#include "sparse/number.h"

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};

/// All of a sparse matrix but where it is.
struct gcl_sparse_shape {
    int64_t rows, columns, nnz;
    cusparseFormat_t format; ///< CSR, CSC or COO
    cusparseIndexType_t offset_type, index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    int64_t batch, offset_stride, value_stride; ///< matrices, and elements from one to the next
};

struct cusparseSpMatDescr {
    struct gcl_sparse_shape shape;
    void *offsets; ///< of rows, or columns; of COO the rows' indices
    void *indices;
    void *values;
};

/// All of a dense matrix but where it is; a vector is a matrix of one column.
struct gcl_dense_shape {
    int64_t rows, columns;
    int64_t row_step, column_step; ///< elements to the next row and column
    cudaDataType type;
    int64_t batch, stride; ///< matrices, and elements from one to the next
};

struct cusparseDnMatDescr {
    struct gcl_dense_shape shape;
    int64_t leading;
    cusparseOrder_t order;
    void *values;
};

struct cusparseDnVecDescr {
    struct gcl_dense_shape shape;
    void *values;
};

struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};

/// alpha or beta: a number, or where the device has it.
struct gcl_sparse_scalar {
    gcl_number value;
    cudaDataType type;
    int32_t is_on_device; ///< then a buffer of the task
};

/// A task that is put together: what it is given, and its buffers.
struct gcl_sparse_call {
    cusparseHandle_t handle;
    struct gcl_buffer buffers[GCL_TASK_BUFFERS];
    unsigned count;
};

/// Bytes of a matrix: of offsets or row indices, of indices, of values.
uint64_t gcl_sparse_offsets_size(const struct gcl_sparse_shape *shape);
uint64_t gcl_sparse_indices_size(const struct gcl_sparse_shape *shape);
uint64_t gcl_sparse_values_size(const struct gcl_sparse_shape *shape);
/// Bytes from a dense matrix' first element to the end of its last.
uint64_t gcl_dense_size(const struct gcl_dense_shape *shape);
/// Whether it has all elements between these.
bool gcl_dense_is_whole(const struct gcl_dense_shape *shape);

/// op(A), but for conjugates.
struct gcl_dense_shape gcl_dense_turned(struct gcl_dense_shape shape, cusparseOperation_t op);

void gcl_sparse_add(struct gcl_sparse_call *call, const void *begin, uint64_t size,
                    unsigned access);
/// Adds a matrix' three buffers: its values with `access`, the others to be read.
void gcl_sparse_add_matrix(struct gcl_sparse_call *call, cusparseConstSpMatDescr_t matrix,
                           unsigned access);
/// Adds a buffer where the handle's scalars are on the device.
struct gcl_sparse_scalar gcl_sparse_add_scalar(struct gcl_sparse_call *call, const void *scalar,
                                               cudaDataType type);
/// A scalar in a task: `next` is the first of its buffers that hasn't been used.
gcl_number gcl_sparse_scalar_value(const struct gcl_sparse_scalar *scalar, void *const **next);

cusparseStatus_t gcl_sparse_launch(const struct gcl_task *task, struct gcl_sparse_call *call,
                                   const void *payload, size_t size);
cusparseStatus_t gcl_sparse_status(cudaError_t error);
/// Answers how large a buffer has to be. NOT_INITIALIZED, INVALID_VALUE.
cusparseStatus_t gcl_sparse_buffer_size(cusparseHandle_t handle, size_t *size, size_t bytes);
/// Says on standard error what isn't there; NOT_SUPPORTED.
cusparseStatus_t gcl_sparse_refuse(const char *what);
/// Memory inside of a task, which has nobody to tell: ends the process, with a message, if there is
/// none.
void *gcl_sparse_allocate(uint64_t size);

/// Bytes of the device's, once all before in the handle's stream is done, to be freed.
cusparseStatus_t gcl_sparse_fetch(cusparseHandle_t handle, const void *device, uint64_t size,
                                  void **host);
/// Writes bytes to the device; they may be freed afterwards.
cusparseStatus_t gcl_sparse_put(cusparseHandle_t handle, void *device, const void *host,
                                uint64_t size);
/// Writes a matrix' offsets, indices and values likewise.
cusparseStatus_t gcl_sparse_put_matrix(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                       const void *offsets, const void *indices,
                                       const void *values);

#endif
