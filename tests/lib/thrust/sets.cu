// thrust::merge, set operations and both by key are ours: of sets with repeated items, of which one
// may be empty. REQUIRES: thrust
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 --stats %t 2>&1 | FileCheck %s
// CHECK-DAG: gcluster::merge_sorted<>
// CHECK-DAG: gcluster::compress_tiles<>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

typedef std::vector<int> Set;
typedef std::vector<std::pair<int, int>> Pairs;

static int failed;

static void check(const char *what, bool good) {
    if (!good)
        printf("%s is wrong\n", what);
    failed += !good;
}

/// In descending order; most values more than once, and in runs of different lengths.
static Set make_set(int count, int step) {
    Set set;
    for (int i = 0; i < count; i++)
        set.push_back(static_cast<int>(i * 2654435761u >> 7) % (count / step));
    std::sort(set.begin(), set.end(), std::greater<int>());
    return set;
}

#define OPERATION(name)                                                                            \
    static void check_##name(const Set &a, const Set &b) {                                         \
        Set expected(a.size() + b.size());                                                         \
        expected.erase(std::name(a.begin(), a.end(), b.begin(), b.end(), expected.begin(),         \
                                 std::greater<int>()),                                             \
                       expected.end());                                                            \
        thrust::device_vector<int> x = a, y = b, out(a.size() + b.size());                         \
        auto end = thrust::name(x.begin(), x.end(), y.begin(), y.end(), out.begin(),               \
                                thrust::greater<int>());                                           \
        Set got(end - out.begin());                                                                \
        thrust::copy(out.begin(), end, got.begin());                                               \
        check(#name, got == expected);                                                             \
    }
OPERATION(merge)
OPERATION(set_intersection)
OPERATION(set_difference)
OPERATION(set_union)
OPERATION(set_symmetric_difference)

/// A set of pairs of a key and a number of its own.
static Pairs number(const Set &keys, int first) {
    Pairs pairs;
    for (int key : keys)
        pairs.push_back({key, first++});
    return pairs;
}

static bool is_before(const std::pair<int, int> &a, const std::pair<int, int> &b) {
    return a.first > b.first;
}

struct device_pairs {
    thrust::device_vector<int> keys, values;

    explicit device_pairs(const Pairs &pairs) {
        thrust::host_vector<int> k, v;
        for (auto pair : pairs) {
            k.push_back(pair.first);
            v.push_back(pair.second);
        }
        keys = k;
        values = v;
    }
    bool begins_with(const Pairs &pairs) const {
        thrust::host_vector<int> k = keys, v = values;
        for (size_t i = 0; i < pairs.size(); i++)
            if (k[i] != pairs[i].first || v[i] != pairs[i].second)
                return false;
        return true;
    }
};

static void check_by_key(const Set &a, const Set &b) {
    Pairs p = number(a, 0), q = number(b, 100000), both(a.size() + b.size());
    device_pairs x(p), y(q), out(both);
    auto k = out.keys.begin();
    auto v = out.values.begin();
    auto end = std::set_union(p.begin(), p.end(), q.begin(), q.end(), both.begin(), is_before);
    auto got =
        thrust::set_union_by_key(x.keys.begin(), x.keys.end(), y.keys.begin(), y.keys.end(),
                                 x.values.begin(), y.values.begin(), k, v, thrust::greater<int>());
    check("set_union_by_key",
          got.second - v == end - both.begin() && out.begins_with(Pairs(both.begin(), end)));
    end = std::set_intersection(p.begin(), p.end(), q.begin(), q.end(), both.begin(), is_before);
    got =
        thrust::set_intersection_by_key(x.keys.begin(), x.keys.end(), y.keys.begin(), y.keys.end(),
                                        x.values.begin(), k, v, thrust::greater<int>());
    check("set_intersection_by_key",
          got.first - k == end - both.begin() && out.begins_with(Pairs(both.begin(), end)));
    std::merge(p.begin(), p.end(), q.begin(), q.end(), both.begin(), is_before);
    thrust::merge_by_key(x.keys.begin(), x.keys.end(), y.keys.begin(), y.keys.end(),
                         x.values.begin(), y.values.begin(), k, v, thrust::greater<int>());
    check("merge_by_key", out.begins_with(both));
}

int main() {
    Set a = make_set(9000, 3), b = make_set(6000, 2);
    for (const Set &other : {b, Set(), a}) {
        check_merge(a, other);
        check_set_intersection(a, other);
        check_set_difference(a, other);
        check_set_difference(other, a);
        check_set_union(other, a);
        check_set_symmetric_difference(a, other);
    }
    check_by_key(a, b);
    printf("%d failed\n", failed);
    return failed;
}
