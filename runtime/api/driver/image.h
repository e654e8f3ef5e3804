// What programs give for a module (cuModuleLoadData): gcluster's in one of its forms
// (gcluster/module.h), or what other compilers made. Pure.
#ifndef GCL_API_DRIVER_IMAGE_H
#define GCL_API_DRIVER_IMAGE_H

#include <stddef.h>

#include "gcluster/driver.h"

/// A shared object to be loaded.
struct gcl_driver_image {
    const void *bytes;
    size_t size;
    void *owned; ///< to be freed
};

/// Finds the shared object in `bytes`, of which there are up to `most`; text ends in a 0 or there.
/// If that isn't CUDA_SUCCESS, `*why` says what is wrong, for people, and `image` is nothing.
CUresult gcl_driver_image_read(const void *bytes, size_t most, struct gcl_driver_image *image,
                               const char **why);

#endif
