// The kernels, and where host code finds them.
#include "rand/kernels.h"

#include <curand_kernel.h>

template <class State> __global__ void curand_seed(gcl_rand_seeding a) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    State state;
    static_assert(sizeof state <= GCL_RAND_STATE_SIZE, "");
    curand_init(a.seed, t, a.offset / GCL_RAND_THREADS + (t < a.offset % GCL_RAND_THREADS), &state);
    static_cast<State *>(a.states)[t] = state;
}

__device__ static float shape(const gcl_rand_drawing &a, float number) {
    return a.is_log ? expf(number) : number;
}

__device__ static double shape(const gcl_rand_drawing &a, double number) {
    return a.is_log ? exp(number) : number;
}

#define DRAW(name, type, next)                                                                     \
    template <class State> __global__ void curand_##name(gcl_rand_drawing a) {                     \
        unsigned t = blockIdx.x * blockDim.x + threadIdx.x;                                        \
        type *out = static_cast<type *>(a.out);                                                    \
        State state = static_cast<State *>(a.states)[t];                                           \
        uint64_t begin = (t - static_cast<unsigned>(a.first)) % GCL_RAND_THREADS;                  \
        for (uint64_t i = begin; i < a.count; i += GCL_RAND_THREADS)                               \
            out[i] = next;                                                                         \
        static_cast<State *>(a.states)[t] = state;                                                 \
    }
GCL_RAND_DRAWS(DRAW)

// A number a thread, and a dimension a row of blocks, all of which are independent of each other.
#define SOBOL(name, type, next)                                                                    \
    template <class Word, int bits> __global__ void curand_sobol_##name(gcl_rand_drawing a) {      \
        uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;                              \
        if (i >= a.per_dimension)                                                                  \
            return;                                                                                \
        const Word *vectors = static_cast<const Word *>(a.states) + (uint64_t)blockIdx.y * bits;   \
        Word x = __gcl_sobol<bits>(vectors, static_cast<Word>(a.first + i));                       \
        x ^= static_cast<const Word *>(a.states)[(uint64_t)gridDim.y * bits + blockIdx.y];         \
        static_cast<type *>(a.out)[blockIdx.y * a.per_dimension + i] = next;                       \
    }
GCL_RAND_SOBOL_DRAWS(SOBOL)

#define SOBOL_ROW(name, ...) reinterpret_cast<const void *>(curand_sobol_##name<Word, bits>),
template <class Word, int bits> struct sobols {
    static const void *const all[];
};
template <class Word, int bits>
const void *const sobols<Word, bits>::all[] = {GCL_RAND_SOBOL_DRAWS(SOBOL_ROW)};
extern "C" const void *const *const gcl_rand_sobol_draws[] = {sobols<unsigned, 32>::all,
                                                              sobols<unsigned long long, 64>::all};

// Mersenne twisters. One block renews the state in three steps, each of which takes words that the
// steps before have made, and writes words; many blocks make numbers of these.

/// A state's word i in the next state.
__device__ static unsigned renew(const unsigned *words, unsigned i) {
    unsigned bits =
        (words[i] & 0x80000000u) | (words[(i + 1) % GCL_RAND_TWISTER_WORDS] & ~0x80000000u);
    return words[(i + GCL_RAND_TWISTER_STRIDE) % GCL_RAND_TWISTER_WORDS] ^ bits >> 1 ^
           (bits & 1 ? 0x9908b0dfu : 0);
}

__device__ static unsigned temper(unsigned x) {
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680u;
    x ^= x << 15 & 0xefc60000u;
    return x ^ x >> 18;
}

__device__ static void renew_all(unsigned *words) {
    for (unsigned first = 0; first < GCL_RAND_TWISTER_WORDS; first += GCL_RAND_TWISTER_THREADS) {
        unsigned i = first + threadIdx.x, word = 0;
        if (i < GCL_RAND_TWISTER_WORDS)
            word = renew(words, i);
        __syncthreads();
        if (i < GCL_RAND_TWISTER_WORDS)
            words[i] = word;
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(GCL_RAND_TWISTER_THREADS)
    curand_twist(gcl_rand_drawing a) {
    __shared__ unsigned words[GCL_RAND_TWISTER_WORDS];
    gcl_rand_twister *state = static_cast<gcl_rand_twister *>(a.states);
    unsigned *out = static_cast<unsigned *>(a.out);
    for (unsigned i = threadIdx.x; i < GCL_RAND_TWISTER_WORDS; i += GCL_RAND_TWISTER_THREADS)
        words[i] = state->words[i];
    unsigned next = state->next;
    __syncthreads();
    for (uint64_t done = 0; done < a.count;) {
        if (next == GCL_RAND_TWISTER_WORDS) {
            renew_all(words);
            next = 0;
        }
        uint64_t left = a.count - done, own = GCL_RAND_TWISTER_WORDS - next;
        unsigned count = static_cast<unsigned>(left < own ? left : own);
        for (unsigned i = threadIdx.x; i < count; i += GCL_RAND_TWISTER_THREADS)
            out[done + i] = temper(words[next + i]);
        done += count;
        next += count;
        __syncthreads();
    }
    for (unsigned i = threadIdx.x; i < GCL_RAND_TWISTER_WORDS; i += GCL_RAND_TWISTER_THREADS)
        state->words[i] = words[i];
    if (threadIdx.x == 0)
        state->next = next;
}

__device__ static float choose(uint64_t i, float2 pair) {
    return i % 2 == 0 ? pair.x : pair.y;
}
__device__ static double choose(uint64_t i, double2 pair) {
    return i % 2 == 0 ? pair.x : pair.y;
}

#define TWISTER(name, type, words, next)                                                           \
    __global__ void curand_twister_##name(gcl_rand_drawing a) {                                    \
        uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;                              \
        if (i >= a.count)                                                                          \
            return;                                                                                \
        const unsigned *word = static_cast<const unsigned *>(a.states) + i * words;                \
        const unsigned *pair = static_cast<const unsigned *>(a.states) + i / 2 * 2 * words;        \
        (void)word, (void)pair;                                                                    \
        static_cast<type *>(a.out)[i] = next;                                                      \
    }
GCL_RAND_TWISTER_DRAWS(TWISTER)

#define TWISTER_ROW(name, ...) reinterpret_cast<const void *>(curand_twister_##name),
extern "C" const void *const gcl_rand_twister_draws[] = {GCL_RAND_TWISTER_DRAWS(TWISTER_ROW)};
extern "C" const void *const gcl_rand_twist = reinterpret_cast<const void *>(curand_twist);

#define SEED_ROW(name, State) reinterpret_cast<const void *>(curand_seed<State>),
extern "C" const void *const gcl_rand_seeds[] = {GCL_RAND_GENERATORS(SEED_ROW)};

#define DRAW_ROW(name, ...) reinterpret_cast<const void *>(curand_##name<State>),
template <class State> struct draws {
    static const void *const all[];
};
template <class State> const void *const draws<State>::all[] = {GCL_RAND_DRAWS(DRAW_ROW)};

#define GENERATOR_ROW(name, State) draws<State>::all,
extern "C" const void *const *const gcl_rand_draws[] = {GCL_RAND_GENERATORS(GENERATOR_ROW)};
