// Prices of options: each thread by itself, much arithmetic.
#include "pays.h"

__device__ float normal(float x) {
    return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void price(const float *stock, const float *strike, const float *years, float *call,
                      float *put, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float rate = 0.02f, volatility = 0.3f;
    float s = 5 + 25 * stock[i], k = 1 + 99 * strike[i], t = 0.25f + 10 * years[i];
    float d1 =
        (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * sqrtf(t));
    float d2 = d1 - volatility * sqrtf(t), discounted = k * expf(-rate * t);
    call[i] = s * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - s * normal(-d1);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 20, 6 << 20, 16 << 20);
    const std::vector<float> start = uniforms(n);
    start_clock();
    float *stock = copy_of(start), *strike = copy_of(start), *years = copy_of(start);
    float *call = allocate<float>(n), *put = allocate<float>(n);
    price<<<(n + 255) / 256, 256>>>(stock, strike, years, call, put, n);
    return report(call, n);
}
