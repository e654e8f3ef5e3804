// Thrust's sorts are ours where it runs on devices, and its own elsewhere.
// REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK: gcluster::sort_tiles<>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

struct by_second {
    template <class A, class B> __device__ bool operator()(const A &a, const B &b) const {
        return thrust::get<1>(a) < thrust::get<1>(b);
    }
};

__global__ void sort_inside(int *p) {
    thrust::sort(thrust::device, p, p + 10);
}

int main() {
    enum { COUNT = 50000 };
    std::vector<int> keys(COUNT), places(COUNT);
    for (int i = 0; i < COUNT; i++)
        keys[i] = i * 7919 % 2003 - 1000;
    std::iota(places.begin(), places.end(), 0);

    thrust::device_vector<int> k(keys.begin(), keys.end()), v(places.begin(), places.end());
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), k.begin()));
    thrust::stable_sort(pairs, pairs + COUNT, by_second());
    std::vector<int> expected = places;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](int a, int b) { return keys[a] < keys[b]; });
    thrust::host_vector<int> zipped = v;
    bool good = std::equal(expected.begin(), expected.end(), zipped.begin());

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::copy(keys.begin(), keys.end(), k.begin());
    thrust::copy(places.begin(), places.end(), v.begin());
    thrust::sort_by_key(thrust::cuda::par.on(stream), k.begin(), k.end(), v.begin());
    thrust::host_vector<int> by_key = v, sorted = k, on_host(keys.begin(), keys.end());
    good &= by_key == zipped;
    thrust::sort(on_host.begin(), on_host.end());
    good &= on_host == sorted;

    sort_inside<<<1, 1>>>(thrust::raw_pointer_cast(k.data()) + COUNT - 10);
    thrust::copy(places.rbegin(), places.rend(), v.begin());
    sort_inside<<<1, 1>>>(thrust::raw_pointer_cast(v.data()));
    good &= v[0] == COUNT - 10 && v[9] == COUNT - 1 && v[10] == COUNT - 11;
    printf("%s\n", good ? "good" : "wrong");
    return !good;
}
