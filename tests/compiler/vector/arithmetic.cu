// Arithmetic whose vector form could differ from the scalar one: bit for bit what the host gets.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <initializer_list>

#include "each.h"

static BODY int bits_of(float x) {
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : 0x7fc00000;
}

// A number with any bits.
static BODY uint64_t noise(int t, int salt) {
    uint64_t x = (uint64_t)t * 0x9e3779b97f4a7c15u + (uint64_t)salt * 0xd1b54a32d192ed03u + 1;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 29;
}

struct Integers {
    BODY int operator()(int t) const {
        unsigned a = (unsigned)noise(t, 1), b = (unsigned)noise(t, 2);
        uint64_t wide = noise(t, 3), other = noise(t, 4);
        int s = (int)a, r = 0;
        r ^= (int)(a * b) ^ (int)(a / (b | 1)) ^ s % (int)((b & 0xffff) + 1) ^
             s / (int)((b & 255) + 2);
        r ^= (int)(a << (b & 31)) ^ (s >> (b & 31)) ^ (int)(a >> (b & 31));
        r ^= (int)(wide * other >> 32) ^ (int)(wide / (other >> 20 | 1)) ^
             (int)(wide % (other >> 40 | 1));
        r ^= (int)(wide >> (b & 63)) ^ (int)((int64_t)wide >> (b & 63)) ^
             (int)(wide << (b & 63) >> 17);
        r ^= (short)a * (signed char)b ^ (unsigned short)(a + b) ^ (unsigned char)(a - b);
        r += (s < (int)b) + 2 * (a < b) + 4 * (wide < other) + 8 * ((int64_t)wide < (int64_t)other);
        return r;
    }
};

// Divides by what all threads share: multiples of it, and their neighbours.
struct Divided {
    unsigned divisor;
    BODY int operator()(int t) const {
        unsigned a =
            t % 4 == 3 ? (unsigned)noise(t, 12) : (unsigned)noise(t, 13) / divisor * divisor;
        a += (unsigned)(t % 3 - 1);
        int d = divisor == UINT_MAX ? -2 : (int)divisor;
        int s = (int)((unsigned)((int)a / d * d) + (unsigned)(t % 3 - 1));
        int r = (int)(a / divisor) ^ (int)(a % divisor) * 3 ^ s / d * 5 ^ s % d * 7;
        short few = (short)(d % 1000 ? d % 1000 : 1);
        return r ^ (short)a / few ^ (unsigned char)a % (unsigned char)((divisor & 63) + 1);
    }
};

struct Narrow {
    BODY int operator()(int t) const {
        unsigned char a = (unsigned char)(t * 7), b = (unsigned char)(t * 3 + 200);
        short c = (short)(t * 1000), d = (short)(-t * 77);
        bool e = t % 3 == 0, f = a > b;
        a += b;
        c = (short)(c * d);
        a = (unsigned char)(a << 3 | a >> 5);
        e ^= f;
        return a + c * 256 + (e ? 1 << 30 : 0) + (unsigned char)~b;
    }
};

struct FloatToInteger {
    BODY int operator()(int t) const {
        float x = (float)(int)noise(t, 5) / 1000.0f;
        double y = (double)(int64_t)noise(t, 6) / 1e12;
        return (int)x ^ (int)(unsigned)fabsf(x) ^ (int)(long long)y ^ (int)(short)(int)x ^
               (int)(signed char)(int)(x / 100000);
    }
};

struct IntegerToFloat {
    BODY int operator()(int t) const {
        uint64_t x = noise(t, 7);
        float a = (float)x, b = (float)(int64_t)x, c = (float)(unsigned)x, d = (float)(int)x;
        double e = (double)x, f = (double)(int64_t)x;
        return bits_of(a) ^ bits_of(b) * 3 ^ bits_of(c) * 5 ^ bits_of(d) * 7 ^
               bits_of((float)(e / 3)) ^ bits_of((float)(f / 7));
    }
};

// No product is added to here, so that nothing can be fused.
struct Floats {
    BODY int operator()(int t) const {
        int i = (int)(uint32_t)noise(t, 8), j = (int)(uint32_t)noise(t, 9);
        float x, y;
        memcpy(&x, &i, sizeof x);
        memcpy(&y, &j, sizeof y);
        int r = bits_of(x + y) ^ bits_of(x * y) ^ bits_of(x / y) ^ bits_of(sqrtf(fabsf(x)));
        r ^= bits_of(floorf(y)) ^ bits_of(ceilf(x)) ^ bits_of(truncf(y)) ^ bits_of(rintf(x));
        r ^= (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | !(x >= y) << 4;
        r ^= bits_of(fminf(x, y)) ^ bits_of(fmaxf(x, y)) ^ bits_of(copysignf(x, y));
        return r ^ bits_of(-x) ^ bits_of(x > 0 ? x - y : y - x);
    }
};

// Numbers of all sizes, with all patterns of the upper bits side by side.
struct Reciprocal {
    unsigned step;
    int sign;
    BODY int operator()(int t) const {
        int bits = (int)((unsigned)t * step ^ (unsigned)(t & sign) << 31);
        float x;
        memcpy(&x, &bits, sizeof x);
        return bits_of(1 / x);
    }
};

struct ReciprocalRoot {
    unsigned step;
    BODY int operator()(int t) const {
        int bits = (int)((unsigned)t * step);
        float x;
        memcpy(&x, &bits, sizeof x);
        return bits_of(1 / sqrtf(x)) ^ bits_of(1 / fabsf(x));
    }
};

BODY static float inverted(unsigned bits, bool root) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return 1 / (root ? sqrtf(x) : x);
}

// Every mantissa.
template <bool root> __global__ void reciprocals(float *out, unsigned bits) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = inverted(bits | i, root);
}

template <bool root> static void check_reciprocals(std::initializer_list<unsigned> exponents) {
    enum { N = 1 << 23 };
    float *out = managed<float>(N);
    for (unsigned exponent : exponents) {
        reciprocals<root><<<N / 256, 256>>>(out, exponent << 23);
        SYNC();
        for (unsigned i = 0; i < N; i++)
            CHECK(bits_of(out[i]) == bits_of(inverted(exponent << 23 | i, root)));
    }
    cudaFree(out);
}

struct Doubles {
    BODY int operator()(int t) const {
        uint64_t i = noise(t, 10), j = noise(t, 11);
        double x, y;
        memcpy(&x, &i, sizeof x);
        memcpy(&y, &j, sizeof y);
        double results[] = {x + y,    x * y,   x / y,      sqrt(fabs(x)),
                            floor(y), rint(x), fmin(x, y), fmax(x, y)};
        uint64_t sum = 0;
        for (double &r : results) {
            uint64_t bits;
            memcpy(&bits, &r, sizeof bits);
            sum = sum * 31 + (r == r ? bits : 0);
        }
        return (int)(sum ^ sum >> 32);
    }
};

struct Sum {
    const float *in;
    BODY int operator()(int t) const {
        float sum = 0;
        for (int k = 0; k < 40; k++) // in this order
            sum += in[(t * 7 + k) % 1000];
        return bits_of(sum);
    }
};

int main() {
    CHECK_EACH(Integers());
    for (unsigned divisor : {1u, 2u, 3u, 7u, 10u, 641u, 65535u, 65537u, 6700417u, 0x7fffffffu,
                             0x80000000u, 0x80000001u, 0xfffffff9u, 0xffffffffu})
        CHECK_EACH(Divided{divisor}, 3000);
    CHECK_EACH(Narrow());
    CHECK_EACH(FloatToInteger());
    CHECK_EACH(IntegerToFloat());
    CHECK_EACH(Floats(), 5000);
    CHECK_EACH(Doubles(), 5000);
    CHECK_EACH(Reciprocal{1, 0}, 5000);
    CHECK_EACH(Reciprocal{0x00abcdef, 1}, 50000);
    CHECK_EACH(Reciprocal{0x00010001, 1}, 70000);
    CHECK_EACH(ReciprocalRoot{0x00054321}, 50000);
    check_reciprocals<false>({1, 127, 0x180, 252, 253});
    check_reciprocals<true>({0, 1, 127, 128, 254});
    float *in = managed<float>(1000);
    for (int i = 0; i < 1000; i++)
        in[i] = 1.0f / (float)(i * 13 % 1000 + 1);
    CHECK_EACH(Sum{in});
}
