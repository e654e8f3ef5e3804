// Products by NVIDIA's cuBLAS: of all tiles of a launch at once.
//
// What it doesn't do (conjugates that aren't transposed, steps back, scalars of other types) is
// left to the kernels.
#include <stddef.h>

#include "kernels.h"
#include "native.h"
#include "vendor.h"

// Operands.

/// What of a product a launch is.
struct part {
    const struct gcl_blas_gemm *g;
    struct gcl_blas_range i, j, batch;
    cublasHandle_t handle;
    struct gcl_blas_vendor_scalar scalars[2];
    const void *alpha, *beta;
};

static bool is_whole(struct gcl_blas_range range, int64_t count) {
    return range.begin == 0 && range.count == count;
}

/// Scalars are both in host memory or both in device memory.
static bool take_scalars(struct part *p, void *stream) {
    const struct gcl_blas_factor *alpha = &p->g->alpha, *beta = &p->g->beta;
    if ((alpha->at != NULL) != (beta->at != NULL))
        return false;
    p->handle = gcl_blas_vendor_scaled(stream, alpha, &p->scalars[0], &p->alpha);
    return p->handle && gcl_blas_vendor_scaled(stream, beta, &p->scalars[1], &p->beta);
}

static bool take_part(struct part *p, const struct gcl_vendor_launch *launch) {
    const struct gcl_blas_gemm *g = p->g = launch->arguments;
    p->i = gcl_blas_slices(launch->begin[0], launch->end[0], g->tile[0], g->m);
    p->j = gcl_blas_slices(launch->begin[1], launch->end[1], g->tile[1], g->n);
    p->batch = gcl_blas_slices(launch->begin[2], launch->end[2], g->tile[2], g->batches);
    return gcl_blas_adds_in_place(g) && take_scalars(p, launch->stream);
}

/// A matrix as BLAS has them.
struct operand {
    cublasOperation_t operation;
    int64_t leading;
};

/// False: it isn't one that BLAS can be given.
static bool describe(struct operand *operand, const struct gcl_blas_matrix *matrix, int64_t rows,
                     int64_t columns) {
    bool is_plain = matrix->row == 1;
    int64_t length = is_plain ? rows : columns, lines = is_plain ? columns : rows;
    int64_t distance = is_plain ? matrix->column : matrix->row;
    if ((is_plain && matrix->conjugate) || (!is_plain && matrix->column != 1))
        return false;
    if (distance < length && lines > 1)
        return false;
    operand->operation = is_plain ? CUBLAS_OP_N : matrix->conjugate ? CUBLAS_OP_C : CUBLAS_OP_T;
    operand->leading = gcl_blas_leading(matrix, rows, columns);
    return true;
}

// Products.

/// What the kernels' letters mean to cuBLAS.
struct types {
    cudaDataType in, out;
    cublasComputeType_t compute;
    int64_t in_size, out_size;
};
static const struct types types_s = {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 4, 4};
static const struct types types_d = {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 8, 8};
static const struct types types_c = {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, 8, 8};
static const struct types types_z = {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F, 16, 16};
static const struct types types_h = {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 2, 2};
static const struct types types_hs = {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, 4};
static const struct types types_b = {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2, 2};
static const struct types types_bs = {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, 4};
static const struct types types_i = {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 1, 4};
static const struct types types_is = {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1, 4};

static bool gemm(const struct gcl_vendor_launch *launch, const struct types *t) {
    struct part p;
    struct operand a, b, d;
    const struct gcl_blas_gemm *g = launch->arguments;
    if (!take_part(&p, launch) || !describe(&a, &g->a, p.i.count, g->k) ||
        !describe(&b, &g->b, g->k, p.j.count) || !describe(&d, &g->d, p.i.count, p.j.count) ||
        d.operation != CUBLAS_OP_N)
        return false;
    return gcl_blas_vendor.has.cublasGemmStridedBatchedEx_64(
               p.handle, a.operation, b.operation, p.i.count, p.j.count, g->k, p.alpha,
               gcl_blas_element(&g->a, p.i.begin, 0, p.batch.begin, t->in_size), t->in, a.leading,
               g->a.batch, gcl_blas_element(&g->b, 0, p.j.begin, p.batch.begin, t->in_size), t->in,
               b.leading, g->b.batch, p.beta,
               gcl_blas_element(&g->d, p.i.begin, p.j.begin, p.batch.begin, t->out_size), t->out,
               d.leading, g->d.batch, p.batch.count, t->compute,
               CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}

/// Matrices at pointers, which are whole: where they begin is known on the device alone.
static bool gemms(const struct gcl_vendor_launch *launch, const struct types *t) {
    struct part p;
    struct operand a, b, d;
    const struct gcl_blas_gemm *g = launch->arguments;
    if (!take_part(&p, launch) || !is_whole(p.i, g->m) || !is_whole(p.j, g->n) ||
        !describe(&a, &g->a, g->m, g->k) || !describe(&b, &g->b, g->k, g->n) ||
        !describe(&d, &g->d, g->m, g->n) || d.operation != CUBLAS_OP_N)
        return false;
    const void *const *as = g->a.at, *const *bs = g->b.at;
    void *const *ds = g->d.at;
    return gcl_blas_vendor.has.cublasGemmBatchedEx_64(
               p.handle, a.operation, b.operation, g->m, g->n, g->k, p.alpha, as + p.batch.begin,
               t->in, a.leading, bs + p.batch.begin, t->in, b.leading, p.beta, ds + p.batch.begin,
               t->out, d.leading, p.batch.count, t->compute,
               CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}

// Updates of rank k with one matrix. Parts of triangles are left to the kernel.

#define SYRK(letter, symmetric, hermitian)                                                         \
    static bool syrk_##letter(const struct gcl_vendor_launch *launch) {                            \
        struct part p;                                                                             \
        struct operand a;                                                                          \
        const struct gcl_blas_gemm *g = launch->arguments;                                         \
        if (!take_part(&p, launch) || !is_whole(p.i, g->m) || !is_whole(p.j, g->n) ||              \
            !gcl_blas_is_of_one_matrix(g) || !describe(&a, &g->a, g->m, g->k))                     \
            return false;                                                                          \
        cublasFillMode_t part = g->upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;        \
        return (gcl_blas_is_hermitian(g) ? hermitian : symmetric) == CUBLAS_STATUS_SUCCESS;        \
    }
#define CALL(name)                                                                                 \
    gcl_blas_vendor.has.name(p.handle, part, a.operation, g->m, g->k, p.alpha, g->a.at, a.leading, \
                             p.beta, g->d.at, g->d.column)
SYRK(s, CALL(cublasSsyrk_v2_64), CUBLAS_STATUS_NOT_SUPPORTED)
SYRK(d, CALL(cublasDsyrk_v2_64), CUBLAS_STATUS_NOT_SUPPORTED)
SYRK(c, CALL(cublasCsyrk_v2_64), CALL(cublasCherk_v2_64))
SYRK(z, CALL(cublasZsyrk_v2_64), CALL(cublasZherk_v2_64))

// Offers.

#define PRODUCT(name, letters, ...)                                                                \
    static bool name##_##letters(const struct gcl_vendor_launch *launch) {                         \
        return name(launch, &types_##letters);                                                     \
    }
GCL_BLAS_PRODUCTS(PRODUCT)
#undef PRODUCT

#define OFFER(name, letters, ...) {gcl_blas_vendor_is_there, name##_##letters},
static const struct gcl_vendor offers[] = {GCL_BLAS_GEMMS(OFFER)};

__attribute__((constructor)) static void offer(void) {
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++)
        gcl_vendor_offer(gcl_blas_kernels[GCL_BLAS_gemm_s + i], &offers[i]);
}
