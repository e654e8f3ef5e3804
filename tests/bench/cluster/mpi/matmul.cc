#include "../problem/matmul.h"
#include "ranks.h"

#include <utility>

typedef float lanes __attribute__((vector_size(64)));
// A tile of the product stays in registers while it runs along rows of A and a packed panel of B's
// columns.
enum { ROWS = 8, LANES = 16, WIDTH = 3 * LANES };

static void pack(const float *b, int n, int begin, float *panel) {
    const int width = n - begin < WIDTH ? n - begin : WIDTH;
    for (int k = 0; k < n; k++, panel += WIDTH) {
        memcpy(panel, b + (size_t)k * n + begin, width * sizeof(float));
        memset(panel + width, 0, (WIDTH - width) * sizeof(float));
    }
}

static void multiply(const float *a, const float *panel, float *c, int n, int width) {
    lanes sum[ROWS][3] = {};
    for (int k = 0; k < n; k++, panel += WIDTH) {
        lanes b[3];
        memcpy(b, panel, sizeof b);
#pragma clang loop unroll(full)
        for (int row = 0; row < ROWS; row++) {
            lanes factor = a[(size_t)row * n + k] - (lanes){};
            sum[row][0] += factor * b[0];
            sum[row][1] += factor * b[1];
            sum[row][2] += factor * b[2];
        }
    }
    for (int row = 0; row < ROWS; row++)
        memcpy(c + (size_t)row * n, sum[row], width * sizeof(float));
}

int main(int argc, char **argv) {
    ranks r(&argc, &argv);
    problem p(is_quick(argc, argv));
    const int n = p.n, begin = r.begin(n), rows = r.end(n) - begin; // as many on each rank
    std::vector<float> a((size_t)rows * n), from((size_t)n * n), to((size_t)rows * n);
    std::vector<float> panel((size_t)n * WIDTH);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            from[(size_t)y * n + x] = p.b(y, x);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < n; x++)
            a[(size_t)y * n + x] = p.a(begin + y, x);
    double start = r.together();
    for (int i = 0; i < p.steps; i++) {
        for (int x = 0; x < n; x += WIDTH) {
            pack(from.data(), n, x, panel.data());
            for (int y = 0; y < rows; y += ROWS)
                multiply(&a[(size_t)y * n], panel.data(), &to[(size_t)y * n + x], n,
                         n - x < WIDTH ? n - x : WIDTH);
        }
        if (i < p.steps - 1)
            MPI_Allgather(to.data(), rows * n, MPI_FLOAT, from.data(), rows * n, MPI_FLOAT,
                          MPI_COMM_WORLD);
    }
    double seconds = r.together() - start;
    return r.end_with(seconds, p.check(to.data(), begin, begin + rows));
}
