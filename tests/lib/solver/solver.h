// What tests of cuSOLVER share: dense matrices of all types, on both sides, and arithmetic with
// them in double precision.
#ifndef TESTS_LIB_SOLVER_H
#define TESTS_LIB_SOLVER_H

#include <cusolverDn.h>
#ifndef CUSOLVER_COMMON_H_ // by which headers of programs know that it has been included
#error
#endif

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../check.h"

typedef std::complex<double> number;

/// A type by its letter's functions: `real` is that of its parts.
template <class T> struct kind;
template <> struct kind<float> {
    typedef float real;
    static constexpr bool is_complex = false;
    static constexpr double error = 2e-4;
    static constexpr cudaDataType type = CUDA_R_32F, real_type = CUDA_R_32F;
    static number widen(float x) {
        return x;
    }
    static float narrow(number x) {
        return float(x.real());
    }
};
template <> struct kind<double> {
    typedef double real;
    static constexpr bool is_complex = false;
    static constexpr double error = 1e-11;
    static constexpr cudaDataType type = CUDA_R_64F, real_type = CUDA_R_64F;
    static number widen(double x) {
        return x;
    }
    static double narrow(number x) {
        return x.real();
    }
};
template <> struct kind<cuComplex> {
    typedef float real;
    static constexpr bool is_complex = true;
    static constexpr double error = 2e-4;
    static constexpr cudaDataType type = CUDA_C_32F, real_type = CUDA_R_32F;
    static number widen(cuComplex x) {
        return {x.x, x.y};
    }
    static cuComplex narrow(number x) {
        return make_cuComplex(float(x.real()), float(x.imag()));
    }
};
template <> struct kind<cuDoubleComplex> {
    typedef double real;
    static constexpr bool is_complex = true;
    static constexpr double error = 1e-11;
    static constexpr cudaDataType type = CUDA_C_64F, real_type = CUDA_R_64F;
    static number widen(cuDoubleComplex x) {
        return {x.x, x.y};
    }
    static cuDoubleComplex narrow(number x) {
        return make_cuDoubleComplex(x.real(), x.imag());
    }
};

/// A routine of the library by a number's type: potrf<T>(handle, …) calls that of T.
#define ROUTINE(name, s, d, c, z)                                                                  \
    template <class T, class... A> cusolverStatus_t name(A... arguments) {                         \
        if constexpr (std::is_same_v<T, float>)                                                    \
            return cusolverDn##s(arguments...);                                                    \
        else if constexpr (std::is_same_v<T, double>)                                              \
            return cusolverDn##d(arguments...);                                                    \
        else if constexpr (std::is_same_v<T, cuComplex>)                                           \
            return cusolverDn##c(arguments...);                                                    \
        else                                                                                       \
            return cusolverDn##z(arguments...);                                                    \
    }
#define SAME(name) ROUTINE(name, S##name, D##name, C##name, Z##name)

/// A dense matrix.
struct matrix {
    int rows, columns;
    std::vector<number> at;
    matrix(int r, int c) : rows(r), columns(c), at(size_t(r) * c) {
    }
    number &operator()(int i, int j) {
        return at[i + size_t(j) * rows];
    }
    number operator()(int i, int j) const {
        return at[i + size_t(j) * rows];
    }
};

inline matrix operator*(const matrix &a, const matrix &b) {
    matrix c(a.rows, b.columns);
    for (int j = 0; j < b.columns; j++)
        for (int k = 0; k < a.columns; k++)
            for (int i = 0; i < a.rows; i++)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}

/// The conjugate of the transpose.
inline matrix adjoint(const matrix &a) {
    matrix t(a.columns, a.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++)
            t(j, i) = std::conj(a(i, j));
    return t;
}

inline matrix identity(int n) {
    matrix a(n, n);
    for (int i = 0; i < n; i++)
        a(i, i) = 1;
    return a;
}

/// Numbers from -1 to 1, as T holds them.
template <class T> number random_number() {
    static unsigned state = 1;
    auto next = [] {
        state = state * 1664525 + 1013904223;
        return double(int(state >> 8 & 0xffff) - 0x8000) / 0x8000;
    };
    double real = next();
    return {real, kind<T>::is_complex ? next() : 0.0};
}

template <class T> matrix random_matrix(int rows, int columns) {
    matrix a(rows, columns);
    for (number &x : a.at)
        x = random_number<T>();
    return a;
}

/// Symmetric, or Hermitian; positive definite with a large `shift`.
template <class T> matrix random_symmetric(int n, double shift = 0) {
    matrix a = random_matrix<T>(n, n);
    for (int i = 0; i < n; i++) {
        a(i, i) = a(i, i).real() + shift;
        for (int j = 0; j < i; j++)
            a(i, j) = std::conj(a(j, i));
    }
    return a;
}

inline bool is_close(const matrix &a, const matrix &b, double error) {
    double size = 1;
    for (const number &x : b.at)
        size = std::fmax(size, std::abs(x));
    for (size_t i = 0; i < a.at.size(); i++) {
        if (!(std::abs(a.at[i] - b.at[i]) <= error * size * std::sqrt(double(a.columns) + 1))) {
            printf("element %zu of %d x %d: %g + %g i instead of %g + %g i\n", i, a.rows, a.columns,
                   a.at[i].real(), a.at[i].imag(), b.at[i].real(), b.at[i].imag());
            return false;
        }
    }
    return true;
}

/// Memory on the device.
template <class T> T *device(size_t count) {
    T *memory;
    CHECK(cudaMalloc(&memory, (count + 1) * sizeof(T)));
    return memory;
}

template <class T> T *device(const std::vector<T> &host) {
    T *memory = device<T>(host.size());
    CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <class T> std::vector<T> host(const T *memory, size_t count) {
    std::vector<T> result(count);
    CHECK(cudaMemcpy(result.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
}

inline int only(const int *info) {
    return host(info, 1)[0];
}

/// A matrix on the device, with a leading dimension; between its columns there is 77.
template <class T> T *device(const matrix &a, int leading) {
    std::vector<T> values(size_t(leading) * a.columns, kind<T>::narrow(77));
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            values[i + size_t(j) * leading] = kind<T>::narrow(a(i, j));
    return device(values);
}

template <class T> matrix host(const T *memory, int rows, int columns, int leading) {
    std::vector<T> values = host(memory, size_t(leading) * columns);
    matrix a(rows, columns);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++)
            a(i, j) = kind<T>::widen(values[i + size_t(j) * leading]);
        for (int i = rows; i < leading; i++)
            EXPECT(kind<T>::widen(values[i + size_t(j) * leading]) == 77.0);
    }
    return a;
}

/// The elements on and below the diagonal, or on and above it; the others are 0.
inline matrix triangle(const matrix &a, cublasFillMode_t part) {
    matrix t = a;
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            if (part == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
                t(i, j) = 0;
    return t;
}

/// Runs a test of all types.
#define ALL_TYPES(test, ...)                                                                       \
    do {                                                                                           \
        test<float>(__VA_ARGS__);                                                                  \
        test<double>(__VA_ARGS__);                                                                 \
        test<cuComplex>(__VA_ARGS__);                                                              \
        test<cuDoubleComplex>(__VA_ARGS__);                                                        \
    } while (0)

#endif
