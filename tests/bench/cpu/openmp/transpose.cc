#include "../problem/transpose.h"

// Tiles whose lines fit the first cache; each is read and written along rows.
enum { TILE = 32 };

static void transpose_tile(const float *in, float *out, size_t n) {
    float tile[TILE][TILE + 1];
    for (size_t row = 0; row < TILE; row++)
        for (size_t column = 0; column < TILE; column++)
            tile[row][column] = in[row * n + column];
    for (size_t row = 0; row < TILE; row++)
        for (size_t column = 0; column < TILE; column++)
            out[row * n + column] = tile[column][row];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const size_t n = p.n;
    bench::measure([&] {
#pragma omp parallel for collapse(2) schedule(static)
        for (size_t y = 0; y < n; y += TILE)
            for (size_t x = 0; x < n; x += TILE)
                transpose_tile(&p.in[y * n + x], &p.out[x * n + y], n);
    });
    return bench::report(p);
}
