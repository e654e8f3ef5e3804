#include "../problem/lu.h"
#include "host.h"

static const char *source = R"CL(
#define TILE 32

// Factors the tile on the diagonal: one group, a work-item a row.
kernel void factor_diagonal(global float *a, int n, int begin) {
    local float tile[TILE][TILE + 1];
    int t = get_local_id(0);
    a += begin * n + begin;
    for (int row = 0; row < TILE; row++)
        tile[row][t] = a[row * n + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE - 1; k++) {
        if (t > k) {
            float factor = tile[t][k] / tile[k][k];
            tile[t][k] = factor;
            for (int column = k + 1; column < TILE; column++)
                tile[t][column] -= factor * tile[k][column];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int row = 0; row < TILE; row++)
        a[row * n + t] = tile[row][t];
}

// Tiles right of the diagonal (group's y 0): a work-item solves for a column with L. Tiles below it
// (y 1): a work-item solves for a row with U.
kernel void solve_panels(global float *a, int n, int begin) {
    local float diagonal[TILE][TILE + 1], tile[TILE][TILE + 1];
    int t = get_local_id(0), other = begin + (get_group_id(0) + 1) * TILE;
    global const float *from = a + begin * n + begin;
    global float *to = a + (get_group_id(1) == 0 ? begin * n + other : other * n + begin);
    for (int row = 0; row < TILE; row++) {
        diagonal[row][t] = from[row * n + t];
        tile[row][t] = to[row * n + t];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(1) == 0) {
        for (int row = 1; row < TILE; row++) {
            float sum = tile[row][t];
            for (int k = 0; k < row; k++)
                sum -= diagonal[row][k] * tile[k][t];
            tile[row][t] = sum;
        }
    } else {
        for (int column = 0; column < TILE; column++) {
            float sum = tile[t][column];
            for (int k = 0; k < column; k++)
                sum -= tile[t][k] * diagonal[k][column];
            tile[t][column] = sum / diagonal[column][column];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int row = 0; row < TILE; row++)
        to[row * n + t] = tile[row][t];
}

// Subtracts the panels' product from the rest: a tile a group, an element a work-item.
kernel void update_rest(global float *a, int n, int begin) {
    local float left[TILE][TILE], above[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int row = begin + (get_group_id(1) + 1) * TILE + y;
    int column = begin + (get_group_id(0) + 1) * TILE + x;
    left[y][x] = a[row * n + begin + x];
    above[y][x] = a[(begin + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < TILE; k++)
        sum += left[y][k] * above[k][x];
    a[row * n + column] -= sum;
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel factor_diagonal = cl.kernel("factor_diagonal");
    cl_kernel solve_panels = cl.kernel("solve_panels"), update_rest = cl.kernel("update_rest");
    buffer<float> a(cl, p.count);
    const int tile = 32;
    measure(
        cl,
        [&] {
            for (int begin = 0; begin < p.n; begin += tile) {
                launch(cl, factor_diagonal, {tile}, {tile}, a, p.n, begin);
                size_t rest = p.n - begin - tile;
                if (rest == 0)
                    break;
                launch(cl, solve_panels, {rest, 2}, {tile}, a, p.n, begin);
                launch(cl, update_rest, {rest, rest}, {tile, tile}, a, p.n, begin);
            }
        },
        [&] { a.set(p.start.data()); });
    a.get(p.a);
    return bench::report(p);
}
