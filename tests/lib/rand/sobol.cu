// Sobol's sequences, plain and scrambled: the host interface's, the device's, and what is refused.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "../check.h"

enum { DIMENSIONS = 1024, PER = 1024, LATE = 700 };

// As Joe and Kuo print them, after the 0 that comes first.
static void first_numbers() {
    const double wanted[3][7] = {{.5, .75, .25, .375, .875, .625, .125},
                                 {.5, .25, .75, .375, .875, .125, .625},
                                 {.5, .25, .75, .625, .125, .875, .375}};
    std::vector<double> found(3 * 7);
    for (int bits = 32; bits <= 64; bits += 32) {
        curandGenerator_t g;
        CHECK(curandCreateGeneratorHost(&g, bits == 32 ? CURAND_RNG_QUASI_DEFAULT
                                                       : CURAND_RNG_QUASI_SOBOL64));
        CHECK(curandSetQuasiRandomGeneratorDimensions(g, 3));
        CHECK(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
        CHECK(curandSetGeneratorOffset(g, 1));
        CHECK(curandGenerateUniformDouble(g, found.data(), 3 * 7));
        for (int i = 0; i < 21; i++)
            EXPECT(std::fabs(found[i] - wanted[i / 7][i % 7]) < 1e-9);
        CHECK(curandDestroyGenerator(g));
    }
}

// Of the first 2^k numbers of any dimension one lies in each interval of size 2^-k.
static void strata(curandRngType_t type) {
    std::vector<unsigned> x(DIMENSIONS * PER);
    unsigned *out;
    curandGenerator_t g;
    cudaMalloc(&out, x.size() * sizeof *out);
    CHECK(curandCreateGenerator(&g, type));
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    CHECK(curandGenerate(g, out, x.size()));
    cudaMemcpy(x.data(), out, x.size() * sizeof *out, cudaMemcpyDeviceToHost);
    for (int d = 0; d < DIMENSIONS; d++) {
        std::vector<bool> seen(PER);
        for (int i = 0; i < PER; i++)
            seen[x[d * PER + i] >> 22] = true;
        for (bool is_there : seen)
            EXPECT(is_there);
    }
    CHECK(curandDestroyGenerator(g));
    cudaFree(out);
}

/// The same numbers twice: with and without the constants in the state, which the sequence has if
/// it is scrambled.
template <class Plain, class Scrambled, class Word, class Vectors>
__global__ void draw(Vectors *vectors, const Word *constants, bool is_scrambled, Word *out,
                     Word *changed, int dimensions) {
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= dimensions)
        return;
    Plain plain;
    Scrambled scrambled;
    curand_init(vectors[d], LATE, &plain);
    curand_init(vectors[d], constants[d], 0, &scrambled);
    skipahead(LATE, &scrambled);
    for (int i = 0; i < PER; i++) {
        out[d * PER + i] = curand(&plain) ^ (is_scrambled ? constants[d] : 0);
        changed[d * PER + i] = curand(&scrambled) ^ (is_scrambled ? 0 : constants[d]);
    }
}

template <class Word, class Vectors, class Plain, class Scrambled>
static void device(curandRngType_t type,
                   curandStatus_t (*get)(Vectors **, curandDirectionVectorSet_t),
                   curandStatus_t (*get_constants)(Word **), curandDirectionVectorSet_t set,
                   curandStatus_t (*generate)(curandGenerator_t, Word *, size_t)) {
    const int dimensions = 20;
    std::vector<Word> wanted(dimensions * PER), found(2 * dimensions * PER);
    Vectors *vectors, *here;
    Word *words, *constants, *constants_here;
    curandGenerator_t g;
    CHECK(curandCreateGeneratorHost(&g, type));
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, dimensions));
    CHECK(curandSetGeneratorOffset(g, LATE - PER / 2));
    CHECK(generate(g, wanted.data(), dimensions * PER / 2)); // the next ones go on behind them
    CHECK(generate(g, wanted.data(), dimensions * PER));
    CHECK(curandDestroyGenerator(g));

    CHECK(get(&vectors, set));
    CHECK(get_constants(&constants));
    EXPECT(constants[0] != constants[1]);
    cudaMalloc(&here, dimensions * sizeof *here);
    cudaMalloc(&constants_here, dimensions * sizeof *constants_here);
    cudaMalloc(&words, found.size() * sizeof *words);
    cudaMemcpy(here, vectors, dimensions * sizeof *here, cudaMemcpyHostToDevice);
    cudaMemcpy(constants_here, constants, dimensions * sizeof *constants, cudaMemcpyHostToDevice);
    draw<Plain, Scrambled><<<1, 32>>>(here, constants_here,
                                      type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
                                          type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64,
                                      words, words + dimensions * PER, dimensions);
    cudaMemcpy(found.data(), words, found.size() * sizeof *words, cudaMemcpyDeviceToHost);
    EXPECT(cudaGetLastError() == cudaSuccess);
    for (size_t i = 0; i < found.size(); i++)
        EXPECT(found[i] == wanted[i % wanted.size()]);
    cudaFree(here);
    cudaFree(constants_here);
    cudaFree(words);
}

template <class Type>
static void moments(const std::vector<Type> &x, double mean, double deviation) {
    double sum = 0, squares = 0;
    for (Type e : x) {
        sum += e;
        squares += double(e) * e;
    }
    double m = sum / x.size(), d = std::sqrt(squares / x.size() - m * m);
    EXPECT(std::fabs(m - mean) < 0.01 * deviation); // nearer than random numbers come
    EXPECT(std::fabs(d - deviation) < 0.02 * deviation);
}

static void distributions(curandRngType_t type) {
    const int count = 4096;
    curandGenerator_t g;
    std::vector<float> f(count);
    std::vector<double> d(count);
    std::vector<unsigned> u(count);
    CHECK(curandCreateGeneratorHost(&g, type));
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 2));
    CHECK(curandGenerateUniform(g, f.data(), count));
    moments(f, 0.5, std::sqrt(1 / 12.0));
    CHECK(curandGenerateNormal(g, f.data(), count, 3.0f, 2.0f));
    moments(f, 3, 2);
    CHECK(curandGenerateNormalDouble(g, d.data(), count, -1, 0.5));
    moments(d, -1, 0.5);
    CHECK(curandGenerateLogNormal(g, f.data(), count, 0.0f, 0.25f));
    moments(f, std::exp(0.03125), std::exp(0.03125) * std::sqrt(std::exp(0.0625) - 1));
    for (double lambda : {0.7, 7.5, 450.0, 3000.0}) {
        CHECK(curandGeneratePoisson(g, u.data(), count, lambda));
        moments(u, lambda, std::sqrt(lambda));
    }
    CHECK(curandDestroyGenerator(g));
}

static void refusals() {
    curandGenerator_t g, random;
    unsigned x[6];
    unsigned long long y[6];
    CHECK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32));
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 3));
    EXPECT(curandGenerate(g, x, 4) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandGenerateLongLong(g, y, 6) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 1025) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT) ==
           CURAND_STATUS_OUT_OF_RANGE);
    CHECK(curandGenerateSeeds(g));
    CHECK(curandDestroyGenerator(g));
    EXPECT(curandCreateGenerator(&g, CURAND_RNG_TEST) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandGetScrambleConstants32(NULL) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK(curandCreateGeneratorHost(&random, CURAND_RNG_PSEUDO_DEFAULT));
    EXPECT(curandSetQuasiRandomGeneratorDimensions(random, 2) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandDestroyGenerator(random));
}

int main() {
    first_numbers();
    strata(CURAND_RNG_QUASI_SOBOL32);
    strata(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    for (bool is_scrambled : {false, true}) {
        device<unsigned, curandDirectionVectors32_t, curandStateSobol32_t,
               curandStateScrambledSobol32_t>(
            is_scrambled ? CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 : CURAND_RNG_QUASI_SOBOL32,
            curandGetDirectionVectors32, curandGetScrambleConstants32,
            is_scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6
                         : CURAND_DIRECTION_VECTORS_32_JOEKUO6,
            curandGenerate);
        device<unsigned long long, curandDirectionVectors64_t, curandStateSobol64_t,
               curandStateScrambledSobol64_t>(
            is_scrambled ? CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 : CURAND_RNG_QUASI_SOBOL64,
            curandGetDirectionVectors64, curandGetScrambleConstants64,
            is_scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
                         : CURAND_DIRECTION_VECTORS_64_JOEKUO6,
            curandGenerateLongLong);
    }
    distributions(CURAND_RNG_QUASI_SOBOL32);
    distributions(CURAND_RNG_QUASI_SOBOL64);
    distributions(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    refusals();
    return 0;
}
