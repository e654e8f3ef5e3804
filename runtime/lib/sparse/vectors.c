// Sparse vectors with dense ones.
#include <stdlib.h>

#include "sparse/sparse.h"

struct pair {
    int64_t nnz, size;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType sparse, dense, type;
    int32_t conjugates;
    struct gcl_sparse_scalar first, second;
};

static struct pair pair_of(cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y) {
    return (struct pair){.nnz = x->nnz,
                         .size = y->shape.rows,
                         .index_type = x->index_type,
                         .base = x->base,
                         .sparse = x->type,
                         .dense = y->shape.type};
}

/// Adds indices and values of x, and y.
static void add(struct gcl_sparse_call *call, cusparseConstSpVecDescr_t x, unsigned access_x,
                cusparseConstDnVecDescr_t y, unsigned access_y) {
    gcl_sparse_add(call, x->indices, (uint64_t)x->nnz * gcl_index_size(x->index_type),
                   GCL_BUFFER_READ);
    gcl_sparse_add(call, x->values, (uint64_t)x->nnz * gcl_number_size(x->type), access_x);
    gcl_sparse_add(call, y->values, gcl_dense_size(&y->shape), access_y);
}

static int64_t index_at(const struct pair *p, const void *indices, int64_t k) {
    return gcl_index_load(p->index_type, indices, k) - p->base;
}

static void axpby(void *const *buffers, const void *payload) {
    const struct pair *p = payload;
    void *const *next = buffers + 3;
    gcl_number alpha = gcl_sparse_scalar_value(&p->first, &next);
    gcl_number beta = gcl_sparse_scalar_value(&p->second, &next);
    for (int64_t i = 0; i < p->size && beta != 1; i++)
        gcl_number_store(p->dense, buffers[2], i,
                         beta == 0 ? 0 : beta * gcl_number_load(p->dense, buffers[2], i));
    for (int64_t k = 0; k < p->nnz; k++) {
        int64_t i = index_at(p, buffers[0], k);
        gcl_number_store(p->dense, buffers[2], i,
                         gcl_number_load(p->dense, buffers[2], i) +
                             alpha * gcl_number_load(p->sparse, buffers[1], k));
    }
}

static void gather(void *const *buffers, const void *payload) {
    const struct pair *p = payload;
    for (int64_t k = 0; k < p->nnz; k++)
        gcl_number_store(p->sparse, buffers[1], k,
                         gcl_number_load(p->dense, buffers[2], index_at(p, buffers[0], k)));
}

static void scatter(void *const *buffers, const void *payload) {
    const struct pair *p = payload;
    for (int64_t k = 0; k < p->nnz; k++)
        gcl_number_store(p->dense, buffers[2], index_at(p, buffers[0], k),
                         gcl_number_load(p->sparse, buffers[1], k));
}

static void rotate(void *const *buffers, const void *payload) {
    const struct pair *p = payload;
    void *const *next = buffers + 3;
    gcl_number c = gcl_sparse_scalar_value(&p->first, &next);
    gcl_number s = gcl_sparse_scalar_value(&p->second, &next);
    for (int64_t k = 0; k < p->nnz; k++) {
        int64_t i = index_at(p, buffers[0], k);
        gcl_number x = gcl_number_load(p->sparse, buffers[1], k);
        gcl_number y = gcl_number_load(p->dense, buffers[2], i);
        gcl_number_store(p->sparse, buffers[1], k, c * x + s * y);
        gcl_number_store(p->dense, buffers[2], i, c * y - s * x);
    }
}

static void dot(void *const *buffers, const void *payload) {
    const struct pair *p = payload;
    gcl_number sum = 0;
    for (int64_t k = 0; k < p->nnz; k++) {
        gcl_number x = gcl_number_load(p->sparse, buffers[1], k);
        sum += (p->conjugates ? conj(x) : x) *
               gcl_number_load(p->dense, buffers[2], index_at(p, buffers[0], k));
    }
    gcl_number_store(p->type, buffers[3], 0, sum);
}

GCL_TASK(axpby_task, "cusparseAxpby", axpby)
GCL_TASK(gather_task, "cusparseGather", gather)
GCL_TASK(scatter_task, "cusparseScatter", scatter)
GCL_TASK(rotate_task, "cusparseRot", rotate)
GCL_TASK(dot_task, "cusparseSpVV", dot)

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !x || !beta || !y || x->size != y->shape.rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    struct pair p = pair_of(x, y);
    add(&call, x, GCL_BUFFER_READ, y, GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    p.first = gcl_sparse_add_scalar(&call, alpha, p.dense);
    p.second = gcl_sparse_add_scalar(&call, beta, p.dense);
    return gcl_sparse_launch(&axpby_task, &call, &p, sizeof p);
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!x || !y || x->size != y->shape.rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    struct pair p = pair_of(x, y);
    add(&call, x, GCL_BUFFER_WRITE, y, GCL_BUFFER_READ);
    return gcl_sparse_launch(&gather_task, &call, &p, sizeof p);
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!x || !y || x->size != y->shape.rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    struct pair p = pair_of(x, y);
    add(&call, x, GCL_BUFFER_READ, y, GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    return gcl_sparse_launch(&scatter_task, &call, &p, sizeof p);
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!c || !s || !x || !y || x->size != y->shape.rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    struct pair p = pair_of(x, y);
    unsigned both = GCL_BUFFER_READ | GCL_BUFFER_WRITE;
    add(&call, x, both, y, both);
    p.first = gcl_sparse_add_scalar(&call, c, p.dense);
    p.second = gcl_sparse_add_scalar(&call, s, p.dense);
    return gcl_sparse_launch(&rotate_task, &call, &p, sizeof p);
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType type, size_t *size) {
    (void)op, (void)x, (void)y, (void)result, (void)type;
    return gcl_sparse_buffer_size(handle, size, 0);
}

/// A result for the host comes by way of the device.
static cusparseStatus_t bring(cusparseHandle_t handle, void *result, uint64_t size,
                              struct gcl_sparse_call *call, const struct pair *p) {
    void *device;
    cusparseStatus_t status = gcl_sparse_status(cudaMalloc(&device, size));
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    gcl_sparse_add(call, device, size, GCL_BUFFER_WRITE);
    status = gcl_sparse_launch(&dot_task, call, p, sizeof *p);
    if (status == CUSPARSE_STATUS_SUCCESS)
        status = gcl_sparse_put(handle, result, device, size);
    cudaFree(device);
    return status;
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType type, void *buffer) {
    (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!x || !y || !result || x->size != y->shape.rows || gcl_number_size(type) == 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    struct pair p = pair_of(x, y);
    p.type = type;
    p.conjugates = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    add(&call, x, GCL_BUFFER_READ, y, GCL_BUFFER_READ);
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST)
        return bring(handle, result, gcl_number_size(type), &call, &p);
    gcl_sparse_add(&call, result, gcl_number_size(type), GCL_BUFFER_WRITE);
    return gcl_sparse_launch(&dot_task, &call, &p, sizeof p);
}

/// What there was before cusparseGather.
#define GATHER(T, number, cuda)                                                                    \
    cusparseStatus_t cusparse##T##gthr(cusparseHandle_t handle, int nnz, const number *y,          \
                                       number *x, const int *indices, cusparseIndexBase_t base) {  \
        return gather_unsized(handle, nnz, y, x, indices, base, cuda);                             \
    }

/// y is as long as the greatest index asks for, which the host has to look up.
static cusparseStatus_t gather_unsized(cusparseHandle_t handle, int nnz, const void *y, void *x,
                                       const int *indices, cusparseIndexBase_t base,
                                       cudaDataType type) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    void *known;
    cusparseStatus_t status =
        gcl_sparse_fetch(handle, indices, (uint64_t)nnz * sizeof *indices, &known);
    int64_t size = nnz;
    for (int k = 0; status == CUSPARSE_STATUS_SUCCESS && k < nnz; k++) {
        int64_t end = ((const int *)known)[k] - (int64_t)base + 1;
        size = end > size ? end : size;
    }
    free(known);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    struct cusparseDnVecDescr dense = {
        .shape = {.rows = size, .columns = 1, .row_step = 1, .type = type, .batch = 1},
        .values = (void *)(uintptr_t)y};
    struct cusparseSpVecDescr sparse = {.size = size,
                                        .nnz = nnz,
                                        .indices = (void *)(uintptr_t)indices,
                                        .values = x,
                                        .index_type = CUSPARSE_INDEX_32I,
                                        .base = base,
                                        .type = type};
    return cusparseGather(handle, &dense, &sparse);
}

GATHER(S, float, CUDA_R_32F)
GATHER(D, double, CUDA_R_64F)
GATHER(C, cuComplex, CUDA_C_32F)
GATHER(Z, cuDoubleComplex, CUDA_C_64F)
