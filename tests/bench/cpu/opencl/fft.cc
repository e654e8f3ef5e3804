#include "../problem/fft.h"
#include "host.h"

static const char *source = R"CL(
#define LENGTH 1024
#define QUARTER (LENGTH / 4)

float2 product(float2 a, float2 b) {
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void butterfly(float2 v[4]) {
    float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    float2 turned = (float2)(d.y, -d.x);
    v[0] = a + c;
    v[1] = b + turned;
    v[2] = a - c;
    v[3] = b - turned;
}

// A group transforms LENGTH numbers, four a work-item, which meet in local memory between stages.
kernel void fft(global const float2 *in, global float2 *out, global const float2 *twiddles) {
    local float2 numbers[LENGTH];
    const int j = get_local_id(0);
    in += get_group_id(0) * LENGTH;
    out += get_group_id(0) * LENGTH;
    float2 v[4];
    for (int r = 0; r < 4; r++)
        v[r] = in[j + r * QUARTER];
    butterfly(v);
    for (int stride = 1; stride < QUARTER; stride *= 4) {
        int to = j / stride * stride * 4 + j % stride;
        for (int r = 0; r < 4; r++)
            numbers[to + r * stride] = v[r];
        barrier(CLK_LOCAL_MEM_FENCE);
        int angle = j % (4 * stride) * (LENGTH / (16 * stride));
        for (int r = 0; r < 4; r++)
            v[r] = product(numbers[j + r * QUARTER], twiddles[r * angle]);
        barrier(CLK_LOCAL_MEM_FENCE);
        butterfly(v);
    }
    for (int r = 0; r < 4; r++)
        out[j + r * QUARTER] = v[r];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel fft = cl.kernel("fft");
    buffer<float> in(cl, p.in), out(cl, p.count), twiddles(cl, p.twiddles);
    measure(cl, [&] { launch(cl, fft, {p.count / 8}, {LENGTH / 4}, in, out, twiddles); });
    out.get(p.out);
    return bench::report(p);
}
