#include "../problem/lu.h"
#include "vector.h"

enum { BLOCK = 64, ROWS = 8, WIDTH = 2 * LANES };

// Factors the block on the diagonal.
static void factor_diagonal(float *a, size_t n) {
    for (int k = 0; k < BLOCK; k++) {
        const float inverse = 1 / a[k * n + k];
        for (int row = k + 1; row < BLOCK; row++) {
            const float factor = a[row * n + k] *= inverse;
#pragma omp simd
            for (int column = k + 1; column < BLOCK; column++)
                a[row * n + column] -= factor * a[k * n + column];
        }
    }
}

// Solves for WIDTH columns right of the diagonal block, with L.
static void solve_right(const float *diagonal, float *a, size_t n) {
    for (int row = 1; row < BLOCK; row++) {
        vector sum[WIDTH / LANES] = {};
        for (int k = 0; k < row; k++)
            for (int v = 0; v < WIDTH / LANES; v++)
                sum[v] += diagonal[row * n + k] * load(&a[k * n + v * LANES]);
        for (int v = 0; v < WIDTH / LANES; v++)
            store(&a[row * n + v * LANES], load(&a[row * n + v * LANES]) - sum[v]);
    }
}

// Solves for a row below the diagonal block, with U.
static void solve_below(const float *diagonal, float *row, size_t n) {
    for (int k = 0; k < BLOCK; k++) {
        const float factor = row[k] /= diagonal[k * n + k];
#pragma omp simd
        for (int column = k + 1; column < BLOCK; column++)
            row[column] -= factor * diagonal[k * n + column];
    }
}

// Subtracts ROWS rows of the left panel times WIDTH columns of the upper one, in registers.
static void update(const float *left, const float *above, float *a, size_t n) {
    vector sum[ROWS][WIDTH / LANES] = {};
    for (int k = 0; k < BLOCK; k++) {
#pragma clang loop unroll(full)
        for (int row = 0; row < ROWS; row++)
#pragma clang loop unroll(full)
            for (int v = 0; v < WIDTH / LANES; v++)
                sum[row][v] += left[row * n + k] * load(above + k * n + v * LANES);
    }
    for (int row = 0; row < ROWS; row++)
        for (int v = 0; v < WIDTH / LANES; v++)
            store(&a[row * n + v * LANES], load(&a[row * n + v * LANES]) - sum[row][v]);
}

static void factor(float *a, size_t n) {
#pragma omp parallel
    for (size_t begin = 0; begin < n; begin += BLOCK) {
        const size_t rest = begin + BLOCK;
        float *diagonal = a + begin * n + begin;
#pragma omp single
        factor_diagonal(diagonal, n);
#pragma omp for schedule(static) nowait
        for (size_t column = rest; column < n; column += WIDTH)
            solve_right(diagonal, a + begin * n + column, n);
#pragma omp for schedule(static)
        for (size_t row = rest; row < n; row++)
            solve_below(diagonal, a + row * n + begin, n);
#pragma omp for schedule(static)
        for (size_t row = rest; row < n; row += ROWS)
            for (size_t column = rest; column < n; column += WIDTH)
                update(a + row * n + begin, a + begin * n + column, a + row * n + column, n);
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    bench::measure([&] { factor(p.a.data(), p.n); }, [&] { p.reset(); });
    return bench::report(p);
}
