// cublasLtMatmul: what its descriptors say as a product. There is one algorithm, which needs no
// workspace.
#include <stdlib.h>

#include "blas.h"
#include "descriptors.h"

// All that a call describes.
struct call {
    const struct gcl_blas_operation *operation;
    const struct gcl_blas_layout *a, *b, *c, *d;
};

#define REFUSE(why) gcl_blas_refuse("cublasLtMatmul", why)

static bool is_transposed(int32_t operation) {
    return operation != CUBLAS_OP_N;
}

// How many elements lie side by side.
static uint64_t length_of(const struct gcl_blas_layout *l) {
    return l->order == CUBLASLT_ORDER_COL ? l->rows : l->columns;
}

static bool has_room(const struct gcl_blas_layout *l) {
    return l->leading >= 0 && (uint64_t)l->leading >= length_of(l) && l->batches >= 1 &&
           (l->batches == 1 || l->batch >= 0);
}

static cublasStatus_t check_shapes(const struct call *c) {
    bool ta = is_transposed(c->operation->transa), tb = is_transposed(c->operation->transb);
    uint64_t m = ta ? c->a->columns : c->a->rows, k = ta ? c->a->rows : c->a->columns;
    uint64_t l = tb ? c->b->columns : c->b->rows, n = tb ? c->b->rows : c->b->columns;
    bool is_valid = k == l && c->c->rows == m && c->d->rows == m && c->c->columns == n &&
                    c->d->columns == n && has_room(c->a) && has_room(c->b) && has_room(c->c) &&
                    has_room(c->d) && c->b->batches == c->a->batches &&
                    c->c->batches == c->a->batches && c->d->batches == c->a->batches &&
                    gcl_blas_is_operation((cublasOperation_t)c->operation->transa) &&
                    gcl_blas_is_operation((cublasOperation_t)c->operation->transb);
    return is_valid ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

static bool is_plain_order(int32_t order) {
    return order == CUBLASLT_ORDER_COL || order == CUBLASLT_ORDER_ROW;
}

static cublasStatus_t check_layouts(const struct call *c) {
    const struct gcl_blas_layout *all[] = {c->a, c->b, c->c, c->d};
    for (int i = 0; i < 4; i++) {
        if (!is_plain_order(all[i]->order))
            return REFUSE("matrices lie row by row, or column by column");
        if (all[i]->batch_mode != CUBLASLT_BATCH_MODE_STRIDED || all[i]->plane != 0)
            return REFUSE("matrices at pointers and planes of complex matrices are not supported");
        if (!gcl_blas_fits(all[i]->leading) || all[i]->rows > INT32_MAX ||
            all[i]->columns > INT32_MAX)
            return REFUSE("leading dimensions and sums have at most 2^31 - 1");
    }
    return c->c->order == c->d->order ? CUBLAS_STATUS_SUCCESS : REFUSE("C and D lie in one order");
}

static cublasStatus_t check_operation(const struct gcl_blas_operation *o) {
    if (o->pointer_mode != CUBLASLT_POINTER_MODE_HOST &&
        o->pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
        return REFUSE("vectors of alpha are not supported");
    if (o->transc != CUBLAS_OP_N || o->part != CUBLAS_FILL_MODE_FULL)
        return REFUSE("C is as it lies, and D is computed as a whole");
    for (int i = 0; i < 5; i++) {
        if (o->scales[i] || o->modes[i] || (i < 2 && o->largest[i]))
            return REFUSE("scales of matrices and largest values are not supported");
    }
    return CUBLAS_STATUS_SUCCESS;
}

static const struct gcl_blas_combination *find_types(const struct call *c) {
    const struct gcl_blas_combination *of =
        c->a->type == c->b->type && c->c->type == c->d->type
            ? gcl_blas_combination((cudaDataType)c->a->type, (cudaDataType)c->d->type,
                                   (cublasComputeType_t)c->operation->compute)
            : NULL;
    return of && (int32_t)of->scale == c->operation->scale ? of : NULL;
}

// The kernel for the same types that does something to results, or the one that doesn't.
static enum gcl_blas_kernel ending(enum gcl_blas_kernel kernel) {
    switch (kernel) {
    case GCL_BLAS_gemm_s:
        return GCL_BLAS_matmul_s;
    case GCL_BLAS_gemm_h:
        return GCL_BLAS_matmul_h;
    case GCL_BLAS_gemm_hs:
        return GCL_BLAS_matmul_hs;
    case GCL_BLAS_gemm_b:
        return GCL_BLAS_matmul_b;
    case GCL_BLAS_gemm_bs:
        return GCL_BLAS_matmul_bs;
    default:
        return kernel;
    }
}

static cublasStatus_t check_end(const struct call *c, const struct gcl_blas_combination *of) {
    const struct gcl_blas_operation *o = c->operation;
    enum {
        KNOWN = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS |
                CUBLASLT_EPILOGUE_GELU_AUX | CUBLASLT_EPILOGUE_DGELU,
        AUXILIARY = CUBLASLT_EPILOGUE_GELU_AUX & ~CUBLASLT_EPILOGUE_GELU
    };
    bool is_relu = o->epilogue & CUBLASLT_EPILOGUE_RELU, has_beside = o->epilogue & AUXILIARY;
    if ((o->epilogue & ~KNOWN) || (is_relu && has_beside))
        return REFUSE("of epilogues there are bias, ReLU, GELU and its derivative");
    if (o->epilogue != CUBLASLT_EPILOGUE_DEFAULT && ending(of->kernel) == of->kernel)
        return REFUSE("epilogues are for results of float, half and bfloat16");
    if ((o->epilogue & CUBLASLT_EPILOGUE_BIAS) && o->bias_type != -1 &&
        o->bias_type != CUDA_R_32F && o->bias_type != c->d->type)
        return REFUSE("biases are of D's type, or float");
    if (has_beside && o->beside_type != -1 && o->beside_type != c->d->type)
        return REFUSE("auxiliary matrices are of D's type");
    if (has_beside && (!o->beside || (uint64_t)o->beside_leading < length_of(c->d)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if ((o->epilogue & CUBLASLT_EPILOGUE_BIAS) && !o->bias)
        return CUBLAS_STATUS_INVALID_VALUE;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check(const struct call *c, const struct gcl_blas_combination **of) {
    if (!c->operation || !c->a || !c->b || !c->c || !c->d)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = check_layouts(c);
    if (!status)
        status = check_shapes(c);
    if (!status)
        status = check_operation(c->operation);
    if (status)
        return status;
    *of = find_types(c);
    if (!*of)
        return REFUSE("this combination of types is not supported");
    return check_end(c, *of);
}

static struct gcl_blas_matrix operand(const void *at, const struct gcl_blas_layout *layout,
                                      int32_t operation) {
    bool is_row = layout->order == CUBLASLT_ORDER_ROW;
    bool is_complex = layout->type == CUDA_C_32F || layout->type == CUDA_C_64F;
    bool is_swapped = is_row != is_transposed(operation);
    return (struct gcl_blas_matrix){.at = (void *)(uintptr_t)at,
                                    .row = is_swapped ? layout->leading : 1,
                                    .column = is_swapped ? 1 : layout->leading,
                                    .batch = layout->batches > 1 ? layout->batch : 0,
                                    .conjugate = is_complex && operation == CUBLAS_OP_C};
}

static void swap_strides(struct gcl_blas_matrix *matrix) {
    int64_t row = matrix->row;
    matrix->row = matrix->column;
    matrix->column = row;
}

// A matrix D that lies row by row is its transpose column by column: D^T = B^T A^T.
static void transpose(struct gcl_blas_matmul *m) {
    struct gcl_blas_gemm *g = &m->gemm;
    struct gcl_blas_matrix a = g->a;
    int64_t rows = g->m, step = m->bias_row;
    g->a = g->b;
    g->b = a;
    g->m = g->n;
    g->n = rows;
    m->bias_row = m->bias_column;
    m->bias_column = step;
    swap_strides(&g->a);
    swap_strides(&g->b);
    swap_strides(&g->c);
    swap_strides(&g->d);
    swap_strides(&m->beside);
}

static void set_end(struct gcl_blas_matmul *m, const struct call *c) {
    const struct gcl_blas_operation *o = c->operation;
    if (o->epilogue & CUBLASLT_EPILOGUE_BIAS) {
        m->bias = o->bias;
        m->bias_row = 1;
        m->bias_batch = o->bias_batch;
        m->is_float = o->bias_type == CUDA_R_32F;
    }
    bool is_slope = (o->epilogue & CUBLASLT_EPILOGUE_DGELU) == CUBLASLT_EPILOGUE_DGELU;
    bool has_beside =
        is_slope || (o->epilogue & CUBLASLT_EPILOGUE_GELU_AUX) == CUBLASLT_EPILOGUE_GELU_AUX;
    if (has_beside) {
        bool is_row = c->d->order == CUBLASLT_ORDER_ROW;
        m->beside = (struct gcl_blas_matrix){.at = o->beside,
                                             .row = is_row ? o->beside_leading : 1,
                                             .column = is_row ? 1 : o->beside_leading,
                                             .batch = o->beside_batch};
    }
    m->activation = is_slope                                 ? GCL_BLAS_GELU_SLOPE
                    : (o->epilogue & CUBLASLT_EPILOGUE_GELU) ? GCL_BLAS_GELU
                    : (o->epilogue & CUBLASLT_EPILOGUE_RELU) ? GCL_BLAS_RELU
                                                             : GCL_BLAS_AS_IS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t a,
                              const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algorithm,
                              void *workspace, size_t size, cudaStream_t stream) {
    (void)algorithm, (void)workspace, (void)size;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const struct call call = {(const void *)operation, (const void *)a, (const void *)b,
                              (const void *)c, (const void *)d};
    const struct gcl_blas_combination *of = NULL;
    cublasStatus_t status = alpha && beta ? check(&call, &of) : CUBLAS_STATUS_INVALID_VALUE;
    if (status)
        return status;
    struct cublasContext context = {
        .stream = stream, .pointer_mode = (cublasPointerMode_t)call.operation->pointer_mode};
    bool ta = is_transposed(call.operation->transa);
    struct gcl_blas_matmul m = {.gemm = {.m = (int64_t)call.d->rows,
                                         .n = (int64_t)call.d->columns,
                                         .k = (int64_t)(ta ? call.a->rows : call.a->columns),
                                         .batches = call.d->batches,
                                         .a = operand(A, call.a, call.operation->transa),
                                         .b = operand(B, call.b, call.operation->transb),
                                         .c = operand(C, call.c, CUBLAS_OP_N),
                                         .d = operand(D, call.d, CUBLAS_OP_N),
                                         .alpha = gcl_blas_scale(&context, alpha, of->scale),
                                         .beta = gcl_blas_scale(&context, beta, of->scale)}};
    set_end(&m, &call);
    if (call.d->order == CUBLASLT_ORDER_ROW)
        transpose(&m);
    bool is_ended = call.operation->epilogue != CUBLASLT_EPILOGUE_DEFAULT;
    return gcl_blas_multiply(&context, is_ended ? ending(of->kernel) : of->kernel, &m.gemm);
}

// The algorithm.

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t *results,
                                              int *count) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!preference || wanted <= 0 || !results || !count)
        return CUBLAS_STATUS_INVALID_VALUE;
    *count = 0;
    cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, operation, a, b, c, d, NULL, results);
    if (!status)
        *count = 1;
    return status;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result) {
    (void)algorithm;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const struct call call = {(const void *)operation, (const void *)a, (const void *)b,
                              (const void *)c, (const void *)d};
    const struct gcl_blas_combination *of;
    cublasStatus_t status = check(&call, &of);
    if (!status)
        *result = (cublasLtMatmulHeuristicResult_t){.algo = {{1}}, .wavesCount = 1};
    return status;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType scale, cudaDataType a, cudaDataType b,
                                        cudaDataType c, cudaDataType d, int wanted, int *ids,
                                        int *count) {
    cublasLtMatmulAlgo_t algorithm;
    cublasStatus_t status =
        cublasLtMatmulAlgoInit(handle, compute, scale, a, b, c, d, 0, &algorithm);
    if (status || wanted <= 0 || !ids)
        return status ? status : CUBLAS_STATUS_INVALID_VALUE;
    ids[0] = 0;
    if (count)
        *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType scale, cudaDataType a, cudaDataType b,
                                      cudaDataType c, cudaDataType d, int id,
                                      cublasLtMatmulAlgo_t *algorithm) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algorithm || id != 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const struct gcl_blas_combination *of =
        a == b && c == d ? gcl_blas_combination(a, d, compute) : NULL;
    if (!of || of->scale != scale)
        return gcl_blas_refuse("cublasLtMatmulAlgoInit",
                               "this combination of types is not supported");
    *algorithm = (cublasLtMatmulAlgo_t){{1}};
    return CUBLAS_STATUS_SUCCESS;
}
