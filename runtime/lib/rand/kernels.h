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

#define GCL_RAND_ROW(name, ...) GCL_RAND_##name,
enum gcl_rand_generator { GCL_RAND_GENERATORS(GCL_RAND_ROW) GCL_RAND_GENERATOR_COUNT };
enum gcl_rand_draw { GCL_RAND_DRAWS(GCL_RAND_ROW) GCL_RAND_DRAW_COUNT };
#undef GCL_RAND_ROW

struct gcl_rand_seeding {
    void *states; ///< GCL_RAND_THREADS of them
    uint64_t seed;
    uint64_t offset; ///< numbers of the generator that are passed over
};

struct gcl_rand_drawing {
    void *states; ///< of a Sobol generator direction vectors, one dimension after the other
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
