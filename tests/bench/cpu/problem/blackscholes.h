// Prices of European options by the formula of Black and Scholes.
#pragma once
#include <cmath>

#include "../bench.h"

struct problem {
    const int n = (int)bench::size(1 << 23, 1 << 14, 1 << 25);
    const float rate = 0.02f, volatility = 0.3f;
    const size_t count = (size_t)n;
    bench::array<float> call{count}, put{count};
    bench::array<float> price{count, [](size_t i) { return 5 + 25 * bench::uniform(3 * i); }};
    bench::array<float> strike{count, [](size_t i) { return 1 + 99 * bench::uniform(3 * i + 1); }};
    bench::array<float> years{count,
                              [](size_t i) { return 0.25f + 9 * bench::uniform(3 * i + 2); }};

    double bytes() const {
        return 20.0 * n;
    }
    // As the formula is written, with a root, a logarithm or an exponential as one operation.
    double flops() const {
        return 60.0 * n;
    }
    bool check() const {
        for (size_t sample = 0; sample < 65536; sample++) {
            size_t i = bench::hash(sample) % count;
            double s = price[i], x = strike[i], t = years[i], deviation = volatility * sqrt(t);
            double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
            double d2 = d1 - deviation, present = x * exp(-rate * t);
            double right_call = s * normal(d1) - present * normal(d2);
            double right_put = present * normal(-d2) - s * normal(-d1);
            if (!bench::near(call[i], right_call, 1e-4 * (1 + right_call)) ||
                !bench::near(put[i], right_put, 1e-4 * (1 + right_put)))
                return false;
        }
        return true;
    }

  private:
    static double normal(double x) {
        return 0.5 * erfc(-x * sqrt(0.5));
    }
};
