#include <cstring>
#include <vector>

#include "../problem/sgemm.h"
#include "vector.h"

// A tile of C stays in registers while it runs along rows of A and a packed panel of B's columns.
enum { ROWS = 8, WIDTH = 3 * LANES };

static void pack(const float *b, int n, int begin, float *panel) {
    const int width = n - begin < WIDTH ? n - begin : WIDTH;
    for (int k = 0; k < n; k++, panel += WIDTH) {
        memcpy(panel, b + (size_t)k * n + begin, width * sizeof(float));
        memset(panel + width, 0, (WIDTH - width) * sizeof(float));
    }
}

static void multiply(const float *a, const float *panel, float *c, int n, int width) {
    vector sum[ROWS][3] = {};
    for (int k = 0; k < n; k++, panel += WIDTH) {
        vector b0 = load(panel), b1 = load(panel + LANES), b2 = load(panel + 2 * LANES);
#pragma clang loop unroll(full)
        for (int row = 0; row < ROWS; row++) {
            vector factor = a[(size_t)row * n + k] - (vector){};
            sum[row][0] += factor * b0;
            sum[row][1] += factor * b1;
            sum[row][2] += factor * b2;
        }
    }
    for (int row = 0; row < ROWS; row++)
        memcpy(c + (size_t)row * n, sum[row], width * sizeof(float));
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const int n = p.n;
    bench::measure([&] {
#pragma omp parallel
        {
            std::vector<float> panel((size_t)n * WIDTH);
#pragma omp for schedule(dynamic)
            for (int begin = 0; begin < n; begin += WIDTH) {
                pack(p.b.data(), n, begin, panel.data());
                for (int i = 0; i < n; i += ROWS)
                    multiply(&p.a[(size_t)i * n], panel.data(), &p.c[(size_t)i * n + begin], n,
                             n - begin < WIDTH ? n - begin : WIDTH);
            }
        }
    });
    return bench::report(p);
}
