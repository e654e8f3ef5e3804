// cuda::std: the C++ library's own, whose constexpr functions clang takes as functions of devices,
// too.
#ifndef GCLUSTER_LIBCU_STANDARD_H
#define GCLUSTER_LIBCU_STANDARD_H

#pragma GCC system_header

namespace std {}

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda

#endif
