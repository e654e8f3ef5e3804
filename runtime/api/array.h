// Arrays: texels of one format in pitched memory, possibly in slices or layers.
#ifndef GCL_API_ARRAY_H
#define GCL_API_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "gcluster.h"
#include "gcluster/texture.h"

struct gclArray {
    struct gclChannelFormatDesc format;
    struct gclExtent extent; ///< as asked for: 0 where a dimension isn't used
    unsigned flags;
    size_t texel_size; ///< bytes
    struct gcl_texels texels;
    bool is_level; ///< belongs to a mipmapped array
};

struct gclMipmappedArray {
    struct gclChannelFormatDesc format;
    unsigned level_count;
    struct gclArray *levels;
    struct gcl_texels *texels; ///< of each level, for kernels
};

/// Bytes of a texel; 0 if the format isn't one of 1, 2 or 4 channels of 8, 16 or 32 bits each.
size_t gcl_array_texel_size(const struct gclChannelFormatDesc *format);

#endif
