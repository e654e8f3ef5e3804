// Matrix products: what all entry points make of their arguments, and the tiles that blocks get.
//
// Tiles depend on the matrices alone, not on the cluster, so that results are the same on any
// number of nodes.
#include "blas.h"

enum {
    ENOUGH_TILES = 16,   ///< for the workers of some nodes
    LEAST_WORK = 1 << 20 ///< multiplications that are worth a block
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t tiles_of(const struct gcl_blas_gemm *g, int64_t tile) {
    return gcl_blas_divide_up(g->m, tile) * gcl_blas_divide_up(g->n, tile);
}

// OpenBLAS multiplies doubles faster in tiles of more rows than columns, if these aren't too few.
static bool is_tall(enum gcl_blas_kernel kernel, const struct gcl_blas_gemm *g, int64_t tile) {
    return (kernel == GCL_BLAS_gemm_d || kernel == GCL_BLAS_gemms_d) && tile >= 256 &&
           g->m >= 2 * tile && gcl_blas_divide_up(g->n, tile / 2) <= UINT16_MAX;
}

// Large tiles pack operands seldom, small ones keep all workers busy.
static void choose_tiles(struct gcl_blas_gemm *g, enum gcl_blas_kernel kernel) {
    int64_t tile = 512;
    while (tile > 128 && tiles_of(g, tile) * g->batches < ENOUGH_TILES)
        tile /= 2;
    while (gcl_blas_divide_up(g->n, tile) > UINT16_MAX)
        tile *= 2;
    int64_t work = smaller(tile, g->m) * smaller(tile, g->n) * (g->k + 1);
    int64_t batches = work < LEAST_WORK ? LEAST_WORK / work : 1;
    int64_t least = gcl_blas_divide_up(g->batches, UINT16_MAX);
    g->tile[0] = is_tall(kernel, g, tile) ? 2 * tile : tile;
    g->tile[1] = tile * tile / g->tile[0];
    g->tile[2] = batches > least ? batches : least;
    if (g->m == 1) // each element of B is used once
        g->tile[1] = tile * gcl_blas_divide_up(LEAST_WORK / 4, tile * (g->k + 1));
}

static void swap(struct gcl_blas_matrix *matrix) {
    int64_t row = matrix->row;
    matrix->row = matrix->column;
    matrix->column = row;
}

// One column is as good as one row, for which there are functions of vectors: D^T = B^T A^T.
static void transpose(struct gcl_blas_gemm *g) {
    struct gcl_blas_matrix a = g->a;
    g->a = g->b;
    g->b = a;
    swap(&g->a);
    swap(&g->b);
    g->c.column = g->d.column = 1;
    g->n = g->m;
    g->m = 1;
}

cublasStatus_t gcl_blas_multiply(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                                 struct gcl_blas_gemm *g) {
    if (g->m == 0 || g->n == 0 || g->batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (gcl_blas_factor_is_zero(&g->alpha))
        g->k = 0; // neither operand is read
    g->reads_c = !gcl_blas_factor_is_zero(&g->beta);
    if (g->n == 1 && g->m > 1 && kernel <= GCL_BLAS_gemms_is)
        transpose(g);
    choose_tiles(g, kernel);
    struct gcl_blas_extent grid = {gcl_blas_divide_up(g->m, g->tile[0]),
                                   gcl_blas_divide_up(g->n, g->tile[1]),
                                   gcl_blas_divide_up(g->batches, g->tile[2])};
    return gcl_blas_launch(handle, kernel, grid, (struct gcl_blas_extent){32, 8, 1}, g);
}

struct gcl_blas_matrix gcl_blas_operand(const void *at, cublasOperation_t operation,
                                        int64_t leading, bool is_complex) {
    bool is_plain = operation == CUBLAS_OP_N;
    return (struct gcl_blas_matrix){.at = (void *)(uintptr_t)at,
                                    .row = is_plain ? 1 : leading,
                                    .column = is_plain ? leading : 1,
                                    .conjugate = is_complex && operation == CUBLAS_OP_C};
}

// A product as routines have it.
struct product {
    cublasOperation_t transa, transb;
    int64_t m, n, k;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc;
    int64_t stride_a, stride_b, stride_c; ///< GCL_BLAS_POINTERS: a, b, c are arrays of pointers
    int64_t batches;
    const void *alpha, *beta;
};

static cublasStatus_t check(cublasHandle_t handle, const struct product *p) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool is_valid = gcl_blas_is_operation(p->transa) && gcl_blas_is_operation(p->transb) &&
                    p->m >= 0 && p->n >= 0 && p->k >= 0 && p->batches >= 0 && p->alpha && p->beta &&
                    gcl_blas_is_wide(p->lda, p->transa == CUBLAS_OP_N ? p->m : p->k) &&
                    gcl_blas_is_wide(p->ldb, p->transb == CUBLAS_OP_N ? p->k : p->n) &&
                    gcl_blas_is_wide(p->ldc, p->m);
    if (!is_valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!gcl_blas_fits(p->lda) || !gcl_blas_fits(p->ldb) || !gcl_blas_fits(p->ldc) ||
        !gcl_blas_fits(p->k))
        return gcl_blas_refuse("cublasGemm", "leading dimensions and sums have at most 2^31 - 1");
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t multiply(cublasHandle_t handle, enum gcl_blas_kernel kernel,
                               const struct product *p, struct gcl_blas_factor alpha,
                               struct gcl_blas_factor beta) {
    bool is_complex = kernel == GCL_BLAS_gemm_c || kernel == GCL_BLAS_gemm_z;
    struct gcl_blas_gemm g = {.m = p->m, .n = p->n, .k = p->k, .batches = p->batches};
    g.a = gcl_blas_operand(p->a, p->transa, p->lda, is_complex);
    g.b = gcl_blas_operand(p->b, p->transb, p->ldb, is_complex);
    g.c = gcl_blas_operand(p->c, CUBLAS_OP_N, p->ldc, false);
    g.a.batch = p->stride_a;
    g.b.batch = p->stride_b;
    g.c.batch = p->stride_c;
    g.d = g.c;
    g.alpha = alpha;
    g.beta = beta;
    return gcl_blas_multiply(handle, gcl_blas_variant(kernel, p->stride_c), &g);
}

static cublasStatus_t gemm(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct product *p) {
    cublasStatus_t status = check(handle, p);
    if (status)
        return status;
    return multiply(handle, gcl_blas_of_type(GCL_BLAS_gemm_s, type), p,
                    gcl_blas_factor(handle, p->alpha, type),
                    gcl_blas_factor(handle, p->beta, type));
}

static cublasStatus_t gemm_ex(cublasHandle_t handle, const char *name, const struct product *p,
                              const cudaDataType types[3], cublasComputeType_t compute) {
    cublasStatus_t status = check(handle, p);
    if (status)
        return status;
    const struct gcl_blas_combination *of =
        types[0] == types[1] ? gcl_blas_combination(types[0], types[2], compute) : NULL;
    if (!of)
        return gcl_blas_refuse(name, "this combination of types is not supported");
    return multiply(handle, of->kernel, p, gcl_blas_scale(handle, p->alpha, of->scale),
                    gcl_blas_scale(handle, p->beta, of->scale));
}

// Entry points. I is the type of sizes; with _v2 names end in `v2`, without in `v1`.

#define OPERATIONS cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb
#define PRODUCT(...)                                                                               \
    const struct product p = {                                                                     \
        transa, transb, m,   n,           k,     A,   B, (void *)(uintptr_t)C,                     \
        lda,    ldb,    ldc, __VA_ARGS__, alpha, beta}
#define POINTERS GCL_BLAS_POINTERS, GCL_BLAS_POINTERS, GCL_BLAS_POINTERS

// `call` has what is to be done with the product `p`.
#define PLAIN(name, T, I, call)                                                                    \
    cublasStatus_t name(OPERATIONS, I m, I n, I k, const T *alpha, const T *A, I lda, const T *B,  \
                        I ldb, const T *beta, T *C, I ldc) {                                       \
        PRODUCT(0, 0, 0, 1);                                                                       \
        return call;                                                                               \
    }
#define STRIDED(name, T, I, call)                                                                  \
    cublasStatus_t name(OPERATIONS, I m, I n, I k, const T *alpha, const T *A, I lda,              \
                        long long stride_a, const T *B, I ldb, long long stride_b, const T *beta,  \
                        T *C, I ldc, long long stride_c, I count) {                                \
        PRODUCT(stride_a, stride_b, stride_c, count);                                              \
        return call;                                                                               \
    }
#define BATCHED(name, T, I, call)                                                                  \
    cublasStatus_t name(OPERATIONS, I m, I n, I k, const T *alpha, const T *const *A, I lda,       \
                        const T *const *B, I ldb, const T *beta, T *const *C, I ldc, I count) {    \
        PRODUCT(POINTERS, count);                                                                  \
        return call;                                                                               \
    }

#define TYPED(letter, T, I, v1, v2)                                                                \
    PLAIN(cublas##letter##gemm##v2, T, I, gemm(handle, GCL_BLAS_##letter, &p))                     \
    STRIDED(cublas##letter##gemmStridedBatched##v1, T, I, gemm(handle, GCL_BLAS_##letter, &p))     \
    BATCHED(cublas##letter##gemmBatched##v1, T, I, gemm(handle, GCL_BLAS_##letter, &p))

#define COMPLEX(letter, T, I, v1)                                                                  \
    PLAIN(cublas##letter##gemm3m##v1, T, I, gemm(handle, GCL_BLAS_##letter, &p))

static const cudaDataType halves[3] = {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F};

#define HALVES(name) gemm_ex(handle, name, &p, halves, CUBLAS_COMPUTE_16F)
#define MIXED(name, compute) gemm_ex(handle, name, &p, (cudaDataType[]){at, bt, ct}, compute)

#define COMPLEX_EX(name, I, v1)                                                                    \
    cublasStatus_t name##v1(OPERATIONS, I m, I n, I k, const cuComplex *alpha, const void *A,      \
                            cudaDataType at, I lda, const void *B, cudaDataType bt, I ldb,         \
                            const cuComplex *beta, void *C, cudaDataType ct, I ldc) {              \
        PRODUCT(0, 0, 0, 1);                                                                       \
        return MIXED(#name, CUBLAS_COMPUTE_32F);                                                   \
    }

// C and Z have one way to add, three products instead of four being no gain.
#define ALL(I, v1, v2)                                                                             \
    TYPED(S, float, I, v1, v2)                                                                     \
    TYPED(D, double, I, v1, v2)                                                                    \
    TYPED(C, cuComplex, I, v1, v2)                                                                 \
    TYPED(Z, cuDoubleComplex, I, v1, v2)                                                           \
    COMPLEX(C, cuComplex, I, v1)                                                                   \
    COMPLEX(Z, cuDoubleComplex, I, v1)                                                             \
    STRIDED(cublasCgemm3mStridedBatched##v1, cuComplex, I, gemm(handle, GCL_BLAS_C, &p))           \
    BATCHED(cublasCgemm3mBatched##v1, cuComplex, I, gemm(handle, GCL_BLAS_C, &p))                  \
    PLAIN(cublasHgemm##v1, __half, I, HALVES("cublasHgemm"))                                       \
    STRIDED(cublasHgemmStridedBatched##v1, __half, I, HALVES("cublasHgemmStridedBatched"))         \
    BATCHED(cublasHgemmBatched##v1, __half, I, HALVES("cublasHgemmBatched"))                       \
    cublasStatus_t cublasSgemmEx##v1(OPERATIONS, I m, I n, I k, const float *alpha, const void *A, \
                                     cudaDataType at, I lda, const void *B, cudaDataType bt,       \
                                     I ldb, const float *beta, void *C, cudaDataType ct, I ldc) {  \
        PRODUCT(0, 0, 0, 1);                                                                       \
        return MIXED("cublasSgemmEx", CUBLAS_COMPUTE_32F);                                         \
    }                                                                                              \
    COMPLEX_EX(cublasCgemmEx, I, v1)                                                               \
    COMPLEX_EX(cublasCgemm3mEx, I, v1)                                                             \
    cublasStatus_t cublasGemmEx##v1(OPERATIONS, I m, I n, I k, const void *alpha, const void *A,   \
                                    cudaDataType at, I lda, const void *B, cudaDataType bt, I ldb, \
                                    const void *beta, void *C, cudaDataType ct, I ldc,             \
                                    cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {     \
        (void)algorithm;                                                                           \
        PRODUCT(0, 0, 0, 1);                                                                       \
        return MIXED("cublasGemmEx", compute);                                                     \
    }                                                                                              \
    cublasStatus_t cublasGemmStridedBatchedEx##v1(                                                 \
        OPERATIONS, I m, I n, I k, const void *alpha, const void *A, cudaDataType at, I lda,       \
        long long stride_a, const void *B, cudaDataType bt, I ldb, long long stride_b,             \
        const void *beta, void *C, cudaDataType ct, I ldc, long long stride_c, I count,            \
        cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {                                 \
        (void)algorithm;                                                                           \
        PRODUCT(stride_a, stride_b, stride_c, count);                                              \
        return MIXED("cublasGemmStridedBatchedEx", compute);                                       \
    }                                                                                              \
    cublasStatus_t cublasGemmBatchedEx##v1(                                                        \
        OPERATIONS, I m, I n, I k, const void *alpha, const void *const *A, cudaDataType at,       \
        I lda, const void *const *B, cudaDataType bt, I ldb, const void *beta, void *const *C,     \
        cudaDataType ct, I ldc, I count, cublasComputeType_t compute,                              \
        cublasGemmAlgo_t algorithm) {                                                              \
        (void)algorithm;                                                                           \
        PRODUCT(POINTERS, count);                                                                  \
        return MIXED("cublasGemmBatchedEx", compute);                                              \
    }
ALL(int, , _v2)
ALL(int64_t, _64, _v2_64)
