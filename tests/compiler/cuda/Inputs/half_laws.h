// What both 16-bit types promise, checked on the host and in a kernel: each conversion and each
// operation gives the nearest representable number, ties to even. F names the type under test:
// F::type, F::value (bits → double), F::largest, F::rn and kin.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>

#define BOTH __host__ __device__ inline

template <typename F> BOTH typename F::type from_bits(unsigned short bits) {
    typename F::type result;
    memcpy(&result, &bits, 2);
    return result;
}

template <typename F> BOTH unsigned short bits_of(typename F::type value) {
    unsigned short bits;
    memcpy(&bits, &value, 2);
    return bits;
}

// The magnitude of the number one step beyond `bits`, where infinity counts as the next power of 2.
template <typename F> BOTH double magnitude(int bits) {
    if (bits < 0)
        return -magnitude<F>(-bits);
    return bits == F::infinity ? 2 * F::power_below_infinity() : F::value((unsigned short)bits);
}

// Is `bits` the nearest to a number whose distance to any double d has the sign of distance(d)?
template <typename F, typename S> BOTH bool is_nearest(unsigned short bits, bool negative, S side) {
    if (((bits & 0x8000) != 0) != negative)
        return false;
    int m = bits & 0x7fff;
    if (m > F::infinity)
        return false;
    double below = (magnitude<F>(m) + magnitude<F>(m - 1)) / 2;
    int low = m == 0 ? 1 : side(below);
    int high = m == F::infinity ? -1 : side((magnitude<F>(m) + magnitude<F>(m + 1)) / 2);
    bool even = m % 2 == 0;
    return (low > 0 || (low == 0 && even)) && (high < 0 || (high == 0 && even));
}

BOTH int sign_of(double x) {
    return (x > 0) - (x < 0);
}

template <typename F> BOTH bool rounds_to(unsigned short bits, double exact) {
    if (exact != exact)
        return (bits & 0x7fff) > F::infinity;
    bool negative = std::signbit(exact);
    double m = negative ? -exact : exact;
    return is_nearest<F>(bits, negative, [=](double d) { return sign_of(m - d); });
}

template <typename F>
BOTH int check_directed(double x, unsigned short rz, unsigned short rd, unsigned short ru) {
    double down = F::value(rd), up = F::value(ru), zero = F::value(rz);
    int wrong = !(down <= x && x <= up && zero == (x < 0 ? up : down));
    if (down == up)
        return wrong + (down != x);
    // Nothing lies between the two.
    int step = (int)(ru & 0x7fff) - (int)(rd & 0x7fff);
    if ((ru ^ rd) & 0x8000)
        return wrong + ((ru & 0x7fff) + (rd & 0x7fff) != 1);
    return wrong + (step != 1 && step != -1);
}

// Number i of all 65536 and its neighbourhood: conversions.
template <typename F> BOTH int check_conversions(unsigned i) {
    unsigned short bits = (unsigned short)i;
    double value = F::value(bits);
    typename F::type h = from_bits<F>(bits);
    if (value != value)
        return !((float)h != (float)h) + !rounds_to<F>(bits_of<F>(F::rn((float)h)), value);
    int wrong = (float)h != (float)value || std::signbit((float)h) != std::signbit(value);
    wrong += bits_of<F>(F::rn((float)h)) != bits || bits_of<F>(F::from_double(value)) != bits;
    if (value - value != 0)
        return wrong;
    double next = magnitude<F>((bits & 0x7fff) + 1);
    double gap = next - (value < 0 ? -value : value);
    for (int k = 0; k < 8; k++) {
        double m = (value < 0 ? -value : value) + gap * k / 8;
        for (int nudge = -1; nudge <= 1; nudge++) {
            double x = (bits & 0x8000 ? -1 : 1) * m * (1 + nudge * 0x1p-50);
            wrong += !rounds_to<F>(bits_of<F>(F::from_double(x)), x);
            float y = (float)x;
            wrong += !rounds_to<F>(bits_of<F>(F::rn(y)), y);
            wrong += check_directed<F>(y, bits_of<F>(F::rz(y)), bits_of<F>(F::rd(y)),
                                       bits_of<F>(F::ru(y)));
        }
    }
    return wrong;
}

BOTH unsigned scrambled(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

// Three numbers made from i: sums, products, quotients, roots, fused multiply-add, comparisons.
template <typename F> BOTH int check_arithmetic(unsigned i) {
    _Pragma("clang fp reassociate(off)"); // what asks below whether a sum is exact
    unsigned r = scrambled(i), s = scrambled(r + 1);
    typename F::type a = from_bits<F>(r & 0xffff), b = from_bits<F>(r >> 16);
    typename F::type c = from_bits<F>(s & 0xffff);
    if (i % 4 == 0) // near a tie
        c = from_bits<F>((bits_of<F>(a * b) & 0xff00) | (s & 0x80));
    double x = (float)a, y = (float)b, z = (float)c;
    int wrong = 0;
    if (x + y - x == y && x + y - y == x)
        wrong += !rounds_to<F>(bits_of<F>(a + b), x + y);
    if (x - y - x == -y && x - y + y == x)
        wrong += !rounds_to<F>(bits_of<F>(a - b), x - y);
    wrong += !rounds_to<F>(bits_of<F>(a * b), x * y);
    double p = x * y, sum = p + z;
    if (sum - p == z && sum - z == p)
        wrong += !rounds_to<F>(bits_of<F>(__hfma(a, b, c)), sum);
    double ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    if (ax > 0 && ay > 0 && ax - ax == 0 && ay - ay == 0) {
        wrong += !is_nearest<F>(bits_of<F>(a / b), (x < 0) != (y < 0),
                                [=](double d) { return sign_of(ax - d * ay); });
        wrong += !is_nearest<F>(bits_of<F>(hsqrt(__habs(a))), false,
                                [=](double d) { return sign_of(ax - d * d); });
    }
    wrong += (a < b) != (x < y) || (a <= b) != (x <= y) || (a == b) != (x == y);
    wrong += (a != b) != (x != y) || __hne(a, b) != (x < y || x > y) || __hgtu(a, b) == (x <= y);
    if (x == x && y == y)
        wrong += (float)__hmax(a, b) != (x > y ? x : y) || (float)__hmin(a, b) != (x < y ? x : y);
    else
        wrong += !__hisnan(__hmax_nan(a, b)) || (y == y && (float)__hmin(a, b) != y);
    return wrong;
}

// Pairs and masks of numbers made from i agree with the same operation on the elements.
template <typename F> BOTH int check_pairs(unsigned i) {
    using pair = typename F::pair;
    unsigned r = scrambled(i), s = scrambled(i + 77);
    pair a(from_bits<F>(r & 0xffff), from_bits<F>(r >> 16));
    pair b(from_bits<F>(s & 0xffff), from_bits<F>(i % 3 ? s >> 16 : r >> 16));
    if (__hisnan(a.x) || __hisnan(a.y) || __hisnan(b.x) || __hisnan(b.y))
        return 0;
    int wrong = 0;
    pair sum = a + b, fused = __hfma2(a, b, a);
    wrong +=
        bits_of<F>(sum.x) != bits_of<F>(a.x + b.x) || bits_of<F>(sum.y) != bits_of<F>(a.y + b.y);
    wrong += bits_of<F>(fused.y) != bits_of<F>(__hfma(a.y, b.y, a.y)) && !__hisnan(fused.y);
    unsigned mask = __hle2_mask(a, b);
    wrong += mask != ((a.x <= b.x ? 0xffffu : 0) | (a.y <= b.y ? 0xffff0000u : 0));
    wrong += __hbeq2(a, b) != (a.x == b.x && a.y == b.y);
    wrong += (float)__heq2(a, b).y != (a.y == b.y ? 1.0f : 0.0f);
    pair swapped = __lowhigh2highlow(a);
    wrong += bits_of<F>(swapped.x) != bits_of<F>(a.y) || bits_of<F>(swapped.y) != bits_of<F>(a.x);
    pair zero = {};
    zero = {};
    wrong += bits_of<F>(zero.x) != 0 || __low2float(a) != (float)a.x;
    return wrong;
}

template <typename F> __global__ void check_on_device(int *wrong) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int conversions = check_conversions<F>(i), arithmetic = 0;
    for (unsigned k = 0; k < 8; k++)
        arithmetic += check_arithmetic<F>(i * 8 + k);
    if (conversions)
        atomicAdd(&wrong[0], conversions);
    if (arithmetic)
        atomicAdd(&wrong[1], arithmetic);
    if (int pairs = check_pairs<F>(i))
        atomicAdd(&wrong[2], pairs);
}

// Shuffles and atomics of one block of 64 threads.
template <typename F>
__global__ void exchange(typename F::type *sums, typename F::pair *pair_sum, int *wrong) {
    using half_type = typename F::type;
    int i = threadIdx.x;
    half_type mine = half_type(i % 32);
    int other = (int)__shfl_xor_sync(0xffffffffu, mine, 5);
    int below = (int)__shfl_up_sync(0xffffffffu, mine, 1, 8);
    typename F::pair both(mine, half_type(i % 32 + 100));
    both = __shfl_sync(0xffffffffu, both, 3);
    if (other != ((i % 32) ^ 5) || below != (i % 8 ? i % 32 - 1 : i % 32) || (int)both.x != 3 ||
        (int)both.y != 103)
        atomicAdd(wrong, 1);
    atomicAdd(&sums[i % 2], half_type(1));
    atomicAdd(pair_sum, typename F::pair(half_type(1), half_type(2)));
}

template <typename F> int run_laws(const char *name) {
    int host[3] = {}, *wrong;
    for (unsigned i = 0; i < 65536; i++) {
        host[0] += check_conversions<F>(i);
        host[1] += check_arithmetic<F>(i);
        host[2] += check_pairs<F>(i);
    }
    cudaMallocManaged(&wrong, 4 * sizeof(int));
    memset(wrong, 0, 4 * sizeof(int));
    check_on_device<F><<<256, 256>>>(wrong);
    typename F::type *sums;
    typename F::pair *pair_sum;
    cudaMallocManaged(&sums, 2 * sizeof(*sums));
    cudaMallocManaged(&pair_sum, sizeof(*pair_sum));
    sums[0] = sums[1] = 0;
    *pair_sum = {};
    exchange<F><<<1, 64>>>(sums, pair_sum, &wrong[3]);
    cudaError_t error = cudaDeviceSynchronize();
    int total = error + host[0] + host[1] + host[2] + wrong[0] + wrong[1] + wrong[2] + wrong[3];
    total += (float)sums[0] != 32 || (float)sums[1] != 32;
    total += (float)pair_sum->x != 64 || (float)pair_sum->y != 128;
    printf("%s: host %d %d %d, device %d %d %d, exchange %d, error %d\n", name, host[0], host[1],
           host[2], wrong[0], wrong[1], wrong[2], wrong[3], (int)error);
    return total;
}
