// Tiles of products of few bits: parts of both operands become floats, which OpenBLAS multiplies.
// Sums stay floats until all is added; those of 8-bit integers are exact, because a part is short
// enough for its sums to be integers that floats have, and parts are added as integers.
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "halves.h"

enum {
    PART = 1024, ///< terms of a sum at a time: 1024 * 128 * 128 is 2^24
};

static void bytes_widen(const void *in, float *out, int64_t count) {
    const signed char *bytes = in;
    for (int64_t i = 0; i < count; i++)
        out[i] = bytes[i];
}

static void floats_copy(const void *in, float *out, int64_t count) {
    memcpy(out, in, (size_t)count * sizeof *out);
}

static void floats_store(const float *in, void *out, int64_t count) {
    memcpy(out, in, (size_t)count * sizeof *in);
}

// A block's work: its tile, and room for what is multiplied.
struct work {
    const struct gcl_blas_gemm *g;
    const struct gcl_blas_numbers *numbers;
    struct gcl_blas_range i, j;
    int64_t batch;
    float *a, *b, *sum;
    int32_t *total;                       ///< of integers
    const struct gcl_blas_matmul *matmul; ///< NULL: nothing is done to results
};

// Part of an operand as floats, row by row if that is how it lies, else column by column.
static void unpack(const struct work *w, const struct gcl_blas_matrix *matrix,
                   struct gcl_blas_range i, struct gcl_blas_range j, float *out) {
    int by_columns = matrix->row == 1;
    int64_t lines = by_columns ? j.count : i.count, length = by_columns ? i.count : j.count;
    for (int64_t line = 0; line < lines; line++) {
        const char *begin =
            gcl_blas_element(matrix, i.begin + (by_columns ? 0 : line),
                             j.begin + (by_columns ? line : 0), w->batch, w->numbers->in_size);
        w->numbers->widen(begin, out + line * length, length);
    }
}

static CBLAS_TRANSPOSE transposition(const struct gcl_blas_matrix *matrix) {
    return matrix->row == 1 ? CblasNoTrans : CblasTrans;
}

static void add_integers(const struct work *w, int is_first) {
    for (int64_t e = 0; e < w->i.count * w->j.count; e++)
        w->total[e] =
            (int32_t)((is_first ? 0 : (uint32_t)w->total[e]) + (uint32_t)(int32_t)w->sum[e]);
}

// Sums over k of a tile, column by column.
static void multiply(const struct work *w) {
    const struct gcl_blas_gemm *g = w->g;
    int m = (int)w->i.count, n = (int)w->j.count;
    memset(w->sum, 0, (size_t)(w->i.count * w->j.count) * sizeof *w->sum);
    if (w->numbers->is_integer)
        add_integers(w, 1);
    for (int64_t l = 0; l < g->k; l += PART) {
        struct gcl_blas_range part = {l, gcl_blas_least(PART, g->k - l)};
        int k = (int)part.count;
        unpack(w, &g->a, w->i, part, w->a);
        unpack(w, &g->b, part, w->j, w->b);
        cblas_sgemm(CblasColMajor, transposition(&g->a), transposition(&g->b), m, n, k, 1, w->a,
                    g->a.row == 1 ? m : k, w->b, g->b.row == 1 ? k : n,
                    w->numbers->is_integer ? 0 : 1, w->sum, m);
        if (w->numbers->is_integer)
            add_integers(w, 0);
    }
}

static void finish_integers(const struct work *w, int64_t j, int32_t *out) {
    const struct gcl_blas_gemm *g = w->g;
    uint32_t alpha = (uint32_t)gcl_blas_factor_read(&g->alpha, 4).i;
    uint32_t beta = g->reads_c ? (uint32_t)gcl_blas_factor_read(&g->beta, 4).i : 0;
    const char *c = gcl_blas_element(&g->c, w->i.begin, w->j.begin + j, w->batch, 4);
    for (int64_t i = 0; i < w->i.count; i++) {
        uint32_t value = alpha * (uint32_t)w->total[i + j * w->i.count], addend = 0;
        if (beta)
            memcpy(&addend, c + 4 * i, 4);
        out[i] = (int32_t)(value + beta * addend);
    }
}

static void finish_floats(const struct work *w, int64_t j, void *out) {
    const struct gcl_blas_gemm *g = w->g;
    float alpha = gcl_blas_factor_read(&g->alpha, 4).s[0];
    float beta = g->reads_c ? gcl_blas_factor_read(&g->beta, 4).s[0] : 0;
    float *sum = w->sum + j * w->i.count;
    if (w->numbers->is_integer)
        for (int64_t i = 0; i < w->i.count; i++)
            sum[i] = (float)w->total[i + j * w->i.count];
    for (int64_t i = 0; i < w->i.count; i++)
        sum[i] *= alpha;
    if (beta != 0) {
        w->numbers->load(
            gcl_blas_element(&g->c, w->i.begin, w->j.begin + j, w->batch, w->numbers->out_size),
            w->a, w->i.count);
        for (int64_t i = 0; i < w->i.count; i++)
            sum[i] += beta * w->a[i];
    }
    if (w->matmul)
        gcl_blas_end(w->matmul, w->numbers, w->i.begin, w->j.begin + j, w->batch, sum, w->i.count);
    w->numbers->store(sum, out, w->i.count);
}

static void finish(const struct work *w) {
    for (int64_t j = 0; j < w->j.count; j++) {
        void *out =
            gcl_blas_element(&w->g->d, w->i.begin, w->j.begin + j, w->batch, w->numbers->out_size);
        if (w->numbers->store)
            finish_floats(w, j, out);
        else
            finish_integers(w, j, out);
    }
}

static void *allocate(int64_t count) {
    void *memory = malloc((size_t)(count + 1) * sizeof(float));
    if (!memory) {
        fprintf(stderr, "libcublas: no memory for %lld numbers\n", (long long)count);
        abort();
    }
    return memory;
}

static uint32_t run(const struct gcl_block *block, const struct gcl_blas_numbers *numbers,
                    const struct gcl_blas_matmul *matmul) {
    const struct gcl_blas_gemm *g = (const void *)block->arguments;
    const uint32_t *index = block->block_index;
    struct gcl_blas_range batch = gcl_blas_slice(index[2], g->tile[2], g->batches);
    struct work w = {.g = g,
                     .numbers = numbers,
                     .i = gcl_blas_slice(index[0], g->tile[0], g->m),
                     .j = gcl_blas_slice(index[1], g->tile[1], g->n),
                     .matmul = matmul};
    int64_t k = gcl_blas_least(PART, g->k > 0 ? g->k : 1);
    w.a = allocate(w.i.count * k);
    w.b = allocate(w.j.count * k);
    w.sum = allocate(w.i.count * w.j.count);
    w.total = numbers->is_integer ? allocate(w.i.count * w.j.count) : NULL;
    for (w.batch = batch.begin; w.batch < batch.begin + batch.count; w.batch++) {
        multiply(&w);
        finish(&w);
    }
    free(w.a);
    free(w.b);
    free(w.sum);
    free(w.total);
    return GCL_EXIT;
}

#define REGION(name, numbers, matmul)                                                              \
    uint32_t name(struct gcl_block *block, uint32_t begin, uint32_t end, uint32_t here) {          \
        (void)begin, (void)end, (void)here;                                                        \
        return run(block, &numbers, matmul);                                                       \
    }
#define GEMM(letters, ...)                                                                         \
    static const struct gcl_blas_numbers numbers_##letters = {__VA_ARGS__};                        \
    REGION(gcl_blas_gemm_##letters, numbers_##letters, NULL)                                       \
    REGION(gcl_blas_gemms_##letters, numbers_##letters, NULL)
#define MATMUL(letters)                                                                            \
    REGION(gcl_blas_matmul_##letters, numbers_##letters, (const void *)block->arguments)
GEMM(h, 2, 2, gcl_halves_widen, gcl_halves_widen, gcl_halves_narrow, 0)
GEMM(hs, 2, 4, gcl_halves_widen, floats_copy, floats_store, 0)
GEMM(b, 2, 2, gcl_bfloats_widen, gcl_bfloats_widen, gcl_bfloats_narrow, 0)
GEMM(bs, 2, 4, gcl_bfloats_widen, floats_copy, floats_store, 0)
GEMM(i, 1, 4, bytes_widen, NULL, NULL, 1)
GEMM(is, 1, 4, bytes_widen, floats_copy, floats_store, 1)
MATMUL(h)
MATMUL(hs)
MATMUL(b)
MATMUL(bs)
