// cub::DevicePartition, DeviceMergeSort, DeviceAdjacentDifference, scans and selections by key and
// places of extremes are ours. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK-DAG: gcluster::sort_tiles<>
// CHECK-DAG: gcluster::scan_runs<>
// CHECK-DAG: gcluster::subtract_left<>
// CHECK-DAG: gcluster::place_rest<>
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

#include "calls.h"

enum { COUNT = 30000, RUN = 5000 };

struct is_even {
    __device__ bool operator()(int a) {
        return a % 2 == 0;
    }
};
struct is_negative {
    __device__ bool operator()(int a) {
        return a < 0;
    }
};
struct by_last_digit {
    __device__ bool operator()(int a, int b) {
        return (a + 300) % 10 < (b + 300) % 10;
    }
};

static void partition(const std::vector<int> &values, const int *in) {
    int *out = room<int>(COUNT), *second = room<int>(COUNT), *rest = room<int>(COUNT);
    int *totals = room<int>(2);
    std::vector<int> even, parts[3], expected;
    std::vector<char> flags;
    for (int x : values) {
        (x % 2 == 0 ? even : expected).push_back(x);
        parts[x < 0 ? 0 : x % 2 == 0 ? 1 : 2].push_back(x);
        flags.push_back(x % 2 == 0);
    }
    expected.insert(expected.end(), even.rbegin(), even.rend());
    std::reverse(expected.begin(), expected.end());
    const char *device_flags = put(flags);
    check("If", call([=](void *temp, size_t &size) {
                    return cub::DevicePartition::If(temp, size, in, out, totals, COUNT, is_even());
                }) &&
                    get(totals, 1)[0] == int(even.size()) && get(out, COUNT) == expected);
    check("Flagged", call([=](void *temp, size_t &size) {
                         return cub::DevicePartition::Flagged(temp, size, in, device_flags, second,
                                                              totals, COUNT);
                     }) &&
                         get(second, COUNT) == expected);
    check("If in three",
          call([=](void *temp, size_t &size) {
              return cub::DevicePartition::If(temp, size, in, out, second, rest, totals, COUNT,
                                              is_negative(), is_even());
          }) &&
              get(totals, 2)[0] == int(parts[0].size()) &&
              get(totals, 2)[1] == int(parts[1].size()) && get(out, parts[0].size()) == parts[0] &&
              get(second, parts[1].size()) == parts[1] && get(rest, parts[2].size()) == parts[2]);
}

/// Runs of keys are longer than a tile, and not; one begins where a tile does.
static std::vector<int> make_keys() {
    std::vector<int> keys(COUNT);
    for (int i = 0; i < COUNT; i++)
        keys[i] = i < 2 * RUN ? i / RUN : i < 8192 * 2 ? 7 : i / 7;
    return keys;
}

static void scan_runs(const std::vector<int> &values, const int *in) {
    std::vector<int> keys = make_keys(), with(COUNT), before(COUNT), firsts;
    for (int i = 0; i < COUNT; i++) {
        bool is_first = i == 0 || keys[i] != keys[i - 1];
        before[i] = is_first ? 5 : before[i - 1] + values[i - 1];
        with[i] = is_first ? values[i] : with[i - 1] + values[i];
        if (is_first)
            firsts.push_back(values[i]);
    }
    int *device_keys = put(keys), *out = put(values), *total = room<int>(1);
    check("ExclusiveScanByKey", call([=](void *temp, size_t &size) {
                                    return cub::DeviceScan::ExclusiveScanByKey(
                                        temp, size, device_keys, in, out, cub::Sum(), 5, COUNT);
                                }) &&
                                    get(out, COUNT) == before);
    check("UniqueByKey",
          call([=](void *temp, size_t &size) {
              return cub::DeviceSelect::UniqueByKey(
                  temp, size, device_keys, in, cub::DiscardOutputIterator<>(), out, total, COUNT);
          }) &&
              get(total, 1)[0] == int(firsts.size()) && get(out, firsts.size()) == firsts);
    bool good = call([=](void *temp, size_t &size) { // over the keys
        return cub::DeviceScan::InclusiveSumByKey(temp, size, device_keys, in, device_keys, COUNT);
    });
    check("InclusiveSumByKey", good && get(device_keys, COUNT) == with);
}

static void sort_and_subtract(const std::vector<int> &values, const int *in) {
    typedef cub::KeyValuePair<int, int> Place;
    std::vector<int> numbers(COUNT), left = values, right = values;
    std::iota(numbers.begin(), numbers.end(), 0);
    int *keys = put(values), *places = put(numbers), *out = room<int>(COUNT);
    Place *found = room<Place>(1);
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](int a, int b) { return (values[a] + 300) % 10 < (values[b] + 300) % 10; });
    check("StableSortPairs", call([=](void *temp, size_t &size) {
                                 return cub::DeviceMergeSort::StableSortPairs(
                                     temp, size, keys, places, COUNT, by_last_digit());
                             }) &&
                                 get(places, COUNT) == numbers);
    std::adjacent_difference(values.begin(), values.end(), left.begin());
    for (int i = 0; i + 1 < COUNT; i++)
        right[i] = values[i] - values[i + 1];
    check("SubtractRightCopy",
          call([=](void *temp, size_t &size) {
              return cub::DeviceAdjacentDifference::SubtractRightCopy(temp, size, in, out, COUNT);
          }) &&
              get(out, COUNT) == right);
    int *own = put(values);
    check("SubtractLeft", call([=](void *temp, size_t &size) {
                              return cub::DeviceAdjacentDifference::SubtractLeft(temp, size, own,
                                                                                 COUNT);
                          }) &&
                              get(own, COUNT) == left);
    check("ArgMin", call([=](void *temp, size_t &size) {
                        return cub::DeviceReduce::ArgMin(temp, size, in, found, COUNT);
                    }) &&
                        get(found, 1)[0].key ==
                            std::min_element(values.begin(), values.end()) - values.begin());
}

int main() {
    std::vector<int> values(COUNT);
    for (int i = 0; i < COUNT; i++)
        values[i] = static_cast<int>((i * 2654435761u >> 7) % 1009) - 300;
    const int *in = put(values);
    partition(values, in);
    scan_runs(values, in);
    sort_and_subtract(values, in);
    printf("%d failed\n", failed);
    return failed;
}
