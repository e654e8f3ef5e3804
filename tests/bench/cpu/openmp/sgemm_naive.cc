#include "../problem/sgemm.h"

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const float *a = p.a.data(), *b = p.b.data();
    const int n = p.n;
    // The three loops in the order that walks along rows
    bench::measure([&] {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; i++) {
            float *row = p.c.data() + (size_t)i * n;
            for (int j = 0; j < n; j++)
                row[j] = 0;
            for (int k = 0; k < n; k++) {
                const float factor = a[(size_t)i * n + k], *from = b + (size_t)k * n;
#pragma omp simd
                for (int j = 0; j < n; j++)
                    row[j] += factor * from[j];
            }
        }
    });
    return bench::report(p);
}
