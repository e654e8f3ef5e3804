#include "../problem/stencil2d.h"

static void step(const float *in, float *out, int n) {
#pragma omp parallel for schedule(static)
    for (int y = 1; y < n - 1; y++) {
        const float *here = in + (size_t)y * n, *above = here - n, *below = here + n;
        float *to = out + (size_t)y * n;
#pragma omp simd
        for (int x = 1; x < n - 1; x++)
            to[x] = 0.2f * (here[x] + here[x - 1] + here[x + 1] + above[x] + below[x]);
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    bench::measure(
        [&] {
            for (int i = 0; i < p.steps; i += 2) {
                step(p.a.data(), p.b.data(), p.n);
                step(p.b.data(), p.a.data(), p.n);
            }
        },
        [&] { p.reset(); });
    return bench::report(p);
}
