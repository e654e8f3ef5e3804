// Two accesses that lie alike some elements apart, such as those of pairs that are compared and
// exchanged: lanes of both fill vectors, which are loaded and stored as they lie. What lanes that
// don't store leave alone isn't written back over what others have stored.
// RUN: %gcluster-cc -O2 -march=x86-64-v4 -c %s -o %t.o
// RUN: llvm-objdump --disassemble --demangle --no-show-raw-insn %t.o | FileCheck %s
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: env GCL_CPU_LEVEL=v4 %t
#include <utility>

#include "../device/check.h"

enum { MOST = 512, LENGTH = 16 * MOST, NEVER = 0x7fffffff };

__device__ unsigned place(unsigned t, unsigned u) {
    return 2 * t - (t & u);
}

// Only stores of whole vectors.
// CHECK-LABEL: <order(unsigned int*, unsigned int) (.region0.x86-64-v4)>:
// CHECK-COUNT-8: vpermt2d {{.*}}, %zmm
// CHECK-LABEL: <order_some(unsigned int*, unsigned int) (.region0.x86-64-v4.rest)>:
__global__ void order(unsigned *numbers, unsigned j) {
    unsigned i = place(blockIdx.x * blockDim.x + threadIdx.x, j - 1);
    unsigned low = numbers[i], high = numbers[i + j];
    numbers[i] = min(low, high);
    numbers[i + j] = max(low, high);
}

// In memory that others may see, lanes that don't exchange write nothing.
// CHECK-LABEL: <order_some(unsigned int*, unsigned int) (.region0.x86-64-v4)>:
// CHECK-NOT: vmovdqu64 %zmm{{[0-9]+}}, {{[^%]*[(]}}
// CHECK-LABEL: <void exchange_all<unsigned int>(
__global__ void order_some(unsigned *numbers, unsigned j) {
    unsigned i = place(blockIdx.x * blockDim.x + threadIdx.x, j - 1);
    unsigned low = numbers[i], high = numbers[i + j];
    if (low > high) {
        numbers[i] = high;
        numbers[i + j] = low;
    }
}

// Where places are, with numbers of which the compiler can't guess any that make places meet.
struct Shape {
    unsigned bits, far;
};
enum { FAR = 1000000 };

// Zero, which the compiler doesn't know.
__device__ unsigned zero_of(unsigned element) {
    return element >> 30;
}
__device__ float zero_of(float element) {
    return element * 0.0f;
}

// Threads with marks store numbers of their own, if the elements have others than NEVER.
// CHECK-LABEL: <void exchange<unsigned int>({{.*}} (.x86-64-v4)>:
// CHECK: vpexpandd
// CHECK: vmovdqu64 %zmm{{[0-9]+}}, {{[^%]*[(].*[)]$}}
template <typename Element>
__global__ void exchange(Element *out, const unsigned *marks, const Shape *shape) {
    __shared__ Element kept[LENGTH];
    unsigned t = threadIdx.x;
    for (unsigned i = t; i < LENGTH; i += blockDim.x)
        kept[i] = (Element)i;
    __syncthreads();
    unsigned a = place(t, (1u << shape->bits) - 1), b = a + (shape->far - FAR);
    Element low = kept[a], high = kept[b];
    if (marks[t] || low == (Element)NEVER || high == (Element)NEVER) {
        kept[a] = (Element)(LENGTH + t) + zero_of(high);
        kept[b] = (Element)(LENGTH + MOST + t) + zero_of(low);
    }
    __syncthreads();
    for (unsigned i = t; i < LENGTH; i += blockDim.x)
        out[i] = kept[i];
}

// The same without marks.
template <typename Element>
__global__ void exchange_all(Element *out, const unsigned *, const Shape *shape) {
    __shared__ Element kept[LENGTH];
    unsigned t = threadIdx.x;
    for (unsigned i = t; i < LENGTH; i += blockDim.x)
        kept[i] = (Element)i;
    __syncthreads();
    unsigned a = place(t, (1u << shape->bits) - 1), b = a + (shape->far - FAR);
    kept[a] = (Element)(LENGTH + t);
    kept[b] = (Element)(LENGTH + MOST + t);
    __syncthreads();
    for (unsigned i = t; i < LENGTH; i += blockDim.x)
        out[i] = kept[i];
}

static unsigned host_place(unsigned t, unsigned u) {
    return 2 * t - (t & u);
}

static unsigned random_number() {
    static unsigned state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

// Marks some of the threads such that no two of them store to one place. Returns how many aren't
// marked for that reason.
static unsigned choose(unsigned *marks, unsigned size, unsigned u, unsigned d, unsigned one_of) {
    bool taken[LENGTH] = {};
    unsigned left = 0;
    for (unsigned t = 0; t < size; t++) {
        unsigned a = host_place(t, u), b = a + d;
        bool wants = random_number() % one_of == 0, may = !taken[a] && !taken[b];
        marks[t] = wants && may;
        left += wants && !may;
        if (marks[t])
            taken[a] = taken[b] = true;
    }
    return left;
}

template <typename Element>
static void launch(bool all, unsigned size, Element *out, const unsigned *marks,
                   const Shape *shape) {
    if (size == 64 && all)
        exchange_all<<<1, 64>>>(out, marks, shape);
    else if (size == 64)
        exchange<<<1, 64>>>(out, marks, shape);
    else if (size == 512 && all)
        exchange_all<<<1, 512>>>(out, marks, shape);
    else if (size == 512)
        exchange<<<1, 512>>>(out, marks, shape);
    else if (all)
        exchange_all<<<1, size>>>(out, marks, shape);
    else
        exchange<<<1, size>>>(out, marks, shape);
}

template <typename Element> static void check_exchange(unsigned size, unsigned bits, unsigned d) {
    const unsigned u = (1u << bits) - 1;
    static unsigned *marks = managed<unsigned>(MOST);
    static Element *out = managed<Element>(LENGTH);
    static Shape *shape = managed<Shape>(1);
    for (unsigned one_of = 1; one_of <= 5; one_of += 2) {
        Element expected[LENGTH];
        bool all = choose(marks, size, u, d, one_of) == 0 && one_of == 1;
        for (unsigned i = 0; i < LENGTH; i++)
            expected[i] = (Element)i;
        for (unsigned t = 0; t < size; t++) {
            if (!marks[t])
                continue;
            expected[host_place(t, u)] = (Element)(LENGTH + t);
            expected[host_place(t, u) + d] = (Element)(LENGTH + MOST + t);
        }
        *shape = {bits, d + FAR};
        launch(all, size, out, marks, shape);
        SYNC();
        for (unsigned i = 0; i < LENGTH; i++)
            CHECK(out[i] == expected[i]);
    }
}

static void check_order(unsigned size) {
    unsigned *numbers = managed<unsigned>(4 * MOST), expected[4 * MOST];
    for (unsigned j = 1; j <= size; j *= 2) {
        for (bool some : {false, true}) {
            for (unsigned i = 0; i < 4 * MOST; i++)
                numbers[i] = expected[i] = random_number();
            if (some)
                order_some<<<1, size>>>(numbers, j);
            else
                order<<<1, size>>>(numbers, j);
            SYNC();
            for (unsigned t = 0; t < size; t++) {
                unsigned i = host_place(t, j - 1);
                if (expected[i] > expected[i + j])
                    std::swap(expected[i], expected[i + j]);
            }
            for (unsigned i = 0; i < 4 * MOST; i++)
                CHECK(numbers[i] == expected[i]);
        }
    }
    cudaFree(numbers);
}

int main() {
    static const unsigned distances[] = {1,  2,  3,  4,  5,  8,  15,  16,  17,  24,   31,  32,
                                         33, 48, 64, 65, 80, 96, 128, 256, 512, 1024, 4096};
    for (unsigned size : {64u, 96u, 512u}) {
        check_order(size);
        for (unsigned bits = 0; bits <= 10; bits++) {
            for (unsigned d : distances) {
                check_exchange<unsigned>(size, bits, d);
                check_exchange<float>(size, bits, d);
            }
        }
    }
}
