// Processors convert vectors of halves by an instruction, which x86-64-v3 has; others do one by
// one.
#include "halves.h"

#include <string.h>

#if defined __x86_64__
#include <immintrin.h>

#define VECTORS __attribute__((target("avx2,f16c")))

VECTORS static int64_t widen_vectors(const uint16_t *in, float *out, int64_t count) {
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(in + i))));
    return i;
}

VECTORS static int64_t narrow_vectors(const float *in, uint16_t *out, int64_t count) {
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm_storeu_si128((void *)(out + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
    return i;
}

static int has_vectors(void) {
    return __builtin_cpu_supports("x86-64-v3");
}
#else
static int64_t widen_vectors(const uint16_t *in, float *out, int64_t count) {
    return (void)in, (void)out, (void)count, 0;
}

static int64_t narrow_vectors(const float *in, uint16_t *out, int64_t count) {
    return (void)in, (void)out, (void)count, 0;
}

static int has_vectors(void) {
    return 0;
}
#endif

void gcl_halves_widen(const void *in, float *out, int64_t count) {
    const _Float16 *halves = in;
    for (int64_t i = has_vectors() ? widen_vectors(in, out, count) : 0; i < count; i++)
        out[i] = (float)halves[i];
}

void gcl_halves_narrow(const float *in, void *out, int64_t count) {
    _Float16 *halves = out;
    for (int64_t i = has_vectors() ? narrow_vectors(in, out, count) : 0; i < count; i++)
        halves[i] = (_Float16)in[i];
}

void gcl_bfloats_widen(const void *in, float *out, int64_t count) {
    const uint16_t *bfloats = in;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)bfloats[i] << 16;
        memcpy(out + i, &bits, sizeof bits);
    }
}

void gcl_bfloats_narrow(const float *in, void *out, int64_t count) {
    uint16_t *bfloats = out;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, in + i, sizeof bits);
        uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
        bfloats[i] = (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded >> 16);
    }
}
