#include "../problem/transpose.h"
#include "host.h"

static const char *source = R"CL(
#define TILE 32
#define ROWS 8

kernel void transpose(global const float *in, global float *out, int n) {
    local float tile[TILE][TILE + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * TILE + tx, y = get_group_id(1) * TILE + ty;
    for (int row = 0; row < TILE; row += ROWS)
        tile[ty + row][tx] = in[(y + row) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + tx;
    y = get_group_id(0) * TILE + ty;
    for (int row = 0; row < TILE; row += ROWS)
        out[(y + row) * n + x] = tile[tx][ty + row];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel transpose = cl.kernel("transpose");
    buffer<float> in(cl, p.in), out(cl, p.count);
    measure(cl,
            [&] { launch(cl, transpose, {(size_t)p.n, (size_t)p.n / 4}, {32, 8}, in, out, p.n); });
    out.get(p.out);
    return bench::report(p);
}
