// What tests of cuBLAS share: arithmetic of all types in double precision, and vectors on both
// sides.
#ifndef TESTS_LIB_BLAS_H
#define TESTS_LIB_BLAS_H

#ifndef CUBLAS_H_ // not beside the first interface
#include <cublas_v2.h>
#endif

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../check.h"

typedef std::complex<double> number;

inline number value(float x) {
    return x;
}
inline number value(double x) {
    return x;
}
inline number value(cuComplex x) {
    return {x.x, x.y};
}
inline number value(cuDoubleComplex x) {
    return {x.x, x.y};
}
inline number value(int x) {
    return x;
}
inline number value(signed char x) {
    return x;
}
inline number value(__half x) {
    return __half2float(x);
}
inline number value(__nv_bfloat16 x) {
    return __bfloat162float(x);
}

inline void assign(float &x, number z) {
    x = z.real();
}
inline void assign(double &x, number z) {
    x = z.real();
}
inline void assign(cuComplex &x, number z) {
    x = make_cuComplex(z.real(), z.imag());
}
inline void assign(cuDoubleComplex &x, number z) {
    x = make_cuDoubleComplex(z.real(), z.imag());
}
inline void assign(int &x, number z) {
    x = z.real();
}
inline void assign(signed char &x, number z) {
    x = z.real();
}
inline void assign(__half &x, number z) {
    x = __float2half(z.real());
}
inline void assign(__nv_bfloat16 &x, number z) {
    x = __float2bfloat16(z.real());
}

// Small integers, so that sums of them are exact in all types.
inline number random_number() {
    static unsigned state = 1;
    state = state * 1664525 + 1013904223;
    return {(double)(int)(state >> 28) - 8, (double)(int)(state >> 24 & 15) - 8};
}

/// A vector on the device, and what it should hold.
template <class T> struct shared {
    std::vector<T> host;
    T *device;

    explicit shared(size_t count, bool is_random = true) : host(count) {
        for (T &x : host)
            assign(x, is_random ? random_number() : number(NAN, NAN));
        CHECK(cudaMalloc(&device, (count + 1) * sizeof(T)));
        give();
    }
    shared(const shared &) = delete;
    ~shared() {
        CHECK(cudaFree(device));
    }
    void give() {
        CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> take() const {
        std::vector<T> taken(host.size());
        CHECK(cudaMemcpy(taken.data(), device, taken.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return taken;
    }
    number at(size_t i) const {
        return value(host[i]);
    }
};

inline bool is_close(number a, number b, double error) {
    return std::abs(a - b) <= error * (1 + std::abs(b));
}

/// Whether the device has what it should.
template <class T> bool agree(const shared<T> &vector, double error = 0) {
    std::vector<T> taken = vector.take();
    for (size_t i = 0; i < taken.size(); i++) {
        number is = value(taken[i]), should = vector.at(i);
        if (!is_close(is, should, error) && !(std::isnan(is.real()) && std::isnan(should.real()))) {
            printf("%zu of %zu: %g + %g i instead of %g + %g i\n", i, taken.size(), is.real(),
                   is.imag(), should.real(), should.imag());
            return false;
        }
    }
    return true;
}

#endif
