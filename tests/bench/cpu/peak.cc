// What the machine can do: memory traffic of a triad whose three arrays have SIZE bytes together,
// with and without non-temporal stores, and single-precision fused multiply-adds of all cores.
//
//     peak memory SIZE        peak flops
//
// A plain store reads its cache line first; that line counts as moved, too.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench.h"
#include "openmp/vector.h"

template <class Run> static double best_of(double seconds, Run run) {
    double best = 1e9;
    for (double end = bench::now() + seconds; bench::now() < end;) {
        double begin = bench::now();
        run();
        double time = bench::now() - begin;
        best = time < best ? time : best;
    }
    return best;
}

static void measure_memory(size_t size) {
    const size_t n = size / (3 * sizeof(double));
    bench::array<double> a(n), b(n), c(n);
    double *x = a.data(), *y = b.data(), *z = c.data();
    double plain = best_of(0.15, [=] {
#pragma omp parallel for simd schedule(static)
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] + 0.4 * z[i];
    });
    double streaming = best_of(0.15, [=] {
#pragma omp parallel for simd schedule(static) nontemporal(x)
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] + 0.4 * z[i];
    });
    printf("plain %.0f nontemporal %.0f\n", 32.0 * (double)n / plain, 24.0 * (double)n / streaming);
}

// The accumulators fill the registers: enough chains to hide a multiply-add's latency.
#ifdef __AVX512F__
enum { CHAINS = 24 };
#else
enum { CHAINS = 12 };
#endif

static float multiply_add(long steps, float seed) {
    vector sum[CHAINS] = {}, factor = seed - (vector){}, addend = 0.5f * factor;
    for (long i = 0; i < steps; i++) {
#pragma clang loop unroll(full)
        for (int c = 0; c < CHAINS; c++)
            sum[c] = sum[c] * factor + addend;
        // Without this, the compiler may see through the chains.
        asm volatile("" : "+v"(factor));
    }
    vector all = {};
    for (vector one : sum)
        all += one;
    return all[0];
}

static void measure_flops() {
    const long steps = 100000;
    int threads = 0;
    double sum = 0;
    double seconds = best_of(0.5, [&] {
        threads = 0;
#pragma omp parallel reduction(+ : sum, threads)
        {
            sum += multiply_add(steps, 0.25f);
            threads++;
        }
    });
    if (sum == 0)
        exit(1);
    printf("flops %.0f\n", 2.0 * LANES * CHAINS * (double)steps * threads / seconds);
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "memory"))
        measure_memory(strtoull(argv[2], nullptr, 10));
    else if (argc == 2 && !strcmp(argv[1], "flops"))
        measure_flops();
    else
        return 2;
    return 0;
}
