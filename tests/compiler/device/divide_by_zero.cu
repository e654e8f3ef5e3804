// Integer division by 0 gives a value as on a GPU: all bits set, in vector code and thread by
// thread; the least number by -1 is itself.
// RUN: %gcluster-cc -O2 %s -o %t && %t && env GCL_CPU_LEVEL=v3 %t && env GCL_CPU_LEVEL=v2 %t
// RUN: %gcluster-cc -O2 --cpu=scalar %s -o %t && %t
// RUN: %gcluster-cc -O2 -march=native %s -o %t && %t
#include <cstdint>
#include <cstdio>

enum { COUNT = 256 };

template <typename T> __global__ void divide(const T *a, const T *b, T *quotient, T *rest) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    quotient[i] = a[i] / b[i];
    rest[i] = a[i] % b[i];
}

template <typename T> __global__ void divide_all(const T *a, T b, T *quotient, T *rest) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    quotient[i] = a[i] / b;
    rest[i] = a[i] % b;
}

// One thread after the other, each with what the one before has found.
template <typename T> __global__ void chain(const T *a, const T *b, T *quotient) {
    T x = 1;
    for (int i = 0; i < COUNT; i++)
        x = quotient[i] = a[i] / b[i] + (x & 1);
}

template <typename T> static int check(const char *name, T least, T last, bool is_common) {
    T *a, *b, *quotient, *rest;
    int wrong = 0;
    cudaMallocManaged(&a, COUNT * sizeof(T));
    cudaMallocManaged(&b, COUNT * sizeof(T));
    cudaMallocManaged(&quotient, COUNT * sizeof(T));
    cudaMallocManaged(&rest, COUNT * sizeof(T));
    for (int i = 0; i < COUNT; i++) {
        a[i] = i % 7 == 3 ? least : T(i * 37 + 1);
        b[i] = is_common ? last : i % 5 == 0 ? T(0) : i % 5 == 1 ? last : T(i % 5);
    }
    if (is_common)
        divide_all<<<2, COUNT / 2>>>(a, last, quotient, rest);
    else
        divide<<<2, COUNT / 2>>>(a, b, quotient, rest);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < COUNT && !error; i++) {
        bool is_zero = b[i] == 0, overflows = T(-1) < T(0) && a[i] == least && b[i] == T(-1);
        T expected = is_zero ? T(-1) : overflows ? least : T(a[i] / b[i]);
        T left = is_zero ? T(-1) : overflows ? T(0) : T(a[i] % b[i]);
        wrong += quotient[i] != expected || rest[i] != left;
    }
    if (!is_common && !error) {
        chain<<<1, 1>>>(a, b, rest);
        error = cudaDeviceSynchronize();
        for (int i = 0; i < COUNT && !error; i++)
            wrong += rest[i] != T(quotient[i] + ((i ? rest[i - 1] : T(1)) & 1));
    }
    if (wrong || error)
        printf("%s: %d wrong, %s\n", name, wrong, cudaGetErrorName(error));
    cudaFree(a), cudaFree(b), cudaFree(quotient), cudaFree(rest);
    return wrong || error ? 1 : 0;
}

int main() {
    int failed = 0;
    for (bool is_common : {false, true}) {
        failed += check<int32_t>("int32_t", INT32_MIN, is_common ? 0 : -1, is_common);
        failed += check<uint32_t>("uint32_t", UINT32_MAX, is_common ? 0 : 9, is_common);
        failed += check<int64_t>("int64_t", INT64_MIN, -1, is_common);
    }
    return failed;
}
