#include "../problem/stencil3d.h"

static void step(const float *in, float *out, int n, float centre, float neighbour) {
    const size_t plane = (size_t)n * n;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 1; z < n - 1; z++) {
        for (int y = 1; y < n - 1; y++) {
            const float *here = in + z * plane + (size_t)y * n;
            float *to = out + z * plane + (size_t)y * n;
#pragma omp simd
            for (int x = 1; x < n - 1; x++)
                to[x] = centre * here[x] +
                        neighbour * (here[x - 1] + here[x + 1] + here[x - n] + here[x + n] +
                                     here[x - plane] + here[x + plane]);
        }
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    bench::measure(
        [&] {
            for (int i = 0; i < p.steps; i += 2) {
                step(p.a.data(), p.b.data(), p.n, p.centre, p.neighbour);
                step(p.b.data(), p.a.data(), p.n, p.centre, p.neighbour);
            }
        },
        [&] { p.reset(); });
    return bench::report(p);
}
