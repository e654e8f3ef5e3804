// Takes pieces of one allocation, as CUB's callers give it: asked for its size first.
#ifndef GCLUSTER_ALGORITHMS_CARVE_H
#define GCLUSTER_ALGORITHMS_CARVE_H

#pragma GCC system_header

#include <stddef.h>

#include "items.h"

namespace gcluster {

template <class T> struct stored {
    static constexpr size_t size = sizeof(T);
};
template <> struct stored<no_value> {
    static constexpr size_t size = 0;
};

struct carver {
    char *begin;
    size_t used; ///< bytes; starts at 0

    /// Room for `count`, at a multiple of 256 bytes.
    template <class T> T *take(size_t count) {
        size_t at = used;
        used += (count * stored<T>::size + 255) / 256 * 256;
        return reinterpret_cast<T *>(begin + at);
    }
};

} // namespace gcluster

#endif
