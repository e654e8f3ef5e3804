// Reverse Cuthill and McKee: rows are numbered by distance from one at the rim of the graph, in
// each step those with few neighbours first, and then the other way round (George and Liu, Computer
// Solution of Large Sparse Positive Definite Systems, 1981, chapter 4).
#include "solver/band.h"

#include <stdlib.h>
#include <string.h>

// Neighbours of each row: columns of its elements, and rows of its column's. Those of a symmetric
// pattern are there twice.
struct graph {
    int n;
    int64_t *begins; // n + 1
    int *neighbours;
    int *degrees;
    int *stamps; // of the last walk that came by
};

static void release(struct graph *g) {
    free(g->begins);
    free(g->neighbours);
    free(g->degrees);
    free(g->stamps);
}

static int64_t row_begin(const struct gcl_solver_pattern *p, int row) {
    return p->offsets[row] - p->base;
}

static void connect(struct graph *g, int row, int column, int64_t *ends) {
    if (row == column)
        return;
    g->neighbours[ends[row]++] = column;
    g->neighbours[ends[column]++] = row;
}

static void fill(struct graph *g, const struct gcl_solver_pattern *p, int64_t *ends) {
    for (int i = 0; i < g->n; i++)
        for (int64_t k = row_begin(p, i); k < row_begin(p, i + 1); k++)
            connect(g, i, p->indices[k] - p->base, ends);
}

static void count(struct graph *g, const struct gcl_solver_pattern *p) {
    for (int i = 0; i < g->n; i++) {
        for (int64_t k = row_begin(p, i); k < row_begin(p, i + 1); k++) {
            int column = p->indices[k] - p->base;
            g->degrees[i] += i != column;
            g->degrees[column] += i != column;
        }
    }
    for (int i = 0; i < g->n; i++)
        g->begins[i + 1] = g->begins[i] + g->degrees[i];
}

static int by_degree(const void *a, const void *b, void *degrees) {
    int x = ((const int *)degrees)[*(const int *)a], y = ((const int *)degrees)[*(const int *)b];
    return (x > y) - (x < y);
}

static bool build(struct graph *g, const struct gcl_solver_pattern *p) {
    size_t n = (size_t)p->n;
    *g = (struct graph){.n = p->n,
                        .begins = calloc(n + 1, sizeof *g->begins),
                        .degrees = calloc(n, sizeof *g->degrees),
                        .stamps = calloc(n, sizeof *g->stamps)};
    int64_t *ends = malloc((n + 1) * sizeof *ends);
    bool has_memory = g->begins && g->degrees && g->stamps && ends;
    if (has_memory) {
        count(g, p);
        memcpy(ends, g->begins, (n + 1) * sizeof *ends);
        g->neighbours = malloc(((size_t)g->begins[n] + 1) * sizeof *g->neighbours);
        has_memory = g->neighbours;
    }
    if (has_memory)
        fill(g, p, ends);
    for (size_t i = 0; has_memory && i < n; i++)
        qsort_r(g->neighbours + g->begins[i], (size_t)g->degrees[i], sizeof *g->neighbours,
                by_degree, g->degrees);
    free(ends);
    return has_memory;
}

/// Writes the rows that are connected to `first`, by distance. Returns how many there are.
static int walk(struct graph *g, int first, int stamp, int *rows) {
    int end = 1;
    rows[0] = first;
    g->stamps[first] = stamp;
    for (int i = 0; i < end; i++) {
        for (int64_t k = g->begins[rows[i]]; k < g->begins[rows[i] + 1]; k++) {
            int next = g->neighbours[k];
            if (g->stamps[next] == stamp)
                continue;
            g->stamps[next] = stamp;
            rows[end++] = next;
        }
    }
    return end;
}

bool gcl_solver_order(const struct gcl_solver_pattern *pattern, int *order) {
    enum { SEARCHES = 3 }; // walks, each of which begins where the one before ended
    struct graph g;
    bool has_memory = build(&g, pattern);
    int done = 0;
    for (int i = 0; has_memory && i < g.n; i++) {
        if (g.stamps[i])
            continue;
        int found = 0, first = i;
        for (int stamp = 1; stamp <= SEARCHES; stamp++) {
            found = walk(&g, first, stamp, order + done);
            first = order[done + found - 1];
        }
        done += found;
    }
    for (int i = 0; has_memory && i < g.n / 2; i++) {
        int row = order[i];
        order[i] = order[g.n - 1 - i];
        order[g.n - 1 - i] = row;
    }
    release(&g);
    return has_memory;
}
