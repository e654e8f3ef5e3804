// What textures are made of.
#ifndef GCL_API_TEXTURE_H
#define GCL_API_TEXTURE_H

#include "gcluster.h"
#include "gcluster/texture.h"

struct gcl_runtime;

/// Fills in, all bytes, what kernels read of a texture, or of a surface (`description` NULL), but
/// where the levels of a mipmapped array are. Fails as making an object does.
gclError_t gcl_texture_describe(struct gcl_runtime *runtime, const struct gclResourceDesc *resource,
                                const struct gclTextureDesc *description,
                                struct gcl_texture *texture);

#endif
