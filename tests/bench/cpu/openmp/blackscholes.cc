#include "../problem/blackscholes.h"

// The normal distribution, by a polynomial
static inline float normal(float x) {
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-0.5f * x * x) * k *
                 (0.31938153f + k * (-0.356563782f +
                                     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1 - tail : tail;
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    const float *price = p.price.data(), *strike = p.strike.data(), *years = p.years.data();
    float *call = p.call.data(), *put = p.put.data();
    bench::measure([&] {
#pragma omp parallel for simd schedule(static)
        for (int i = 0; i < p.n; i++) {
            float s = price[i], x = strike[i], t = years[i];
            float deviation = p.volatility * sqrtf(t);
            float d1 =
                (logf(s / x) + (p.rate + 0.5f * p.volatility * p.volatility) * t) / deviation;
            float n1 = normal(d1), n2 = normal(d1 - deviation);
            float present = x * expf(-p.rate * t);
            call[i] = s * n1 - present * n2;
            put[i] = present * (1 - n2) - s * (1 - n1);
        }
    });
    return bench::report(p);
}
