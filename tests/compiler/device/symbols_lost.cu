// RUN: %gcluster-cc %s -o %t && %t 2>&1 | FileCheck %s
// A variable that host code names and that isn't in device code is an error with its name, not a
// variable of zeros: clang's tree doesn't show what templates of variables are.
#include "check.h"

template <class T> __device__ constexpr T seven = 7;

int main() {
    int value = -1;
    // CHECK: error: device code has no variable _Z5sevenIiE
    CHECK(cudaMemcpyFromSymbol(&value, seven<int>, sizeof value) == cudaErrorInvalidSymbol);
    CHECK(value == -1);
}
