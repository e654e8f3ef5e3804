// Sobol's sequences. Direction vectors come from Joe and Kuo's numbers (joe_kuo.inc) by the
// recurrence of each dimension's polynomial, in the width that is asked for; all are made when the
// first are. Scrambled ones are those, multiplied by a random lower triangular matrix for each
// dimension, and a random constant is added to their sums (Matousek, On the L2-discrepancy for
// anchored boxes, 1998): the sequences are as evenly spread. cuRAND's matrices and constants aren't
// public; these are made by splitmix64 (Steele, Lea and Flood, 2014).
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rand/rand.h"

extern const void *const *const gcl_rand_sobol_draws[];

enum {
    DIMENSIONS = 1024,
    PROMISED = 20000, ///< dimensions that cuRAND's sets of direction vectors have
};

/// Of each dimension from the second on: the degree s of its polynomial, the polynomial's inner
/// coefficients, and s numbers.
static const uint16_t numbers[] = {
#include "rand/joe_kuo.inc"
};

/// Of each dimension one vector a bit, and a constant; plain and scrambled. NULL: no memory.
static struct {
    curandDirectionVectors32_t *vectors32;
    curandDirectionVectors64_t *vectors64;
    unsigned *constants32;
    unsigned long long *constants64;
} sets[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// The vectors of one dimension with 64 bits; returns where the next dimension's numbers are.
static const uint16_t *fill(const uint16_t *from, unsigned long long vectors[64]) {
    unsigned degree = from[0], coefficients = from[1];
    for (unsigned k = 0; k < 64; k++) {
        if (k < degree) {
            vectors[k] = (unsigned long long)from[2 + k] << (63 - k);
            continue;
        }
        unsigned long long v = vectors[k - degree] ^ vectors[k - degree] >> degree;
        for (unsigned i = 1; i < degree; i++) {
            if (coefficients >> (degree - 1 - i) & 1)
                v ^= vectors[k - i];
        }
        vectors[k] = v;
    }
    return from + 2 + degree;
}

/// Room for a set of vectors. Programs know that cuRAND's sets have 20,000 dimensions: those that
/// aren't here can't be read.
static void *reserve(size_t dimension) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *set = mmap(NULL, PROMISED * dimension, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t size = (DIMENSIONS * dimension + page - 1) / page * page;
    return set != MAP_FAILED && mprotect(set, size, PROT_READ | PROT_WRITE) == 0 ? set : NULL;
}

/// Number `i` of a random sequence.
static unsigned long long scatter(unsigned long long i) {
    unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/// The product of a dimension's matrix, whose columns are made here, and of a vector: its highest
/// bit is the first.
static unsigned long long scramble(unsigned dimension, unsigned long long vector) {
    unsigned long long product = 0;
    for (unsigned i = 0; i < 64; i++) {
        unsigned long long diagonal = 1ull << (63 - i);
        if (vector & diagonal)
            product ^= diagonal | (scatter(dimension * 64ull + i) & (diagonal - 1));
    }
    return product;
}

static bool reserve_all(void) {
    for (int s = 0; s < 2; s++) {
        sets[s].vectors32 = reserve(sizeof *sets[s].vectors32);
        sets[s].constants32 = reserve(sizeof *sets[s].constants32);
        sets[s].constants64 = reserve(sizeof *sets[s].constants64);
        sets[s].vectors64 = reserve(sizeof *sets[s].vectors64);
        if (!sets[s].vectors32 || !sets[s].constants32 || !sets[s].constants64 ||
            !sets[s].vectors64)
            return false;
    }
    return true;
}

/// The scrambled set's part of a dimension, and both sets in 32 bits.
static void derive(unsigned d) {
    for (unsigned k = 0; k < 64; k++)
        sets[1].vectors64[d][k] = scramble(d, sets[0].vectors64[d][k]);
    sets[1].constants64[d] = scatter(DIMENSIONS * 64ull + d);
    sets[1].constants32[d] = (unsigned)(sets[1].constants64[d] >> 32);
    for (int s = 0; s < 2; s++) {
        for (unsigned k = 0; k < 32; k++)
            sets[s].vectors32[d][k] = (unsigned)(sets[s].vectors64[d][k] >> 32);
    }
}

static void make(void) {
    const uint16_t *from = numbers;
    if (!reserve_all()) {
        sets[1].vectors64 = NULL;
        return;
    }
    for (unsigned k = 0; k < 64; k++)
        sets[0].vectors64[0][k] = 1ull << (63 - k);
    derive(0);
    for (unsigned d = 1; d < DIMENSIONS; d++) {
        from = fill(from, sets[0].vectors64[d]);
        derive(d);
    }
}

/// Whether there was memory for the sets.
static bool prepare_sets(void) {
    pthread_once(&once, make);
    return sets[1].vectors64;
}

#define GET_VECTORS(bits)                                                                          \
    curandStatus_t curandGetDirectionVectors##bits(curandDirectionVectors##bits##_t *vectors[],    \
                                                   curandDirectionVectorSet_t set) {               \
        bool is_scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_##bits##_JOEKUO6;            \
        if (!vectors || (!is_scrambled && set != CURAND_DIRECTION_VECTORS_##bits##_JOEKUO6))       \
            return CURAND_STATUS_OUT_OF_RANGE;                                                     \
        if (!prepare_sets())                                                                       \
            return CURAND_STATUS_ALLOCATION_FAILED;                                                \
        *vectors = sets[is_scrambled].vectors##bits;                                               \
        return CURAND_STATUS_SUCCESS;                                                              \
    }
GET_VECTORS(32)
GET_VECTORS(64)

#define GET_CONSTANTS(bits, type)                                                                  \
    curandStatus_t curandGetScrambleConstants##bits(type **constants) {                            \
        if (!constants)                                                                            \
            return CURAND_STATUS_OUT_OF_RANGE;                                                     \
        if (!prepare_sets())                                                                       \
            return CURAND_STATUS_ALLOCATION_FAILED;                                                \
        *constants = sets[1].constants##bits;                                                      \
        return CURAND_STATUS_SUCCESS;                                                              \
    }
GET_CONSTANTS(32, unsigned)
GET_CONSTANTS(64, unsigned long long)

// Generators.

curandStatus_t gcl_rand_set_dimensions(curandGenerator_t generator, unsigned count) {
    if (count > DIMENSIONS && count <= PROMISED)
        fprintf(stderr,
                "gcluster: error: cuRAND: gcluster has direction vectors of %d dimensions, not of "
                "%u (curandSetQuasiRandomGeneratorDimensions)\n",
                DIMENSIONS, count);
    if (count == 0 || count > DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    generator->dimensions = count;
    generator->is_ready = false;
    return CURAND_STATUS_SUCCESS;
}

/// Brings the direction vectors of the generator's dimensions to the device, and their constants.
static cudaError_t prepare(curandGenerator_t g) {
    size_t constants = (size_t)g->dimensions * (g->sobol_bits / 8);
    size_t vectors = constants * g->sobol_bits;
    if (g->is_ready)
        return cudaSuccess;
    if (!prepare_sets())
        return cudaErrorMemoryAllocation;
    bool is_wide = g->sobol_bits == 64;
    const void *from =
        is_wide ? (void *)sets[g->is_scrambled].vectors64 : (void *)sets[g->is_scrambled].vectors32;
    const void *added = is_wide ? (void *)sets[g->is_scrambled].constants64
                                : (void *)sets[g->is_scrambled].constants32;
    cudaFree(g->states);
    g->states = NULL;
    cudaError_t error = cudaMalloc(&g->states, vectors + constants);
    if (!error)
        error = cudaMemcpy(g->states, from, vectors, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy((char *)g->states + vectors, added, constants, cudaMemcpyHostToDevice);
    g->is_ready = !error;
    return error;
}

cudaError_t gcl_rand_draw_sobol(curandGenerator_t g, enum gcl_rand_draw draw,
                                const struct gcl_rand_drawing *drawing) {
    struct gcl_rand_drawing a = *drawing;
    void *arguments[] = {&a};
    cudaError_t error = prepare(g);
    if (error)
        return error;
    a.states = g->states;
    a.first = g->offset;
    a.per_dimension = a.count / g->dimensions;
    unsigned blocks = (unsigned)((a.per_dimension + GCL_RAND_BLOCK - 1) / GCL_RAND_BLOCK);
    error = cudaLaunchKernel(gcl_rand_sobol_draws[g->sobol_bits == 64][draw],
                             (dim3){blocks, g->dimensions, 1}, (dim3){GCL_RAND_BLOCK, 1, 1},
                             arguments, 0, g->stream);
    if (!error)
        g->offset += a.per_dimension;
    return error;
}
