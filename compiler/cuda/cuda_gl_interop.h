// Interoperation with OpenGL: gcluster/gl.h has it. OpenGL's headers come along where they are.
#ifndef GCLUSTER_CUDA_GL_INTEROP_H
#define GCLUSTER_CUDA_GL_INTEROP_H

#include "cuda_runtime_api.h"

#include "gcluster/gl.h"

#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif

#define cudaGLDeviceList gclGLDeviceList
#define cudaGLMapFlags gclGLMapFlags
#define cudaGraphicsMapFlags gclGraphicsMapFlags
#define cudaGraphicsRegisterFlags gclGraphicsRegisterFlags
#define cudaGraphicsResource gclGraphicsResource

typedef gclGraphicsResource_t cudaGraphicsResource_t;

#ifdef __cplusplus
#define GCL_DEFAULT(__value) = __value
extern "C" {
#else
#define GCL_DEFAULT(__value)
#endif

#define GCL_FUNCTION(__name, __parameters) gclError_t cuda##__name __parameters;
#include "gcluster/gl_functions.h"
#undef GCL_FUNCTION

#ifdef __cplusplus
}
#endif
#undef GCL_DEFAULT

#endif
