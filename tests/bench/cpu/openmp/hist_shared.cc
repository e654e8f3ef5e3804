#include <cstring>

#include "../problem/histogram.h"

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const unsigned char *data = p.data.data();
    unsigned *histogram = p.histogram.data();
    bench::measure(
        [&] {
#pragma omp parallel
            {
                // Eight of them, as increments of one bin would wait for each other
                unsigned bins[8][256] = {};
#pragma omp for schedule(static)
                for (unsigned i = 0; i < p.n; i += 8) {
                    uint64_t bytes;
                    memcpy(&bytes, data + i, 8);
                    for (int k = 0; k < 8; k++)
                        bins[k][bytes >> 8 * k & 255]++;
                }
                for (int bin = 0; bin < 256; bin++) {
                    unsigned sum = 0;
                    for (int k = 0; k < 8; k++)
                        sum += bins[k][bin];
#pragma omp atomic
                    histogram[bin] += sum;
                }
            }
        },
        [&] { p.reset(); });
    return bench::report(p);
}
