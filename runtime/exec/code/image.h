// Images of device code: what kernels know by addresses that mean the same on every node.
//
// Node 0 chooses where an image lies and tells the others. An object that is unloaded and loaded
// again (dlopen) finds its image where it was. Called with the registry's lock held.
#ifndef GCL_EXEC_IMAGE_H
#define GCL_EXEC_IMAGE_H

#include <stdbool.h>

#include "base/status.h"
#include "gcluster/kernel.h"

struct gcl_space;

/// Puts an image that isn't in its place there, wherever this node likes.
GCL_MUST_USE enum gcl_status gcl_image_place(const struct gcl_image *image,
                                             struct gcl_space *space);
/// Puts it where node 0 has it.
GCL_MUST_USE enum gcl_status gcl_image_adopt(const struct gcl_image *image, struct gcl_space *space,
                                             void *address);
/// Frees an image's place for the same image when that comes again: its object is unloaded, or its
/// space is gone.
void gcl_image_leave(const struct gcl_image *image);

#endif
