// thrust::reduce_by_key is ours on devices: runs that end within tiles, at their ends, and reach
// over several, in the order of values. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK: gcluster::reduce_runs<>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <cstdio>
#include <vector>

// x -> factor * x + offset, and one after the other
struct line {
    unsigned factor, offset;
};
struct compose {
    __host__ __device__ line operator()(line f, line g) const {
        return {f.factor * g.factor, f.offset * g.factor + g.offset};
    }
};

bool reduces(int count, int run) {
    std::vector<int> keys(count), expected_keys;
    std::vector<line> values(count), sums;
    for (int i = 0; i < count; i++) {
        keys[i] = i / run % 5;
        values[i] = {i % 3 + 1u, i % 7u};
        if (i == 0 || keys[i] != keys[i - 1]) {
            expected_keys.push_back(keys[i]);
            sums.push_back(values[i]);
        } else {
            sums.back() = compose()(sums.back(), values[i]);
        }
    }
    thrust::device_vector<int> k(keys.begin(), keys.end()), k_out(count);
    thrust::device_vector<line> v(values.begin(), values.end()), v_out(count);
    auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), k_out.begin(), v_out.begin(),
                                      thrust::equal_to<int>(), compose());
    bool good = ends.first - k_out.begin() == static_cast<long>(sums.size()) &&
                ends.second - v_out.begin() == static_cast<long>(sums.size());
    thrust::copy(k_out.begin(), k_out.end(), keys.begin());
    thrust::copy(v_out.begin(), v_out.end(), values.begin());
    for (size_t i = 0; i < sums.size() && good; i++)
        good = keys[i] == expected_keys[i] && values[i].factor == sums[i].factor &&
               values[i].offset == sums[i].offset;
    return good;
}

int main() {
    int failed = !reduces(0, 1);
    for (int run : {1, 3, 4096, 10000, 100000})
        failed += !reduces(60000, run);
    printf("%d failed\n", failed);
    return failed;
}
