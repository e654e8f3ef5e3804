#include "../problem/mandelbrot.h"
#include "host.h"

static const char *source = R"CL(
kernel void mandelbrot(global int *count, int n, int limit, float left, float top, float step) {
    int column = get_global_id(0), row = get_global_id(1);
    if (column >= n || row >= n)
        return;
    float x0 = left + step * column, y0 = top + step * row;
    float x = 0, y = 0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4) {
        float next = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = next;
        steps++;
    }
    count[row * n + column] = steps;
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel mandelbrot = cl.kernel("mandelbrot");
    buffer<int> count(cl, p.count.size());
    measure(cl, [&] {
        launch(cl, mandelbrot, {(size_t)p.n, (size_t)p.n}, {16, 16}, count, p.n, p.limit, p.left,
               p.top, p.step);
    });
    count.get(p.count);
    return bench::report(p);
}
