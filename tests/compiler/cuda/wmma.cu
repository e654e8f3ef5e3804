// RUN: %gcluster-cc --device=cpu -arch=sm_80 -O1 %s -o %t && %t
// RUN: %gcluster-cc --device=cpu -arch=sm_70 -DEXCHANGED -O1 %s -o %t && %t
// RUN: %if ptxas %{ %gcluster-cc --device=cuda -arch=sm_80 --dump=ptx %s > %t.ptx && %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// RUN: %if ptxas %{ %gcluster-cc --device=cuda -arch=sm_75 --dump=ptx %s > %t.ptx && %ptxas -arch=sm_75 -o %t.cubin %t.ptx %}
// Products of fragments of all shapes and types are those of whole matrices, by mma.sync and
// without it; elements can be changed one by one.
#include "../device/check.h"
#include <mma.h>

using namespace nvcuda;

template <class Type> struct As {
    typedef Type seen;
};
template <> struct As<wmma::precision::tf32> {
    typedef float seen;
};

// d = 2 (a b + c), where c is all ones.
template <int M, int N, int K, class Type, class LayoutA, class LayoutB, class Sum, class Seen>
__global__ void multiply(const Seen *a, const Seen *b, Sum *d, unsigned step_a, unsigned step_b,
                         wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, M, N, K, Type, LayoutA> of_a;
    wmma::fragment<wmma::matrix_b, M, N, K, Type, LayoutB> of_b;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sums, ones;
    wmma::fill_fragment(ones, (Sum)1);
    wmma::load_matrix_sync(of_a, a, step_a);
    wmma::load_matrix_sync(of_b, b, step_b);
    wmma::mma_sync(sums, of_a, of_b, ones);
    for (int i = 0; i < sums.num_elements; i++)
        sums.x[i] = sums.x[i] + sums.x[i];
    wmma::store_matrix_sync(d, sums, layout == wmma::mem_row_major ? N + 8 : M + 8, layout);
    wmma::load_matrix_sync(ones, d, layout == wmma::mem_row_major ? N + 8 : M + 8, layout);
    for (int i = 0; i < sums.num_elements; i++)
        d[M * N * 4 + threadIdx.x] = (Sum)(i > 0 && !(d[M * N * 4 + threadIdx.x] == (Sum)0)) +
                                     (Sum) !(ones.x[i] == sums.x[i]);
}

template <int M, int N, int K, class Type, class LayoutA, class LayoutB, class Sum> void check() {
    typedef typename As<Type>::seen Seen;
    bool rows_a = std::is_same<LayoutA, wmma::row_major>::value;
    bool rows_b = std::is_same<LayoutB, wmma::row_major>::value;
    bool is_signed = Seen(-1) < Seen(0);
    static Seen *a = managed<Seen>(4096), *b = managed<Seen>(4096);
    static Sum *d = managed<Sum>(4096);
    unsigned step_a = (rows_a ? K : M) + 16, step_b = (rows_b ? N : K) + 16;
    static int x[64][64], y[64][64];
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < K; k++) {
            x[i][k] = (i * 5 + k * 3) % 13 - 6 * is_signed;
            y[k][i] = (i * 7 + k * 11) % 9 - 4 * is_signed;
            if (i < M)
                a[rows_a ? i * step_a + k : k * step_a + i] = (Seen)(float)x[i][k];
            if (i < N)
                b[rows_b ? k * step_b + i : i * step_b + k] = (Seen)(float)y[k][i];
        }
    }
    bool rows = rows_a != rows_b;
    multiply<M, N, K, Type, LayoutA, LayoutB, Sum>
        <<<1, 32>>>(a, b, d, step_a, step_b, rows ? wmma::mem_row_major : wmma::mem_col_major);
    SYNC();
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            int sum = 1;
            for (int k = 0; k < K; k++)
                sum += x[i][k] * y[k][j];
            CHECK((float)d[rows ? i * (N + 8) + j : j * (M + 8) + i] == 2 * sum);
        }
    }
    for (int l = 0; l < 32; l++)
        CHECK((float)d[M * N * 4 + l] == 0);
}

namespace few = wmma::experimental;

template <int K, class Type, class Layout> struct Words {
    wmma::fragment<wmma::matrix_a, 8, 8, K, Type, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, K, Type, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 8, 8, K, int> sums;
    __device__ void load(const unsigned *words) {
        wmma::fill_fragment(sums, 5);
        wmma::load_matrix_sync(a, words, K);
        wmma::load_matrix_sync(b, words + 32, K);
    }
};

__global__ void multiply_few(const unsigned *words, int *d) {
    Words<32, few::precision::s4, void> nibbles;
    Words<128, few::precision::b1, void> bits;
    nibbles.load(words);
    wmma::mma_sync(nibbles.sums, nibbles.a, nibbles.b, nibbles.sums);
    wmma::store_matrix_sync(d, nibbles.sums, 8, wmma::mem_row_major);
    bits.load(words);
    wmma::bmma_sync(bits.sums, bits.a, bits.b, bits.sums);
    wmma::store_matrix_sync(d + 64, bits.sums, 8, wmma::mem_row_major);
#if __CUDA_ARCH__ >= 800
    bits.load(words);
#endif
    wmma::bmma_sync(bits.sums, bits.a, bits.b, bits.sums, few::bmmaBitOpAND);
    wmma::store_matrix_sync(d + 128, bits.sums, 8, wmma::mem_col_major);
}

// Sums that don't fit stay at the largest number.
__global__ void saturate(int *d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
    wmma::fill_fragment(a, 255);
    wmma::fill_fragment(b, 255);
    wmma::fill_fragment(c, 0x7fffff00);
    wmma::mma_sync(c, a, b, c, true);
    wmma::store_matrix_sync(d, c, 16, wmma::mem_row_major);
}

static int nibble(unsigned word, int i) {
    return (int)(word << (28 - 4 * i)) >> 28;
}

static void check_few() {
    unsigned *words = managed<unsigned>(64);
    int *d = managed<int>(256);
    for (int i = 0; i < 64; i++)
        words[i] = 0x9e3779b9u * (i + 1);
    multiply_few<<<1, 32>>>(words, d);
    SYNC();
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            int sum = 5, differ = 5, both = 5;
            for (int w = 0; w < 4; w++) {
                unsigned x = words[4 * i + w], y = words[32 + 4 * j + w];
                differ += __builtin_popcount(x ^ y), both += __builtin_popcount(x & y);
                for (int n = 0; n < 8; n++)
                    sum += nibble(x, n) * nibble(y, n);
            }
            CHECK(d[8 * i + j] == sum && d[64 + 8 * i + j] == differ);
            CHECK(d[128 + 8 * j + i] == both || d[128 + 8 * j + i] == both + differ - 5);
        }
    }
    saturate<<<1, 32>>>(d);
    SYNC();
    CHECK(d[0] == 0x7fffffff && d[255] == 0x7fffffff);
}

int main() {
    static_assert(
        wmma::fragment<wmma::matrix_a, 8, 32, 16, half, wmma::row_major>::num_elements == 16, "");
    check<16, 16, 16, half, wmma::row_major, wmma::col_major, float>();
    check<8, 8, 4, double, wmma::row_major, wmma::row_major, double>();
#ifdef EXCHANGED
    return 0;
#else
    check<8, 32, 16, half, wmma::col_major, wmma::row_major, half>();
    check<32, 8, 16, __nv_bfloat16, wmma::row_major, wmma::row_major, float>();
    check<8, 32, 16, signed char, wmma::row_major, wmma::col_major, int>();
    check<16, 16, 8, wmma::precision::tf32, wmma::row_major, wmma::row_major, float>();
    check_few();
#endif
}
