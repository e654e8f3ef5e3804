// Level 3: triangular matrices, and products with one that is symmetric or Hermitian.
//
// Systems of many equations are solved by blocks: of each, the triangle alone by OpenBLAS; what
// becomes of the other equations is a product, which splits (gemm.c).
#include "alone.h"

// A triangular matrix, `side` of op(A), and the m x n matrix that it meets.
struct triangle {
    cublasSideMode_t side;
    cublasFillMode_t part;
    cublasOperation_t operation;
    cublasDiagType_t diagonal;
    int64_t m, n, lda, ldb;
    const void *a;
    void *b;
    const void *alpha;
};

enum { BLOCK = 512 }; ///< equations

#define P gcl_blas_address
#define TRIANGULAR(letter, f)                                                                      \
    void f##trsm_(P, P, P, P, P, P, P, P, P, P, P);                                                \
    void f##trmm_(P, P, P, P, P, P, P, P, P, P, P);                                                \
    GCL_BLAS_TASK(letter##trsm, f##trsm_, SIDE, PART, OPERATION, DIAGONAL, M, N, ALPHA, FIRST,     \
                  SECOND)                                                                          \
    GCL_BLAS_TASK_AS(                                                                              \
        letter##trmm, f##trmm_, (SIDE, PART, OPERATION, DIAGONAL, M, N, ALPHA, FIRST, SECOND),     \
        (handle, SIDE, PART, OPERATION, DIAGONAL, M, N, ALPHA, FIRST, SECOND, SECOND))
TRIANGULAR(S, s)
TRIANGULAR(D, d)
TRIANGULAR(C, c)
TRIANGULAR(Z, z)

static const struct gcl_task *const trsm_tasks[] = {&strsm_task, &dtrsm_task, &ctrsm_task,
                                                    &ztrsm_task};
static const struct gcl_task *const trmm_tasks[] = {&strmm_task, &dtrmm_task, &ctrmm_task,
                                                    &ztrmm_task};

static int64_t order(const struct triangle *t) {
    return t->side == CUBLAS_SIDE_LEFT ? t->m : t->n;
}

static cublasStatus_t check(cublasHandle_t handle, const struct triangle *t) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool is_valid =
        (unsigned)t->side <= CUBLAS_SIDE_RIGHT && (unsigned)t->part <= CUBLAS_FILL_MODE_UPPER &&
        gcl_blas_is_operation(t->operation) && (unsigned)t->diagonal <= CUBLAS_DIAG_UNIT &&
        t->m >= 0 && t->n >= 0 && t->alpha && gcl_blas_is_wide(t->lda, order(t)) &&
        gcl_blas_is_wide(t->ldb, t->m);
    return is_valid ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

static union gcl_blas_scalar real_number(enum gcl_blas_type type, float value) {
    bool is_single = type == GCL_BLAS_S || type == GCL_BLAS_C;
    return is_single ? (union gcl_blas_scalar){.s = {value}}
                     : (union gcl_blas_scalar){.d = {(double)value}};
}

// Runs `task` on A and B as they are; `alpha` in host memory takes the place of NULL's.
static cublasStatus_t run(cublasHandle_t handle, enum gcl_blas_type type,
                          const struct gcl_task *task, const struct triangle *t) {
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    struct gcl_blas_call *c = &alone.call;
    c->side = GCL_BLAS_SIDES[t->side];
    c->part = GCL_BLAS_PARTS[t->part];
    c->operation = GCL_BLAS_OPERATIONS[t->operation];
    c->diagonal = GCL_BLAS_DIAGONALS[t->diagonal];
    c->m = gcl_blas_narrow(&alone, t->m);
    c->n = gcl_blas_narrow(&alone, t->n);
    gcl_blas_take_matrix(&alone, 0, t->a, order(t), order(t), t->lda, type, GCL_BUFFER_READ);
    gcl_blas_take_matrix(&alone, 1, t->b, t->m, t->n, t->ldb, type,
                         GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    if (t->alpha) {
        gcl_blas_take_scalar(&alone, 0, t->alpha, gcl_blas_size(type), GCL_BUFFER_READ);
    } else {
        c->has_scalars = true;
        c->scalars[0] = real_number(type, 1);
    }
    return gcl_blas_run_alone(&alone);
}

// Systems.

static const void *element(const void *matrix, int64_t i, int64_t j, int64_t leading,
                           enum gcl_blas_type type) {
    return (const char *)matrix + (i + j * leading) * gcl_blas_size(type);
}

// Equations [begin, end) come with what was found out about [from, to): B -= op(A) X, or X op(A).
// `beta` is alpha, the first time that they do.
static cublasStatus_t eliminate(cublasHandle_t handle, enum gcl_blas_type type,
                                const struct triangle *t, int64_t from, int64_t to, int64_t begin,
                                int64_t end, const void *beta) {
    bool is_left = t->side == CUBLAS_SIDE_LEFT, is_plain = t->operation == CUBLAS_OP_N;
    struct gcl_blas_gemm g = {.batches = 1, .k = to - from};
    int64_t i = is_left == is_plain ? begin : from, j = is_left == is_plain ? from : begin;
    struct gcl_blas_matrix a = gcl_blas_operand(element(t->a, i, j, t->lda, type), t->operation,
                                                t->lda, gcl_blas_is_complex(type));
    g.m = is_left ? end - begin : t->m;
    g.n = is_left ? t->n : end - begin;
    struct gcl_blas_matrix known =
        gcl_blas_operand(element(t->b, is_left ? from : 0, is_left ? 0 : from, t->ldb, type),
                         CUBLAS_OP_N, t->ldb, false);
    g.a = is_left ? a : known;
    g.b = is_left ? known : a;
    g.c = g.d =
        gcl_blas_operand(element(t->b, is_left ? begin : 0, is_left ? 0 : begin, t->ldb, type),
                         CUBLAS_OP_N, t->ldb, false);
    g.alpha = (struct gcl_blas_factor){.value = real_number(type, -1)};
    g.beta = beta ? gcl_blas_factor(handle, beta, type)
                  : (struct gcl_blas_factor){.value = real_number(type, 1)};
    return gcl_blas_multiply(handle, gcl_blas_of_type(GCL_BLAS_gemm_s, type), &g);
}

static cublasStatus_t solve_block(cublasHandle_t handle, enum gcl_blas_type type,
                                  const struct triangle *t, int64_t begin, int64_t end,
                                  const void *alpha) {
    struct triangle block = *t;
    bool is_left = t->side == CUBLAS_SIDE_LEFT;
    *(is_left ? &block.m : &block.n) = end - begin;
    block.a = element(t->a, begin, begin, t->lda, type);
    block.b =
        (void *)(uintptr_t)element(t->b, is_left ? begin : 0, is_left ? 0 : begin, t->ldb, type);
    block.alpha = alpha;
    return run(handle, type, trsm_tasks[type], &block);
}

static cublasStatus_t trsm(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct triangle *t) {
    cublasStatus_t status = check(handle, t);
    int64_t count = gcl_blas_divide_up(order(t), BLOCK);
    if (status || t->m == 0 || t->n == 0)
        return status;
    bool is_lower = t->part == CUBLAS_FILL_MODE_LOWER, is_plain = t->operation == CUBLAS_OP_N;
    bool is_forward = (t->side == CUBLAS_SIDE_LEFT) == (is_lower == is_plain);
    for (int64_t i = 0; i < count && !status; i++) {
        int64_t begin = (is_forward ? i : count - 1 - i) * BLOCK;
        int64_t end = begin + BLOCK < order(t) ? begin + BLOCK : order(t);
        int64_t rest = is_forward ? end : 0, rest_end = is_forward ? order(t) : begin;
        const void *alpha = i == 0 ? t->alpha : NULL;
        status = solve_block(handle, type, t, begin, end, alpha);
        if (!status && rest < rest_end)
            status = eliminate(handle, type, t, begin, end, rest, rest_end, alpha);
    }
    return status;
}

// Products: C = alpha op(A) B, where C may be B; BLAS has them in place alone.
static cublasStatus_t trmm(cublasHandle_t handle, enum gcl_blas_type type, struct triangle *t,
                           const void *b, int64_t ldb) {
    cublasStatus_t status = check(handle, t);
    if (status)
        return status;
    if (!gcl_blas_is_wide(ldb, t->m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (t->m == 0 || t->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    size_t size = gcl_blas_size(type);
    if (b != t->b)
        status = gcl_blas_status(cudaMemcpy2DAsync(
            t->b, (size_t)t->ldb * size, b, (size_t)ldb * size, (size_t)t->m * size, (size_t)t->n,
            cudaMemcpyDeviceToDevice, handle->stream));
    return status ? status : run(handle, type, trmm_tasks[type], t);
}

// Symmetric and Hermitian matrices.

// C = alpha A B + beta C, with A on its side; or, of a triangle, C = alpha (A B^T + B A^T) + beta
// C.
struct product {
    char side, part, operation;
    int64_t m, n, k, lda, ldb, ldc;
    const void *a, *b;
    void *c;
    const void *alpha, *beta;
    uint64_t beta_size; ///< bytes
};

#define SYMMETRIC(letter, f, name)                                                                 \
    void f##name##_(P, P, P, P, P, P, P, P, P, P, P, P);                                           \
    GCL_BLAS_TASK(letter##name, f##name##_, SIDE, PART, M, N, ALPHA, FIRST, SECOND, BETA, THIRD)
#define RANK(letter, f, name)                                                                      \
    void f##name##_(P, P, P, P, P, P, P, P, P, P, P, P);                                           \
    GCL_BLAS_TASK(letter##name, f##name##_, PART, OPERATION, N, K, ALPHA, FIRST, SECOND, BETA,     \
                  THIRD)
SYMMETRIC(S, s, symm)
SYMMETRIC(D, d, symm)
SYMMETRIC(C, c, symm)
SYMMETRIC(Z, z, symm)
SYMMETRIC(C, c, hemm)
SYMMETRIC(Z, z, hemm)
RANK(S, s, syr2k)
RANK(D, d, syr2k)
RANK(C, c, syr2k)
RANK(Z, z, syr2k)
RANK(C, c, her2k)
RANK(Z, z, her2k)

// `rows` and `columns` are those of the operands A and B; C is m x n.
static cublasStatus_t multiply(cublasHandle_t handle, enum gcl_blas_type type,
                               const struct gcl_task *task, const struct product *p,
                               const int64_t a[2], const int64_t b[2]) {
    if (!gcl_blas_is_wide(p->lda, a[0]) || !gcl_blas_is_wide(p->ldb, b[0]) ||
        !gcl_blas_is_wide(p->ldc, p->m) || p->m < 0 || p->n < 0 || p->k < 0 || !p->alpha ||
        !p->beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p->m == 0 || p->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    struct gcl_blas_alone alone = {.handle = handle, .task = task};
    struct gcl_blas_call *c = &alone.call;
    c->side = p->side;
    c->part = p->part;
    c->operation = p->operation;
    c->m = gcl_blas_narrow(&alone, p->m);
    c->n = gcl_blas_narrow(&alone, p->n);
    c->k = gcl_blas_narrow(&alone, p->k);
    gcl_blas_take_matrix(&alone, 0, p->a, a[0], a[1], p->lda, type, GCL_BUFFER_READ);
    gcl_blas_take_matrix(&alone, 1, p->b, b[0], b[1], p->ldb, type, GCL_BUFFER_READ);
    gcl_blas_take_matrix(&alone, 2, p->c, p->m, p->n, p->ldc, type,
                         GCL_BUFFER_READ | GCL_BUFFER_WRITE);
    gcl_blas_take_scalar(&alone, 0, p->alpha, gcl_blas_size(type), GCL_BUFFER_READ);
    gcl_blas_take_scalar(&alone, 1, p->beta, p->beta_size, GCL_BUFFER_READ);
    return gcl_blas_run_alone(&alone);
}

static cublasStatus_t symm(cublasHandle_t handle, enum gcl_blas_type type,
                           const struct gcl_task *task, cublasSideMode_t side,
                           cublasFillMode_t part, struct product *p) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((unsigned)side > CUBLAS_SIDE_RIGHT || (unsigned)part > CUBLAS_FILL_MODE_UPPER)
        return CUBLAS_STATUS_INVALID_VALUE;
    p->side = GCL_BLAS_SIDES[side];
    p->part = GCL_BLAS_PARTS[part];
    p->beta_size = gcl_blas_size(type);
    int64_t order = side == CUBLAS_SIDE_LEFT ? p->m : p->n;
    return multiply(handle, type, task, p, (int64_t[]){order, order}, (int64_t[]){p->m, p->n});
}

static cublasStatus_t rank_2k(cublasHandle_t handle, enum gcl_blas_type type,
                              const struct gcl_task *task, cublasFillMode_t part,
                              cublasOperation_t operation, bool is_hermitian, struct product *p) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    bool is_complex = gcl_blas_is_complex(type);
    cublasOperation_t other = is_hermitian ? CUBLAS_OP_T : CUBLAS_OP_C;
    if ((unsigned)part > CUBLAS_FILL_MODE_UPPER || !gcl_blas_is_operation(operation) ||
        (is_complex && operation == other))
        return CUBLAS_STATUS_INVALID_VALUE;
    p->part = GCL_BLAS_PARTS[part];
    p->operation = GCL_BLAS_OPERATIONS[operation];
    p->beta_size = gcl_blas_size(type) / (is_hermitian ? 2 : 1);
    bool is_plain = operation == CUBLAS_OP_N;
    const int64_t sizes[] = {is_plain ? p->n : p->k, is_plain ? p->k : p->n};
    return multiply(handle, type, task, p, sizes, sizes);
}

// Entry points. I is the type of sizes; names end in `v2`. R is the type of beta.

#define TRSM(letter, f, T, I, v2)                                                                  \
    cublasStatus_t cublas##letter##trsm##v2(cublasHandle_t handle, cublasSideMode_t side,          \
                                            cublasFillMode_t part, cublasOperation_t operation,    \
                                            cublasDiagType_t diagonal, I m, I n, const T *alpha,   \
                                            const T *a, I lda, T *b, I ldb) {                      \
        const struct triangle t = {side, part, operation, diagonal, m, n, lda, ldb, a, b, alpha};  \
        return trsm(handle, GCL_BLAS_##letter, &t);                                                \
    }                                                                                              \
    cublasStatus_t cublas##letter##trmm##v2(cublasHandle_t handle, cublasSideMode_t side,          \
                                            cublasFillMode_t part, cublasOperation_t operation,    \
                                            cublasDiagType_t diagonal, I m, I n, const T *alpha,   \
                                            const T *a, I lda, const T *b, I ldb, T *c, I ldc) {   \
        struct triangle t = {side, part, operation, diagonal, m, n, lda, ldc, a, c, alpha};        \
        return trmm(handle, GCL_BLAS_##letter, &t, b, ldb);                                        \
    }
#define OPERANDS                                                                                   \
    .lda = lda, .ldb = ldb, .ldc = ldc, .a = a, .b = b, .c = c, .alpha = alpha, .beta = beta
#define SYMM(letter, f, name, T, I, v2)                                                            \
    cublasStatus_t cublas##letter##name##v2(                                                       \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, I m, I n,             \
        const T *alpha, const T *a, I lda, const T *b, I ldb, const T *beta, T *c, I ldc) {        \
        struct product p = {.m = m, .n = n, OPERANDS};                                             \
        return symm(handle, GCL_BLAS_##letter, &f##name##_task, side, part, &p);                   \
    }
#define RANK_2K(letter, f, name, T, R, is_hermitian, I, v2)                                        \
    cublasStatus_t cublas##letter##name##v2(                                                       \
        cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t operation, I n, I k,       \
        const T *alpha, const T *a, I lda, const T *b, I ldb, const R *beta, T *c, I ldc) {        \
        struct product p = {.m = n, .n = n, .k = k, OPERANDS};                                     \
        return rank_2k(handle, GCL_BLAS_##letter, &f##name##_task, part, operation, is_hermitian,  \
                       &p);                                                                        \
    }
#define ALL(I, v2)                                                                                 \
    TRSM(S, s, float, I, v2)                                                                       \
    TRSM(D, d, double, I, v2)                                                                      \
    TRSM(C, c, cuComplex, I, v2)                                                                   \
    TRSM(Z, z, cuDoubleComplex, I, v2)                                                             \
    SYMM(S, s, symm, float, I, v2)                                                                 \
    SYMM(D, d, symm, double, I, v2)                                                                \
    SYMM(C, c, symm, cuComplex, I, v2)                                                             \
    SYMM(Z, z, symm, cuDoubleComplex, I, v2)                                                       \
    SYMM(C, c, hemm, cuComplex, I, v2)                                                             \
    SYMM(Z, z, hemm, cuDoubleComplex, I, v2)                                                       \
    RANK_2K(S, s, syr2k, float, float, false, I, v2)                                               \
    RANK_2K(D, d, syr2k, double, double, false, I, v2)                                             \
    RANK_2K(C, c, syr2k, cuComplex, cuComplex, false, I, v2)                                       \
    RANK_2K(Z, z, syr2k, cuDoubleComplex, cuDoubleComplex, false, I, v2)                           \
    RANK_2K(C, c, her2k, cuComplex, float, true, I, v2)                                            \
    RANK_2K(Z, z, her2k, cuDoubleComplex, double, true, I, v2)
ALL(int, _v2)
ALL(int64_t, _v2_64)
