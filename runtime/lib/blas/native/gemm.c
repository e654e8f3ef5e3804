// Tiles of matrix products by OpenBLAS, which runs in the calling worker alone: the workers are
// what computes in parallel.
#include "native.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "halves.h"

union gcl_blas_scalar gcl_blas_factor_read(const struct gcl_blas_factor *factor, uint32_t size) {
    if (!factor->at)
        return factor->value;
    union gcl_blas_scalar value = {.d = {0, 0}};
    if (factor->kind == GCL_BLAS_FACTOR_HALF)
        gcl_halves_widen(factor->at, value.s, 1);
    else
        memcpy(&value, factor->at, factor->kind == GCL_BLAS_FACTOR_REAL ? size / 2 : size);
    return value;
}

// The part of a product that a block computes, of one matrix of the batch.
struct tile {
    const struct gcl_blas_gemm *g;
    struct gcl_blas_range i, j, batch;
};

static struct tile tile_of(const struct gcl_block *block) {
    const struct gcl_blas_gemm *g = (const void *)block->arguments;
    const uint32_t *index = block->block_index;
    return (struct tile){g, gcl_blas_slice(index[0], g->tile[0], g->m),
                         gcl_blas_slice(index[1], g->tile[1], g->n),
                         gcl_blas_slice(index[2], g->tile[2], g->batches)};
}

// Strides as BLAS has them: one of the two is 1.
static CBLAS_TRANSPOSE transposition(const struct gcl_blas_matrix *matrix) {
    if (matrix->row == 1)
        return matrix->conjugate ? CblasConjNoTrans : CblasNoTrans;
    return matrix->conjugate ? CblasConjTrans : CblasTrans;
}

static int leading(const struct gcl_blas_matrix *matrix, int64_t rows, int64_t columns) {
    return (int)gcl_blas_leading(matrix, rows, columns);
}

// D starts as C where it isn't C.
static void copy_addend(const struct tile *t, int64_t batch, int64_t size) {
    const struct gcl_blas_matrix *c = &t->g->c, *d = &t->g->d;
    if (gcl_blas_adds_in_place(t->g))
        return;
    for (int64_t j = t->j.begin; j < t->j.begin + t->j.count; j++)
        memcpy(gcl_blas_element(d, t->i.begin, j, batch, size),
               gcl_blas_element(c, t->i.begin, j, batch, size), (size_t)(t->i.count * size));
}

#define FLOAT(value) value.s[0]
#define DOUBLE(value) value.d[0]
#define COMPLEX(value) (&value)

// A product of one row, D = alpha a B + beta C, is one of a vector and a matrix, of which
// gcl_blas_gemm has vectors with steps, too. Those from which nothing is added have none of a
// vector's.
static bool is_vector(const struct gcl_blas_gemm *g) {
    return g->m == 1 && g->k > 0 && !g->a.conjugate && (!g->b.conjugate || g->b.row == 1);
}

static void *lowest(const struct gcl_blas_matrix *vector, struct gcl_blas_range range,
                    int64_t batch, int64_t size) {
    int64_t first = vector->column < 0 ? range.begin + range.count - 1 : range.begin;
    return gcl_blas_element(vector, 0, first, batch, size);
}

// OpenBLAS reads beyond complex matrices of 4 n + 2 rows.
static int64_t rows_at_once(int64_t rows, bool is_complex) {
    return is_complex && rows % 4 == 2 ? rows - 1 : rows;
}

#define VECTOR_PRODUCT(letter, size, scalar, is_complex)                                           \
    static void multiply_vector_##letter(const struct tile *t, int64_t batch,                      \
                                         union gcl_blas_scalar alpha,                              \
                                         union gcl_blas_scalar beta) {                             \
        const struct gcl_blas_gemm *g = t->g;                                                      \
        bool is_plain = g->b.row != 1;                                                             \
        CBLAS_TRANSPOSE how = is_plain         ? CblasNoTrans                                      \
                              : g->b.conjugate ? CblasConjTrans                                    \
                                               : CblasTrans;                                       \
        struct gcl_blas_range all = {0, g->k}, j = {t->j.begin, 0};                                \
        for (int64_t left = t->j.count; left > 0; left -= j.count, j.begin += j.count) {           \
            j.count = rows_at_once(left, is_complex);                                              \
            int rows = (int)(is_plain ? j.count : g->k);                                           \
            int columns = (int)(is_plain ? g->k : j.count);                                        \
            cblas_##letter##gemv(CblasColMajor, how, rows, columns, scalar(alpha),                 \
                                 gcl_blas_element(&g->b, 0, j.begin, batch, size),                 \
                                 leading(&g->b, g->k, j.count), lowest(&g->a, all, batch, size),   \
                                 (int)g->a.column, scalar(beta), lowest(&g->d, j, batch, size),    \
                                 (int)g->d.column);                                                \
        }                                                                                          \
    }
VECTOR_PRODUCT(s, 4, FLOAT, false)
VECTOR_PRODUCT(d, 8, DOUBLE, false)
VECTOR_PRODUCT(c, 8, COMPLEX, true)
VECTOR_PRODUCT(z, 16, COMPLEX, true)

// The four types that BLAS has. Real scalars are arguments by value, complex ones by address.
#define PRODUCT(letter, size, scalar)                                                              \
    static void multiply_##letter(const struct tile *t, int64_t batch) {                           \
        const struct gcl_blas_gemm *g = t->g;                                                      \
        union gcl_blas_scalar alpha = gcl_blas_factor_read(&g->alpha, size), beta = {.d = {0, 0}}; \
        if (g->reads_c)                                                                            \
            beta = gcl_blas_factor_read(&g->beta, size);                                           \
        copy_addend(t, batch, size);                                                               \
        if (is_vector(g)) {                                                                        \
            multiply_vector_##letter(t, batch, alpha, beta);                                       \
            return;                                                                                \
        }                                                                                          \
        void *d = gcl_blas_element(&g->d, t->i.begin, t->j.begin, batch, size);                    \
        if (g->d.column < 0)                                                                       \
            d = lowest(&g->d, t->j, batch, size);                                                  \
        cblas_##letter##gemm(                                                                      \
            CblasColMajor, transposition(&g->a), transposition(&g->b), (int)t->i.count,            \
            (int)t->j.count, (int)g->k, scalar(alpha),                                             \
            gcl_blas_element(&g->a, t->i.begin, 0, batch, size), leading(&g->a, t->i.count, g->k), \
            gcl_blas_element(&g->b, 0, t->j.begin, batch, size), leading(&g->b, g->k, t->j.count), \
            scalar(beta), d, leading(&g->d, t->i.count, t->j.count));                              \
    }
PRODUCT(s, 4, FLOAT)
PRODUCT(d, 8, DOUBLE)
PRODUCT(c, 8, COMPLEX)
PRODUCT(z, 16, COMPLEX)

static uint32_t run_gemm(const struct gcl_block *block,
                         void (*multiply)(const struct tile *t, int64_t batch)) {
    struct tile t = tile_of(block);
    for (int64_t batch = t.batch.begin; batch < t.batch.begin + t.batch.count; batch++)
        multiply(&t, batch);
    return GCL_EXIT;
}

#define GEMM(name, letters)                                                                        \
    uint32_t gcl_blas_##name##_##letters(struct gcl_block *block, uint32_t begin, uint32_t end,    \
                                         uint32_t here) {                                          \
        (void)begin, (void)end, (void)here;                                                        \
        return run_gemm(block, multiply_##letters);                                                \
    }
GEMM(gemm, s)
GEMM(gemm, d)
GEMM(gemm, c)
GEMM(gemm, z)
GEMM(gemms, s)
GEMM(gemms, d)
GEMM(gemms, c)
GEMM(gemms, z)

// Tiles that something is done to.

static void floats_copy(const void *in, float *out, int64_t count) {
    memcpy(out, in, (size_t)count * sizeof *out);
}

static void floats_store(const float *in, void *out, int64_t count) {
    memcpy(out, in, (size_t)count * sizeof *in);
}

static void end_tile(const struct gcl_blas_matmul *m, const struct tile *t, int64_t batch) {
    static const struct gcl_blas_numbers floats = {4, 4, floats_copy, floats_copy, floats_store, 0};
    for (int64_t j = t->j.begin; j < t->j.begin + t->j.count; j++)
        gcl_blas_end(m, &floats, t->i.begin, j, batch,
                     gcl_blas_element(&m->gemm.d, t->i.begin, j, batch, sizeof(float)), t->i.count);
}

uint32_t gcl_blas_matmul_s(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {
    (void)begin, (void)end, (void)here;
    const struct gcl_blas_matmul *m = (const void *)block->arguments;
    struct tile t = tile_of(block);
    for (int64_t batch = t.batch.begin; batch < t.batch.begin + t.batch.count; batch++) {
        multiply_s(&t, batch);
        end_tile(m, &t, batch);
    }
    return GCL_EXIT;
}

// Tiles of triangles. Tiles are square, so those beside the diagonal are whole.

static CBLAS_UPLO part_of(const struct gcl_blas_gemm *g) {
    return g->upper ? CblasUpper : CblasLower;
}

// A and its transpose, the operands, begin at the tile's first row.
#define DIAGONAL(letter, kind, size, scalar)                                                       \
    static void diagonal_##letter##kind(const struct tile *t) {                                    \
        const struct gcl_blas_gemm *g = t->g;                                                      \
        union gcl_blas_scalar alpha = gcl_blas_factor_read(&g->alpha, size), beta = {.d = {0, 0}}; \
        if (g->reads_c)                                                                            \
            beta = gcl_blas_factor_read(&g->beta, size);                                           \
        CBLAS_TRANSPOSE how = transposition(&g->a) == CblasNoTrans ? CblasNoTrans                  \
                              : g->a.conjugate                     ? CblasConjTrans                \
                                                                   : CblasTrans;                                       \
        cblas_##letter##kind(CblasColMajor, part_of(g), how, (int)t->i.count, (int)g->k,           \
                             scalar(alpha), gcl_blas_element(&g->a, t->i.begin, 0, 0, size),       \
                             leading(&g->a, t->i.count, g->k), scalar(beta),                       \
                             gcl_blas_element(&g->d, t->i.begin, t->j.begin, 0, size),             \
                             leading(&g->d, t->i.count, t->j.count));                              \
    }
DIAGONAL(s, syrk, 4, FLOAT)
DIAGONAL(d, syrk, 8, DOUBLE)
DIAGONAL(c, syrk, 8, COMPLEX)
DIAGONAL(z, syrk, 16, COMPLEX)
DIAGONAL(c, herk, 8, FLOAT)
DIAGONAL(z, herk, 16, DOUBLE)

enum { SQUARE = 32 }; // rows and columns of squares on the diagonal

// A square on the diagonal, of which one triangle changes: all of it is computed beside D.
static void multiply_square(const struct tile *t, struct gcl_blas_range range, int64_t size,
                            void (*multiply)(const struct tile *t, int64_t batch)) {
    _Alignas(64) char square[SQUARE * SQUARE * 16];
    struct gcl_blas_gemm g = *t->g;
    int64_t column = SQUARE * size;
    g.m = g.n = range.count;
    g.a.at = gcl_blas_element(&g.a, range.begin, 0, 0, size);
    g.b.at = gcl_blas_element(&g.b, 0, range.begin, 0, size);
    g.c = g.d = (struct gcl_blas_matrix){.at = square, .row = 1, .column = SQUARE};
    char *d = gcl_blas_element(&t->g->d, range.begin, range.begin, 0, size);
    int64_t step = t->g->d.column * size;
    for (int64_t j = 0; j < range.count; j++)
        memcpy(square + j * column, d + j * step, (size_t)(range.count * size));
    struct gcl_blas_range all = {0, range.count};
    multiply(&(struct tile){&g, all, all, {0, 1}}, 0);
    for (int64_t j = 0; j < range.count; j++) {
        int64_t begin = g.upper ? 0 : j, end = g.upper ? j + 1 : range.count;
        memcpy(d + j * step + begin * size, square + j * column + begin * size,
               (size_t)((end - begin) * size));
        if (gcl_blas_is_hermitian(&g)) // the imaginary part on the diagonal
            memset(d + j * (step + size) + size / 2, 0, (size_t)(size / 2));
    }
}

// A tile on the diagonal, of two matrices: squares, and what lies above or below each.
static void multiply_triangle(const struct tile *t, int64_t size,
                              void (*multiply)(const struct tile *t, int64_t batch)) {
    int64_t end = t->j.begin + t->j.count;
    struct tile beside = *t;
    for (int64_t begin = t->j.begin; begin < end; begin += SQUARE) {
        beside.j = (struct gcl_blas_range){begin, gcl_blas_least(SQUARE, end - begin)};
        int64_t below = begin + beside.j.count;
        beside.i = t->g->upper ? (struct gcl_blas_range){t->i.begin, begin - t->i.begin}
                               : (struct gcl_blas_range){below, end - below};
        if (beside.i.count > 0)
            multiply(&beside, 0);
        multiply_square(t, beside.j, size, multiply);
    }
}

static uint32_t run_syrk(const struct gcl_block *block, int64_t size,
                         void (*multiply)(const struct tile *t, int64_t batch),
                         void (*diagonal)(const struct tile *t),
                         void (*hermitian)(const struct tile *t)) {
    struct tile t = tile_of(block);
    if (t.i.begin == t.j.begin && !gcl_blas_is_of_one_matrix(t.g))
        multiply_triangle(&t, size, multiply);
    else if (t.i.begin == t.j.begin)
        (gcl_blas_is_hermitian(t.g) ? hermitian : diagonal)(&t);
    else if (t.g->upper ? t.i.begin < t.j.begin : t.i.begin > t.j.begin)
        multiply(&t, 0);
    return GCL_EXIT;
}

#define SYRK(letter, size, hermitian)                                                              \
    uint32_t gcl_blas_syrk_##letter(struct gcl_block *block, uint32_t begin, uint32_t end,         \
                                    uint32_t here) {                                               \
        (void)begin, (void)end, (void)here;                                                        \
        return run_syrk(block, size, multiply_##letter, diagonal_##letter##syrk, hermitian);       \
    }
SYRK(s, 4, diagonal_ssyrk)
SYRK(d, 8, diagonal_dsyrk)
SYRK(c, 8, diagonal_cherk)
SYRK(z, 16, diagonal_zherk)
