// RUN: %gcluster-cc %s -o %t && %t
// RUN: %gcluster-cc -rdc=true %s -o %t && %t
// RUN: %gcluster-cc -rdc=true -DSPLIT -c %s -o %t.o
// RUN: cp %s %t.other.cu
// RUN: %gcluster-cc -rdc=true -DOTHER -I%S -c %t.other.cu -o %t.other.o
// RUN: %gcluster-cc -rdc=true %t.o %t.other.o -o %t && %t
// RUN: %gcluster-cc -dlink %t.o %t.other.o -o %t.link.o
// RUN: %gcluster-cc %t.other.o %t.o %t.link.o -o %t && %t
// Variables that host code names have their values, whether kernels use them or not, or only what
// they are known to be.
#include "check.h"

extern __device__ int far_variable;
extern __constant__ const int far_constant;
extern __device__ const int far_device_constant;

struct Holder {
    static inline __constant__ const int constant = 12;
    static inline __device__ int variable = 13;
    static __device__ constexpr int device_constant = 14;
};

template <class T> static T value_of(const T &symbol) {
    T value{}, same{};
    size_t size = 0;
    void *address = nullptr;
    CHECK(cudaMemcpyFromSymbol(&value, symbol, sizeof value) == cudaSuccess);
    CHECK(cudaGetSymbolSize(&size, symbol) == cudaSuccess && size == sizeof value);
    CHECK(cudaGetSymbolAddress(&address, symbol) == cudaSuccess);
    CHECK(cudaMemcpy(&same, address, size, cudaMemcpyDefault) == cudaSuccess);
    CHECK(memcmp(&value, &same, size) == 0);
    return value;
}

int sum_of_inline();

#ifndef SPLIT
__device__ int far_variable = 1;
__constant__ const int far_constant = 2;
__device__ const int far_device_constant = 15;

int sum_of_inline() {
    return value_of(Holder::constant) + value_of(Holder::variable);
}
#endif

#ifndef OTHER
struct Pair {
    int a, b;
};

__device__ int variable = 3;
static __device__ int hidden = 4;
__constant__ const int constant = 5;
static __constant__ const Pair pair = {6, 7};
__constant__ constexpr int folded = 8;

// clang takes those without __constant__ for the host's as well.
#define DEVICE_CONSTANT __device__ const
__device__ const int device_constant = 16;
static const __device__ Pair device_pair = {17, 18};
__device__ constexpr int device_folded = 19, device_second = 20;
DEVICE_CONSTANT int device_array[2][2] = {{21, 22}, {23, 24}};
__device__ const int *pointer = &device_constant; // a variable
template <class T> struct Traits {
    static __device__ constexpr T value = 25;
};

namespace outer {
namespace {
__constant__ const int table[3] = {9, 10, 11};
}
} // namespace outer

__global__ void use(int *out) {
    *out = folded + device_folded + outer::table[*out] + device_array[1][*out - 2] + *pointer;
    pointer = &device_pair.b;
}

int main() {
    int *out = managed<int>(1), table[3];
    *out = 2;
    use<<<1, 1>>>(out);
    SYNC();
    CHECK(*out == 8 + 19 + 11 + 23 + 16);
    *out = 2;
    use<<<1, 1>>>(out);
    SYNC();
    CHECK(*out == 8 + 19 + 11 + 23 + 18);
    CHECK(value_of(far_variable) == 1 && value_of(far_constant) == 2);
    CHECK(value_of(far_device_constant) == 15 && value_of(Holder::device_constant) == 14);
    CHECK(value_of(device_constant) == 16 && value_of(device_pair).b == 18);
    CHECK(value_of(device_folded) == 19 && value_of(device_second) == 20);
    CHECK(value_of(Traits<int>::value) == 25);
    CHECK(value_of(variable) == 3 && value_of(hidden) == 4);
    CHECK(value_of(constant) == 5 && value_of(pair).b == 7 && value_of(folded) == 8);
    CHECK(value_of(Holder::constant) == 12 && value_of(Holder::variable) == 13);
    CHECK(sum_of_inline() == 12 + 13);
    CHECK(cudaMemcpyFromSymbol(table, outer::table, sizeof table) == cudaSuccess);
    CHECK(table[0] == 9 && table[2] == 11);
    CHECK(cudaMemcpyFromSymbol(table, device_array, 8, 8) == cudaSuccess);
    CHECK(table[0] == 23 && table[1] == 24);
}
#endif
