// The host side of the CUDA forms.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "../bench.h"

inline void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    exit(2);
}

/// An array's copy on the device.
template <class T> class device_array {
  public:
    explicit device_array(size_t count) : count_(count) {
        check(cudaMalloc(&data_, count * sizeof(T)));
    }
    explicit device_array(const bench::array<T> &from) : device_array(from.size()) {
        set(from.data());
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array() {
        check(cudaFree(data_));
    }
    void set(const T *from) {
        check(cudaMemcpy(data_, from, count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    void get(bench::array<T> &to) const {
        check(cudaMemcpy(to.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    }
    void clear() {
        check(cudaMemset(data_, 0, count_ * sizeof(T)));
    }
    operator T *() const {
        return data_;
    }

  private:
    T *data_;
    size_t count_;
};

/// Measures launches from the moment at which the device comes to them until they are done, by its
/// own clock; the first time isn't counted.
template <class Launch, class Prepare> void measure(Launch launch, Prepare prepare) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    auto run = [&] {
        float milliseconds;
        prepare();
        check(cudaDeviceSynchronize());
        check(cudaEventRecord(begin));
        launch();
        check(cudaGetLastError());
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        return milliseconds / 1e3;
    };
    run();
    while (bench::add_time(run()))
        ;
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
}

template <class Launch> void measure(Launch launch) {
    measure(launch, [] {});
}
