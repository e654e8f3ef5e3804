// cub::DeviceHistogram, DeviceSegmentedReduce, DeviceSegmentedRadixSort and DeviceSegmentedSort are
// ours. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK-DAG: gcluster::count_samples<>
// CHECK-DAG: gcluster::reduce_segments<>
// CHECK-DAG: gcluster::sort_segments<>
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

#include "calls.h"

enum { COUNT = 30000, WIDTH = 100, HEIGHT = 70, STRIDE = 4 * WIDTH + 12 };

static void count_values(const std::vector<int> &values, const int *in) {
    std::vector<float> numbers(values.begin(), values.end());
    std::vector<float> levels = {-300, -200, 0, 50, 400, 600};
    std::vector<unsigned> even(10), uneven(5);
    for (float x : numbers) {
        if (x >= -300 && x < 700)
            even[size_t((x + 300) / 100)]++;
        if (x >= levels[0] && x < levels[5])
            uneven[std::upper_bound(levels.begin(), levels.end(), x) - levels.begin() - 1]++;
    }
    unsigned *counters = room<unsigned>(10);
    float *floats = put(numbers), *device_levels = put(levels);
    check("HistogramEven", call([=](void *temp, size_t &size) {
                               return cub::DeviceHistogram::HistogramEven(
                                   temp, size, floats, counters, 11, -300.f, 700.f, int(COUNT));
                           }) &&
                               get(counters, 10) == even);
    check("HistogramEven of integers", call([=](void *temp, size_t &size) {
                                           return cub::DeviceHistogram::HistogramEven(
                                               temp, size, in, counters, 11, -300, 700, int(COUNT));
                                       }) &&
                                           get(counters, 10) == even);
    check("HistogramRange", call([=](void *temp, size_t &size) {
                                return cub::DeviceHistogram::HistogramRange(
                                    temp, size, floats, counters, 6, device_levels, int(COUNT));
                            }) &&
                                get(counters, 5) == uneven);
}

/// Three of four channels, in rows with a gap behind each.
static void count_pixels() {
    std::vector<unsigned char> samples(STRIDE * HEIGHT);
    for (size_t i = 0; i < samples.size(); i++)
        samples[i] = static_cast<unsigned char>(i * 7919 >> 3);
    std::vector<int> expected[3];
    int *counters[3], levels[3] = {257, 257, 257}, lower[3] = {0, 0, 0};
    int upper[3] = {256, 256, 256};
    bool good = true;
    for (int c = 0; c < 3; c++) {
        counters[c] = room<int>(256);
        expected[c].resize(256);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                expected[c][samples[y * STRIDE + 4 * x + c]]++;
    }
    unsigned char *device = put(samples);
    good &= call([&](void *temp, size_t &size) {
        return cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, size, device, counters, levels,
                                                              lower, upper, int(WIDTH), int(HEIGHT),
                                                              size_t(STRIDE));
    });
    for (int c = 0; c < 3; c++)
        good &= get(counters[c], 256) == expected[c];
    check("MultiHistogramEven", good);
}

/// Where segments begin, and the last one ends: of no, few and many items.
static std::vector<int> segments() {
    std::vector<int> offsets = {0, 0};
    for (int length = 1; offsets.back() < COUNT; length = length * 7 % 1201)
        offsets.push_back(std::min<int>(COUNT, offsets.back() + length));
    return offsets;
}

static void reduce_segments(const std::vector<int> &values, const int *in,
                            const std::vector<int> &offsets, const int *begins) {
    typedef cub::KeyValuePair<int, int> Place;
    int count = static_cast<int>(offsets.size()) - 1;
    std::vector<int> sums, places;
    for (int s = 0; s < count; s++) {
        auto begin = values.begin() + offsets[s], end = values.begin() + offsets[s + 1];
        sums.push_back(std::accumulate(begin, end, 0));
        places.push_back(begin == end ? 1 : static_cast<int>(std::max_element(begin, end) - begin));
    }
    int *out = room<int>(count);
    Place *found = room<Place>(count);
    check("Sum", call([=](void *temp, size_t &size) {
                     return cub::DeviceSegmentedReduce::Sum(temp, size, in, out, count, begins,
                                                            begins + 1);
                 }) &&
                     get(out, count) == sums);
    bool good = call([=](void *temp, size_t &size) {
        return cub::DeviceSegmentedReduce::ArgMax(temp, size, in, found, count, begins, begins + 1);
    });
    std::vector<Place> got = get(found, count);
    for (int s = 0; s < count; s++)
        good &= got[s].key == places[s];
    check("ArgMax", good);
}

static void sort_segments(const std::vector<int> &values, const int *in,
                          const std::vector<int> &offsets, const int *begins) {
    int count = static_cast<int>(offsets.size()) - 1;
    std::vector<int> numbers(COUNT), sorted = values, order(COUNT);
    std::iota(numbers.begin(), numbers.end(), 0);
    order = numbers;
    for (int s = 0; s < count; s++) {
        std::sort(sorted.begin() + offsets[s], sorted.begin() + offsets[s + 1]);
        std::stable_sort(order.begin() + offsets[s], order.begin() + offsets[s + 1],
                         [&](int a, int b) { return values[a] > values[b]; });
    }
    int *keys = room<int>(COUNT), *places = put(numbers), *other = room<int>(COUNT);
    check("SortKeys", call([=](void *temp, size_t &size) {
                          return cub::DeviceSegmentedRadixSort::SortKeys(
                              temp, size, in, keys, int(COUNT), count, begins, begins + 1);
                      }) &&
                          get(keys, COUNT) == sorted);
    check("StableSortPairsDescending",
          call([=](void *temp, size_t &size) {
              return cub::DeviceSegmentedSort::StableSortPairsDescending(
                  temp, size, in, keys, places, other, int(COUNT), count, begins, begins + 1);
          }) &&
              get(other, COUNT) == order);
    cub::DoubleBuffer<int> both(put(values), keys);
    check("SortKeys of two buffers",
          call([&](void *temp, size_t &size) {
              return cub::DeviceSegmentedSort::SortKeys(temp, size, both, int(COUNT), count, begins,
                                                        begins + 1);
          }) &&
              get(both.Current(), COUNT) == sorted);
}

int main() {
    std::vector<int> values(COUNT), offsets = segments();
    for (int i = 0; i < COUNT; i++)
        values[i] = static_cast<int>((i * 2654435761u >> 7) % 1009) - 300;
    const int *in = put(values), *begins = put(offsets);
    count_values(values, in);
    count_pixels();
    reduce_segments(values, in, offsets, begins);
    sort_segments(values, in, offsets, begins);
    printf("%d failed\n", failed);
    return failed;
}
