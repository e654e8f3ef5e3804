#include "../problem/triad.h"

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    double *a = p.a.data(), *b = p.b.data(), *c = p.c.data();
    bench::measure([&] {
#pragma omp parallel for simd schedule(static)
        for (size_t i = 0; i < p.n; i++)
            a[i] = b[i] + p.scalar * c[i];
    });
    return bench::report(p);
}
