// The functions from before CUDA 3, which know buffers by OpenGL's names.
#include "api/api.h"
#include "api/gl/gl.h"

GCL_API(GLSetGLDevice, (int device)) {
    return gclSetDevice(device);
}

GCL_API(GLRegisterBufferObject, (unsigned buffer)) {
    gclGraphicsResource_t resource = gcl_gl_resource_of(buffer);
    return resource ? gclSuccess : gclGraphicsGLRegisterBuffer(&resource, buffer, 0);
}

GCL_API(GLSetBufferObjectMapFlags, (unsigned buffer, unsigned flags)) {
    return gclGraphicsResourceSetMapFlags(gcl_gl_resource_of(buffer), flags);
}

GCL_API(GLMapBufferObjectAsync, (void **pointer, unsigned buffer, gclStream_t stream)) {
    gclGraphicsResource_t resource = gcl_gl_resource_of(buffer);
    gclError_t error = gclGraphicsMapResources(1, &resource, stream);
    return error ? error : gclGraphicsResourceGetMappedPointer(pointer, NULL, resource);
}

GCL_API(GLMapBufferObject, (void **pointer, unsigned buffer)) {
    return gclGLMapBufferObjectAsync(pointer, buffer, NULL);
}

GCL_API(GLUnmapBufferObjectAsync, (unsigned buffer, gclStream_t stream)) {
    gclGraphicsResource_t resource = gcl_gl_resource_of(buffer);
    return gclGraphicsUnmapResources(1, &resource, stream);
}

GCL_API(GLUnmapBufferObject, (unsigned buffer)) {
    return gclGLUnmapBufferObjectAsync(buffer, NULL);
}

GCL_API(GLUnregisterBufferObject, (unsigned buffer)) {
    return gclGraphicsUnregisterResource(gcl_gl_resource_of(buffer));
}
