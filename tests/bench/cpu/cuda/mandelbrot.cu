#include "../problem/mandelbrot.h"
#include "host.h"

__global__ void mandelbrot(int *count, int n, int limit, float left, float top, float step) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
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

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<int> count(p.count.size());
    dim3 grid((p.n + 15) / 16, (p.n + 15) / 16), block(16, 16);
    measure([&] { mandelbrot<<<grid, block>>>(count, p.n, p.limit, p.left, p.top, p.step); });
    count.get(p.count);
    return bench::report(p);
}
