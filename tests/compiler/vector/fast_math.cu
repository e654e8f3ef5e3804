// RUN: %gcluster-cc -O2 -use_fast_math --cpu=scalar %s -o %t.scalar
// RUN: %gcluster-cc -O2 -use_fast_math %s -o %t
// RUN: env GCL_CPU_LEVEL=v2 %t > %t.v2 && env GCL_CPU_LEVEL=v2 %t.scalar | diff %t.v2 -
// RUN: env GCL_CPU_LEVEL=v3 %t > %t.v3 && env GCL_CPU_LEVEL=v3 %t.scalar | diff %t.v3 -
// RUN: env GCL_CPU_LEVEL=v4 %t > %t.v4 && env GCL_CPU_LEVEL=v4 %t.scalar | diff %t.v4 -
// Fast math makes functions and quotients approximate, but what a program adds it adds in its
// order: sums come out as on the host. Quotients do so almost, and are the same in scalar and
// vector code of a level.
#include <math.h>
#include <stdint.h>
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

struct Quotients {
    const float *in;
    BODY int operator()(int t) const {
        float x = in[t % 1000], y = in[(t * 3 + 1) % 1000], z = in[(t * 5 + 2) % 1000];
        float length = sqrtf(x * x + y * y + z * z);
        float r = t % 4 == 0   ? rsqrtf(x)
                  : t % 4 == 1 ? x / length + y / length - z / length
                  : t % 4 == 2 ? 1.0f / in[7] - x / in[7]
                               : y / x;
        if (t % 7 == 3) // two more of a root that lanes have in common
            r += x / sqrtf(in[9]) + y / sqrtf(in[9]);
        return bits_of(r);
    }
};

template <class Body> static void check_near(Body body, int n) {
    int *out = managed<int>(n);
    uint32_t hash = 0;
    each<<<(n + 255) / 256, 256>>>(body, n, out);
    SYNC();
    for (int i = 0; i < n; i++) {
        int bits = body(i);
        float expected, got;
        memcpy(&expected, &bits, sizeof bits);
        memcpy(&got, &out[i], sizeof bits);
        if (fabsf(got - expected) > 4e-7f * fmaxf(1, fabsf(expected))) {
            fprintf(stderr, "quotient %d is %.9g instead of %.9g\n", i, got, expected);
            exit(1);
        }
        hash = hash * 31 + (uint32_t)out[i];
    }
    printf("%08x\n", hash);
}

__global__ void edges(const float *in, float *roots, float *quotients, float *reciprocals) {
    int i = threadIdx.x;
    roots[i] = rsqrtf(in[i]);
    quotients[i] = 3 / in[i];
    reciprocals[i] = 1 / in[i];
}

// Zero and infinity give what they give without fast math.
static void check_edges() {
    const float inputs[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -1.0f, 1.0f, 4.0f};
    const int n = 64;
    float *in = managed<float>(n), *out = managed<float>(3 * n);
    for (int i = 0; i < n; i++)
        in[i] = inputs[i % 8];
    edges<<<1, n>>>(in, out, out + n, out + 2 * n);
    SYNC();
    for (int i = 0; i < n; i++) {
        const float expected[] = {1 / sqrtf(in[i]), 3 / in[i], 1 / in[i]};
        for (int k = 0; k < 3; k++) {
            float got = out[k * n + i];
            if (expected[k] == expected[k] ? got != expected[k] : got == got) {
                fprintf(stderr, "%d of %g is %g\n", k, in[i], got);
                exit(1);
            }
        }
    }
}

int main() {
    float *in = managed<float>(1000);
    for (int i = 0; i < 1000; i++)
        in[i] = 1.0f / (float)(i * 13 % 1000 + 1);
    CHECK_EACH(Sum{in});
    CHECK_EACH(CompensatedSum{in});
    CHECK_EACH(Zero{in});
    check_near(Quotients{in}, 5000);
    check_edges();
}
