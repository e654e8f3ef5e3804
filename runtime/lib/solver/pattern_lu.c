// Row by row: a row of A takes from itself the rows of U before it that it has elements for (George
// and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981).
#include "solver/pattern_lu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool is_ordered(int n, const struct gcl_solver_rows *rows) {
    for (int i = 0; i < n; i++) {
        if (rows->offsets[i] > rows->offsets[i + 1])
            return false;
    }
    return rows->offsets[0] == 0 && rows->offsets[n] <= rows->count;
}

/// Row `i` of both patterns. False: it isn't one of triangular matrices.
static bool join_row(struct gcl_solver_pattern_lu *lu, int i, const struct gcl_solver_rows *lower,
                     const struct gcl_solver_rows *upper) {
    int *row = lu->indices + lu->count, count = 0;
    for (int k = lower->offsets[i]; k < lower->offsets[i + 1]; k++) {
        if (lower->indices[k] < i)
            row[count++] = lower->indices[k];
    }
    lu->diagonals[i] = lu->count + count;
    for (int k = upper->offsets[i]; k < upper->offsets[i + 1]; k++)
        row[count++] = upper->indices[k];
    qsort(row, (size_t)count, sizeof *row, ascending);
    lu->count += count;
    for (int k = 1; k < count; k++) {
        if (row[k - 1] == row[k])
            return false;
    }
    return lu->diagonals[i] < lu->count && lu->indices[lu->diagonals[i]] == i && row[0] >= 0 &&
           row[count - 1] < lu->n;
}

/// Whether every number below n is there once; `places` says where.
static bool invert(int n, const int *permutation, int *places) {
    for (int i = 0; i < n; i++)
        places[i] = -1;
    for (int i = 0; i < n; i++) {
        if (permutation[i] < 0 || permutation[i] >= n || places[permutation[i]] >= 0)
            return false;
        places[permutation[i]] = i;
    }
    return true;
}

cusolverStatus_t gcl_solver_pattern_make(struct gcl_solver_pattern_lu *lu, int n,
                                         const struct gcl_solver_rows *lower,
                                         const struct gcl_solver_rows *upper, const int *p,
                                         const int *q) {
    size_t rows = (size_t)n + 1, count = (size_t)lower->count + (size_t)upper->count + 1;
    *lu = (struct gcl_solver_pattern_lu){.n = n,
                                         .p = malloc(rows * sizeof(int)),
                                         .places = malloc(rows * sizeof(int)),
                                         .offsets = malloc(rows * sizeof(int)),
                                         .indices = malloc(count * sizeof(int)),
                                         .diagonals = malloc(rows * sizeof(int))};
    if (!lu->p || !lu->places || !lu->offsets || !lu->indices || !lu->diagonals)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    if (!is_ordered(n, lower) || !is_ordered(n, upper) || !invert(n, p, lu->places) ||
        !invert(n, q, lu->places))
        return CUSOLVER_STATUS_INVALID_VALUE;
    memcpy(lu->p, p, (size_t)n * sizeof *p);
    for (int i = 0; i < n; i++) {
        lu->offsets[i] = lu->count;
        if (!join_row(lu, i, lower, upper))
            return CUSOLVER_STATUS_INVALID_VALUE;
    }
    lu->offsets[n] = lu->count;
    return CUSOLVER_STATUS_SUCCESS;
}

void gcl_solver_pattern_release(struct gcl_solver_pattern_lu *lu) {
    free(lu->p);
    free(lu->places);
    free(lu->offsets);
    free(lu->indices);
    free(lu->diagonals);
    *lu = (struct gcl_solver_pattern_lu){.n = 0};
}

/// Where each column is in a row: in `where`, which has -1 for those that aren't in the row.
static void enter(const struct gcl_solver_pattern_lu *lu, int row, int *where) {
    for (int k = lu->offsets[row]; k < lu->offsets[row + 1]; k++)
        where[lu->indices[k]] = k;
}
static void leave(const struct gcl_solver_pattern_lu *lu, int row, int *where) {
    for (int k = lu->offsets[row]; k < lu->offsets[row + 1]; k++)
        where[lu->indices[k]] = -1;
}

static int *nowhere(int n) {
    int *where = malloc(((size_t)n + 1) * sizeof *where);
    for (int i = 0; where && i < n; i++)
        where[i] = -1;
    return where;
}

static cusolverStatus_t complain(int row) {
    fprintf(stderr,
            "gcluster: error: cuSOLVER: row %d of P A Q^T has an element where neither L nor U has "
            "one (cusolverRf)\n",
            row);
    return CUSOLVER_STATUS_INVALID_VALUE;
}

static bool load_row(const struct gcl_solver_pattern_lu *lu, const struct gcl_solver_rows *a,
                     int row, const int *where, double *values) {
    for (int k = a->offsets[lu->p[row]]; k < a->offsets[lu->p[row] + 1]; k++) {
        int column = a->indices[k];
        if (column < 0 || column >= lu->n || where[lu->places[column]] < 0)
            return false;
        values[where[lu->places[column]]] += a->values[k];
    }
    return true;
}

cusolverStatus_t gcl_solver_pattern_load(const struct gcl_solver_pattern_lu *lu,
                                         const struct gcl_solver_rows *a, double *values) {
    if (!is_ordered(lu->n, a))
        return CUSOLVER_STATUS_INVALID_VALUE;
    int *where = nowhere(lu->n);
    cusolverStatus_t status = where ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
    memset(values, 0, (size_t)lu->count * sizeof *values);
    for (int i = 0; i < lu->n && status == CUSOLVER_STATUS_SUCCESS; i++) {
        enter(lu, i, where);
        if (!load_row(lu, a, i, where, values))
            status = complain(i);
        leave(lu, i, where);
    }
    free(where);
    return status;
}

/// Takes the rows of U before it from a row. False: what isn't 0 has no place.
static bool reduce_row(const struct gcl_solver_pattern_lu *lu, int row, const int *where,
                       double *values) {
    for (int k = lu->offsets[row]; k < lu->diagonals[row]; k++) {
        int other = lu->indices[k];
        double factor = values[k] / values[lu->diagonals[other]];
        values[k] = factor;
        for (int o = lu->diagonals[other] + 1; o < lu->offsets[other + 1]; o++) {
            int place = where[lu->indices[o]];
            double change = factor * values[o];
            if (place >= 0)
                values[place] -= change;
            else if (change != 0)
                return false;
        }
    }
    return true;
}

cusolverStatus_t gcl_solver_pattern_factor(const struct gcl_solver_pattern_lu *lu, double *values,
                                           struct gcl_solver_pivoting *pivoting, int *position) {
    int *where = nowhere(lu->n);
    cusolverStatus_t status = where ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
    *position = -1;
    for (int i = 0; i < lu->n && status == CUSOLVER_STATUS_SUCCESS; i++) {
        double *pivot = &values[lu->diagonals[i]];
        enter(lu, i, where);
        if (!reduce_row(lu, i, where, values))
            status = complain(i);
        leave(lu, i, where);
        if (fabs(*pivot) < pivoting->zero) {
            *pivot = pivoting->boost;
            pivoting->is_boosted = true;
        }
        if (*pivot == 0 && status == CUSOLVER_STATUS_SUCCESS) {
            *position = i;
            status = CUSOLVER_STATUS_ZERO_PIVOT;
        }
    }
    free(where);
    return status;
}

void gcl_solver_pattern_solve(const struct gcl_solver_pattern_lu *lu, const double *values,
                              double *b, double *work) {
    for (int i = 0; i < lu->n; i++) {
        work[i] = b[lu->p[i]];
        for (int k = lu->offsets[i]; k < lu->diagonals[i]; k++)
            work[i] -= values[k] * work[lu->indices[k]];
    }
    for (int i = lu->n - 1; i >= 0; i--) {
        for (int k = lu->diagonals[i] + 1; k < lu->offsets[i + 1]; k++)
            work[i] -= values[k] * work[lu->indices[k]];
        work[i] /= values[lu->diagonals[i]];
    }
    for (int column = 0; column < lu->n; column++)
        b[column] = work[lu->places[column]];
}
