#include "../problem/blackscholes.h"
#include "host.h"

static const char *source = R"CL(
// The normal distribution, by a polynomial
float normal(float x) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float tail = 0.39894228f * exp(-0.5f * x * x) * k *
                 (0.31938153f +
                  k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1.0f - tail : tail;
}

kernel void price(global float *call, global float *put, global const float *prices,
                  global const float *strikes, global const float *years, float rate,
                  float volatility, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float s = prices[i], x = strikes[i], t = years[i];
        float deviation = volatility * sqrt(t);
        float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
        float n1 = normal(d1), n2 = normal(d1 - deviation);
        float present = x * exp(-rate * t);
        call[i] = s * n1 - present * n2;
        put[i] = present * (1.0f - n2) - s * (1.0f - n1);
    }
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel price = cl.kernel("price");
    buffer<float> call(cl, p.n), put(cl, p.n);
    buffer<float> prices(cl, p.price), strikes(cl, p.strike), years(cl, p.years);
    measure(cl, [&] {
        launch(cl, price, {(size_t)p.n}, {256}, call, put, prices, strikes, years, p.rate,
               p.volatility, p.n);
    });
    call.get(p.call);
    put.get(p.put);
    return bench::report(p);
}
