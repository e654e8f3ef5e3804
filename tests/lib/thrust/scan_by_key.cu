// thrust::inclusive_scan_by_key, exclusive_scan_by_key, unique_by_key_copy and adjacent_difference
// are ours, also where output and input are the same. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK-DAG: gcluster::scan_runs<>
// CHECK-DAG: gcluster::subtract_left<>
#include <thrust/adjacent_difference.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/scan.h>
#include <thrust/unique.h>

#include <cstdio>
#include <numeric>

enum { COUNT = 30000 };

typedef thrust::host_vector<int> Values;

int main() {
    Values keys(COUNT), values(COUNT), with(COUNT), before(COUNT), firsts, steps(COUNT);
    for (int i = 0; i < COUNT; i++) {
        keys[i] = i < 10000 ? 3 : i / 11;
        values[i] = static_cast<int>((i * 2654435761u >> 7) % 1009) - 300;
        bool is_first = i == 0 || keys[i] != keys[i - 1];
        before[i] = is_first ? 9 : before[i - 1] + values[i - 1];
        with[i] = is_first ? values[i] : with[i - 1] + values[i];
        if (is_first)
            firsts.push_back(values[i]);
    }
    std::adjacent_difference(values.begin(), values.end(), steps.begin());
    thrust::device_vector<int> k = keys, v = values, out(COUNT);
    int failed = 0;

    thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), out.begin(), 9);
    failed += Values(out) != before;
    auto end = thrust::unique_by_key_copy(k.begin(), k.end(), v.begin(),
                                          thrust::make_discard_iterator(), out.begin());
    out.resize(end.second - out.begin());
    failed += Values(out) != firsts;
    out = v;
    thrust::adjacent_difference(out.begin(), out.end(), out.begin());
    failed += Values(out) != steps;
    thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), k.begin());
    failed += Values(k) != with;
    printf("%d failed\n", failed);
    return failed;
}
