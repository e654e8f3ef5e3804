// Numbers of 4 and 6 bits, and powers of two of 8 bits: every float between neighbours goes to the
// nearer one, ties to even, or where its rounding says; on the host and in kernels.
#include "../device/check.h"
#include <cuda_fp4.h>
#include <cuda_fp6.h>

#define BOTH __host__ __device__ inline

// The number with a code of `fraction` bits behind the point.
BOTH double value(int code, int fraction, int bias) {
    int exponent = code >> fraction, digits = code & ((1 << fraction) - 1);
    return exponent ? (digits + (1 << fraction)) * ldexp(1.0, exponent - bias - fraction)
                    : digits * ldexp(1.0, 1 - bias - fraction);
}

template <class Format, class Narrow, class Widen>
BOTH int check_format(Format format, int fraction, int bias, int largest, int sign, Narrow narrow,
                      Widen widen) {
    int wrong = 0;
    for (int code = 0; code < largest; code++) {
        double low = value(code, fraction, bias), high = value(code + 1, fraction, bias);
        for (int k = 1; k < 16; k++) {
            double x = low + (high - low) * k / 16;
            int nearest = k < 8 || (k == 8 && code % 2 == 0) ? code : code + 1;
            wrong += narrow(x, format, cudaRoundNearest) != nearest;
            wrong += narrow(-x, format, cudaRoundNearest) != (nearest | sign);
            wrong += narrow(x, format, cudaRoundZero) != code;
            wrong += narrow(x, format, cudaRoundPosInf) != code + 1;
            wrong += narrow(-x, format, cudaRoundPosInf) != (code | sign);
            wrong += narrow(-x, format, cudaRoundMinInf) != ((code + 1) | sign);
        }
        wrong += narrow(low, format, cudaRoundNearest) != code;
        wrong += (double)(float)__half(widen(code, format)) != low;
        wrong += (double)(float)__half(widen(code | sign, format)) != -low;
    }
    wrong += narrow(1e30, format, cudaRoundNearest) != largest;
    wrong += narrow(-INFINITY, format, cudaRoundNearest) != (largest | sign);
    wrong += narrow(-NAN, format, cudaRoundNearest) != largest;
    wrong += narrow(1e-42, format, cudaRoundNearest) != 0;
    return wrong;
}

struct Narrow {
    BOTH int operator()(double x, __nv_fp4_interpretation_t f, cudaRoundMode m) const {
        return __nv_cvt_double_to_fp4(x, f, m);
    }
    BOTH int operator()(double x, __nv_fp6_interpretation_t f, cudaRoundMode m) const {
        return __nv_cvt_double_to_fp6(x, f, m);
    }
};
struct Widen {
    BOTH __half_raw operator()(int code, __nv_fp4_interpretation_t f) const {
        return __nv_cvt_fp4_to_halfraw(code, f);
    }
    BOTH __half_raw operator()(int code, __nv_fp6_interpretation_t f) const {
        return __nv_cvt_fp6_to_halfraw(code, f);
    }
};

BOTH int check_types() {
    __nv_fp4_e2m1 a(2.4f), b(__half(-5.5f)), c(3);
    __nv_fp4x2_e2m1 two(float2{0.5f, -6});
    __nv_fp4x4_e2m1 four(float4{1, -2, 3, 100});
    float4 back = (float4)four;
    int wrong = (float)a != 2 || (float)b != -6 || (int)c != 3 || two.__x != 0xf1;
    wrong += ((float2)two).y != -6 || four.__x != 0x75c2 || back.y != -2 || back.w != 6;
    __nv_fp6_e3m2 d(__nv_bfloat16(20.0f)), e(1e9);
    __nv_fp6x4_e2m3 more(float4{7.5f, 0.125f, -1, 0});
    wrong += (double)d != 20 || (float)e != 28 || more.__x != 0x0028011f;
    __nv_fp8_e8m0 f(5.0f), g(0.0), h(__half(-4.0f));
    wrong += (float)f != 8 || g.__x != 0 || (double)h != 4;
    wrong += __nv_cvt_float_to_e8m0(5, __NV_NOSAT, cudaRoundZero) != 129;
    wrong += __nv_cvt_float_to_e8m0(0x1.8p127f, __NV_NOSAT, cudaRoundPosInf) != 0xff;
    wrong += __nv_cvt_float_to_e8m0(0x1.8p127f, __NV_SATFINITE, cudaRoundPosInf) != 0xfe;
    wrong += __nv_cvt_float_to_e8m0(NAN, __NV_SATFINITE, cudaRoundZero) != 0xff;
    wrong += __nv_cvt_e8m0_to_bf16raw(0).x != 0x0040 || __nv_cvt_e8m0_to_bf16raw(128).x != 0x4000;
    return wrong;
}

BOTH int check() {
    return check_format(__NV_E2M1, 1, 1, 7, 8, Narrow(), Widen()) +
           check_format(__NV_E2M3, 3, 1, 31, 32, Narrow(), Widen()) +
           check_format(__NV_E3M2, 2, 3, 31, 32, Narrow(), Widen()) + 10000 * check_types();
}

__global__ void kernel(int *wrong) {
    *wrong = check();
}

int main() {
    int *wrong = managed<int>(1);
    kernel<<<1, 1>>>(wrong);
    SYNC();
    CHECK(check() == 0 && *wrong == 0);
}
