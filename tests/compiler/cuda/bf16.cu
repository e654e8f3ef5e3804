// RUN: %gcluster-cc -O2 %s -o %t && %t
// RUN: %gcluster-cc -O2 -use_fast_math %s -o %t && %t
// bfloat16: every conversion, rounding, operator and overload on host and device.
#include <cuda_bf16.h>

#include "Inputs/half_laws.h"

struct bf16 {
    using type = __nv_bfloat16;
    using pair = __nv_bfloat162;
    static constexpr int infinity = 0x7f80;

    static BOTH double power_below_infinity() {
        return 0x1p127;
    }

    static BOTH double value(unsigned short bits) {
        unsigned wide = (unsigned)bits << 16;
        float result;
        memcpy(&result, &wide, 4);
        return result;
    }

    static BOTH type from_double(double x) {
        return __double2bfloat16(x);
    }

    static BOTH type rn(float x) {
        return __float2bfloat16_rn(x);
    }

    static BOTH type rz(float x) {
        return __float2bfloat16_rz(x);
    }

    static BOTH type rd(float x) {
        return __float2bfloat16_rd(x);
    }

    static BOTH type ru(float x) {
        return __float2bfloat16_ru(x);
    }
};

BOTH int check_all() {
    using T = __nv_bfloat16;
    int wrong = 0;
    T a = 3, b(2.0), c = 0.5f;
    T d = a * b + c;
    d += T(1);
    wrong += (float)d != 7.5f || (int)d != 7 || __bfloat162int_rn(d) != 8 || (float)-d != -7.5f;
    wrong += __bfloat162int_rz(T(3e9f)) != 2147483647 || __bfloat162uint_rz(T(3e9f)) != 3003121664u;
    wrong += __bfloat162ull_rz(T(-1.0f)) != 0 || __bfloat162short_rd(T(-1e9f)) != -32768;
    wrong += __bfloat162ll_rn(T(0x1p63f)) != 0x7fffffffffffffff || __bfloat162int_rz(T(NAN)) != 0;
    wrong += bits_of<bf16>(__int2bfloat16_rn(257)) != 0x4380; // 256, the even one
    wrong += bits_of<bf16>(__int2bfloat16_ru(257)) != 0x4381;
    wrong += bits_of<bf16>(__int2bfloat16_rz(-259)) != 0xc381;
    wrong += bits_of<bf16>(__ull2bfloat16_rz(~0ull)) != 0x5f7f;
    wrong += bits_of<bf16>(__ull2bfloat16_rn(~0ull)) != 0x5f80;
    // One bit of 2^62 + 2^54 + 1 breaks the tie between 2^62 and 2^62 + 2^55.
    wrong += bits_of<bf16>(__ll2bfloat16_rn((1ll << 62) + (1ll << 54))) != 0x5e80;
    wrong += bits_of<bf16>(__ll2bfloat16_rn((1ll << 62) + (1ll << 54) + 1)) != 0x5e81;
    // So does a summand far too small for a double: 261 lies between 260 and 262, 260 is even.
    T tiny = __float2bfloat16(0x1p-120f);
    wrong +=
        (float)__hfma(T(9), T(29), T(0)) != 260.0f || (float)__hfma(T(9), T(29), tiny) != 262.0f;
    wrong +=
        (float)__hfma(T(7), T(37), T(0)) != 260.0f || (float)__hfma(T(7), T(37), -tiny) != 258.0f;
    wrong += (float)__hfma(T(-7), T(37), tiny) != -258.0f;
    T x = 1.5f;
    wrong += (float)__half2float(__half(x)) != 1.5f || (float)T(__half(2.5f)) != 2.5f;
    __nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f);
    pair = __hadd2(pair, __bfloat162bfloat162(x));
    float2 both = __bfloat1622float2(pair);
    wrong += both.x != 2.5f || both.y != 3.5f || __low2float(pair) != 2.5f;
    wrong += fabsf((float)hexp(x) - expf(1.5f)) > 0x1p-6f * 4.5f || __hisinf(CUDART_INF_BF16) != 1;
    return wrong;
}

__global__ void check_all_on_device(int *wrong) {
    *wrong = check_all();
}

int main() {
    int total = run_laws<bf16>("bf16"), *wrong;
    cudaMallocManaged(&wrong, sizeof(int));
    check_all_on_device<<<1, 1>>>(wrong);
    cudaDeviceSynchronize();
    printf("bf16: host %d, device %d\n", check_all(), *wrong);
    return total || check_all() || *wrong;
}
