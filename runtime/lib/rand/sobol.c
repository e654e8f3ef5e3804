// Sobol's sequences. Direction vectors come from Joe and Kuo's numbers (joe_kuo.inc) by the
// recurrence of each dimension's polynomial, in the width that is asked for; all are made when the
// first are.
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

/// Of each dimension one vector a bit; NULL: no memory.
static curandDirectionVectors32_t *all32;
static curandDirectionVectors64_t *all64;
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

static void make(void) {
    const uint16_t *from = numbers;
    curandDirectionVectors32_t *narrow = reserve(sizeof *narrow);
    curandDirectionVectors64_t *wide = reserve(sizeof *wide);
    if (!narrow || !wide)
        return;
    for (unsigned k = 0; k < 64; k++)
        wide[0][k] = 1ull << (63 - k);
    for (unsigned d = 1; d < DIMENSIONS; d++)
        from = fill(from, wide[d]);
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        for (unsigned k = 0; k < 32; k++)
            narrow[d][k] = (unsigned)(wide[d][k] >> 32);
    }
    all32 = narrow;
    all64 = wide;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
    if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
        return gcl_rand_refuse("gcluster has no scrambled direction vectors: how cuRAND scrambles "
                               "them isn't public (curandGetDirectionVectors32)");
    if (!vectors || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    pthread_once(&once, make);
    *vectors = all32;
    return all32 ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
    if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
        return gcl_rand_refuse("gcluster has no scrambled direction vectors: how cuRAND scrambles "
                               "them isn't public (curandGetDirectionVectors64)");
    if (!vectors || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    pthread_once(&once, make);
    *vectors = all64;
    return all64 ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

curandStatus_t curandGetScrambleConstants32(unsigned **constants) {
    (void)constants;
    return gcl_rand_refuse("gcluster has no scramble constants: cuRAND's aren't public "
                           "(curandGetScrambleConstants32)");
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
    (void)constants;
    return gcl_rand_refuse("gcluster has no scramble constants: cuRAND's aren't public "
                           "(curandGetScrambleConstants64)");
}

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

/// Brings the direction vectors of the generator's dimensions to the device.
static cudaError_t prepare(curandGenerator_t g) {
    size_t size = (size_t)g->dimensions * g->sobol_bits * (g->sobol_bits / 8);
    if (g->is_ready)
        return cudaSuccess;
    pthread_once(&once, make);
    if (!all32)
        return cudaErrorMemoryAllocation;
    cudaFree(g->states);
    g->states = NULL;
    cudaError_t error = cudaMalloc(&g->states, size);
    if (!error)
        error = cudaMemcpy(g->states, g->sobol_bits == 32 ? (void *)all32 : (void *)all64, size,
                           cudaMemcpyHostToDevice);
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
