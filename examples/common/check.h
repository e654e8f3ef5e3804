// What every example shares: stopping at the first CUDA error, and comparing with the reference.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

// A launch returns nothing and runs later, so its errors come out of the calls after it: that is
// why every call is checked, and why CHECK(cudaGetLastError()) stands after every launch.
#define CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

inline void check_cuda(cudaError_t error, const char *call, const char *file, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(2);
}

// The largest distance between a result and its reference, as a part of the largest reference
// value: single elements may cancel to nearly nothing, and then their own relative error says
// little. NaN anywhere gives infinity.
template <typename Result, typename Reference>
double largest_error(const Result *result, const Reference *reference, size_t count) {
    double error = 0, scale = 0;
    for (size_t i = 0; i < count; i++) {
        double distance = std::fabs((double)result[i] - (double)reference[i]);
        if (!(distance <= error))
            error = std::isnan(distance) ? INFINITY : distance;
        scale = std::fmax(scale, std::fabs((double)reference[i]));
    }
    return scale > 0 ? error / scale : error;
}

// Prints the verdict and returns main()'s exit status.
inline int verdict(const char *what, double error, double tolerance) {
    bool good = error <= tolerance;
    printf("%s: largest error %.2g, allowed %.2g: %s\n", what, error, tolerance,
           good ? "ok" : "WRONG");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
