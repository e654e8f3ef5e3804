#include <bare.h>

__global__ void bare(const float *in, float *out, Bare by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n - 1)
        out[i] = in[i - 1] + in[i + 1] * by.far;
}

void run(const float *in, float *out, int n) {
    bare<<<n / 256, 256>>>(in, out, Bare{1}, n);
}
