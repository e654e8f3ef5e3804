// Keys and values, which Thrust's algorithms are given apart, as one array.
#ifndef GCLUSTER_THRUST_PAIRS_H
#define GCLUSTER_THRUST_PAIRS_H

#pragma GCC system_header

#include "gcluster/algorithms/paired.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

/// Arrays of keys and values as one, whose items are of the types given.
template <class Key, class Value, class Keys, class Values> auto pair_up(Keys keys, Values values) {
    auto k = gcl::unwrap(keys);
    auto v = gcl::unwrap(values);
    return gcluster::paired<decltype(k), decltype(v), Key, Value>{k, v};
}

} // namespace gcl
} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
