// clang-format off
//
// Every function of the interoperation with OpenGL, once: GCL_FUNCTION(name, (parameters)) returns
// gclError_t. No include guard: whoever includes this file defines it, and gets gclX or cudaX.
//
// Registering, mapping and unmapping need the context of the buffer or image to be current in the
// calling thread: without one they return ErrorOperatingSystem, after a message. They wait for OpenGL
// and for the stream. What isn't registered is ErrorInvalidResourceHandle, what is mapped already
// ErrorAlreadyMapped, what isn't mapped ErrorNotMapped.

/// The one device, with any context. ErrorInvalidGraphicsContext: there is none.
GCL_FUNCTION(GLGetDevices, (unsigned *count, int *devices, unsigned room, enum gclGLDeviceList which))
/// A buffer object, whose size stays. `flags` are None, ReadOnly or WriteDiscard.
GCL_FUNCTION(GraphicsGLRegisterBuffer,
             (gclGraphicsResource_t *resource, unsigned buffer, unsigned flags))
/// A texture of two dimensions with 1, 2 or 4 channels of 8 or 32 bits of integers, or of 16 or 32
/// bits of floating point. ErrorNotSupported, after a message: it is another kind of image.
GCL_FUNCTION(GraphicsGLRegisterImage,
             (gclGraphicsResource_t *resource, unsigned image, unsigned target, unsigned flags))
GCL_FUNCTION(GraphicsUnregisterResource, (gclGraphicsResource_t resource))
GCL_FUNCTION(GraphicsResourceSetMapFlags, (gclGraphicsResource_t resource, unsigned flags))
/// What work of the stream finds in the resources from now on is what OpenGL has in them now. OpenGL
/// mustn't use them until they are unmapped.
GCL_FUNCTION(GraphicsMapResources,
             (int count, gclGraphicsResource_t *resources, gclStream_t stream GCL_DEFAULT(0)))
/// OpenGL has from now on what the stream's work has left in the resources.
GCL_FUNCTION(GraphicsUnmapResources,
             (int count, gclGraphicsResource_t *resources, gclStream_t stream GCL_DEFAULT(0)))
/// Device memory, and its bytes. ErrorNotMappedAsPointer: it is an image.
GCL_FUNCTION(GraphicsResourceGetMappedPointer,
             (void **pointer, size_t *size, gclGraphicsResource_t resource))
/// ErrorNotMappedAsArray: it is a buffer. An image has index 0 and level 0 alone.
GCL_FUNCTION(GraphicsSubResourceGetMappedArray,
             (gclArray_t *array, gclGraphicsResource_t resource, unsigned index, unsigned level))
/// ErrorNotSupported, after a message.
GCL_FUNCTION(GraphicsResourceGetMappedMipmappedArray,
             (gclMipmappedArray_t *array, gclGraphicsResource_t resource))

// As before CUDA 3: by the names of buffers.

GCL_FUNCTION(GLSetGLDevice, (int device))
GCL_FUNCTION(GLRegisterBufferObject, (unsigned buffer))
GCL_FUNCTION(GLSetBufferObjectMapFlags, (unsigned buffer, unsigned flags))
GCL_FUNCTION(GLMapBufferObject, (void **pointer, unsigned buffer))
GCL_FUNCTION(GLMapBufferObjectAsync, (void **pointer, unsigned buffer, gclStream_t stream))
GCL_FUNCTION(GLUnmapBufferObject, (unsigned buffer))
GCL_FUNCTION(GLUnmapBufferObjectAsync, (unsigned buffer, gclStream_t stream))
GCL_FUNCTION(GLUnregisterBufferObject, (unsigned buffer))
