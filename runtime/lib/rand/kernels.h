// What the kernels of this library are given. 4096 threads have a subsequence each: number n of the
// generator is number n / 4096 of subsequence n mod 4096, as cuRAND documents for XORWOW.
#ifndef GCL_LIB_RAND_KERNELS_H
#define GCL_LIB_RAND_KERNELS_H

#include <stdint.h>

enum {
    GCL_RAND_THREADS = 4096,
    GCL_RAND_BLOCK = 256,
    GCL_RAND_STATE_SIZE = 128, ///< bytes that the state of any generator has at most
};

#define GCL_RAND_GENERATORS(ROW)                                                                   \
    ROW(xorwow, curandStateXORWOW_t)                                                               \
    ROW(mrg32k3a, curandStateMRG32k3a_t)                                                           \
    ROW(philox, curandStatePhilox4_32_10_t)

/// Kinds of numbers: their type, and the one that comes next from `state`.
#define GCL_RAND_DRAWS(ROW)                                                                        \
    ROW(bits, unsigned, curand(&state))                                                            \
    ROW(uniform, float, curand_uniform(&state))                                                    \
    ROW(uniform_double, double, curand_uniform_double(&state))                                     \
    ROW(normal, float, shape(a, (float)a.mean + (float)a.deviation * curand_normal(&state)))       \
    ROW(normal_double, double, shape(a, a.mean + a.deviation * curand_normal_double(&state)))      \
    ROW(poisson, unsigned, curand_poisson(&state, a.mean))

/// Rows likewise for Sobol's sequences, whose number is made of number `x` of a sequence.
#define GCL_RAND_SOBOL_DRAWS(ROW)                                                                  \
    ROW(bits, Word, x)                                                                             \
    ROW(uniform, float, __gcl_quasi_uniform(x))                                                    \
    ROW(uniform_double, double, __gcl_quasi_uniform_double(x))                                     \
    ROW(normal, float, shape(a, (float)a.mean + (float)a.deviation * __gcl_quasi_normal(x)))       \
    ROW(normal_double, double, shape(a, a.mean + a.deviation * __gcl_quasi_normal_double(x)))      \
    ROW(poisson, unsigned, __gcl_quasi_poisson(x, a.mean))

/// Rows likewise for a Mersenne twister, whose number `i` is made of `words` words of 32 bits each
/// from `word` on; normal ones come in pairs, of twice that from `pair` on.
#define GCL_RAND_TWISTER_DRAWS(ROW)                                                                \
    ROW(bits, unsigned, 1, word[0])                                                                \
    ROW(uniform, float, 1, __gcl_uniform(word[0]))                                                 \
    ROW(uniform_double, double, 2, __gcl_uniform_double(word[0], word[1]))                         \
    ROW(normal, float, 1,                                                                          \
        shape(a, (float)a.mean + (float)a.deviation * choose(i, __gcl_normal2(pair[0], pair[1])))) \
    ROW(normal_double, double, 2,                                                                  \
        shape(a, a.mean + a.deviation * choose(i, __gcl_normal2_double(make_uint4(                 \
                                                      pair[0], pair[1], pair[2], pair[3])))))      \
    ROW(poisson, unsigned, 2,                                                                      \
        __gcl_quasi_poisson((unsigned long long)word[1] << 32 | word[0], a.mean))

#define GCL_RAND_ROW(name, ...) GCL_RAND_##name,
enum gcl_rand_generator { GCL_RAND_GENERATORS(GCL_RAND_ROW) GCL_RAND_GENERATOR_COUNT };
enum gcl_rand_draw { GCL_RAND_DRAWS(GCL_RAND_ROW) GCL_RAND_DRAW_COUNT };
#undef GCL_RAND_ROW

struct gcl_rand_seeding {
    void *states; ///< GCL_RAND_THREADS of them
    uint64_t seed;
    uint64_t offset; ///< numbers of the generator that are passed over
};

enum {
    GCL_RAND_TWISTER_WORDS = 624,
    GCL_RAND_TWISTER_STRIDE = 397, ///< to the word that a new one is made of
    GCL_RAND_TWISTER_THREADS = GCL_RAND_TWISTER_WORDS - GCL_RAND_TWISTER_STRIDE,
};

/// A Mersenne twister's state.
struct gcl_rand_twister {
    uint32_t words[GCL_RAND_TWISTER_WORDS];
    uint32_t next; ///< word that is drawn next; all are drawn: they are renewed first
};

struct gcl_rand_drawing {
    void *states; ///< of a Sobol generator direction vectors, one dimension after the other, and
                  ///< behind them a constant of each; of a Mersenne twister one struct, and where
                  ///< numbers are made of its words, these
    void *out;
    uint64_t count;
    uint64_t first; ///< number of the generator that goes to out[0], mod GCL_RAND_THREADS; of a
                    ///< Sobol generator number of its sequences
    uint64_t per_dimension; ///< numbers of each dimension, of a Sobol generator
    double mean;
    double deviation; ///< standard
    uint64_t is_log;  ///< what is distributed normally is the logarithm
};

#endif
