// cub::DeviceRadixSort is ours: it asks for memory first, takes ranges of bits, both directions,
// and two buffers. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK: gcluster::sort_tiles<>
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

enum { COUNT = 30000, SIZE = COUNT * sizeof(int) };

template <class T> T *to_device(const std::vector<T> &from) {
    T *to;
    cudaMalloc(&to, SIZE);
    cudaMemcpy(to, from.data(), SIZE, cudaMemcpyHostToDevice);
    return to;
}

template <class T> bool holds(const T *device, const std::vector<T> &expected) {
    std::vector<T> values(COUNT);
    cudaMemcpy(values.data(), device, SIZE, cudaMemcpyDeviceToHost);
    return values == expected;
}

int main() {
    std::vector<unsigned> keys(COUNT);
    std::vector<int> places(COUNT);
    for (int i = 0; i < COUNT; i++)
        keys[i] = i * 2654435761u;
    std::iota(places.begin(), places.end(), 0);
    unsigned *in = to_device(keys), *out = to_device(keys);
    int *values = to_device(places), *values_out = to_device(places);

    void *temp = nullptr;
    size_t size = 0;
    cub::DeviceRadixSort::SortPairs(temp, size, in, out, values, values_out, COUNT, 4, 20);
    bool good = size > 0 && cudaMalloc(&temp, size) == cudaSuccess;
    cub::DeviceRadixSort::SortPairs(temp, size, in, out, values, values_out, COUNT, 4, 20, 0);
    std::vector<int> expected = places;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](int a, int b) { return (keys[a] & 0xffff0) < (keys[b] & 0xffff0); });
    good &= holds(values_out, expected) && holds(in, keys);

    cub::DoubleBuffer<unsigned> both(in, out);
    cub::DoubleBuffer<int> both_values(values, values_out);
    cub::DeviceRadixSort::SortPairsDescending(temp, size, both, both_values, COUNT);
    expected = places;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](int a, int b) { return keys[a] > keys[b]; });
    std::sort(keys.begin(), keys.end(), std::greater<unsigned>());
    good &= holds(both_values.Current(), expected) && holds(both.Current(), keys);
    printf("%s\n", good ? "good" : "wrong");
    return !good;
}
