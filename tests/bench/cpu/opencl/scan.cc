#include "../problem/scan.h"
#include "host.h"

static const char *source = R"CL(
#define THREADS 256

// Inclusive sums over a group's work-items, by doubling distances.
int scan_items(int value, local int (*sums)[THREADS]) {
    int from = 0, t = get_local_id(0);
    sums[0][t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = 1; offset < THREADS; offset *= 2) {
        sums[1 - from][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sums[from][t];
}

// Sums within chunks of four elements a work-item, and each chunk's total.
kernel void scan_chunks(global const int4 *in, global int4 *out, global int *totals) {
    local int sums[2][THREADS];
    int i = get_global_id(0);
    int4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int sum = scan_items(v.w, sums);
    out[i] = v + (sum - v.w);
    if (get_local_id(0) == THREADS - 1)
        totals[get_group_id(0)] = sum;
}

// One group turns the totals into what comes before each chunk.
kernel void scan_totals(global int *totals, int count) {
    local int sums[2][THREADS];
    local int carry;
    if (get_local_id(0) == 0)
        carry = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int begin = 0; begin < count; begin += THREADS) {
        int i = begin + get_local_id(0);
        int value = i < count ? totals[i] : 0;
        int before = carry, sum = scan_items(value, sums);
        if (i < count)
            totals[i] = before + sum - value;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == THREADS - 1)
            carry = before + sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void add_totals(global int4 *out, global const int *totals) {
    int i = get_global_id(0);
    out[i] += totals[get_group_id(0)];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel scan_chunks = cl.kernel("scan_chunks"), scan_totals = cl.kernel("scan_totals");
    cl_kernel add_totals = cl.kernel("add_totals");
    const int chunks = (int)(p.n / 1024);
    buffer<int> in(cl, p.in), out(cl, p.n), totals(cl, chunks);
    measure(cl, [&] {
        launch(cl, scan_chunks, {p.n / 4}, {256}, in, out, totals);
        launch(cl, scan_totals, {256}, {256}, totals, chunks);
        launch(cl, add_totals, {p.n / 4}, {256}, out, totals);
    });
    out.get(p.out);
    return bench::report(p);
}
