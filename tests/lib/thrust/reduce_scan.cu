// Thrust's reductions and scans are ours on devices: of types and operations of all kinds, of none,
// one and many tiles, in the order of items where the operation isn't commutative.
// REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK: gcluster::reduce_tiles<>
// CHECK: gcluster::scan_inclusive<>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct halve {
    __device__ double operator()(int a) const {
        return 0.5 * a;
    }
};

// x -> factor * x + offset, and one after the other
struct line {
    unsigned factor, offset;
};
struct compose {
    __host__ __device__ line operator()(line f, line g) const {
        return {f.factor * g.factor, f.offset * g.factor + g.offset};
    }
};

bool reduces(int count) {
    thrust::counting_iterator<int> first(0);
    double expected = 0.25 * count * (count - 1.0);
    return thrust::transform_reduce(thrust::device, first, first + count, halve(), 1.0,
                                    thrust::plus<double>()) == 1 + expected;
}

bool scans(int count) {
    std::vector<line> lines(count), expected(count);
    for (int i = 0; i < count; i++)
        lines[i] = {i % 3 + 1u, i % 5u};
    std::partial_sum(lines.begin(), lines.end(), expected.begin(), compose());
    line *device;
    size_t size = count * sizeof(line);
    cudaMalloc(&device, size + 1);
    cudaMemcpy(device, lines.data(), size, cudaMemcpyHostToDevice);
    bool good = thrust::inclusive_scan(thrust::device, device, device + count, device, compose()) ==
                device + count;
    cudaMemcpy(lines.data(), device, size, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        good &= lines[i].factor == expected[i].factor && lines[i].offset == expected[i].offset;
    cudaFree(device);
    return good;
}

bool scans_exclusively(int count) {
    std::vector<int> values(count), expected(count);
    std::iota(values.begin(), values.end(), 1);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), 7);
    thrust::device_vector<int> device(values.begin(), values.end());
    thrust::exclusive_scan(device.begin(), device.end(), device.begin(), 7);
    thrust::copy(device.begin(), device.end(), values.begin());
    return values == expected;
}

bool finds_extremes(int count) {
    std::vector<int> values(count);
    for (int i = 0; i < count; i++)
        values[i] = i * 7919 % 2003;
    thrust::device_vector<int> device(values.begin(), values.end());
    auto found = thrust::minmax_element(device.begin(), device.end());
    auto place = thrust::find(device.begin(), device.end(), 1234);
    if (place - device.begin() != std::find(values.begin(), values.end(), 1234) - values.begin())
        return false;
    return found.first - device.begin() ==
               std::min_element(values.begin(), values.end()) - values.begin() &&
           found.second - device.begin() ==
               std::max_element(values.begin(), values.end()) - values.begin();
}

int main() {
    int failed = 0;
    for (int count : {0, 1, 4097, 60000}) {
        failed += !reduces(count) + !scans(count) + !scans_exclusively(count);
        failed += !finds_extremes(count);
    }
    printf("%d failed\n", failed);
    return failed;
}
