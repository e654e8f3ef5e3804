// Interoperation with OpenGL: buffers and images of a context that is current in the calling
// thread, as memory and arrays of the device. While a resource is mapped the device has a copy,
// which goes by way of host memory: mapping reads what OpenGL has, unmapping writes it back; flags
// say which of the two isn't needed. OpenGL is found in the process while it runs; nothing links
// with it.
//
// cuda_gl_interop.h gives these names their CUDA ones.
#ifndef GCLUSTER_GL_H
#define GCLUSTER_GL_H

#include "gcluster.h"

/// A buffer or image of OpenGL's that has been registered.
typedef struct gclGraphicsResource *gclGraphicsResource_t;

enum gclGraphicsRegisterFlags {
    GCL_ENUMERATOR(GraphicsRegisterFlagsNone, 0),
    GCL_ENUMERATOR(GraphicsRegisterFlagsReadOnly, 1),     ///< unmapping writes nothing back
    GCL_ENUMERATOR(GraphicsRegisterFlagsWriteDiscard, 2), ///< mapping reads nothing
    GCL_ENUMERATOR(GraphicsRegisterFlagsSurfaceLoadStore, 4),
    GCL_ENUMERATOR(GraphicsRegisterFlagsTextureGather, 8),
};

/// What kernels will do to a mapped resource: cudaGraphicsResourceSetMapFlags.
enum gclGraphicsMapFlags {
    GCL_ENUMERATOR(GraphicsMapFlagsNone, 0),
    GCL_ENUMERATOR(GraphicsMapFlagsReadOnly, 1),
    GCL_ENUMERATOR(GraphicsMapFlagsWriteDiscard, 2),
};

/// What kernels will do to a mapped buffer, in the API before CUDA 3.
enum gclGLMapFlags {
    GCL_ENUMERATOR(GLMapFlagsNone, 0),
    GCL_ENUMERATOR(GLMapFlagsReadOnly, 1),
    GCL_ENUMERATOR(GLMapFlagsWriteDiscard, 2),
};

enum gclGLDeviceList {
    GCL_ENUMERATOR(GLDeviceListAll, 1),
    GCL_ENUMERATOR(GLDeviceListCurrentFrame, 2),
    GCL_ENUMERATOR(GLDeviceListNextFrame, 3),
};

#ifdef __cplusplus
#define GCL_DEFAULT(value) = value
extern "C" {
#else
#define GCL_DEFAULT(value)
#endif

#define GCL_FUNCTION(name, parameters) gclError_t gcl##name parameters;
#include "gcluster/gl_functions.h"
#undef GCL_FUNCTION

#ifdef __cplusplus
}
#endif
#undef GCL_DEFAULT

#endif
