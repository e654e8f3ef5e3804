#include "../problem/mandelbrot.h"

// Points that take their steps together, until the last has left
enum { SIDE = 64 };

static void run(const problem &p, int row, int begin, int *count) {
    const float y0 = p.top + p.step * (float)row;
    float x0[SIDE], x[SIDE] = {}, y[SIDE] = {};
    int steps[SIDE] = {};
    for (int i = 0; i < SIDE; i++)
        x0[i] = p.left + p.step * (float)(begin + i);
    int inside = 1;
    for (int step = 0; step < p.limit && inside; step++) {
        inside = 0;
#pragma omp simd reduction(| : inside)
        for (int i = 0; i < SIDE; i++) {
            float xx = x[i] * x[i], yy = y[i] * y[i];
            int stays = xx + yy <= 4;
            y[i] = stays ? 2 * x[i] * y[i] + y0 : y[i];
            x[i] = stays ? xx - yy + x0[i] : x[i];
            steps[i] += stays;
            inside |= stays;
        }
    }
    for (int i = 0; i < SIDE && begin + i < p.n; i++)
        count[i] = steps[i];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    bench::measure([&] {
#pragma omp parallel for schedule(dynamic)
        for (int row = 0; row < p.n; row++)
            for (int begin = 0; begin < p.n; begin += SIDE)
                run(p, row, begin, &p.count[(size_t)row * p.n + begin]);
    });
    return bench::report(p);
}
