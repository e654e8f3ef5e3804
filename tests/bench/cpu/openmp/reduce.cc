#include "../problem/reduce.h"

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const element *in = p.in.data();
    bench::measure([&] {
#pragma omp parallel for schedule(static)
        for (size_t block = 0; block < p.blocks; block++) {
            element sum = 0;
#pragma omp simd reduction(+ : sum)
            for (size_t i = 0; i < 512; i++)
                sum += in[block * 512 + i];
            p.out[block] = sum;
        }
    });
    return bench::report(p);
}
