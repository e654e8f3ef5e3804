// What Thrust selects, removes, makes unique and partitions on devices is ours: in place or not,
// with predicates about the items or about others, of no, one and many tiles. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK: gcluster::compress_tiles<>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <vector>

struct is_odd {
    __host__ __device__ bool operator()(int a) const {
        return a & 1;
    }
};

bool holds(const thrust::device_vector<int> &device, size_t left, std::vector<int> expected) {
    std::vector<int> values(left);
    thrust::copy(device.begin(), device.begin() + left, values.begin());
    return values == expected;
}

bool selects(const std::vector<int> &in) {
    thrust::device_vector<int> device(in.begin(), in.end()), out(in.size());
    std::vector<int> expected;
    for (size_t i = 0; i < in.size(); i++)
        if (in[i] & 1)
            expected.push_back(i);
    thrust::counting_iterator<int> first(0);
    auto end = thrust::copy_if(thrust::device, first, first + in.size(), device.begin(),
                               out.begin(), is_odd());
    bool good = holds(out, end - out.begin(), expected);

    expected = in;
    expected.erase(std::remove(expected.begin(), expected.end(), 10), expected.end());
    out = device;
    return good & holds(out, thrust::remove(out.begin(), out.end(), 10) - out.begin(), expected);
}

bool makes_unique(std::vector<int> keys) {
    std::vector<int> places(keys.size()), expected_places;
    for (size_t i = 0; i < keys.size(); i++) {
        places[i] = i;
        if (i == 0 || keys[i] != keys[i - 1])
            expected_places.push_back(i);
    }
    thrust::device_vector<int> k(keys.begin(), keys.end()), v(places.begin(), places.end());
    auto ends = thrust::unique_by_key(k.begin(), k.end(), v.begin());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return holds(k, ends.first - k.begin(), keys) &
           holds(v, ends.second - v.begin(), expected_places);
}

bool partitions(std::vector<int> in) {
    thrust::device_vector<int> device(in.begin(), in.end());
    auto end = thrust::stable_partition(device.begin(), device.end(), is_odd());
    auto middle = std::stable_partition(in.begin(), in.end(), is_odd());
    return end - device.begin() == middle - in.begin() && holds(device, in.size(), in);
}

int main() {
    int failed = 0;
    for (size_t count : {0, 1, 4097, 60000}) {
        std::vector<int> in(count);
        for (size_t i = 0; i < count; i++)
            in[i] = i / 3 * 31 % 1009 - 300;
        failed += !selects(in) + !makes_unique(in) + !partitions(in);
    }
    printf("%d failed\n", failed);
    return failed;
}
