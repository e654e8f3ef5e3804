// OpenGL as a program has it: found in the process, never loaded.
#ifndef GCL_API_GL_H
#define GCL_API_GL_H

#include <stdbool.h>
#include <stddef.h>

#include "gcluster/gl.h"

// Of OpenGL's functions: type, name without gl, parameters.
#define GCL_GL_FUNCTIONS(ROW)                                                                      \
    ROW(unsigned, GetError, (void))                                                                \
    ROW(void, GetIntegerv, (unsigned name, int *values))                                           \
    ROW(void, BindBuffer, (unsigned target, unsigned buffer))                                      \
    ROW(void, GetBufferParameteriv, (unsigned target, unsigned name, int *values))                 \
    ROW(void, GetBufferSubData, (unsigned target, ptrdiff_t offset, ptrdiff_t size, void *data))   \
    ROW(void, BufferSubData,                                                                       \
        (unsigned target, ptrdiff_t offset, ptrdiff_t size, const void *data))                     \
    ROW(void, BindTexture, (unsigned target, unsigned texture))                                    \
    ROW(void, GetTexLevelParameteriv, (unsigned target, int level, unsigned name, int *values))    \
    ROW(void, GetTexImage,                                                                         \
        (unsigned target, int level, unsigned format, unsigned type, void *pixels))                \
    ROW(void, TexSubImage2D,                                                                       \
        (unsigned target, int level, int x, int y, int width, int height, unsigned format,         \
         unsigned type, const void *pixels))                                                       \
    ROW(void, PixelStorei, (unsigned name, int value))

/// OpenGL's functions, for the context that is current in the thread that asked.
struct gcl_gl {
#define GCL_GL_MEMBER(type, name, parameters) type(*name) parameters;
    GCL_GL_FUNCTIONS(GCL_GL_MEMBER)
#undef GCL_GL_MEMBER
};

/// False: no context is current in the calling thread, or it isn't one of desktop OpenGL's.
bool gcl_gl_find(struct gcl_gl *gl);

// content.c: what OpenGL has, to and from host memory. What the program has bound and set stays.

/// The pixels of a kind of image: those of OpenGL's, and an array's.
struct gcl_gl_format {
    int internal;          ///< format of OpenGL's, as images have it
    unsigned layout, type; ///< as OpenGL reads and writes pixels: GL_RGBA, GL_UNSIGNED_BYTE
    int channels, bits;    ///< of a channel
    enum gclChannelFormatKind kind;
};

/// What is registered.
struct gclGraphicsResource {
    struct gclGraphicsResource *next;
    unsigned name;   ///< of OpenGL's
    unsigned target; ///< an image's; 0: a buffer
    unsigned register_flags, map_flags;
    bool is_mapped;
    size_t size;  ///< bytes
    void *memory; ///< a buffer's
    gclArray_t array;
    const struct gcl_gl_format *format;
    size_t width, height; ///< pixels
};

/// Finds out about a buffer or image that is being registered. ErrorInvalidValue: there is none of
/// that name. ErrorNotSupported, after a message: it can't be had.
gclError_t gcl_gl_measure(const struct gcl_gl *gl, struct gclGraphicsResource *resource);
/// Copies all bytes of the resource to `out`, or from `in`. ErrorUnknown: OpenGL says no.
gclError_t gcl_gl_read(const struct gcl_gl *gl, const struct gclGraphicsResource *resource,
                       void *out);
gclError_t gcl_gl_write(const struct gcl_gl *gl, const struct gclGraphicsResource *resource,
                        const void *in);

// resources.c

/// The resource that a buffer of the old functions is registered as; NULL: it isn't.
gclGraphicsResource_t gcl_gl_resource_of(unsigned buffer);

#endif
