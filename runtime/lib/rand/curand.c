// cuRAND's host interface: generators whose states lie in device memory, where kernels draw from
// them (kernels.cu). Those for host memory draw there, too, and copy.
#include <stdlib.h>

#include "rand/rand.h"

extern const void *const gcl_rand_seeds[];
extern const void *const *const gcl_rand_draws[];

/// What a type of generators is, with the settings that new ones have. False: there is none.
static bool describe(curandRngType_t type, struct curandGenerator_st *is) {
    *is = (struct curandGenerator_st){.kind = GCL_RAND_xorwow, .dimensions = 1};
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
        return true;
    case CURAND_RNG_PSEUDO_MRG32K3A:
        is->kind = GCL_RAND_mrg32k3a;
        return true;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        is->kind = GCL_RAND_philox;
        return true;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
        is->is_twister = true;
        return true;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
        is->sobol_bits = 32;
        is->is_scrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32;
        return true;
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        is->sobol_bits = 64;
        is->is_scrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
        return true;
    default:
        return false;
    }
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool is_host) {
    struct curandGenerator_st is;
    if (!describe(type, &is))
        return CURAND_STATUS_TYPE_ERROR;
    if (!generator)
        return CURAND_STATUS_OUT_OF_RANGE;
    *generator = malloc(sizeof **generator);
    if (!*generator)
        return CURAND_STATUS_ALLOCATION_FAILED;
    is.is_host = is_host;
    **generator = is;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    cudaFree(generator->states);
    free(generator);
    return CURAND_STATUS_SUCCESS;
}

// Settings.

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->sobol_bits)
        return CURAND_STATUS_TYPE_ERROR;
    generator->seed = seed;
    generator->is_ready = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->is_twister) // as documented
        return CURAND_STATUS_TYPE_ERROR;
    generator->offset = offset;
    if (!generator->sobol_bits)
        generator->is_ready = false;
    return CURAND_STATUS_SUCCESS;
}

// There is one order, which is what all names for pseudorandom ones allow.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (generator->sobol_bits)
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                      : CURAND_STATUS_OUT_OF_RANGE;
    bool is_pseudo =
        order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
    return is_pseudo ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned count) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    return generator->sobol_bits ? gcl_rand_set_dimensions(generator, count)
                                 : CURAND_STATUS_TYPE_ERROR;
}

// Drawing.

static curandStatus_t status_of(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation)
        return CURAND_STATUS_ALLOCATION_FAILED;
    return error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

static cudaError_t launch(const struct curandGenerator_st *g, const void *kernel, void *argument) {
    void *arguments[] = {argument};
    return cudaLaunchKernel(kernel, (dim3){GCL_RAND_THREADS / GCL_RAND_BLOCK, 1, 1},
                            (dim3){GCL_RAND_BLOCK, 1, 1}, arguments, 0, g->stream);
}

static cudaError_t seed(struct curandGenerator_st *g) {
    cudaError_t error = cudaSuccess;
    if (g->is_twister)
        return gcl_rand_seed_twister(g);
    if (!g->states)
        error = cudaMalloc(&g->states, (size_t)GCL_RAND_THREADS * GCL_RAND_STATE_SIZE);
    if (error || g->is_ready)
        return error;
    struct gcl_rand_seeding seeding = {.states = g->states, .seed = g->seed, .offset = g->offset};
    error = launch(g, gcl_rand_seeds[g->kind], &seeding);
    g->is_ready = !error;
    return error;
}

static cudaError_t draw_on_device(struct curandGenerator_st *g, enum gcl_rand_draw draw,
                                  struct gcl_rand_drawing *a, size_t element) {
    if (g->sobol_bits)
        return gcl_rand_draw_sobol(g, draw, a);
    if (g->is_twister)
        return gcl_rand_draw_twister(g, draw, a, element);
    cudaError_t error = seed(g);
    if (error)
        return error;
    a->states = g->states;
    a->first = g->offset % GCL_RAND_THREADS;
    error = launch(g, gcl_rand_draws[g->kind][draw], a);
    if (!error)
        g->offset += a->count;
    return error;
}

static cudaError_t draw_for_host(struct curandGenerator_st *g, enum gcl_rand_draw draw,
                                 struct gcl_rand_drawing *a, size_t element) {
    void *host = a->out;
    cudaError_t error = cudaMalloc(&a->out, a->count * element);
    if (error)
        return error;
    error = draw_on_device(g, draw, a, element);
    if (!error)
        error =
            cudaMemcpyAsync(host, a->out, a->count * element, cudaMemcpyDeviceToHost, g->stream);
    if (!error)
        error = cudaStreamSynchronize(g->stream);
    cudaFree(a->out);
    return error;
}

static curandStatus_t generate(curandGenerator_t g, enum gcl_rand_draw draw,
                               struct gcl_rand_drawing a, size_t element) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (a.count % g->dimensions != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (a.count == 0)
        return CURAND_STATUS_SUCCESS;
    if (!a.out)
        return CURAND_STATUS_OUT_OF_RANGE;
    return status_of(g->is_host ? draw_for_host(g, draw, &a, element)
                                : draw_on_device(g, draw, &a, element));
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count) {
    if (generator && generator->sobol_bits == 64) // as documented
        return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, GCL_RAND_bits, (struct gcl_rand_drawing){.out = out, .count = count},
                    sizeof *out);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out,
                                      size_t count) {
    if (generator && generator->sobol_bits != 64) // as documented
        return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, GCL_RAND_bits, (struct gcl_rand_drawing){.out = out, .count = count},
                    sizeof *out);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
    return generate(generator, GCL_RAND_uniform,
                    (struct gcl_rand_drawing){.out = out, .count = count}, sizeof *out);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count) {
    return generate(generator, GCL_RAND_uniform_double,
                    (struct gcl_rand_drawing){.out = out, .count = count}, sizeof *out);
}

/// Box and Muller's numbers come in pairs, so there has to be an even number of them; quasirandom
/// ones come one by one.
static curandStatus_t generate_normal(curandGenerator_t generator, enum gcl_rand_draw draw,
                                      struct gcl_rand_drawing a, size_t element) {
    if (generator && !generator->sobol_bits && a.count % 2 != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return generate(generator, draw, a, element);
}

#define NORMAL(name, draw, type, logarithmic)                                                      \
    curandStatus_t name(curandGenerator_t generator, type *out, size_t count, type mean,           \
                        type deviation) {                                                          \
        return generate_normal(generator, draw,                                                    \
                               (struct gcl_rand_drawing){.out = out,                               \
                                                         .count = count,                           \
                                                         .mean = mean,                             \
                                                         .deviation = deviation,                   \
                                                         .is_log = logarithmic},                   \
                               sizeof *out);                                                       \
    }
NORMAL(curandGenerateNormal, GCL_RAND_normal, float, false)
NORMAL(curandGenerateNormalDouble, GCL_RAND_normal_double, double, false)
NORMAL(curandGenerateLogNormal, GCL_RAND_normal, float, true)
NORMAL(curandGenerateLogNormalDouble, GCL_RAND_normal_double, double, true)

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *out, size_t count,
                                     double lambda) {
    if (!(lambda > 0))
        return CURAND_STATUS_OUT_OF_RANGE;
    return generate(generator, GCL_RAND_poisson,
                    (struct gcl_rand_drawing){.out = out, .count = count, .mean = lambda},
                    sizeof *out);
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    return generator->sobol_bits ? CURAND_STATUS_SUCCESS : status_of(seed(generator));
}

// Versions.

curandStatus_t curandGetVersion(int *version) {
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (!value || (unsigned)type >= sizeof parts / sizeof *parts)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = parts[type];
    return CURAND_STATUS_SUCCESS;
}
