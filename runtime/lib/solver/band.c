#include "solver/band.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/lapack.h"

GCL_LAPACK(gbtrf, const int *m, const int *n, const int *below, const int *above, void *band,
           const int *leading, int *pivots, int *info)
GCL_LAPACK(gbtrs, const char *trans, const int *n, const int *below, const int *above,
           const int *columns, const void *band, const int *leading, const int *pivots, void *b,
           const int *ldb, int *info, size_t)
GCL_LAPACK(pbtrf, const char *part, const int *n, const int *below, void *band, const int *leading,
           int *info, size_t)
GCL_LAPACK(pbtrs, const char *part, const int *n, const int *below, const int *columns,
           const void *band, const int *leading, void *b, const int *ldb, int *info, size_t)

// A matrix in its new order, as LAPACK stores bands: element (i, j) in row diagonal + i - j of
// column j. Without symmetry there is room above for what pivots bring.
struct gcl_solver_factors {
    enum gcl_solver_type type;
    bool is_definite;
    int n;
    int *order, *places; // of rows; where each row has gone
    int below, above;    // diagonals that aren't 0
    int diagonal, leading;
    char *numbers;
    int *pivots;
    int failed; // the place where LAPACK gave up, or n
};

static int most(int a, int b) {
    return a > b ? a : b;
}

/// Calls `what` for each element that counts.
static void each_element(const struct gcl_solver_sparse *s, struct gcl_solver_factors *band,
                         void (*what)(const struct gcl_solver_sparse *s,
                                      struct gcl_solver_factors *band, int i, int j, int64_t k)) {
    const struct gcl_solver_pattern *p = &s->pattern;
    for (int i = 0; i < p->n; i++) {
        for (int64_t k = p->offsets[i] - p->base; k < p->offsets[i + 1] - p->base; k++) {
            int j = p->indices[k] - p->base;
            if (!s->is_definite || j <= i)
                what(s, band, band->places[i], band->places[j], k);
        }
    }
}

static void widen(const struct gcl_solver_sparse *s, struct gcl_solver_factors *band, int i, int j,
                  int64_t k) {
    (void)k;
    band->below = most(band->below, s->is_definite ? abs(i - j) : i - j);
    band->above = most(band->above, s->is_definite ? 0 : j - i);
}

static void put(const struct gcl_solver_sparse *s, struct gcl_solver_factors *band, int i, int j,
                int64_t k) {
    bool is_turned = s->is_definite && i < j;
    int row = is_turned ? j : i, column = is_turned ? i : j;
    uint64_t size = gcl_solver_size(s->type);
    void *at = band->numbers + ((uint64_t)column * (uint64_t)band->leading +
                                (uint64_t)(band->diagonal + row - column)) *
                                   size;
    int parts = gcl_solver_is_complex(s->type) ? 2 : 1;
    for (int part = 0; part < parts; part++) {
        double x = gcl_solver_real(s->type, s->values, k * parts + part);
        x = is_turned && part == 1 ? -x : x;
        if (gcl_solver_real_size(s->type) == sizeof(float))
            ((float *)at)[part] += (float)x;
        else
            ((double *)at)[part] += x;
    }
}

static cusolverStatus_t allocate(const struct gcl_solver_sparse *s,
                                 struct gcl_solver_factors *band) {
    const uint64_t most_bytes = (uint64_t)4 << 30;
    band->diagonal = s->is_definite ? 0 : band->below + band->above;
    band->leading = band->diagonal + band->below + 1;
    uint64_t count = (uint64_t)s->pattern.n * (uint64_t)band->leading;
    if (count * gcl_solver_size(s->type) > most_bytes) {
        fputs("gcluster: cuSOLVER: a sparse matrix has no order in which its elements lie near the "
              "diagonal\n",
              stderr);
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    band->numbers = calloc(count + 1, gcl_solver_size(s->type));
    band->pivots = calloc((size_t)s->pattern.n + 1, sizeof *band->pivots);
    return band->numbers && band->pivots ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

static cusolverStatus_t build(const struct gcl_solver_sparse *s, struct gcl_solver_factors *band) {
    size_t n = (size_t)s->pattern.n;
    band->order = malloc((n + 1) * sizeof *band->order);
    band->places = malloc((n + 1) * sizeof *band->places);
    if (!band->order || !band->places || !gcl_solver_order(&s->pattern, band->order))
        return CUSOLVER_STATUS_ALLOC_FAILED;
    for (int i = 0; i < s->pattern.n; i++)
        band->places[band->order[i]] = i;
    each_element(s, band, widen);
    cusolverStatus_t status = allocate(s, band);
    if (status == CUSOLVER_STATUS_SUCCESS)
        each_element(s, band, put);
    return status;
}

static void factor(struct gcl_solver_factors *f) {
    int info;
    if (f->is_definite)
        pbtrf[f->type]("L", &f->n, &f->below, f->numbers, &f->leading, &info, 1);
    else
        gbtrf[f->type](&f->n, &f->n, &f->below, &f->above, f->numbers, &f->leading, f->pivots,
                       &info);
    f->failed = info > 0 ? info - 1 : f->n;
}

cusolverStatus_t gcl_solver_factor(const struct gcl_solver_sparse *matrix,
                                   struct gcl_solver_factors **factors) {
    struct gcl_solver_factors *made = calloc(1, sizeof *made);
    if (!made)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    made->type = matrix->type;
    made->is_definite = matrix->is_definite;
    made->n = matrix->pattern.n;
    cusolverStatus_t status = build(matrix, made);
    if (status != CUSOLVER_STATUS_SUCCESS) {
        gcl_solver_factors_destroy(made);
        return status;
    }
    factor(made);
    *factors = made;
    return CUSOLVER_STATUS_SUCCESS;
}

void gcl_solver_factors_destroy(struct gcl_solver_factors *factors) {
    if (!factors)
        return;
    free(factors->order);
    free(factors->places);
    free(factors->numbers);
    free(factors->pivots);
    free(factors);
}

int gcl_solver_zero_pivot(const struct gcl_solver_factors *f, double tolerance) {
    int parts = gcl_solver_is_complex(f->type) ? 2 : 1;
    for (int i = 0; i < f->failed; i++) {
        int64_t at = ((int64_t)i * f->leading + f->diagonal) * parts;
        double pivot = fabs(gcl_solver_real(f->type, f->numbers, at));
        if (parts == 2)
            pivot = hypot(pivot, gcl_solver_real(f->type, f->numbers, at + 1));
        if (!(pivot > tolerance))
            return f->order[i];
    }
    return f->failed < f->n ? f->order[f->failed] : -1;
}

cusolverStatus_t gcl_solver_substitute(const struct gcl_solver_factors *f, int n, const void *b,
                                       void *x) {
    if (n != f->n)
        return CUSOLVER_STATUS_INVALID_VALUE;
    int one = 1, info, leading = most(n, 1);
    uint64_t size = gcl_solver_size(f->type);
    char *moved = malloc(((size_t)n + 1) * size);
    if (!moved)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    for (int i = 0; i < n; i++)
        memcpy(moved + (uint64_t)i * size, (const char *)b + (uint64_t)f->order[i] * size, size);
    if (f->is_definite)
        pbtrs[f->type]("L", &n, &f->below, &one, f->numbers, &f->leading, moved, &leading, &info,
                       1);
    else
        gbtrs[f->type]("N", &n, &f->below, &f->above, &one, f->numbers, &f->leading, f->pivots,
                       moved, &leading, &info, 1);
    for (int i = 0; i < n; i++)
        memcpy((char *)x + (uint64_t)f->order[i] * size, moved + (uint64_t)i * size, size);
    free(moved);
    return CUSOLVER_STATUS_SUCCESS;
}

// L and U. LAPACK leaves the multipliers of column k where their rows were when it came there;
// later pivots exchange these rows. What is left out is outside of the envelope: elements of L
// before the first of their row, of U above the first of their column, which stay 0 without
// pivoting.

struct envelope {
    int *first_of_row, *first_of_column; // in L, in U
    int *rows;                           // of L: where each row of the band has gone
};

static void *at(const struct gcl_solver_factors *f, int i, int j) {
    return gcl_solver_at(f->type, f->numbers, f->diagonal + i - j, j, f->leading);
}

static bool is_zero(enum gcl_solver_type type, const void *number) {
    return gcl_solver_norm(type, 1, 1, number, 1) == 0;
}

static void exchange(int *a, int *b) {
    int c = *a;
    *a = *b;
    *b = c;
}

/// Calls `what` for each multiplier, that of row i and column k. At the end `rows` has what the
/// pivots make of all rows.
static void each_multiplier(const struct gcl_solver_factors *f, struct envelope *e,
                            const struct gcl_solver_triangles *t,
                            void (*what)(const struct gcl_solver_factors *f, struct envelope *e,
                                         const struct gcl_solver_triangles *t, int i, int k,
                                         const void *number)) {
    for (int i = 0; i < f->n; i++)
        e->rows[i] = i;
    for (int k = f->n - 1; k >= 0; k--) {
        for (int r = k + 1; r < f->n && r <= k + f->below; r++)
            what(f, e, t, e->rows[r], k, at(f, r, k));
        exchange(&e->rows[k], &e->rows[f->pivots[k] - 1]);
    }
}

static void note(const struct gcl_solver_factors *f, struct envelope *e,
                 const struct gcl_solver_triangles *t, int i, int k, const void *number) {
    (void)t;
    if (!is_zero(f->type, number))
        e->first_of_row[i] = k; // columns descend
}

static void put_multiplier(const struct gcl_solver_factors *f, struct envelope *e,
                           const struct gcl_solver_triangles *t, int i, int k, const void *number) {
    if (k < e->first_of_row[i])
        return;
    int place = t->offsets[0][i] - t->base[0] + k - e->first_of_row[i];
    memcpy(gcl_solver_at(f->type, t->values[0], place, 0, 1), number, gcl_solver_size(f->type));
}

static void find_envelope(const struct gcl_solver_factors *f, struct envelope *e,
                          struct gcl_solver_triangles *t) {
    for (int i = 0; i < f->n; i++)
        e->first_of_row[i] = i;
    each_multiplier(f, e, t, note);
    t->counts[0] = t->counts[1] = 0;
    for (int j = 0; j < f->n; j++) {
        int i = most(0, j - f->diagonal);
        while (i < j && is_zero(f->type, at(f, i, j)))
            i++;
        e->first_of_column[j] = i;
        t->counts[0] += j - e->first_of_row[j];
        t->counts[1] += j - i + 1;
    }
}

static void write_lower(const struct gcl_solver_factors *f, struct envelope *e,
                        const struct gcl_solver_triangles *t) {
    int count = 0;
    for (int i = 0; i < f->n; i++) {
        t->offsets[0][i] = count + t->base[0];
        for (int k = e->first_of_row[i]; k < i; k++)
            t->indices[0][count++] = k + t->base[0];
    }
    t->offsets[0][f->n] = count + t->base[0];
    memset(t->values[0], 0, (size_t)count * gcl_solver_size(f->type));
    each_multiplier(f, e, t, put_multiplier);
}

static void write_upper(const struct gcl_solver_factors *f, const struct envelope *e,
                        const struct gcl_solver_triangles *t) {
    int count = 0;
    for (int i = 0; i < f->n; i++) {
        t->offsets[1][i] = count + t->base[1];
        for (int j = i; j < f->n && j <= i + f->diagonal; j++) {
            if (e->first_of_column[j] > i)
                continue;
            memcpy(gcl_solver_at(f->type, t->values[1], count, 0, 1), at(f, i, j),
                   gcl_solver_size(f->type));
            t->indices[1][count++] = j + t->base[1];
        }
    }
    t->offsets[1][f->n] = count + t->base[1];
}

cusolverStatus_t gcl_solver_split(const struct gcl_solver_factors *f,
                                  struct gcl_solver_triangles *t) {
    size_t n = (size_t)f->n;
    int *memory = malloc((3 * n + 1) * sizeof *memory);
    if (!memory)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    struct envelope e = {memory, memory + n, memory + 2 * n};
    find_envelope(f, &e, t);
    if (t->rows) {
        write_lower(f, &e, t);
        write_upper(f, &e, t);
        for (int i = 0; i < f->n; i++) {
            t->rows[e.rows[i]] = f->order[i];
            t->columns[i] = f->order[i];
        }
    }
    free(memory);
    return CUSOLVER_STATUS_SUCCESS;
}
