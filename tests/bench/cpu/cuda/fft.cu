#include "../problem/fft.h"
#include "host.h"

__device__ float2 operator+(float2 a, float2 b) {
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ float2 operator-(float2 a, float2 b) {
    return make_float2(a.x - b.x, a.y - b.y);
}

__device__ float2 operator*(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ void butterfly(float2 v[4]) {
    float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    float2 turned = make_float2(d.y, -d.x);
    v[0] = a + c;
    v[1] = b + turned;
    v[2] = a - c;
    v[3] = b - turned;
}

// A block transforms LENGTH numbers, four a thread, which meet in shared memory between stages.
__global__ void fft(const float2 *in, float2 *out, const float2 *twiddles) {
    __shared__ float2 numbers[LENGTH];
    const int j = threadIdx.x, quarter = LENGTH / 4;
    in += blockIdx.x * LENGTH;
    out += blockIdx.x * LENGTH;
    float2 v[4];
    for (int r = 0; r < 4; r++)
        v[r] = in[j + r * quarter];
    butterfly(v);
    for (int stride = 1; stride < quarter; stride *= 4) {
        int to = j / stride * stride * 4 + j % stride;
        for (int r = 0; r < 4; r++)
            numbers[to + r * stride] = v[r];
        __syncthreads();
        int angle = j % (4 * stride) * (LENGTH / (16 * stride));
        for (int r = 0; r < 4; r++)
            v[r] = numbers[j + r * quarter] * twiddles[r * angle];
        __syncthreads();
        butterfly(v);
    }
    for (int r = 0; r < 4; r++)
        out[j + r * quarter] = v[r];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> in(p.in), out(p.count), twiddles(p.twiddles);
    measure([&] {
        fft<<<p.batch, LENGTH / 4>>>((float2 *)(float *)in, (float2 *)(float *)out,
                                     (float2 *)(float *)twiddles);
    });
    out.get(p.out);
    return bench::report(p);
}
