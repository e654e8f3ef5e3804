// Sorts of our own headers, by bits and by a comparison, with and without values: as
// std::stable_sort.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "gcluster/algorithms/sort.h"

template <class T> struct array {
    T *begin;
    explicit array(const std::vector<T> &from) {
        cudaMalloc(&begin, from.size() * sizeof(T));
        cudaMemcpy(begin, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~array() {
        cudaFree(begin);
    }
    std::vector<T> get(size_t count) const {
        std::vector<T> values(count);
        cudaMemcpy(values.data(), begin, count * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }
};

template <class Key, class Value, class Order>
void sort(const Key *in, const Value *values, Key *out, Value *values_out, size_t count,
          const Order &order) {
    size_t size = 0;
    char *temp;
    gcluster::sort(nullptr, size, in, values, out, values_out, count, order, nullptr);
    cudaMalloc(&temp, size);
    gcluster::sort(temp, size, in, values, out, values_out, count, order, nullptr);
    cudaFree(temp);
}

// Whether `count` keys of `spread` values come out as they should, to another place and to their
// own.
template <class Key, class Order, class Less>
bool sorts(size_t count, int spread, const Order &order, Less less) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::vector<Key> keys(count);
    std::vector<int> places(count);
    for (size_t i = 0; i < count; i++) {
        keys[i] = static_cast<Key>(static_cast<int>(random() % spread) - spread / 2);
        places[i] = static_cast<int>(i);
    }
    array<Key> in(keys), out(keys);
    array<int> values(places);
    sort(in.begin, values.begin, out.begin, values.begin, count, order);
    std::stable_sort(places.begin(), places.end(),
                     [&](int a, int b) { return less(keys[a], keys[b]); });
    if (values.get(count) != places || in.get(count) != keys)
        return false;
    std::vector<Key> sorted = keys;
    std::stable_sort(sorted.begin(), sorted.end(), less);
    gcluster::no_value *none = nullptr;
    sort(in.begin, none, in.begin, none, count, order);
    return out.get(count) == sorted && in.get(count) == sorted;
}

struct by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const {
        return a % 10 < b % 10;
    }
};

int main() {
    int failed = 0;
    for (size_t count : {1, 777, 30000, 100003}) {
        failed += !sorts<float>(count, 1000, gcluster::by_bits<float, true>{0, 32},
                                [](float a, float b) { return a > b; });
        failed +=
            !sorts<int>(count, 1 << 20, gcluster::by_comparison<by_last_digit>{}, by_last_digit());
    }
    printf("%d failed\n", failed);
    return failed;
}
