// Prices of European options by the formula of Black and Scholes. The options go through the
// device in a few parts, each in a stream of its own, so that copies and kernels of different
// parts can overlap; that is why the host's memory is page-locked.
#include "common/check.h"

#include <vector>

constexpr float rate = 0.02f, volatility = 0.30f;

// Separate arrays, so that neighbouring threads read neighbouring addresses.
struct options {
    float *spot, *strike, *years; // in
    float *call, *put;            // out
};

__device__ float normal_distribution(float x) {
    return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void price(options o, int begin, int end) {
    int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= end)
        return;
    float deviation = volatility * sqrtf(o.years[i]);
    float drift = (rate + 0.5f * volatility * volatility) * o.years[i];
    float d1 = (logf(o.spot[i] / o.strike[i]) + drift) / deviation;
    float d2 = d1 - deviation;
    float discounted = o.strike[i] * expf(-rate * o.years[i]);
    o.call[i] = o.spot[i] * normal_distribution(d1) - discounted * normal_distribution(d2);
    o.put[i] = discounted * normal_distribution(-d2) - o.spot[i] * normal_distribution(-d1);
}

static double call_on_host(double spot, double strike, double years) {
    double deviation = volatility * std::sqrt(years);
    double d1 =
        (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation;
    double d2 = d1 - deviation;
    return spot * 0.5 * std::erfc(-d1 / std::sqrt(2.0)) -
           strike * std::exp(-rate * years) * 0.5 * std::erfc(-d2 / std::sqrt(2.0));
}

static options make_options(int count, cudaError_t allocate(void **, size_t)) {
    options o;
    for (float **array : {&o.spot, &o.strike, &o.years, &o.call, &o.put})
        CHECK(allocate((void **)array, count * sizeof(float)));
    return o;
}

static void free_options(options o, cudaError_t release(void *)) {
    for (float *array : {o.spot, o.strike, o.years, o.call, o.put})
        CHECK(release(array));
}

static void price_on_device(options host, options device, int count) {
    const int parts = 4, threads = 128;
    cudaStream_t streams[parts];
    for (int p = 0; p < parts; p++) {
        CHECK(cudaStreamCreate(&streams[p]));
        int begin = (long long)count * p / parts, end = (long long)count * (p + 1) / parts;
        size_t size = (end - begin) * sizeof(float);
        auto copy = [&](float *to, const float *from, cudaMemcpyKind kind) {
            CHECK(cudaMemcpyAsync(to + begin, from + begin, size, kind, streams[p]));
        };
        copy(device.spot, host.spot, cudaMemcpyHostToDevice);
        copy(device.strike, host.strike, cudaMemcpyHostToDevice);
        copy(device.years, host.years, cudaMemcpyHostToDevice);
        int blocks = (end - begin + threads - 1) / threads;
        price<<<blocks, threads, 0, streams[p]>>>(device, begin, end);
        CHECK(cudaGetLastError());
        copy(host.call, device.call, cudaMemcpyDeviceToHost);
        copy(host.put, device.put, cudaMemcpyDeviceToHost);
    }
    for (cudaStream_t stream : streams) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamDestroy(stream));
    }
}

int main() {
    const int count = 250007;
    options host =
        make_options(count, [](void **array, size_t size) { return cudaMallocHost(array, size); });
    options device =
        make_options(count, [](void **array, size_t size) { return cudaMalloc(array, size); });
    for (int i = 0; i < count; i++) {
        host.spot[i] = 5 + 25 * (float)(i % 1009) / 1009;
        host.strike[i] = 1 + 99 * (float)(i % 1013) / 1013;
        host.years[i] = 0.25f + 9.75f * (float)(i % 1019) / 1019;
    }

    price_on_device(host, device, count);

    std::vector<double> calls(count), puts(count);
    for (int i = 0; i < count; i++) {
        double spot = host.spot[i], strike = host.strike[i], years = host.years[i];
        calls[i] = call_on_host(spot, strike, years);
        // Put-call parity: the put follows from the call without a second formula.
        puts[i] = calls[i] - spot + strike * std::exp(-rate * years);
    }
    int wrong = verdict("black_scholes calls", largest_error(host.call, calls.data(), count), 1e-5);
    wrong |= verdict("black_scholes puts", largest_error(host.put, puts.data(), count), 1e-5);
    free_options(host, cudaFreeHost);
    free_options(device, cudaFree);
    return wrong;
}
