// Texture and surface references, as CUDA had them up to version 11: variables of the program's by
// whose name kernels fetch. What they are on the host is here; on the device such a variable holds
// a texture or surface object (gcluster/texture.h), which binding puts there.
#ifndef GCLUSTER_REFERENCES_H
#define GCLUSTER_REFERENCES_H

#include "gcluster/types.h"

/// Counts when the reference is bound.
struct textureReference {
    int normalized; ///< coordinates are in [0, 1)
    enum gclTextureFilterMode filterMode;
    enum gclTextureAddressMode addressMode[3];
    struct gclChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    enum gclTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
};

struct surfaceReference {
    struct gclChannelFormatDesc channelDesc;
};

#endif
