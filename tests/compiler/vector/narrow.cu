// What few threads of a vector load and store, the same ones each time, is loaded and stored
// without a mask if they are side by side and a power of two.
// RUN: %gcluster-cc -O2 -march=x86-64-v4 -c %s -o %t.o
// RUN: llvm-objdump --disassemble --demangle --no-show-raw-insn %t.o | FileCheck %s
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
#include "../device/check.h"

enum { BLOCK = 64, OTHER = 77 };

// CHECK-LABEL: <sum(float*, float const*) (.region0.x86-64-v4)>:
// CHECK-NOT: {%k{{[0-9]}}}
// CHECK: vmovups %ymm{{[0-9]+}}, (%r
// CHECK-NOT: {%k{{[0-9]}}}
// CHECK: vmovups %xmm{{[0-9]+}}, (%r
// CHECK-NOT: {%k{{[0-9]}}}
// CHECK: vmovss %xmm{{[0-9]+}}, (%r
__global__ void sum(float *out, const float *in) {
    __shared__ float sums[BLOCK];
    int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int offset = BLOCK / 2; offset > 0; offset >>= 1) {
        if (t < offset)
            sums[t] += sums[t + offset];
        __syncthreads();
    }
    if (t == 0)
        *out = sums[0];
}

// Threads from FIRST to before END take their neighbour's element, OTHER from those outside.
template <typename Element, int FIRST, int END>
__global__ void take(Element *out, const Element *in) {
    __shared__ Element kept[BLOCK];
    int t = threadIdx.x;
    bool is_inside = t >= FIRST && t < END;
    kept[t] = in[t];
    out[BLOCK + t] = is_inside ? in[t] : (Element)OTHER;
    __syncthreads();
    if (is_inside)
        out[t] = kept[t ^ 1] + kept[t];
}

template <typename Element, int FIRST, int END> static void check_take() {
    auto *in = managed<Element>(BLOCK), *out = managed<Element>(2 * BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        in[i] = (Element)(i + 1);
        out[i] = (Element)OTHER;
    }
    take<Element, FIRST, END><<<1, BLOCK>>>(out, in);
    SYNC();
    for (int i = 0; i < BLOCK; i++) {
        bool is_inside = i >= FIRST && i < END;
        CHECK(out[i] == (is_inside ? (Element)(in[i ^ 1] + in[i]) : (Element)OTHER));
        CHECK(out[BLOCK + i] == (is_inside ? in[i] : (Element)OTHER));
    }
}

template <typename Element> static void check_takes() {
    check_take<Element, 0, 1>();
    check_take<Element, 0, 4>();
    check_take<Element, 0, 7>();
    check_take<Element, 1, 9>();
    check_take<Element, 3, 4>();
    check_take<Element, 8, 16>();
    check_take<Element, 20, 36>();
    check_take<Element, 32, 64>();
    check_take<Element, 63, 64>();
}

// The order of additions is the program's, and lanes that have left add nothing: not even of NaNs.
static void check_sum() {
    auto *in = managed<float>(BLOCK), *out = managed<float>(1);
    float sums[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        sums[i] = in[i] = 1.0f / (float)(i + 3);
    for (int offset = BLOCK / 2; offset > 0; offset >>= 1)
        for (int i = 0; i < offset; i++)
            sums[i] += sums[i + offset];
    sum<<<1, BLOCK>>>(out, in);
    SYNC();
    CHECK(*out == sums[0]);
    in[5] = __builtin_nanf("");
    sum<<<1, BLOCK>>>(out, in);
    SYNC();
    CHECK(*out != *out);
}

int main() {
    check_takes<float>();
    check_takes<double>();
    check_takes<int>();
    check_takes<short>();
    check_takes<unsigned char>();
    check_sum();
}
