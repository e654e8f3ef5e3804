// 8-bit floating point: every float between neighbours goes to the nearer one, ties to even.
#include <cstdio>
#include <cuda_fp8.h>

#define BOTH __host__ __device__ inline

BOTH double value(int bits, bool e4m3) {
    int digits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    int exponent = (bits & 0x7f) >> digits, fraction = bits & ((1 << digits) - 1);
    double m = exponent ? (fraction + (1 << digits)) * ldexp(1.0, exponent - bias - digits)
                        : fraction * ldexp(1.0, 1 - bias - digits);
    return bits & 0x80 ? -m : m;
}

BOTH int check_format(__nv_fp8_interpretation_t format) {
    bool e4m3 = format == __NV_E4M3;
    int largest = e4m3 ? 0x7e : 0x7b, wrong = 0;
    for (int sign = 0; sign < 2; sign++)
        for (int bits = 0; bits < largest; bits++) {
            double low = value(bits, e4m3), high = value(bits + 1, e4m3);
            for (int k = 0; k < 16; k++) {
                double x = low + (high - low) * k / 16;
                int nearest = k < 8 || (k == 8 && bits % 2 == 0) ? bits : bits + 1;
                x = sign ? -x : x;
                nearest |= sign << 7;
                wrong += __nv_cvt_float_to_fp8((float)x, __NV_NOSAT, format) != nearest;
                wrong += __nv_cvt_double_to_fp8(x, __NV_SATFINITE, format) != nearest;
            }
            double above = (low + high) / 2 * (1 + 0x1p-40);
            wrong += __nv_cvt_double_to_fp8(above, __NV_NOSAT, format) != bits + 1;
            __half_raw raw = __nv_cvt_fp8_to_halfraw(bits | sign << 7, format);
            wrong += (double)(float)__half(raw) != (sign ? -low : low);
        }
    wrong += __nv_cvt_float_to_fp8(1e6f, __NV_SATFINITE, format) != largest;
    wrong += __nv_cvt_float_to_fp8(-1e6f, __NV_NOSAT, format) != (e4m3 ? 0xff : 0xfc);
    wrong += __nv_cvt_float_to_fp8(INFINITY, __NV_SATFINITE, format) != largest;
    wrong += __nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, format) != 0x7f;
    wrong += (e4m3 ? __nv_cvt_float_to_fp8(464, __NV_NOSAT, format) != 0x7e
                   : __nv_cvt_float_to_fp8(61440, __NV_NOSAT, format) != 0x7c);
    return wrong;
}

BOTH int check_types() {
    __nv_fp8_e4m3 a(1.5f), b(__half(300.0f)), c(-7);
    __nv_fp8_e5m2 d(0.3), e(__nv_bfloat16(1e9f));
    int wrong = (float)a != 1.5f || (float)b != 288.0f || (int)c != -7 || (double)d != 0.3125;
    wrong += (float)e != 57344.0f || !(bool)a || (float)(__half)c != -7.0f;
    __nv_fp8x4_e4m3 four(float4{1, -2, 3.25f, 500});
    float4 back = (float4)four;
    wrong += back.x != 1 || back.y != -2 || back.z != 3.25f || back.w != 448;
    wrong += ((four.__x >> 8) & 0xff) != __nv_fp8_e4m3(-2).__x;
    __nv_fp8x2_e5m2 two(__floats2half2_rn(0.5f, 6.0f));
    wrong += ((float2)two).x != 0.5f || ((float2)two).y != 6.0f;
    for (int bits : {0x7d, 0x7f, 0xfd, 0xfe})
        wrong += __nv_cvt_fp8_to_halfraw(bits, __NV_E5M2).x != 0x7fff;
    wrong += __nv_cvt_fp8_to_halfraw(0xfc, __NV_E5M2).x != 0xfc00;
    return wrong;
}

BOTH int check() {
    return check_format(__NV_E4M3) + check_format(__NV_E5M2) + 10000 * check_types();
}

__global__ void check_on_device(int *wrong) {
    *wrong = check();
}

int main() {
    int *wrong;
    cudaMallocManaged(&wrong, sizeof(int));
    check_on_device<<<1, 1>>>(wrong);
    cudaError_t error = cudaDeviceSynchronize();
    printf("host %d, device %d, error %d\n", check(), *wrong, (int)error);
    return check() || *wrong || error;
}
