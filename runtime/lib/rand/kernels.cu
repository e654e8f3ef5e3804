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

#define SEED_ROW(name, State) reinterpret_cast<const void *>(curand_seed<State>),
extern "C" const void *const gcl_rand_seeds[] = {GCL_RAND_GENERATORS(SEED_ROW)};

#define DRAW_ROW(name, ...) reinterpret_cast<const void *>(curand_##name<State>),
template <class State> struct draws {
    static const void *const all[];
};
template <class State> const void *const draws<State>::all[] = {GCL_RAND_DRAWS(DRAW_ROW)};

#define GENERATOR_ROW(name, State) draws<State>::all,
extern "C" const void *const *const gcl_rand_draws[] = {GCL_RAND_GENERATORS(GENERATOR_ROW)};
