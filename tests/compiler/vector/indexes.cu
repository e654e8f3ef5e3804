// Indexes that are base + step * lane only as long as nothing wraps around.
#include "each.h"

// Unsigned numbers may go below zero; the guard sees a number that is too large.
struct BelowZero {
    const int *in;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t - 5u;
        return i < 900u ? in[i] : -1;
    }
};

struct AboveTop {
    const int *in;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + 0xffffffe0u; // wraps within a warp
        return i < 100u ? in[i] : (int)i;
    }
};

// 32 bits wrap before the number is widened to 64.
struct WrapsThenWidens {
    const int *in;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + 0xfffffff0u;
        size_t wide = i;
        return wide < 1000 ? in[wide] : wide > 0xffffff00ull ? 5 : 6;
    }
};

struct SignedWrap {
    BODY int operator()(int t) const {
        int i = (int)((unsigned)t + 0x7ffffff3u);
        long long wide = i;
        return wide < 0 ? 1 : 2;
    }
};

struct Byte {
    const int *in;
    BODY int operator()(int t) const {
        return in[(unsigned char)(t + 250)] + in[(unsigned char)(t * 3)] +
               in[128 + (signed char)(t * 2)];
    }
};

struct Short {
    const int *in;
    BODY int operator()(int t) const {
        return in[(unsigned short)(t * 256) / 256] + in[(short)(t * 8192) / 8192 + 4];
    }
};

struct Ring {
    const int *in;
    BODY int operator()(int t) const {
        return in[(t + 61) & 63] + in[(t + 29) % 30] + in[(t ^ 21) & 127];
    }
};

struct Reversed {
    const int *in;
    int n;
    BODY int operator()(int t) const {
        return in[n - 1 - t] - in[(n - 1 - t) / 2] + in[(unsigned)(n - t) - 1u];
    }
};

struct Strided {
    const int *in;
    BODY int operator()(int t) const {
        return in[t * 3] + in[t * 4 + 1] + in[t / 2] + in[t / 32] + in[t % 32] + in[t >> 3 << 2];
    }
};

// A product that wraps many times.
struct Hash {
    const int *in;
    BODY int operator()(int t) const {
        return in[(unsigned)t * 0x9e3779b1u >> 23];
    }
};

// An index that lanes go on from by themselves.
struct Walk {
    const int *in;
    BODY int operator()(int t) const {
        int i = t, sum = 0;
        for (int k = 0; k < 4; k++) {
            sum += in[i];
            i += t % 3 == 0 ? 1 : 2;
        }
        return sum;
    }
};

struct Chosen {
    const int *in, *other;
    BODY int operator()(int t) const {
        const int *p = t % 3 ? in : other;
        const int *q = t < 500 ? in + 5 : other - 2 + t % 2;
        return p[t] * 2 + q[7];
    }
};

// Comparisons of numbers of 32 and 64 bits, with and without sign, at their ends.
struct Ends {
    BODY int operator()(int t) const {
        int r = 0;
        unsigned u = (unsigned)t - 500u;
        int s = (int)u;
        r |= (u < 10u) << 0 | (s < 10) << 1 | (u > 0x80000000u) << 2 | (s >= -3) << 3;
        long long wide = (long long)s * 0x100000000ll;
        r |= (wide > 0x500000000ll) << 4 | ((unsigned long long)wide > 0xffffffff00000000ull) << 5;
        r |= ((size_t)u + 1 == 0x100000000ull) << 6;
        return r;
    }
};

// From a place before the lane's own to one behind: all lanes go round as often.
struct Window {
    const int *in;
    int radius;

    BODY int operator()(int t) const {
        int sum = 0;
        for (int j = t - radius; j <= t + radius; j++)
            sum += in[j + 100];
        for (unsigned k = 2 * t; k != 2u * t + 10; k += 2)
            sum += k % 7;
        for (const int *p = in + t, *end = in + t + 4; p < end; p++)
            sum -= *p;
        return sum + (t + radius > t) + (t - 3 == t + radius) * 100;
    }
};

// The same where one end of it wraps in some lanes.
struct WindowAtEnds {
    BODY int operator()(int t) const {
        int s = (int)((unsigned)t + 0x7fffffffu - 500u), n = 0;
        int end = (int)((unsigned)s + 8u);
        for (int j = s; j < end; j++)
            n++;
        unsigned u = (unsigned)t - 500u;
        for (unsigned j = u; j < u + 8u; j++)
            n += 10;
        return n + (s < end ? 1000 : 0) + (u - 8u < u ? 2000 : 0) + (s == (int)u ? 4000 : 0);
    }
};

int main() {
    const int n = 5000;
    int *in = managed<int>(n), *other = managed<int>(n);
    for (int i = 0; i < n; i++) {
        in[i] = i * 7 % 10007;
        other[i] = -i;
    }
    CHECK_EACH(BelowZero{in});
    CHECK_EACH(AboveTop{in});
    CHECK_EACH(WrapsThenWidens{in});
    CHECK_EACH(SignedWrap{});
    CHECK_EACH(Byte{in});
    CHECK_EACH(Short{in});
    CHECK_EACH(Ring{in});
    CHECK_EACH(Reversed{in, 1000});
    CHECK_EACH(Strided{in});
    CHECK_EACH(Hash{in});
    CHECK_EACH(Walk{in});
    CHECK_EACH(Chosen{in, other + 5});
    CHECK_EACH(Ends());
    CHECK_EACH(Window{in, 5});
    CHECK_EACH(WindowAtEnds());
}
