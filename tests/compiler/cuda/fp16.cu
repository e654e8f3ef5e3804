// RUN: %gcluster-cc -O2 %s -o %t && %t
// RUN: %gcluster-cc -O2 -use_fast_math %s -o %t && %t
// Half precision: every conversion, rounding, operator and overload on host and device.
#include <cuda_fp16.h>

#include "Inputs/half_laws.h"

struct fp16 {
    using type = half;
    using pair = half2;
    static constexpr int infinity = 0x7c00;

    static BOTH double power_below_infinity() {
        return 0x1p15;
    }

    static BOTH double value(unsigned short bits) {
        int exponent = (bits >> 10) & 31;
        double fraction = bits & 0x3ff;
        double m = exponent == 0    ? fraction * 0x1p-24
                   : exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
                                    : (fraction + 1024) * 0x1p-25 * (double)(1ull << exponent);
        return bits & 0x8000 ? -m : m;
    }

    static BOTH half from_double(double x) {
        return __double2half(x);
    }

    static BOTH half rn(float x) {
        return __float2half_rn(x);
    }

    static BOTH half rz(float x) {
        return __float2half_rz(x);
    }

    static BOTH half rd(float x) {
        return __float2half_rd(x);
    }

    static BOTH half ru(float x) {
        return __float2half_ru(x);
    }
};

BOTH int check_integers() {
    int wrong = 0;
    wrong += __half2int_rn(half(2.5f)) != 2 || __half2int_rz(half(-2.5f)) != -2;
    wrong += __half2int_rd(half(-2.5f)) != -3 || __half2int_ru(half(2.25f)) != 3;
    wrong += __half2short_rz(half(60000.0f)) != 32767 || __half2short_rn(half(-60000.f)) != -32768;
    wrong += __half2ushort_rn(CUDART_INF_FP16) != 65535 || __half2uint_rz(half(-1.0f)) != 0;
    wrong += __half2ll_rn(CUDART_NAN_FP16) != (long long)(1ull << 63) ||
             __half2ull_rz(half(2048.0f)) != 2048;
    wrong += __half2uchar_rz(half(300)) != 255 || __half2char_rz(half(-300)) != -128;
    wrong += __half2int_rz(CUDART_INF_FP16) != 2147483647;
    wrong += bits_of<fp16>(__int2half_rn(2049)) != bits_of<fp16>(half(2048.0f));
    wrong += bits_of<fp16>(__int2half_ru(2049)) != bits_of<fp16>(half(2050.0f));
    wrong += bits_of<fp16>(__int2half_rz(70000)) != 0x7bff;
    wrong += bits_of<fp16>(__int2half_rn(70000)) != 0x7c00;
    wrong += bits_of<fp16>(__ull2half_rd(~0ull)) != 0x7bff;
    wrong += bits_of<fp16>(__ll2half_rn(-3)) != bits_of<fp16>(half(-3));
    // 65519 is just below the tie between the largest number and infinity.
    wrong += bits_of<fp16>(__uint2half_rn(65519u)) != 0x7bff;
    wrong += bits_of<fp16>(__uint2half_rn(65520u)) != 0x7c00;
    return wrong;
}

BOTH int check_mixed_use() {
    int wrong = 0;
    half a = 3, b(2.0), c = 0.5f;
    half d = a * b + c;
    d += half(1);
    d++;
    --d;
    float f = d;
    double g = d;
    wrong += f != 7.5f || g != 7.5 || (int)d != 7 || !(bool)d || (float)-d != -7.5f;
    half2 p = make_half2(a, b), q = __float2half2_rn(2.0f), r = __half2half2(c);
    p = p * q - r / q;
    wrong += (float)p.x != 5.75f || (float)__high2half(p) != 3.75f || p != p || p == q;
    float2 both = __half22float2(__floats2half2_rn(1.5f, -2.5f));
    wrong += both.x != 1.5f || both.y != -2.5f;
    half2 z = __hcmadd(make_half2(1, 2), make_half2(3, 4), make_half2(10, 20));
    wrong += (float)z.x != 5.0f || (float)z.y != 30.0f;
    wrong += (float)__hadd_sat(a, b) != 1.0f || (float)__hmul_sat(-a, b) != 0.0f;
    wrong += (float)__hfma_relu(-a, b, c) != 0.0f || __hisinf(-CUDART_INF_FP16) != -1;
    wrong += __half_as_ushort(CUDART_ONE_FP16) != 0x3c00 || __half_as_short(half(-0.0f)) >= 0;
    __half_raw raw = a;
    half again = raw;
    wrong += raw.x != 0x4200 || (float)again != 3.0f;
    return wrong;
}

BOTH bool near(half actual, double expected) {
    double error = (float)actual - expected;
    return error <= 0x1p-10 * fabs(expected) && -error <= 0x1p-10 * fabs(expected);
}

BOTH int check_functions() {
    int wrong = 0;
    for (int i = 1; i < 40; i++) {
        half h = half(i * 0.25f);
        double x = i * 0.25;
        wrong += !near(hexp(h), exp(x)) + !near(hlog(h), log(x)) + !near(hsin(h), sin(x));
        wrong += !near(hcos(h), cos(x)) + !near(hrsqrt(h), 1 / sqrt(x)) + !near(hrcp(h), 1 / x);
        wrong += !near(hexp2(h), exp2(x)) + !near(hlog2(h), log2(x)) + !near(htanh(h), tanh(x));
        wrong += !near(hlog10(h), log10(x)) + !near(hfloor(h), floor(x)) + !near(hceil(h), ceil(x));
        wrong += !near(htrunc(h), trunc(x)) + !near(hrint(h), rint(x));
        wrong += !near(h2sqrt(half2(h, h)).y, sqrt(x));
    }
    return wrong + !near(hexp10(half(2)), 100);
}

/// Conversions make one NaN of all.
BOTH int check_nans() {
    volatile unsigned bits = 0xffc12345;
    unsigned read = bits;
    float nan = __builtin_bit_cast(float, read);
    int wrong = __half_as_ushort(__float2half(nan)) != 0x7fff;
    wrong += __half_as_ushort(fp16::rn(nan)) != 0x7fff || __half_as_ushort(fp16::rz(nan)) != 0x7fff;
    wrong += __half_as_ushort(fp16::rd(nan)) != 0x7fff || __half_as_ushort(fp16::ru(nan)) != 0x7fff;
    wrong +=
        __half_as_ushort(half(nan)) != 0x7fff || __half_as_ushort(__double2half(nan)) != 0x7fff;
    return wrong;
}

BOTH int check_all() {
    return check_integers() + check_nans() + 100 * check_mixed_use() + 10000 * check_functions();
}

__global__ void check_all_on_device(int *wrong) {
    *wrong = check_all();
}

int main() {
    int total = run_laws<fp16>("fp16"), *wrong;
    cudaMallocManaged(&wrong, sizeof(int));
    check_all_on_device<<<1, 1>>>(wrong);
    cudaDeviceSynchronize();
    printf("fp16: host %d, device %d\n", check_all(), *wrong);
    return total || check_all() || *wrong;
}
