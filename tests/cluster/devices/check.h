// What the programs here share: they check themselves, and print the same on any number of devices.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a call doesn't return what is expected.
#define EXPECT(call, expected)                                                                     \
    do {                                                                                           \
        cudaError_t got_ = (call);                                                                 \
        if (got_ != (expected)) {                                                                  \
            printf("line %d: %s returns %s\n", __LINE__, #call, cudaGetErrorName(got_));           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define CHECK(call) EXPECT(call, cudaSuccess)
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s is wrong\n", __LINE__, #condition);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

inline int device_count() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    return count;
}

// Elements of device memory, whosever it is.
template <typename T> std::vector<T> fetch(const T *device, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDefault));
    return host;
}
