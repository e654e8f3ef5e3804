#include <omp.h>

#include <vector>

#include "../problem/scan.h"

// Each thread sums its share, then writes the prefix sums that begin with those before it.
int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const int *in = p.in.data();
    int *out = p.out.data();
    std::vector<int> sums(omp_get_max_threads());
    bench::measure([&] {
#pragma omp parallel
        {
            const size_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
            const size_t begin = p.n * thread / threads, end = p.n * (thread + 1) / threads;
            int sum = 0;
#pragma omp simd reduction(+ : sum)
            for (size_t i = begin; i < end; i++)
                sum += in[i];
            sums[thread] = sum;
#pragma omp barrier
            sum = 0;
            for (size_t t = 0; t < thread; t++)
                sum += sums[t];
            for (size_t i = begin; i < end; i++) {
                sum += in[i];
                out[i] = sum;
            }
        }
    });
    return bench::report(p);
}
