// Fourier transforms of 1024 complex numbers each, by Stockham's algorithm of radix 4. Numbers are
// pairs of floats. Stage s combines results of stride 4^s; its twiddle factors are powers of the
// table's.
#pragma once
#include <cmath>

#include "../bench.h"

enum { LENGTH = 1024, STAGES = 5 };

struct problem {
    const int batch = (int)bench::size(4096, 32, 1 << 15);
    const size_t count = (size_t)batch * LENGTH * 2;
    bench::array<float> in{count, [](size_t i) { return bench::uniform(i) - 0.5f; }};
    bench::array<float> out{count};
    // exp(-2 pi i k / LENGTH)
    bench::array<float> twiddles{2 * LENGTH, [](size_t i) {
                                     double angle = -2 * M_PI * (double)(i / 2) / LENGTH;
                                     return (float)(i % 2 ? sin(angle) : cos(angle));
                                 }};

    double bytes() const {
        return 8.0 * (double)count;
    }
    // A butterfly is 8 complex sums and, but in the first stage, 3 products.
    double flops() const {
        return (double)batch * LENGTH / 4 * (STAGES * 16 + (STAGES - 1) * 18);
    }
    bool check() const {
        for (int sample = 0; sample < 256; sample++) {
            size_t transform = bench::hash(2 * sample) % batch;
            int k = (int)(bench::hash(2 * sample + 1) % LENGTH);
            const float *x = &in[transform * LENGTH * 2], *y = &out[transform * LENGTH * 2];
            double real = 0, imaginary = 0;
            for (int i = 0; i < LENGTH; i++) {
                double angle = -2 * M_PI * i * k / LENGTH;
                real += x[2 * i] * cos(angle) - x[2 * i + 1] * sin(angle);
                imaginary += x[2 * i] * sin(angle) + x[2 * i + 1] * cos(angle);
            }
            if (!bench::near(y[2 * k], real, 1e-3) || !bench::near(y[2 * k + 1], imaginary, 1e-3))
                return false;
        }
        return true;
    }
};
