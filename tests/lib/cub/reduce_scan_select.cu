// cub::DeviceReduce, DeviceScan, DeviceSelect and DeviceRunLengthEncode are ours: of no, one and
// many tiles; what they lack is CUB's. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK: gcluster::reduce_tiles<>
// CHECK: gcluster::scan_exclusive<>
// CHECK: gcluster::compress_tiles<>
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

#include "calls.h"

enum { MOST = 60000 };

int main() {
    std::vector<int> all(MOST);
    for (int i = 0; i < MOST; i++)
        all[i] = i / 3 * 31 % 1009 - 300;
    int *in, *out, *lengths, *total;
    long *sum;
    cudaMalloc(&in, sizeof(int) * MOST);
    cudaMalloc(&out, sizeof(int) * MOST);
    cudaMalloc(&lengths, sizeof(int) * MOST);
    cudaMalloc(&total, sizeof *total);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemcpy(in, all.data(), sizeof(int) * MOST, cudaMemcpyHostToDevice);
    for (int count : {0, 1, 4097, int(MOST)}) {
        std::vector<int> values(all.begin(), all.begin() + count), scanned(count);
        bool good = call([=](void *temp, size_t &size) {
            return cub::DeviceReduce::Sum(temp, size, in, sum, count, 0);
        });
        good &= get(sum, 1)[0] == std::accumulate(values.begin(), values.end(), 0L);
        good &= call([=](void *temp, size_t &size) {
            return cub::DeviceReduce::Max(temp, size, in, total, count);
        });
        good &= count == 0 || get(total, 1)[0] == *std::max_element(values.begin(), values.end());
        good &= call([=](void *temp, size_t &size) {
            return cub::DeviceScan::ExclusiveSum(temp, size, in, out, count);
        });
        std::exclusive_scan(values.begin(), values.end(), scanned.begin(), 0);
        good &= get(out, count) == scanned;
        good &= call([=](void *temp, size_t &size) {
            return cub::DeviceSelect::Unique(temp, size, in, out, total, count);
        });
        values.erase(std::unique(values.begin(), values.end()), values.end());
        good &= get(total, 1)[0] == int(values.size()) && get(out, values.size()) == values;
        good &= call([=](void *temp, size_t &size) {
            return cub::DeviceRunLengthEncode::Encode(temp, size, in, out, lengths, total, count);
        });
        good &= get(total, 1)[0] == int(values.size()) && get(out, values.size()) == values;
        std::vector<int> ends = get(lengths, values.size());
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        for (size_t i = 0; i < ends.size(); i++)
            good &=
                all[ends[i] - 1] == values[i] && (ends[i] == count || all[ends[i]] != values[i]);
        good &= ends.empty() || ends.back() == count;
        failed += !good;
    }
    printf("%d failed\n", failed);
    return failed;
}
