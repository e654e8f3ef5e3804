#include "../problem/blackscholes.h"
#include "host.h"

// The normal distribution, by a polynomial
__device__ float normal(float x) {
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-0.5f * x * x) * k *
                 (0.31938153f + k * (-0.356563782f +
                                     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1.0f - tail : tail;
}

__global__ void price(float *call, float *put, const float *prices, const float *strikes,
                      const float *years, float rate, float volatility, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = prices[i], x = strikes[i], t = years[i];
        float deviation = volatility * sqrtf(t);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
        float n1 = normal(d1), n2 = normal(d1 - deviation);
        float present = x * expf(-rate * t);
        call[i] = s * n1 - present * n2;
        put[i] = present * (1.0f - n2) - s * (1.0f - n1);
    }
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<float> call(p.n), put(p.n), prices(p.price), strikes(p.strike), years(p.years);
    measure([&] {
        price<<<p.n / 256, 256>>>(call, put, prices, strikes, years, p.rate, p.volatility, p.n);
    });
    call.get(p.call);
    put.get(p.put);
    return bench::report(p);
}
