// The host interface gives, in its order, the numbers of the device's.
#include <curand.h>
#ifndef CURAND_H_ // by which headers of programs know that it has been included
#error
#endif
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "../check.h"

enum { COUNT = 10000, SEED = 1234 };

template <class State> __global__ void draw(unsigned *out) {
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= COUNT)
        return;
    State state;
    curand_init(SEED, n % 4096, n / 4096, &state);
    out[n] = curand(&state);
}

template <class State> static void sequence(curandRngType_t type) {
    std::vector<unsigned> wanted(COUNT), found(COUNT), late(COUNT);
    unsigned *numbers;
    cudaMalloc(&numbers, COUNT * sizeof *numbers);
    draw<State><<<(COUNT + 127) / 128, 128>>>(numbers);
    cudaMemcpy(wanted.data(), numbers, COUNT * sizeof *numbers, cudaMemcpyDeviceToHost);
    cudaMemset(numbers, 0, COUNT * sizeof *numbers);

    curandGenerator_t generator;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    CHECK(curandCreateGenerator(&generator, type));
    CHECK(curandSetStream(generator, stream));
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, SEED));
    CHECK(curandGenerate(generator, numbers, 5001)); // the next ones go on behind them
    CHECK(curandGenerate(generator, numbers + 5001, COUNT - 5001));
    cudaStreamSynchronize(stream);
    cudaMemcpy(found.data(), numbers, COUNT * sizeof *numbers, cudaMemcpyDeviceToHost);
    CHECK(curandDestroyGenerator(generator));

    CHECK(curandCreateGeneratorHost(&generator, type));
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, SEED));
    CHECK(curandSetGeneratorOffset(generator, 4097));
    CHECK(curandGenerate(generator, late.data(), COUNT - 4097));
    CHECK(curandDestroyGenerator(generator));
    for (int i = 0; i < COUNT; i++) {
        EXPECT(found[i] == wanted[i]);
        EXPECT(i < 4097 || late[i - 4097] == wanted[i]);
    }
    cudaFree(numbers);
}

template <class Type>
static void moments(const std::vector<Type> &x, double mean, double deviation) {
    double sum = 0, squares = 0;
    for (Type e : x) {
        sum += e;
        squares += double(e) * e;
    }
    double m = sum / x.size(), d = std::sqrt(squares / x.size() - m * m);
    EXPECT(std::fabs(m - mean) < 5 * deviation / std::sqrt(double(x.size())));
    EXPECT(std::fabs(d - deviation) < 0.1 * deviation);
}

// A Mersenne twister gives the C++ library's numbers, drawn at once or not.
static void twister() {
    const int count = 3 * 624 + 100, first = 700;
    std::vector<unsigned> found(count), other(count);
    std::mt19937 reference(SEED);
    curandGenerator_t generator;
    unsigned *numbers;
    cudaMalloc(&numbers, count * sizeof *numbers);
    CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MT19937));
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, SEED));
    EXPECT(curandSetGeneratorOffset(generator, 1) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandGenerate(generator, numbers, first));
    CHECK(curandGenerate(generator, numbers + first, count - first));
    cudaMemcpy(found.data(), numbers, count * sizeof *numbers, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        EXPECT(found[i] == reference());
    CHECK(curandDestroyGenerator(generator));
    CHECK(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MTGP32));
    for (unsigned long long high : {0, 1}) {
        CHECK(curandSetPseudoRandomGeneratorSeed(generator, SEED + (high << 32)));
        CHECK(curandGenerate(generator, other.data(), count));
        EXPECT((other == found) == (high == 0));
    }
    CHECK(curandDestroyGenerator(generator));
    cudaFree(numbers);
}

static void distributions(curandRngType_t type) {
    curandGenerator_t generator;
    std::vector<float> f(COUNT);
    std::vector<double> d(COUNT);
    std::vector<unsigned> u(COUNT);
    CHECK(curandCreateGeneratorHost(&generator, type));
    CHECK(curandGenerateUniform(generator, f.data(), COUNT));
    moments(f, 0.5, std::sqrt(1 / 12.0));
    CHECK(curandGenerateUniformDouble(generator, d.data(), COUNT));
    moments(d, 0.5, std::sqrt(1 / 12.0));
    CHECK(curandGenerateNormal(generator, f.data(), COUNT, 3.0f, 2.0f));
    moments(f, 3, 2);
    CHECK(curandGenerateNormalDouble(generator, d.data(), COUNT, -1, 0.5));
    moments(d, -1, 0.5);
    CHECK(curandGenerateLogNormal(generator, f.data(), COUNT, 0.0f, 0.25f));
    moments(f, std::exp(0.03125), std::exp(0.03125) * std::sqrt(std::exp(0.0625) - 1));
    CHECK(curandGeneratePoisson(generator, u.data(), COUNT, 7.5));
    moments(u, 7.5, std::sqrt(7.5));
    EXPECT(curandGenerateNormal(generator, f.data(), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandGeneratePoisson(generator, u.data(), 4, -1) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandGenerateUniform(NULL, f.data(), 3) == CURAND_STATUS_NOT_INITIALIZED);
    CHECK(curandDestroyGenerator(generator));
}

int main() {
    sequence<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_XORWOW);
    sequence<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A);
    sequence<curandStatePhilox4_32_10_t>(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    twister();
    distributions(CURAND_RNG_PSEUDO_DEFAULT);
    distributions(CURAND_RNG_PSEUDO_MT19937);
    return 0;
}
