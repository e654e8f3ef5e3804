// Which overload a call takes, on host and device: the types of min, max, abs, pow and kin for
// mixed arguments, in and out of namespace std, whatever was included and used.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include "../device/check.h"

using namespace std;

#define IS(type, expression) static_assert(is_same<decltype(expression), type>::value, #expression)

template <class T> __host__ __device__ T larger(T a, T b) {
    return max(a, b);
}

__host__ __device__ int calls() {
    int i = -3;
    unsigned u = 5;
    long l = -7;
    unsigned long ul = 8;
    long long ll = -9;
    unsigned long long ull = 11;
    float f = -1.5f;
    double d = 2.5;
    size_t size = 4;
    IS(int, min(i, i));
    IS(unsigned, min(i, u));
    IS(unsigned, max(u, i));
    IS(long, max(i, l));
    IS(unsigned long, min(size, i));
    IS(long long, min(ll, i));
    IS(unsigned long long, max(ull, i));
    IS(unsigned long long, max(ull, ul));
    IS(float, max(f, i));
    IS(float, min(f, f));
    IS(double, min(f, d));
    IS(double, max(d, i));
    IS(int, abs(i));
    IS(long, abs(l));
    IS(long long, abs(ll));
    IS(float, abs(f));
    IS(double, abs(d));
    IS(float, fabs(f));
    IS(float, sqrt(f));
    IS(double, sqrt(i));
    IS(double, pow(f, i));
    IS(float, pow(f, f));
    IS(double, pow(d, i));
    IS(float, fmax(f, f));
    IS(double, fmin(f, d));
    IS(float, floor(f));
    IS(float, std::exp(f));
    IS(float, atan2(f, f));
    IS(float, rsqrt(f));
    IS(double, rsqrt(d));
    IS(float, ::sqrt(f));
    IS(long, lround(f));
    int n = 0;
    n += min(i, 2) == -3;
    n += max(u, 2) == 5;
    n += min(l, (long)i) == -7;
    n += max(f, 1) == 1.0f;
    n += abs(f) == 1.5f && std::abs(f) == 1.5f && ::abs(f) == 1.5f;
    n += abs(l) == 7 && std::abs(ll) == 9 && labs(l) == 7 && llabs(ll) == 9;
    n += std::min(i, 4) == -3 && std::max(2.0, 3.0) == 3.0 && larger(2, 3) == 3;
    n += pow(2.0f, 3) == 8 && std::pow(2, 3) == 8 && powf(2, 3) == 8 && pow(2.0, 3.0f) == 8;
    n += isnan(f) == 0 && std::isnan(d) == 0 && isinf(f) == 0 && isfinite(d) && signbit(f);
    n += sqrt(4) == 2 && sqrtf(4) == 2 && ::sqrt(4.0f) == 2;
    n += fmod(5.0f, 3.0f) == 2 && std::fmod(5.0, 3) == 2 && fmodf(5, 3) == 2;
    n += ceil(1.5f) == 2 && floor(-1.5) == -2 && round(2.5f) == 3 && trunc(-2.5) == -2 &&
         rint(2.5) == 2;
    n += min((size_t)3, size) == 3 && max(3u, u) == 5 && min('a', 'b') == 'a' &&
         max(3ull, ull) == 11;
    n += umin(3, 4) == 3 && llmax(3, 4) == 4 && numeric_limits<float>::max() > 1e38f;
    return n;
}

__global__ void on_device(int *out) {
    *out = calls();
    complex<float> z(1, 2);
    z = z * z + complex<float>(4, -4);
    *out += z.real() == 1 && z.imag() == 0;
}

int main() {
    int *out = managed<int>(1);
    on_device<<<1, 1>>>(out);
    SYNC();
    CHECK(*out == 15);
    CHECK(calls() == 14);
    vector<int> v = {3, 1, 2};
    sort(v.begin(), v.end(), greater<int>());
    thread([&] { v[0] = max(v[0], 7); }).join();
    CHECK(v[0] == 7 && *max_element(v.begin(), v.end()) == 7);
    mt19937 bits(1);
    normal_distribution<double> normal;
    CHECK(isfinite(normal(bits)));
}
