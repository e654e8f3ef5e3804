// Conversions to integers round as their name says and saturate; bits are reinterpreted.
#include "../device/check.h"
#include <climits>
#include <cmath>
#include <cstring>

struct Output {
    int i[4], di[4];
    unsigned int u[4], du[4];
    long long l[4], dl[4];
    unsigned long long ul[4], dul[4];
    long long whole[2], dwhole[2]; // rint, round
    bool bits;
};

#define ALL_OF_MODE(m, mode)                                                                       \
    o.i[m] = __float2int_##mode((float)x), o.di[m] = __double2int_##mode(x);                       \
    o.u[m] = __float2uint_##mode((float)x), o.du[m] = __double2uint_##mode(x);                     \
    o.l[m] = __float2ll_##mode((float)x), o.dl[m] = __double2ll_##mode(x);                         \
    o.ul[m] = __float2ull_##mode((float)x), o.dul[m] = __double2ull_##mode(x);

__global__ void convert(const double *in, Output *out) {
    const double x = in[threadIdx.x];
    Output &o = out[threadIdx.x];
    ALL_OF_MODE(0, rn)
    ALL_OF_MODE(1, rz)
    ALL_OF_MODE(2, ru)
    ALL_OF_MODE(3, rd)
    float f = (float)x;
    o.whole[0] = llrintf(f), o.whole[1] = lroundf(f);
    o.dwhole[0] = lrint(x), o.dwhole[1] = llround(x);
    bool number = x == x;
    o.bits = !number ||
             (__int_as_float(__float_as_int(f)) == f && __uint_as_float(__float_as_uint(f)) == f &&
              __longlong_as_double(__double_as_longlong(x)) == x &&
              __hiloint2double(__double2hiint(x), __double2loint(x)) == x);
    o.bits =
        o.bits && __float_as_int(1.0f) == 0x3f800000 && __double2hiint(-2.0) == (int)0xc0000000;
}

static double rounded(double x, int mode) {
    return mode == 0   ? std::nearbyint(x)
           : mode == 1 ? std::trunc(x)
           : mode == 2 ? std::ceil(x)
                       : std::floor(x);
}

template <class T>
static T clamped(double x, double low, double high, T minimum, T maximum, T nan = 0) {
    return x != x ? nan : x < low ? minimum : x >= high ? maximum : (T)x;
}

static void check(double x, const Output &o, int m) {
    double f = rounded((float)x, m), d = rounded(x, m);
    CHECK(o.i[m] == clamped<int>(f, -0x1p31, 0x1p31, INT_MIN, INT_MAX));
    CHECK(o.di[m] == clamped<int>(d, -0x1p31, 0x1p31, INT_MIN, INT_MAX, INT_MIN));
    CHECK(o.u[m] == clamped<unsigned>(f, 0, 0x1p32, 0, UINT_MAX));
    CHECK(o.du[m] == clamped<unsigned>(d, 0, 0x1p32, 0, UINT_MAX, 1u << 31));
    const unsigned long long highest = 1ull << 63;
    CHECK(o.l[m] == clamped<long long>(f, -0x1p63, 0x1p63, LLONG_MIN, LLONG_MAX, LLONG_MIN));
    CHECK(o.dl[m] == clamped<long long>(d, -0x1p63, 0x1p63, LLONG_MIN, LLONG_MAX, LLONG_MIN));
    CHECK(o.ul[m] == clamped<unsigned long long>(f, 0, 0x1p64, 0, ULLONG_MAX, highest));
    CHECK(o.dul[m] == clamped<unsigned long long>(d, 0, 0x1p64, 0, ULLONG_MAX, highest));
}

static void check_whole(double x, const Output &o) {
    for (int k = 0; k < 2; k++) {
        double f = k ? std::round((float)x) : std::nearbyint((float)x);
        double d = k ? std::round(x) : std::nearbyint(x);
        CHECK(o.whole[k] ==
              clamped<long long>(f, -0x1p63, 0x1p63, LLONG_MIN, LLONG_MAX, LLONG_MIN));
        CHECK(o.dwhole[k] ==
              clamped<long long>(d, -0x1p63, 0x1p63, LLONG_MIN, LLONG_MAX, LLONG_MIN));
    }
}

int main() {
    static const double numbers[] = {
        0.0,   -0.0,     0.5,       -0.5,   1.5,          2.5,         -1.5,     -2.5,
        0.3,   -0.7,     1e9,       -1e9,   2147483647.0, 2147483648., -0x1p31,  -0x1.0000001p31,
        3e9,   0x1p32,   0x1p62,    0x1p63, -0x1p63,      -0x1.1p63,   0x1p64,   1e30,
        -1e30, INFINITY, -INFINITY, NAN,    123456.75,    -98765.25,   0x1p-140, -0x1p-1060};
    const int count = sizeof numbers / sizeof *numbers;
    double *in = managed<double>(count);
    Output *out = managed<Output>(count);
    memcpy(in, numbers, sizeof numbers);
    convert<<<1, count>>>(in, out);
    SYNC();
    for (int n = 0; n < count; n++) {
        CHECK(out[n].bits);
        check_whole(in[n], out[n]);
        for (int m = 0; m < 4; m++)
            check(in[n], out[n], m);
    }
}
