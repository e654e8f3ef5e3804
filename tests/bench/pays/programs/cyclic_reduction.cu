// Tridiagonal systems by cyclic reduction: strides double and threads halve, then the way back.
#include "pays.h"

__global__ void reduce(float *a, float *b, float *c, float *d, int n, int stride) {
    int i = 2 * stride * (blockIdx.x * blockDim.x + threadIdx.x + 1) - 1;
    if (i >= n)
        return;
    int left = i - stride, right = i + stride;
    float k = a[i] / b[left], l = right < n ? c[i] / b[right] : 0;
    b[i] -= c[left] * k + (right < n ? a[right] * l : 0);
    d[i] -= d[left] * k + (right < n ? d[right] * l : 0);
    a[i] = -a[left] * k;
    c[i] = right < n ? -c[right] * l : 0;
}

__global__ void substitute(const float *a, const float *b, const float *c, const float *d, float *x,
                           int n, int stride) {
    int i = 2 * stride * (blockIdx.x * blockDim.x + threadIdx.x) + stride - 1;
    if (i >= n)
        return;
    float left = i >= stride ? a[i] * x[i - stride] : 0;
    float right = i + stride < n ? c[i] * x[i + stride] : 0;
    x[i] = (d[i] - left - right) / b[i];
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 19, 1 << 21, 1 << 22);
    std::vector<float> below = uniforms(n), above(below), diagonal(n, 4.0f);
    below[0] = above[n - 1] = 0;
    start_clock();
    float *a = copy_of(below), *b = copy_of(diagonal), *c = copy_of(above), *d = copy_of(diagonal);
    float *x = zeros<float>(n);
    int stride = 1;
    for (; stride < n; stride *= 2)
        reduce<<<(n / stride / 2 + 127) / 128, 128>>>(a, b, c, d, n, stride);
    for (; stride > 0; stride /= 2)
        substitute<<<(n / stride / 2 + 128) / 128, 128>>>(a, b, c, d, x, n, stride);
    return report(x, n);
}
