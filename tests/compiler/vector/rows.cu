// Addresses from numbers that are taken apart: rows and places in them, bits, pairs of a butterfly.
#include <limits.h>

#include "each.h"

struct Rows {
    const int *in;
    int begin, width;
    BODY int operator()(int t) const {
        int i = t + begin, x = i % width, y = i / width;
        return in[20000 + y * 3 + x] - in[20000 + x] * 5 + in[20000 - y];
    }
};

struct Unsigned {
    const int *in;
    unsigned begin, width;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + begin, x = i % width, y = i / width;
        return in[x & 8191] - in[(y & 1023) + (x & 4095)] * 5;
    }
};

struct Fixed {
    const int *in;
    unsigned begin;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + begin;
        return in[i % 1000] - in[i / 100 % 50 * 100 + i % 100] * 5 + in[i % 64] + in[i / 3 % 999];
    }
};

struct Guarded {
    const int *in;
    int width;
    BODY int operator()(int t) const {
        if (width > 0 && t % 3)
            return in[t / width] + in[t % width];
        return -t;
    }
};

struct Bits {
    const int *in;
    unsigned begin, mask, shift;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + begin;
        int pair = in[(i ^ mask) & 8191] + 2 * in[(i & mask) & 8191] + 3 * in[(i | mask) & 8191];
        unsigned butterfly = 2 * i - (i & (mask - 1));
        return pair + 5 * in[butterfly & 8191] + 7 * in[(i >> shift) & 8191];
    }
};

// What is set already stays.
struct Set {
    const int *in;
    unsigned begin, mask;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t + begin;
        return in[i | mask] - in[i & mask] * 3 + in[mask ^ i] * 5;
    }
};

struct Deep {
    const int *in;
    int nx, ny;
    BODY int operator()(int t) const {
        int x = t % nx, y = t / nx % ny, z = t / (nx * ny);
        int sum = in[(z * ny + y) * nx + x];
        if (x > 0 && x < nx - 1 && y > 0)
            sum += in[(z * ny + y) * nx + x - 1] + in[(z * ny + y - 1) * nx + x + 1];
        return sum;
    }
};

// Stores what is next door in a transposed order.
__global__ void turn(int *out, const int *in, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % width, y = i / width;
    if (i < width * height)
        out[(height - 1 - y) * width + x] = in[y * width + x] + x;
}

static void check_turn(const int *in, int width, int height) {
    int *out = managed<int>(width * height);
    for (int block : {7, 64, 256}) {
        turn<<<(width * height + block - 1) / block, block>>>(out, in, width, height);
        SYNC();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++)
                CHECK(out[(height - 1 - y) * width + x] == in[y * width + x] + x);
        }
    }
    cudaFree(out);
}

// Bits that some lanes have already.
__global__ void join(int *out, const int *in, unsigned mask) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t | mask] - 3 * in[t ^ mask] + 5 * in[t & mask];
}

static void check_join(const int *in, unsigned mask) {
    int *out = managed<int>(2048);
    for (int block : {32, 256, 1024}) {
        join<<<2048 / block, block>>>(out, in, mask);
        SYNC();
        for (unsigned t = 0; t < 2048; t++)
            CHECK(out[t] == in[t | mask] - 3 * in[t ^ mask] + 5 * in[t & mask]);
    }
    cudaFree(out);
}

int main() {
    int *in = managed<int>(40000);
    for (int i = 0; i < 40000; i++)
        in[i] = (int)((unsigned)i * 2654435761u >> 4);
    for (int width : {1, 3, 63, 64, 65, 100, 128, 1000, 1 << 20}) {
        CHECK_EACH(Rows{in, 0, width});
        CHECK_EACH(Rows{in, -500, width});
        CHECK_EACH(Rows{in, -500, -width});
        CHECK_EACH(Unsigned{in, 0, (unsigned)width});
        CHECK_EACH(Unsigned{in, UINT_MAX - 300, (unsigned)width});
        CHECK_EACH(Unsigned{in, 0x7fffff00u, (unsigned)width});
        CHECK_EACH(Guarded{in, width});
    }
    CHECK_EACH(Guarded{in, 0});
    CHECK_EACH(Fixed{in, 0});
    CHECK_EACH(Fixed{in, UINT_MAX - 300});
    for (unsigned mask : {1u, 2u, 16u, 31u, 32u, 63u, 64u, 127u, 128u, 255u, 256u, 1024u}) {
        for (unsigned begin : {0u, 5u, 4096u, UINT_MAX - 300u})
            CHECK_EACH(Bits{in, begin, mask, mask % 11});
        for (unsigned begin : {0u, 5u, 4096u})
            CHECK_EACH(Set{in, begin, mask});
    }
    CHECK_EACH(Deep{in, 100, 7});
    CHECK_EACH(Deep{in, 64, 3});
    CHECK_EACH(Deep{in, 11, 9});
    for (unsigned mask : {1u, 16u, 32u, 96u, 128u, 992u, 1024u})
        check_join(in, mask);
    check_turn(in, 100, 33);
    check_turn(in, 64, 64);
    check_turn(in, 17, 1);
}
