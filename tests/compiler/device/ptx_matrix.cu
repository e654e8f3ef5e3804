// RUN: %gcluster-cc -arch=sm_80 -O2 %s -o %t && %t
// RUN: %if ptxas %{ %gcluster-cc --device=cuda -arch=sm_90 --dump=ptx %s > %t.ptx && %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
// mma.sync with the documented places of elements (PTX ISA, "Matrix Fragments for mma"), against
// products of whole matrices; ldmatrix, stmatrix, movmatrix.
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Element (row, column) of A, and (column, row) of B, is in register `at` of `lane`.
struct Place {
    int lane, at, shift;
};

// `bits` a number, 32 / bits of them a register; K is the inner dimension.
static Place of_a(int row, int k, int bits, int rows) {
    int in_word = 32 / bits, quarter = k / in_word;
    return {row % 8 * 4 + quarter % 4, row / 8 + quarter / 4 * (rows / 8), k % in_word * bits};
}
static Place of_b(int k, int column, int bits) {
    int in_word = 32 / bits, quarter = k / in_word;
    return {column * 4 + quarter % 4, quarter / 4, k % in_word * bits};
}

enum Kind { HALF, HALF_SUMS, BFLOAT, TF32, S8, U8_S8, S4, XOR, AND };

__global__ void multiply(Kind kind, const unsigned *a, const unsigned *b, unsigned *sums) {
    unsigned l = threadIdx.x, x[4], y[2], c[4];
    for (int i = 0; i < 4; i++)
        x[i] = a[4 * l + i], c[i] = sums[4 * l + i];
    y[0] = b[2 * l], y[1] = b[2 * l + 1];
    float *f = (float *)c;
#define REAL(type)                                                                                 \
    asm volatile("mma.sync.aligned." type " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])                                  \
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]))
#define WHOLE(type)                                                                                \
    asm volatile("mma.sync.aligned." type " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                  \
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]))
    switch (kind) {
    case HALF:
        REAL("m16n8k16.row.col.f32.f16.f16.f32");
        break;
    case HALF_SUMS:
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, "
                     "{%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                     : "=r"(c[0]), "=r"(c[1])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(c[0]),
                       "r"(c[1]));
        break;
    case BFLOAT:
        REAL("m16n8k16.row.col.f32.bf16.bf16.f32");
        break;
    case TF32:
        REAL("m16n8k8.row.col.f32.tf32.tf32.f32");
        break;
    case S8:
        WHOLE("m16n8k32.row.col.satfinite.s32.s8.s8.s32");
        break;
    case U8_S8:
        WHOLE("m16n8k32.row.col.s32.u8.s8.s32");
        break;
    case S4:
        WHOLE("m16n8k64.row.col.s32.s4.s4.s32");
        break;
    case XOR:
        WHOLE("m16n8k256.row.col.s32.b1.b1.s32.xor.popc");
        break;
    case AND:
        WHOLE("m16n8k256.row.col.s32.b1.b1.s32.and.popc");
    }
    for (int i = 0; i < 4; i++)
        sums[4 * l + i] = c[i];
}

static unsigned bits_of(float x) {
    return __builtin_bit_cast(unsigned, x);
}
static unsigned narrow(Kind kind, int x) {
    if (kind == HALF || kind == HALF_SUMS)
        return __half_as_ushort(__float2half(x * 0.25f));
    if (kind == BFLOAT)
        return __bfloat16_as_ushort(__float2bfloat16(x * 0.25f));
    return kind == TF32 ? bits_of(x * 0.25f) : x;
}

static void check_kind(Kind kind, int bits, int depth, int low_a, int low_b, int range) {
    unsigned *a = managed<unsigned>(128), *b = managed<unsigned>(64),
             *sums = managed<unsigned>(128);
    static int x[16][256], y[256][8];
    unsigned mask = bits == 32 ? ~0u : (1u << bits) - 1;
    bool is_real = kind <= TF32;
    for (int row = 0; row < 16; row++) {
        for (int k = 0; k < depth; k++) {
            x[row][k] = low_a + (row * 7 + k * 5) % range;
            Place p = of_a(row, k, bits, 16);
            a[4 * p.lane + p.at] |= (narrow(kind, x[row][k]) & mask) << p.shift;
        }
    }
    for (int k = 0; k < depth; k++) {
        for (int column = 0; column < 8; column++) {
            y[k][column] = low_b + (k * 3 + column * 11) % range;
            Place p = of_b(k, column, bits);
            b[2 * p.lane + p.at] |= (narrow(kind, y[k][column]) & mask) << p.shift;
        }
    }
    for (int i = 0; i < 128; i++)
        sums[i] = is_real && kind != HALF_SUMS ? bits_of(2) : kind == HALF_SUMS ? 0x40004000 : 3;
    multiply<<<1, 32>>>(kind, a, b, sums);
    SYNC();
    for (int row = 0; row < 16; row++) {
        for (int column = 0; column < 8; column++) {
            long sum = 0;
            for (int k = 0; k < depth; k++)
                sum += kind == XOR   ? x[row][k] ^ y[k][column]
                       : kind == AND ? x[row][k] & y[k][column]
                                     : x[row][k] * y[k][column];
            int lane = row % 8 * 4 + column / 2, at = row / 8 * 2 + column % 2;
            if (kind == HALF_SUMS) {
                unsigned short half = sums[4 * lane + at / 2] >> at % 2 * 16;
                CHECK(__half2float(__ushort_as_half(half)) == 2 + sum / 16.0f);
            } else if (is_real) {
                CHECK(sums[4 * lane + at] == bits_of(2 + sum / 16.0f));
            } else {
                CHECK((int)sums[4 * lane + at] == sum + 3);
            }
        }
    }
}

__global__ void multiply_double(const double *a, const double *b, double *c) {
    unsigned l = threadIdx.x;
    double x, y;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=d"(x), "=d"(y)
        : "d"(a[l]), "d"(b[l]), "d"(c[2 * l]), "d"(c[2 * l + 1]));
    c[2 * l] = x, c[2 * l + 1] = y;
}

static void check_double() {
    double *a = managed<double>(32), *b = managed<double>(32), *c = managed<double>(64);
    for (int i = 0; i < 32; i++)
        a[i] = i * 0.5, b[i] = 3 - i, c[2 * i] = i, c[2 * i + 1] = -i;
    multiply_double<<<1, 32>>>(a, b, c);
    SYNC();
    for (int row = 0; row < 8; row++) {
        for (int column = 0; column < 8; column++) {
            int l = row * 4 + column / 2;
            double sum = column % 2 ? -l : l;
            for (int k = 0; k < 4; k++)
                sum += (row * 4 + k) * 0.5 * (3 - (column * 4 + k));
            CHECK(c[2 * l + column % 2] == sum);
        }
    }
}

__global__ void move(unsigned *out, const unsigned short *in) {
    __shared__ unsigned short tile[32][8], back[2][8][8];
    unsigned l = threadIdx.x, d[8], turned;
    for (int i = 0; i < 8; i++)
        tile[l][i] = in[8 * l + i];
    __syncwarp();
    unsigned at = (unsigned)__cvta_generic_to_shared(tile[l]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(at)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
                 : "=r"(d[4]), "=r"(d[5])
                 : "r"(at)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1+128];"
                 : "=r"(d[6])
                 : "r"(at)
                 : "memory");
    unsigned to = (unsigned)__cvta_generic_to_shared(back[l / 8 % 2][l % 8]);
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};"
                 :
                 : "r"(to), "r"(d[2]), "r"(d[3])
                 : "memory");
#else
    back[l / 8 % 2][l % 8][0] = 0, to = 0;
#endif
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(d[0]));
    d[7] = turned == d[4];
    for (int i = 0; i < 8; i++)
        out[8 * l + i] = d[i];
    __syncwarp();
    for (int i = 0; i < 4; i++)
        ((unsigned short *)(out + 256))[4 * l + i] = back[0][0][4 * l + i];
}

static void check_moves() {
    unsigned short *in = managed<unsigned short>(256);
    unsigned *out = managed<unsigned>(256 + 64);
    for (int i = 0; i < 256; i++)
        in[i] = i * 3 + 1;
    move<<<1, 32>>>(out, in);
    SYNC();
    for (int l = 0; l < 32; l++) {
        int row = l / 4, column = l % 4 * 2;
        for (int m = 0; m < 4; m++) {
            const unsigned short *at = in + (8 * m + row) * 8 + column;
            CHECK(out[8 * l + m] == (at[0] | (unsigned)at[1] << 16));
        }
        for (int m = 0; m < 2; m++) {
            const unsigned short *at = in + (8 * m + column) * 8 + row;
            CHECK(out[8 * l + 4 + m] == (at[0] | (unsigned)at[8] << 16));
        }
        CHECK(out[8 * l + 6] == out[8 * l + 1] && out[8 * l + 7] == 1);
    }
}

int main() {
    check_kind(HALF, 16, 16, -9, -5, 23);
    check_kind(HALF_SUMS, 16, 16, -9, -5, 11);
    check_kind(BFLOAT, 16, 16, -9, -5, 23);
    check_kind(TF32, 32, 8, -9, -5, 23);
    check_kind(S8, 8, 32, -128, -128, 255);
    check_kind(U8_S8, 8, 32, 0, -128, 255);
    check_kind(S4, 4, 64, -8, -8, 15);
    check_kind(XOR, 1, 256, 0, 0, 2);
    check_kind(AND, 1, 256, 0, 0, 2);
    check_double();
    check_moves();
}
