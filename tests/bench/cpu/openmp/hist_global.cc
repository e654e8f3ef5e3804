#include "../problem/histogram.h"

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const unsigned char *data = p.data.data();
    unsigned *histogram = p.histogram.data();
    bench::measure(
        [&] {
#pragma omp parallel for schedule(static)
            for (unsigned i = 0; i < p.n; i++) {
#pragma omp atomic
                histogram[data[i]]++;
            }
        },
        [&] { p.reset(); });
    return bench::report(p);
}
