// Products of sparse and dense matrices. What is CSR and not transposed goes to kernels, which
// split over nodes; the rest is tasks, which go through the nonzero elements.
#include "sparse/kernels.h"
#include "sparse/sparse.h"

// A vector is a matrix of one column, so there is one product for both.
struct product {
    struct gcl_sparse_shape a;
    struct gcl_dense_shape b, c;
    cusparseOperation_t op_a;
    int32_t conjugates_b;
    struct gcl_sparse_scalar alpha, beta;
};

static bool fits(const struct product *p) {
    bool is_turned = p->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t rows = is_turned ? p->a.columns : p->a.rows;
    int64_t inner = is_turned ? p->a.rows : p->a.columns;
    return p->b.rows == inner && p->c.rows == rows && p->b.columns == p->c.columns;
}

// By tasks.

static void scale(const struct gcl_dense_shape *shape, void *c, gcl_number beta) {
    for (int64_t i = 0; i < shape->rows; i++) {
        for (int64_t j = 0; j < shape->columns; j++) {
            int64_t at = i * shape->row_step + j * shape->column_step;
            gcl_number before = beta == 0 ? 0 : beta * gcl_number_load(shape->type, c, at);
            gcl_number_store(shape->type, c, at, before);
        }
    }
}

/// Adds what the nonzero element (row, column) of op(A) contributes.
static void add_element(const struct product *p, int64_t row, int64_t column, gcl_number factor,
                        const void *b, void *c) {
    for (int64_t j = 0; j < p->c.columns; j++) {
        int64_t to = row * p->c.row_step + j * p->c.column_step;
        gcl_number y = gcl_number_load(p->b.type, b, column * p->b.row_step + j * p->b.column_step);
        if (p->conjugates_b)
            y = conj(y);
        gcl_number_store(p->c.type, c, to, gcl_number_load(p->c.type, c, to) + factor * y);
    }
}

/// Calls add_element for the elements of one matrix.
static void add_matrix(const struct product *p, gcl_number alpha, void *const *a, const void *b,
                       void *c) {
    const struct gcl_sparse_shape *s = &p->a;
    bool is_coo = s->format == CUSPARSE_FORMAT_COO;
    bool swaps =
        (s->format == CUSPARSE_FORMAT_CSC) != (p->op_a != CUSPARSE_OPERATION_NON_TRANSPOSE);
    int64_t majors = s->format == CUSPARSE_FORMAT_CSC ? s->columns : s->rows;
    for (int64_t i = 0; i < (is_coo ? s->nnz : majors); i++) {
        int64_t begin = is_coo ? i : gcl_index_load(s->offset_type, a[0], i) - s->base;
        int64_t end = is_coo ? i + 1 : gcl_index_load(s->offset_type, a[0], i + 1) - s->base;
        int64_t major = is_coo ? gcl_index_load(s->index_type, a[0], i) - s->base : i;
        for (int64_t k = begin; k < end; k++) {
            int64_t minor = gcl_index_load(s->index_type, a[1], k) - s->base;
            gcl_number value = gcl_number_load(s->type, a[2], k);
            if (p->op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
                value = conj(value);
            add_element(p, swaps ? minor : major, swaps ? major : minor, alpha * value, b, c);
        }
    }
}

static void *shifted(const void *begin, int64_t elements, uint64_t size) {
    return (char *)(uintptr_t)begin + elements * (int64_t)size;
}

static void multiply(void *const *buffers, const void *payload) {
    const struct product *p = payload;
    void *const *next = buffers + 5;
    gcl_number alpha = gcl_sparse_scalar_value(&p->alpha, &next);
    gcl_number beta = gcl_sparse_scalar_value(&p->beta, &next);
    for (int64_t m = 0; m < p->c.batch; m++) {
        int64_t of_a = p->a.batch > 1 ? m : 0;
        void *a[] = {
            shifted(buffers[0], of_a * p->a.offset_stride, gcl_index_size(p->a.offset_type)),
            shifted(buffers[1], of_a * p->a.value_stride, gcl_index_size(p->a.index_type)),
            shifted(buffers[2], of_a * p->a.value_stride, gcl_number_size(p->a.type))};
        void *b =
            shifted(buffers[3], p->b.batch > 1 ? m * p->b.stride : 0, gcl_number_size(p->b.type));
        void *c = shifted(buffers[4], m * p->c.stride, gcl_number_size(p->c.type));
        scale(&p->c, c, beta);
        add_matrix(p, alpha, a, b, c);
    }
}

GCL_TASK(spmv, "cusparseSpMV", multiply)
GCL_TASK(spmm, "cusparseSpMM", multiply)

static cusparseStatus_t run_task(cusparseHandle_t handle, struct product *p,
                                 cusparseConstSpMatDescr_t a, const void *b, void *c,
                                 const void *alpha, const void *beta, cudaDataType type) {
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add_matrix(&call, a, GCL_BUFFER_READ);
    gcl_sparse_add(&call, b, gcl_dense_size(&p->b), GCL_BUFFER_READ);
    gcl_sparse_add(&call, c, gcl_dense_size(&p->c), GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    p->alpha = gcl_sparse_add_scalar(&call, alpha, type);
    p->beta = gcl_sparse_add_scalar(&call, beta, type);
    return gcl_sparse_launch(p->c.columns == 1 ? &spmv : &spmm, &call, p, sizeof *p);
}

// By kernels.

extern const void *const gcl_sparse_csr_products[][2];

static int kernel_number(cudaDataType type) {
    switch (type) {
    case CUDA_R_32F:
        return GCL_SPARSE_real;
    case CUDA_R_64F:
        return GCL_SPARSE_real_double;
    case CUDA_C_32F:
        return GCL_SPARSE_complex;
    case CUDA_C_64F:
        return GCL_SPARSE_complex_double;
    default:
        return -1;
    }
}

static bool suits_kernel(const struct product *p, cudaDataType type) {
    const struct gcl_sparse_shape *a = &p->a;
    return a->format == CUSPARSE_FORMAT_CSR && p->op_a == CUSPARSE_OPERATION_NON_TRANSPOSE &&
           !p->conjugates_b && a->offset_type == a->index_type &&
           a->index_type != CUSPARSE_INDEX_16U && kernel_number(type) >= 0 && a->type == type &&
           p->b.type == type && p->c.type == type && a->batch == 1 && p->c.batch == 1 &&
           p->c.columns <= 65535;
}

static struct gcl_sparse_factor factor(cusparseHandle_t handle, const void *scalar,
                                       cudaDataType type) {
    if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE)
        return (struct gcl_sparse_factor){.at = scalar};
    gcl_number value = gcl_number_load(type, scalar, 0);
    return (struct gcl_sparse_factor){.value = {creal(value), cimag(value)}};
}

static cusparseStatus_t run_kernel(cusparseHandle_t handle, const struct product *p,
                                   cusparseConstSpMatDescr_t a, const void *b, void *c,
                                   const void *alpha, const void *beta, cudaDataType type) {
    struct gcl_sparse_product product = {.offsets = a->offsets,
                                         .indices = a->indices,
                                         .values = a->values,
                                         .b = b,
                                         .c = c,
                                         .rows = p->c.rows,
                                         .columns = p->c.columns,
                                         .b_row = p->b.row_step,
                                         .b_column = p->b.column_step,
                                         .c_row = p->c.row_step,
                                         .c_column = p->c.column_step,
                                         .base = a->shape.base,
                                         .alpha = factor(handle, alpha, type),
                                         .beta = factor(handle, beta, type)};
    product.reads_c = product.beta.at || product.beta.value[0] != 0 || product.beta.value[1] != 0;
    if (p->c.rows == 0 || p->c.columns == 0)
        return CUSPARSE_STATUS_SUCCESS;
    void *arguments[] = {&product};
    const void *kernel =
        gcl_sparse_csr_products[kernel_number(type)][a->shape.index_type == CUSPARSE_INDEX_64I];
    dim3 grid = {(unsigned)((p->c.rows + GCL_SPARSE_BLOCK - 1) / GCL_SPARSE_BLOCK),
                 (unsigned)p->c.columns, 1};
    return gcl_sparse_status(cudaLaunchKernel(kernel, grid, (dim3){GCL_SPARSE_BLOCK, 1, 1},
                                              arguments, 0, handle->stream));
}

static cusparseStatus_t run(cusparseHandle_t handle, struct product *p, cusparseConstSpMatDescr_t a,
                            const void *b, void *c, const void *alpha, const void *beta,
                            cudaDataType type) {
    if (!fits(p))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return suits_kernel(p, type) ? run_kernel(handle, p, a, b, c, alpha, beta, type)
                                 : run_task(handle, p, a, b, c, alpha, beta, type);
}

// cuSPARSE's functions.

cusparseStatus_t cusparseSpMV_bufferSize(GCL_SPARSE_SPMV, size_t *size) {
    (void)op_a, (void)alpha, (void)a, (void)x, (void)beta, (void)y, (void)type, (void)algorithm;
    return gcl_sparse_buffer_size(handle, size, 0);
}

cusparseStatus_t cusparseSpMV_preprocess(GCL_SPARSE_SPMV, void *buffer) {
    (void)op_a, (void)alpha, (void)a, (void)x, (void)beta, (void)y, (void)type, (void)algorithm;
    (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMV(GCL_SPARSE_SPMV, void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !x || !beta || !y)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct product p = {.a = a->shape, .b = x->shape, .c = y->shape, .op_a = op_a};
    return run(handle, &p, a, x->values, y->values, alpha, beta, type);
}

cusparseStatus_t cusparseSpMM_bufferSize(GCL_SPARSE_SPMM, size_t *size) {
    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)type;
    (void)algorithm;
    return gcl_sparse_buffer_size(handle, size, 0);
}

cusparseStatus_t cusparseSpMM_preprocess(GCL_SPARSE_SPMM, void *buffer) {
    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)type;
    (void)algorithm, (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMM(GCL_SPARSE_SPMM, void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !b || !beta || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct product p = {.a = a->shape,
                        .b = gcl_dense_turned(b->shape, op_b),
                        .c = c->shape,
                        .op_a = op_a,
                        .conjugates_b = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    return run(handle, &p, a, b->values, c->values, alpha, beta, type);
}

// Dense matrices' product, of which a sparse matrix says what is wanted.

struct sampled {
    struct gcl_dense_shape a, b;
    struct gcl_sparse_shape c;
    int32_t conjugates_a, conjugates_b;
    struct gcl_sparse_scalar alpha, beta;
};

static gcl_number dot(const struct sampled *p, const void *a, const void *b, int64_t row,
                      int64_t column) {
    gcl_number sum = 0;
    for (int64_t k = 0; k < p->a.columns; k++) {
        gcl_number x = gcl_number_load(p->a.type, a, row * p->a.row_step + k * p->a.column_step);
        gcl_number y = gcl_number_load(p->b.type, b, k * p->b.row_step + column * p->b.column_step);
        sum += (p->conjugates_a ? conj(x) : x) * (p->conjugates_b ? conj(y) : y);
    }
    return sum;
}

static void sample(void *const *buffers, const void *payload) {
    const struct sampled *p = payload;
    const struct gcl_sparse_shape *s = &p->c;
    void *const *next = buffers + 5;
    gcl_number alpha = gcl_sparse_scalar_value(&p->alpha, &next);
    gcl_number beta = gcl_sparse_scalar_value(&p->beta, &next);
    for (int64_t m = 0; m < s->batch; m++) {
        void *offsets = shifted(buffers[0], m * s->offset_stride, gcl_index_size(s->offset_type));
        void *indices = shifted(buffers[1], m * s->value_stride, gcl_index_size(s->index_type));
        void *values = shifted(buffers[2], m * s->value_stride, gcl_number_size(s->type));
        void *a =
            shifted(buffers[3], p->a.batch > 1 ? m * p->a.stride : 0, gcl_number_size(p->a.type));
        void *b =
            shifted(buffers[4], p->b.batch > 1 ? m * p->b.stride : 0, gcl_number_size(p->b.type));
        for (int64_t row = 0; row < s->rows; row++) {
            int64_t end = gcl_index_load(s->offset_type, offsets, row + 1) - s->base;
            for (int64_t k = gcl_index_load(s->offset_type, offsets, row) - s->base; k < end; k++) {
                int64_t column = gcl_index_load(s->index_type, indices, k) - s->base;
                gcl_number before = beta == 0 ? 0 : beta * gcl_number_load(s->type, values, k);
                gcl_number_store(s->type, values, k, alpha * dot(p, a, b, row, column) + before);
            }
        }
    }
}

GCL_TASK(sddmm, "cusparseSDDMM", sample)

cusparseStatus_t cusparseSDDMM_bufferSize(GCL_SPARSE_SDDMM, size_t *size) {
    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)type;
    (void)algorithm;
    return gcl_sparse_buffer_size(handle, size, 0);
}

cusparseStatus_t cusparseSDDMM_preprocess(GCL_SPARSE_SDDMM, void *buffer) {
    (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)type;
    (void)algorithm, (void)buffer;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSDDMM(GCL_SPARSE_SDDMM, void *buffer) {
    (void)algorithm, (void)buffer;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !b || !beta || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (c->shape.format != CUSPARSE_FORMAT_CSR)
        return gcl_sparse_refuse("cusparseSDDMM of a matrix that isn't CSR");
    struct sampled p = {.a = gcl_dense_turned(a->shape, op_a),
                        .b = gcl_dense_turned(b->shape, op_b),
                        .c = c->shape,
                        .conjugates_a = op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                        .conjugates_b = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    if (p.a.columns != p.b.rows || p.a.rows != p.c.rows || p.b.columns != p.c.columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    struct gcl_sparse_call call = {.handle = handle};
    gcl_sparse_add_matrix(&call, c, GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    gcl_sparse_add(&call, a->values, gcl_dense_size(&p.a), GCL_BUFFER_READ);
    gcl_sparse_add(&call, b->values, gcl_dense_size(&p.b), GCL_BUFFER_READ);
    p.alpha = gcl_sparse_add_scalar(&call, alpha, type);
    p.beta = gcl_sparse_add_scalar(&call, beta, type);
    return gcl_sparse_launch(&sddmm, &call, &p, sizeof p);
}
