// The Mersenne twister MT19937 (Matsumoto and Nishimura, 1998), in the order of its own sequence:
// numbers of 32 bits are those of the C++ library's mt19937 with the same seed. cuRAND interleaves
// parts of the sequence whose distances it doesn't document, and its MTGP32 has tables of its own:
// here both names stand for this generator.
#include <stdlib.h>

#include "rand/rand.h"

extern const void *const gcl_rand_twist;
extern const void *const gcl_rand_twister_draws[];

enum {
    BUFFER_WORDS = 1 << 21, ///< that numbers are made of at a time
    WORDS = GCL_RAND_TWISTER_WORDS,
};

/// The words that a number of each kind is made of.
#define WORDS_ROW(name, type, words, next) words,
static const unsigned words_of[] = {GCL_RAND_TWISTER_DRAWS(WORDS_ROW)};

static void fill(uint32_t *words, uint32_t seed) {
    words[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++)
        words[i] = 1812433253u * (words[i - 1] ^ words[i - 1] >> 30) + i;
}

/// Mixes two words of a seed into those of a state, as its authors do with arrays.
static void mix(uint32_t *words, const uint32_t seed[2]) {
    uint32_t i = 1;
    for (uint32_t k = 0; k < WORDS; k++) {
        uint32_t before = words[i - 1] ^ words[i - 1] >> 30;
        words[i] = (words[i] ^ before * 1664525u) + seed[k % 2] + k % 2;
        if (++i == WORDS) {
            words[0] = words[WORDS - 1];
            i = 1;
        }
    }
    for (uint32_t k = 1; k < WORDS; k++) {
        uint32_t before = words[i - 1] ^ words[i - 1] >> 30;
        words[i] = (words[i] ^ before * 1566083941u) - i;
        if (++i == WORDS) {
            words[0] = words[WORDS - 1];
            i = 1;
        }
    }
    words[0] = 0x80000000u;
}

cudaError_t gcl_rand_seed_twister(curandGenerator_t g) {
    uint32_t seed[2] = {(uint32_t)g->seed, (uint32_t)(g->seed >> 32)};
    struct gcl_rand_twister state = {.next = WORDS};
    cudaError_t error = cudaSuccess;
    if (!g->states)
        error = cudaMalloc(&g->states, sizeof state + BUFFER_WORDS * sizeof(uint32_t));
    if (error || g->is_ready)
        return error;
    fill(state.words, seed[1] ? 19650218u : seed[0]);
    if (seed[1])
        mix(state.words, seed);
    error = cudaStreamSynchronize(g->stream);
    if (!error)
        error = cudaMemcpy(g->states, &state, sizeof state, cudaMemcpyHostToDevice);
    g->is_ready = !error;
    return error;
}

/// Writes as many words to `out`.
static cudaError_t twist(const struct curandGenerator_st *g, void *out, uint64_t count) {
    struct gcl_rand_drawing a = {.states = g->states, .out = out, .count = count};
    void *arguments[] = {&a};
    return cudaLaunchKernel(gcl_rand_twist, (dim3){1, 1, 1}, (dim3){GCL_RAND_TWISTER_THREADS, 1, 1},
                            arguments, 0, g->stream);
}

cudaError_t gcl_rand_draw_twister(curandGenerator_t g, enum gcl_rand_draw draw,
                                  const struct gcl_rand_drawing *drawing, size_t element) {
    cudaError_t error = gcl_rand_seed_twister(g);
    if (draw == GCL_RAND_bits)
        return error ? error : twist(g, drawing->out, drawing->count);
    struct gcl_rand_drawing a = *drawing;
    void *arguments[] = {&a};
    a.states = (struct gcl_rand_twister *)g->states + 1;
    for (uint64_t left = drawing->count; left > 0 && !error; left -= a.count) {
        uint64_t most = BUFFER_WORDS / words_of[draw];
        a.count = left < most ? left : most;
        unsigned blocks = (unsigned)((a.count + GCL_RAND_BLOCK - 1) / GCL_RAND_BLOCK);
        error = twist(g, a.states, a.count * words_of[draw]);
        if (!error)
            error = cudaLaunchKernel(gcl_rand_twister_draws[draw], (dim3){blocks, 1, 1},
                                     (dim3){GCL_RAND_BLOCK, 1, 1}, arguments, 0, g->stream);
        a.out = (char *)a.out + a.count * element;
    }
    return error;
}
