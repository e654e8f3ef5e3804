// RUN: %gcluster-cc -O2 %s -o %t && %t
// Conversions to integers saturate as on the device; a compiler barrier is no PTX.
#include "check.h"
#include <limits.h>
#include <math.h>

struct Integers {
    int i;
    unsigned u;
    long long l;
    unsigned long long ul;
    unsigned char c;
};

__global__ void convert(const float *in, const double *precise, Integers *out, int n) {
    int t = threadIdx.x;
    if (t >= n)
        return;
    asm volatile("" ::: "memory");
    out[2 * t] = {(int)in[t], (unsigned)in[t], (long long)in[t], (unsigned long long)in[t],
                  (unsigned char)in[t]};
    out[2 * t + 1] = {(int)precise[t], (unsigned)precise[t], (long long)precise[t],
                      (unsigned long long)precise[t], (unsigned char)precise[t]};
}

int main() {
    const float values[] = {1.9f, -1.9f, 300.5f, 3e9f, -3e9f, 1e20f, -1e20f, NAN, INFINITY};
    const Integers expected[] = {
        {1, 1, 1, 1, 1},
        {-1, 0, -1, 0, 0},
        {300, 300, 300, 300, 44},
        {INT_MAX, 3000000000u, 3000000000, 3000000000, 3000000000u & 255},
        {INT_MIN, 0, -3000000000, 0, 0},
        {INT_MAX, UINT_MAX, LLONG_MAX, ULLONG_MAX, 255},
        {INT_MIN, 0, LLONG_MIN, 0, 0},
        {},
        {INT_MAX, UINT_MAX, LLONG_MAX, ULLONG_MAX, 255},
    };
    // To 64 bits and from doubles a NaN becomes the highest bit (PTX ISA, "cvt").
    const Integers not_a_number[] = {{0, 0, LLONG_MIN, 1ull << 63, 0},
                                     {INT_MIN, 1u << 31, LLONG_MIN, 1ull << 63, 0}};
    const int n = sizeof values / sizeof *values;
    float *in = managed<float>(n);
    double *precise = managed<double>(n);
    Integers *out = managed<Integers>(2 * n);
    for (int t = 0; t < n; t++)
        precise[t] = in[t] = values[t];
    convert<<<1, 32>>>(in, precise, out, n);
    SYNC();
    for (int t = 0; t < 2 * n; t++) {
        bool is_nan = values[t / 2] != values[t / 2];
        const Integers &o = out[t], &e = is_nan ? not_a_number[t % 2] : expected[t / 2];
        CHECK(o.i == e.i && o.u == e.u && o.l == e.l && o.ul == e.ul && o.c == e.c);
    }
}
