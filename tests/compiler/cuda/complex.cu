// std::complex and cuComplex in device code give what they give on the host, infinities included.
#include <complex>

#include <cmath>
#include <cuComplex.h>

#include "../device/check.h"

enum { COUNT = 12 };

template <class T> struct Results {
    std::complex<T> product[COUNT][COUNT], quotient[COUNT][COUNT], root[COUNT], power[COUNT];
    T size[COUNT], angle[COUNT];
    cuDoubleComplex c_quotient[COUNT][COUNT];
};

template <class T> static __host__ __device__ std::complex<T> number(int i) {
    const T inf = (T)INFINITY, values[] = {0, 1, -2, (T)0.5, inf, (T)NAN, 3, (T)1e-30};
    return std::complex<T>(values[i % 8], values[(i * 5 + 2) % 8]);
}

template <class T> static __host__ __device__ void compute(Results<T> *r, int i) {
    for (int k = 0; k < COUNT; k++) {
        r->product[i][k] = number<T>(i) * number<T>(k);
        r->quotient[i][k] = number<T>(i) / number<T>(k);
        cuDoubleComplex a = make_cuDoubleComplex(i + 1, k - 2), b = make_cuDoubleComplex(k + 1, i);
        r->c_quotient[i][k] = cuCadd(cuCdiv(cuCmul(a, b), b), cuConj(cuCsub(a, a)));
    }
    std::complex<T> z((T)(i + 1), (T)(2 - i));
    r->root[i] = std::sqrt(z);
    r->power[i] = std::exp(z) + std::pow(z, 2) + std::conj(z) * std::polar((T)2, (T)0.5);
    r->size[i] = std::abs(z) + std::norm(z);
    r->angle[i] = std::arg(z);
}

template <class T> __global__ void on_device(Results<T> *r) {
    compute(r, threadIdx.x);
}

template <class T> static bool same(T a, T b) {
    return (a != a && b != b) || a == b || std::fabs(a - b) <= std::fabs(b) * (T)1e-5;
}
template <class T> static bool same(std::complex<T> a, std::complex<T> b) {
    return same(a.real(), b.real()) && same(a.imag(), b.imag());
}

template <class T> static void test() {
    Results<T> *device = managed<Results<T>>(1), *host = new Results<T>;
    on_device<<<1, COUNT>>>(device);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        compute(host, i);
        for (int k = 0; k < COUNT; k++) {
            CHECK(same(device->product[i][k], host->product[i][k]));
            CHECK(same(device->quotient[i][k], host->quotient[i][k]));
            CHECK(same(device->c_quotient[i][k].x, i + 1.0));
            CHECK(std::fabs(device->c_quotient[i][k].y - (k - 2)) < 1e-12);
        }
        CHECK(same(device->root[i], host->root[i]) && same(device->power[i], host->power[i]));
        CHECK(same(device->size[i], host->size[i]) && same(device->angle[i], host->angle[i]));
    }
    delete host;
}

int main() {
    test<float>();
    test<double>();
}
