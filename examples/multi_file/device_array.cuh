// An array in device memory that frees itself.
#pragma once
#include "../common/check.h"

#include <vector>

template <typename T> class device_array {
  public:
    explicit device_array(size_t count) : count(count) {
        CHECK(cudaMalloc(&elements, count * sizeof(T)));
    }

    explicit device_array(const std::vector<T> &host) : device_array(host.size()) {
        CHECK(cudaMemcpy(elements, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }

    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;

    ~device_array() {
        cudaFree(elements);
    }

    void fill_with_zeros() {
        CHECK(cudaMemset(elements, 0, count * sizeof(T)));
    }

    std::vector<T> to_host() const {
        std::vector<T> host(count);
        CHECK(cudaMemcpy(host.data(), elements, count * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

    T *data() {
        return elements;
    }

    int size() const {
        return (int)count;
    }

  private:
    T *elements = nullptr;
    size_t count;
};
