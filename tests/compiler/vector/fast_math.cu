// RUN: %gcluster-cc -O2 -use_fast_math --cpu=scalar %s -o %t.scalar && %t.scalar
// RUN: %gcluster-cc -O2 -use_fast_math %s -o %t
// RUN: env GCL_CPU_LEVEL=v2 %t
// RUN: env GCL_CPU_LEVEL=v3 %t
// RUN: env GCL_CPU_LEVEL=v4 %t
// Fast math makes functions and quotients approximate, but what a program adds it adds in its
// order: sums come out as on the host.
#include <math.h>
#include <string.h>

#include "each.h"

static BODY int bits_of(float x) {
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

struct Sum {
    const float *in;
    BODY int operator()(int t) const {
        float sum = 0;
        for (int k = 0; k < 40; k++)
            sum += in[(t * 7 + k) % 1000];
        return bits_of(sum);
    }
};

// With what each addition loses (W. Kahan, 1965); algebra has it that this is nothing.
struct CompensatedSum {
    const float *in;
    BODY int operator()(int t) const {
        float sum = 0, lost = 0;
        for (int k = 0; k < 100; k++) {
            float x = in[(t * 7 + k) % 1000] - lost;
            float next = sum + x;
            lost = (next - sum) - x;
            sum = next;
        }
        return bits_of(sum);
    }
};

// -0 + 0 is 0.
struct Zero {
    const float *in;
    BODY int operator()(int t) const {
        float zero = in[t % 1000] > 2 ? 1.0f : 0.0f;
        return bits_of(-zero + 0.0f);
    }
};

int main() {
    float *in = managed<float>(1000);
    for (int i = 0; i < 1000; i++)
        in[i] = 1.0f / (float)(i * 13 % 1000 + 1);
    CHECK_EACH(Sum{in});
    CHECK_EACH(CompensatedSum{in});
    CHECK_EACH(Zero{in});
}
