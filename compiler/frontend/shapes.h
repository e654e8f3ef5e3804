// Which block sizes launches have, where the source says so.
#ifndef GCL_FRONTEND_SHAPES_H
#define GCL_FRONTEND_SHAPES_H

#include <clang-c/Index.h>
#include <glib.h>

/// Adds to `shapes` (base/shape.h) what is known about the launch that `call` is part of: the call
/// of __cudaPushCallConfiguration that clang makes of `<<<...>>>`, as a child of the call of the
/// kernel (`parent`), or a call of cudaLaunchKernel or cudaLaunchCooperativeKernel. Other calls add
/// nothing.
void gcl_shapes_see(GArray *shapes, CXCursor call, CXCursor parent);

#endif
