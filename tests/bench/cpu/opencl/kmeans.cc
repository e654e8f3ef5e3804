#include "../problem/kmeans.h"
#include "host.h"

static const char *source = R"CL(
#define CENTRES 16
#define DIMENSIONS 4

kernel void assign(global const float *restrict points, global const float *restrict centres,
                   global int *restrict label, int n) {
    local float centre[CENTRES * DIMENSIONS];
    if (get_local_id(0) < CENTRES * DIMENSIONS)
        centre[get_local_id(0)] = centres[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if (i >= n)
        return;
    float point[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++)
        point[d] = points[d * n + i];
    float nearest = 1e30f;
    int best = 0;
    for (int k = 0; k < CENTRES; k++) {
        float distance = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            float difference = point[d] - centre[k * DIMENSIONS + d];
            distance += difference * difference;
        }
        if (distance < nearest) {
            nearest = distance;
            best = k;
        }
    }
    label[i] = best;
}

// OpenCL 1.2 has no atomic sums of floats.
void add_local(volatile local float *to, float value) {
    uint old, new;
    do {
        old = *(volatile local uint *)to;
        new = as_uint(as_float(old) + value);
    } while (atomic_cmpxchg((volatile local uint *)to, old, new) != old);
}

void add_global(volatile global float *to, float value) {
    uint old, new;
    do {
        old = *(volatile global uint *)to;
        new = as_uint(as_float(old) + value);
    } while (atomic_cmpxchg((volatile global uint *)to, old, new) != old);
}

kernel void accumulate(global const float *restrict points, global const int *restrict label,
                       global float *sums, global int *counts, int n) {
    local float sum[CENTRES * DIMENSIONS];
    local int count[CENTRES];
    int t = get_local_id(0);
    if (t < CENTRES * DIMENSIONS)
        sum[t] = 0;
    if (t < CENTRES)
        count[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        int k = label[i];
        for (int d = 0; d < DIMENSIONS; d++)
            add_local(&sum[k * DIMENSIONS + d], points[d * n + i]);
        atomic_add(&count[k], 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < CENTRES * DIMENSIONS)
        add_global(&sums[t], sum[t]);
    if (t < CENTRES)
        atomic_add(&counts[t], count[t]);
}

kernel void divide(global const float *sums, global const int *counts, global float *moved) {
    int i = get_global_id(0);
    moved[i] = sums[i] / (float)counts[i / DIMENSIONS];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel assign = cl.kernel("assign"), accumulate = cl.kernel("accumulate");
    cl_kernel divide = cl.kernel("divide");
    buffer<float> points(cl, p.points), centres(cl, p.centres);
    buffer<float> sums(cl, CENTRES * DIMENSIONS), moved(cl, CENTRES * DIMENSIONS);
    buffer<int> label(cl, p.n), counts(cl, CENTRES);
    range local = {256};
    measure(cl, [&] {
        sums.clear();
        counts.clear();
        launch(cl, assign, {(size_t)p.n}, local, points, centres, label, p.n);
        launch(cl, accumulate, {256 * 256}, local, points, label, sums, counts, p.n);
        launch(cl, divide, {CENTRES * DIMENSIONS}, {CENTRES * DIMENSIONS}, sums, counts, moved);
    });
    label.get(p.label);
    moved.get(p.moved);
    return bench::report(p);
}
