// The DPX functions, on host and device, against plain arithmetic.
#include "../device/check.h"
#include <algorithm>
#include <random>

enum { COUNT = 512 };

struct Output {
    int s32[8];
    unsigned int u32[6], halves[16];
    bool first[8];
};

static __host__ __device__ void compute(uint3 in, Output *o) {
    unsigned int x = in.x, y = in.y, z = in.z;
    int a = (int)x, b = (int)y, c = (int)z, n = 0;
    o->s32[n++] = __viaddmax_s32(a, b, c), o->s32[n++] = __viaddmin_s32(a, b, c);
    o->s32[n++] = __viaddmax_s32_relu(a, b, c), o->s32[n++] = __vimax3_s32(a, b, c);
    o->s32[n++] = __vimin3_s32_relu(a, b, c), o->s32[n++] = __vimax_s32_relu(a, b);
    o->s32[n++] = __vibmax_s32(a, b, &o->first[0]), o->s32[n++] = __vibmin_s32(a, b, &o->first[1]);
    n = 0;
    o->u32[n++] = __viaddmax_u32(x, y, z), o->u32[n++] = __viaddmin_u32(x, y, z);
    o->u32[n++] = __vimax3_u32(x, y, z), o->u32[n++] = __vimin3_u32(x, y, z);
    o->u32[n++] = __vibmax_u32(x, y, &o->first[2]), o->u32[n++] = __vibmin_u32(x, y, &o->first[3]);
    n = 0;
    o->halves[n++] = __viaddmax_s16x2(x, y, z), o->halves[n++] = __viaddmin_s16x2_relu(x, y, z);
    o->halves[n++] = __vimax3_s16x2(x, y, z), o->halves[n++] = __vimin3_s16x2(x, y, z);
    o->halves[n++] = __vimin_s16x2_relu(x, y);
    o->halves[n++] = __vibmax_s16x2(x, y, &o->first[4], &o->first[5]);
    o->halves[n++] = __viaddmax_u16x2(x, y, z), o->halves[n++] = __vimax3_u16x2(x, y, z);
    o->halves[n++] = __vibmin_u16x2(x, y, &o->first[6], &o->first[7]);
}

__global__ void on_device(const uint3 *in, Output *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    compute(in[i], &out[i]);
}

static void check_words(uint3 in, const Output &o) {
    unsigned int x = in.x, y = in.y, z = in.z;
    int a = (int)x, b = (int)y, c = (int)z, sum = (int)(x + y);
    CHECK(o.s32[0] == std::max(sum, c) && o.s32[1] == std::min(sum, c));
    CHECK(o.s32[2] == std::max({sum, c, 0}) && o.s32[3] == std::max({a, b, c}));
    CHECK(o.s32[4] == std::max(std::min({a, b, c}), 0) && o.s32[5] == std::max({a, b, 0}));
    CHECK(o.s32[6] == std::max(a, b) && o.first[0] == (a >= b));
    CHECK(o.s32[7] == std::min(a, b) && o.first[1] == (a <= b));
    CHECK(o.u32[0] == std::max(x + y, z) && o.u32[1] == std::min(x + y, z));
    CHECK(o.u32[2] == std::max({x, y, z}) && o.u32[3] == std::min({x, y, z}));
    CHECK(o.u32[4] == std::max(x, y) && o.first[2] == (x >= y));
    CHECK(o.u32[5] == std::min(x, y) && o.first[3] == (x <= y));
}

static void check_half(uint3 in, const Output &o, int at) {
    short a = (short)(in.x >> at), b = (short)(in.y >> at), c = (short)(in.z >> at);
    short sum = (short)(a + b), zero = 0;
    unsigned short x = (unsigned short)a, y = (unsigned short)b, z = (unsigned short)c;
    const short wanted[] = {std::max(sum, c),
                            std::max(std::min(sum, c), zero),
                            std::max({a, b, c}),
                            std::min({a, b, c}),
                            std::max(std::min(a, b), zero),
                            std::max(a, b),
                            (short)std::max((unsigned short)(x + y), z),
                            (short)std::max({x, y, z}),
                            (short)std::min(x, y)};
    for (int n = 0; n < 9; n++)
        CHECK((short)(o.halves[n] >> at) == wanted[n]);
    CHECK(o.first[at ? 4 : 5] == (a >= b) && o.first[at ? 6 : 7] == (x <= y));
}

int main() {
    std::mt19937 bits(9);
    uint3 *in = managed<uint3>(COUNT);
    Output *out = managed<Output>(COUNT);
    for (int i = 0; i < COUNT; i++) {
        in[i] = {(unsigned int)bits(), (unsigned int)bits(), (unsigned int)bits()};
        if (i % 4 == 0)
            in[i].y = in[i].x;
    }
    on_device<<<COUNT / 64, 64>>>(in, out);
    SYNC();
    for (int i = 0; i < COUNT; i++) {
        Output on_host;
        compute(in[i], &on_host);
        check_words(in[i], out[i]);
        check_words(in[i], on_host);
        for (int at = 0; at < 32; at += 16) {
            check_half(in[i], out[i], at);
            check_half(in[i], on_host, at);
        }
    }
}
