// Types of what CUB's arguments lead to, as CUB 1.17 finds them.
#ifndef GCLUSTER_CUB_ITERATORS_H
#define GCLUSTER_CUB_ITERATORS_H

#pragma GCC system_header

#include <cub/config.cuh>

#include <iterator>
#include <type_traits>

CUB_NAMESPACE_BEGIN
namespace gcl {

template <class Iterator> using value_of = typename std::iterator_traits<Iterator>::value_type;

/// Of what an output keeps; if it doesn't say, of the input.
template <class Out, class In>
using output_of = typename std::conditional<std::is_void<value_of<Out>>::value, value_of<In>,
                                            value_of<Out>>::type;

} // namespace gcl
CUB_NAMESPACE_END

#endif
