// Slices of vectors by OpenBLAS.
#include "native.h"

#include <stdlib.h>

#include <cblas.h>

// A block's slice as BLAS wants vectors: from the lowest address on, with the step that the routine
// was called with.
struct slice {
    const struct gcl_blas_vectors *v;
    struct gcl_blas_range range;
};

static struct slice slice_of(const struct gcl_block *block) {
    const struct gcl_blas_vectors *v = (const void *)block->arguments;
    return (struct slice){v, gcl_blas_slice(block->block_index[0], v->slice, v->n)};
}

static void *lowest(void *vector, int64_t step, struct gcl_blas_range range, int64_t size) {
    int64_t first = step < 0 ? range.begin + range.count - 1 : range.begin;
    return (char *)vector + size * step * first;
}

#define X(s, size) lowest((s).v->x, (s).v->x_step, (s).range, size)
#define Y(s, size) lowest((s).v->y, (s).v->y_step, (s).range, size)
#define N(s) (int)(s).range.count
#define X_STEP(s) (int)(s).v->x_step
#define Y_STEP(s) (int)(s).v->y_step

#define REGION(name, letter, size, ...)                                                            \
    uint32_t gcl_blas_##name##_##letter(struct gcl_block *block, uint32_t begin, uint32_t end,     \
                                        uint32_t here) {                                           \
        (void)begin, (void)end, (void)here;                                                        \
        struct slice s = slice_of(block);                                                          \
        __VA_ARGS__;                                                                               \
        return GCL_EXIT;                                                                           \
    }

#define FLOAT(value) value.s[0]
#define DOUBLE(value) value.d[0]
#define COMPLEX(value) (&value)

#define ELEMENTWISE(letter, size, scalar)                                                          \
    REGION(                                                                                        \
        axpy, letter, size, union gcl_blas_scalar alpha = gcl_blas_factor_read(&s.v->alpha, size); \
        cblas_##letter##axpy(N(s), scalar(alpha), X(s, size), X_STEP(s), Y(s, size), Y_STEP(s)))   \
    REGION(scal, letter, size,                                                                     \
           union gcl_blas_scalar alpha = gcl_blas_factor_read(&s.v->alpha, size);                  \
           cblas_##letter##scal(N(s), scalar(alpha), X(s, size), X_STEP(s)))                       \
    REGION(copy, letter, size,                                                                     \
           cblas_##letter##copy(N(s), X(s, size), X_STEP(s), Y(s, size), Y_STEP(s)))               \
    REGION(swap, letter, size,                                                                     \
           cblas_##letter##swap(N(s), X(s, size), X_STEP(s), Y(s, size), Y_STEP(s)))
ELEMENTWISE(s, 4, FLOAT)
ELEMENTWISE(d, 8, DOUBLE)
ELEMENTWISE(c, 8, COMPLEX)
ELEMENTWISE(z, 16, COMPLEX)

// Sums of slices don't depend on the direction in which a vector is gone through.

#define RESULT(type) ((type *)s.v->result)[block->block_index[0]]

// Sums in double precision, as those of many short sums would be.
REGION(dot, s, 4, RESULT(float) = (float)cblas_dsdot(N(s), X(s, 4), X_STEP(s), Y(s, 4), Y_STEP(s)))
REGION(dot, d, 8, RESULT(double) = cblas_ddot(N(s), X(s, 8), X_STEP(s), Y(s, 8), Y_STEP(s)))

// OpenBLAS reads beyond complex vectors with steps, and so only gets those without.
#define COMPLEX_DOT(letter, type, size)                                                            \
    static void dot_of_##letter(const struct slice *s, type *sum) {                                \
        const struct gcl_blas_vectors *v = s->v;                                                   \
        type sign = v->conjugate ? -1 : 1;                                                         \
        sum[0] = sum[1] = 0;                                                                       \
        for (int64_t i = s->range.begin; i < s->range.begin + s->range.count; i++) {               \
            const type *x = (const type *)v->x + 2 * i * v->x_step;                                \
            const type *y = (const type *)v->y + 2 * i * v->y_step;                                \
            sum[0] += x[0] * y[0] - sign * x[1] * y[1];                                            \
            sum[1] += x[0] * y[1] + sign * x[1] * y[0];                                            \
        }                                                                                          \
    }                                                                                              \
    REGION(dot, letter, size,                                                                      \
           type *sum = (type *)s.v->result + 2 * (int64_t)block->block_index[0];                   \
           if (X_STEP(s) == Y_STEP(s) && abs(X_STEP(s)) == 1)(                                     \
               s.v->conjugate ? cblas_##letter##dotc_sub : cblas_##letter##dotu_sub)(              \
               N(s), X(s, size), 1, Y(s, size), 1, (void *)sum);                                   \
           else dot_of_##letter(&s, sum))
COMPLEX_DOT(c, float, 8)
COMPLEX_DOT(z, double, 16)

#define NORM(name, letter, function, type, size)                                                   \
    REGION(name, letter, size, RESULT(type) = function(N(s), X(s, size), abs(X_STEP(s))))
NORM(nrm2, s, cblas_snrm2, float, 4)
NORM(nrm2, d, cblas_dnrm2, double, 8)
NORM(nrm2, c, cblas_scnrm2, float, 8)
NORM(nrm2, z, cblas_dznrm2, double, 16)
NORM(asum, s, cblas_sasum, float, 4)
NORM(asum, d, cblas_dasum, double, 8)
NORM(asum, c, cblas_scasum, float, 8)
NORM(asum, z, cblas_dzasum, double, 16)
