// Stores of lanes of which each four lie one behind the other: where a number is taken apart by
// what all threads share, a multiple of four. And such that lie otherwise.
#include "../device/check.h"
#include <vector>

#define BODY __host__ __device__

enum { MOST = 256, LENGTH = 16 * MOST };

// Where thread t is.
struct Stockham {
    static BODY int place(int t, int u) {
        return t / u * u * 4 + t % u;
    }
};
struct Unsigned {
    static BODY unsigned place(unsigned t, unsigned u) {
        return t / u * (u + 1) + t % u;
    }
};
struct Bits {
    static BODY unsigned place(unsigned t, unsigned u) {
        return (t >> (u & 7) << ((u & 7) + 1)) + (t & ((1u << (u & 7)) - 1));
    }
};
struct Twisted {
    static BODY int place(int t, int u) {
        return (t ^ u) % LENGTH;
    }
};
struct Filled {
    static BODY unsigned place(unsigned t, unsigned u) {
        return (t | u) + 4 * t;
    }
};
// The first lane isn't at a multiple of four.
struct Moved {
    static BODY int place(int t, int u) {
        return (t + 2) / u * u * 3 + (t + 2) % u;
    }
};
// Numbers on both sides of 0, and such that wrap, within four lanes too.
struct Centred {
    static BODY int place(int t, int u) {
        return (t - 64) % u + (t - 64) + u + 64;
    }
};
struct Wrapping {
    static BODY unsigned place(unsigned t, unsigned u) {
        return (t - 66) / u % 1024 + t;
    }
};
struct WrappingSum {
    static BODY unsigned place(unsigned t, unsigned u) {
        return (t % u - 2 + u) % LENGTH / 2 + 2 * t;
    }
};

template <class Places, class Element>
__global__ void store(Element *out, const Element *in, int u, int begin) {
    int t = begin + threadIdx.x;
    out[Places::place(t, u)] = in[threadIdx.x];
}

template <class Places, class Element>
__global__ void store_some(Element *out, const Element *in, int u, int begin) {
    int t = begin + threadIdx.x;
    if (threadIdx.x % 7 != 3)
        out[Places::place(t, u)] = in[threadIdx.x];
}

static BODY bool equal(float2 a, float2 b) {
    return a.x == b.x && a.y == b.y;
}

static BODY bool equal(float a, float b) {
    return a == b;
}

static BODY bool equal(double a, double b) {
    return a == b;
}

static void set(float2 *to, float value) {
    *to = make_float2(value, -2 * value);
}

template <class Number> static void set(Number *to, float value) {
    *to = (Number)value;
}

template <class Element> struct Arrays {
    Element *out = managed<Element>(LENGTH), *in = managed<Element>(MOST);
    std::vector<Element> expected = std::vector<Element>(LENGTH);
    Arrays() {
        for (int t = 0; t < MOST; t++)
            set(&in[t], (float)t + 0.5f);
    }
    void clear() {
        for (int i = 0; i < LENGTH; i++) {
            set(&out[i], -1);
            expected[i] = out[i];
        }
    }
    void check() {
        SYNC();
        for (int i = 0; i < LENGTH; i++)
            CHECK(equal(out[i], expected[i]));
    }
};

static const int sizes[] = {33, 64, MOST}, shared[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 64, 100};

template <class Places, class Element> static void check(Arrays<Element> &a) {
    for (int size : sizes) {
        for (int u : shared) {
            for (int begin : {0, 1, 128}) {
                a.clear();
                for (int t = 0; t < size; t++)
                    a.expected[Places::place(begin + t, u)] = a.in[t];
                store<Places><<<1, size>>>(a.out, a.in, u, begin);
                a.check();
            }
            a.clear();
            for (int t = 0; t < size; t++) {
                if (t % 7 != 3)
                    a.expected[Places::place(t, u)] = a.in[t];
            }
            store_some<Places><<<1, size>>>(a.out, a.in, u, 0);
            a.check();
        }
    }
}

int main() {
    Arrays<float2> pairs;
    check<Stockham>(pairs);
    check<Unsigned>(pairs);
    check<Bits>(pairs);
    check<Twisted>(pairs);
    check<Filled>(pairs);
    check<Moved>(pairs);
    check<Centred>(pairs);
    check<Wrapping>(pairs);
    check<WrappingSum>(pairs);
    Arrays<float> numbers;
    check<Stockham>(numbers);
    check<Bits>(numbers);
    Arrays<double> doubles;
    check<Stockham>(doubles);
    return 0;
}
