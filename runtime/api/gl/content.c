// Bytes of buffers and images. OpenGL moves them by way of what is bound and set in the context;
// the program finds that afterwards as it was.
#include "api/gl/gl.h"
#include "base/log.h"

// Numbers of OpenGL's.
enum {
    GL_TEXTURE_2D = 0x0de1,
    GL_TEXTURE_BINDING_2D = 0x8069,
    GL_TEXTURE_WIDTH = 0x1000,
    GL_TEXTURE_HEIGHT = 0x1001,
    GL_TEXTURE_INTERNAL_FORMAT = 0x1003,
    GL_ARRAY_BUFFER = 0x8892,
    GL_ARRAY_BUFFER_BINDING = 0x8894,
    GL_BUFFER_SIZE = 0x8764,
    GL_PIXEL_PACK_BUFFER = 0x88eb,
    GL_PIXEL_UNPACK_BUFFER = 0x88ec,
    GL_PIXEL_PACK_BUFFER_BINDING = 0x88ed,
    GL_PIXEL_UNPACK_BUFFER_BINDING = 0x88ef,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_INT = 0x1404,
    GL_UNSIGNED_INT = 0x1405,
    GL_FLOAT = 0x1406,
    GL_HALF_FLOAT = 0x140b,
    GL_RED = 0x1903,
    GL_RGBA = 0x1908,
    GL_RG = 0x8227,
    GL_RED_INTEGER = 0x8d94,
    GL_RG_INTEGER = 0x8228,
    GL_RGBA_INTEGER = 0x8d99,
};

static const struct gcl_gl_format formats[] = {
    {0x8229, GL_RED, GL_UNSIGNED_BYTE, 1, 8, gclChannelFormatKindUnsigned},          // R8
    {0x822b, GL_RG, GL_UNSIGNED_BYTE, 2, 8, gclChannelFormatKindUnsigned},           // RG8
    {0x8058, GL_RGBA, GL_UNSIGNED_BYTE, 4, 8, gclChannelFormatKindUnsigned},         // RGBA8
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, 4, 8, gclChannelFormatKindUnsigned},        // RGBA
    {4, GL_RGBA, GL_UNSIGNED_BYTE, 4, 8, gclChannelFormatKindUnsigned},              // as OpenGL 1
    {0x8232, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, 8, gclChannelFormatKindUnsigned},  // R8UI
    {0x8238, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2, 8, gclChannelFormatKindUnsigned},   // RG8UI
    {0x8d7c, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, 8, gclChannelFormatKindUnsigned}, // RGBA8UI
    {0x8235, GL_RED_INTEGER, GL_INT, 1, 32, gclChannelFormatKindSigned},             // R32I
    {0x823b, GL_RG_INTEGER, GL_INT, 2, 32, gclChannelFormatKindSigned},              // RG32I
    {0x8d82, GL_RGBA_INTEGER, GL_INT, 4, 32, gclChannelFormatKindSigned},            // RGBA32I
    {0x8236, GL_RED_INTEGER, GL_UNSIGNED_INT, 1, 32, gclChannelFormatKindUnsigned},  // R32UI
    {0x823c, GL_RG_INTEGER, GL_UNSIGNED_INT, 2, 32, gclChannelFormatKindUnsigned},   // RG32UI
    {0x8d70, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 4, 32, gclChannelFormatKindUnsigned}, // RGBA32UI
    {0x822d, GL_RED, GL_HALF_FLOAT, 1, 16, gclChannelFormatKindFloat},               // R16F
    {0x822f, GL_RG, GL_HALF_FLOAT, 2, 16, gclChannelFormatKindFloat},                // RG16F
    {0x881a, GL_RGBA, GL_HALF_FLOAT, 4, 16, gclChannelFormatKindFloat},              // RGBA16F
    {0x822e, GL_RED, GL_FLOAT, 1, 32, gclChannelFormatKindFloat},                    // R32F
    {0x8230, GL_RG, GL_FLOAT, 2, 32, gclChannelFormatKindFloat},                     // RG32F
    {0x8814, GL_RGBA, GL_FLOAT, 4, 32, gclChannelFormatKindFloat},                   // RGBA32F
};

/// How rows of pixels lie in memory, for reading and for writing them, with what is wanted of it.
static const struct {
    unsigned name;
    int value;
} settings[] = {
    {0x0d05, 1}, {0x0d02, 0},
    {0x0d03, 0}, {0x0d04, 0}, // alignment, row length, rows and pixels to skip
    {0x0cf5, 1}, {0x0cf2, 0},
    {0x0cf3, 0}, {0x0cf4, 0},
};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

/// What the program has bound and set.
struct kept {
    int buffer, pack, unpack, texture;
    int settings[SETTING_COUNT];
};

static void forget_errors(const struct gcl_gl *gl) {
    for (int i = 0; i < 16 && gl->GetError() != 0; i++)
        ;
}

/// Binds the resource; `kept` has what was bound and set.
static void begin(const struct gcl_gl *gl, const struct gclGraphicsResource *r, struct kept *kept) {
    forget_errors(gl); // they would seem to be ours
    if (!r->target) {
        gl->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &kept->buffer);
        gl->BindBuffer(GL_ARRAY_BUFFER, r->name);
        return;
    }
    gl->GetIntegerv(GL_TEXTURE_BINDING_2D, &kept->texture);
    gl->GetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &kept->pack);
    gl->GetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &kept->unpack);
    gl->BindTexture(r->target, r->name);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    for (int i = 0; i < SETTING_COUNT; i++) {
        gl->GetIntegerv(settings[i].name, &kept->settings[i]);
        gl->PixelStorei(settings[i].name, settings[i].value);
    }
}

/// Leaves the context as it was before `begin`. ErrorUnknown: there has been an error since.
static gclError_t end(const struct gcl_gl *gl, const struct gclGraphicsResource *r,
                      const struct kept *kept) {
    bool is_good = gl->GetError() == 0;
    if (!r->target) {
        gl->BindBuffer(GL_ARRAY_BUFFER, (unsigned)kept->buffer);
    } else {
        gl->BindTexture(r->target, (unsigned)kept->texture);
        gl->BindBuffer(GL_PIXEL_PACK_BUFFER, (unsigned)kept->pack);
        gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, (unsigned)kept->unpack);
        for (int i = 0; i < SETTING_COUNT; i++)
            gl->PixelStorei(settings[i].name, kept->settings[i]);
    }
    return is_good ? gclSuccess : gclErrorUnknown;
}

static const struct gcl_gl_format *format_of(int internal) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].internal == internal)
            return &formats[i];
    }
    gcl_log(
        GCL_LOG_ERROR,
        "OpenGL's images of internal format %#x can't be registered: gcluster has those with 1, "
        "2 or 4 channels of 8 or 32 bits, or of 16-bit floating-point numbers",
        (unsigned)internal);
    return NULL;
}

static gclError_t measure_image(const struct gcl_gl *gl, struct gclGraphicsResource *r) {
    int width = 0, height = 0, internal = 0;
    struct kept kept;
    if (r->target != GL_TEXTURE_2D) {
        gcl_log(GCL_LOG_ERROR,
                "OpenGL's images of target %#x can't be registered: gcluster has GL_TEXTURE_2D",
                r->target);
        return gclErrorNotSupported;
    }
    begin(gl, r, &kept);
    gl->GetTexLevelParameteriv(r->target, 0, GL_TEXTURE_WIDTH, &width);
    gl->GetTexLevelParameteriv(r->target, 0, GL_TEXTURE_HEIGHT, &height);
    gl->GetTexLevelParameteriv(r->target, 0, GL_TEXTURE_INTERNAL_FORMAT, &internal);
    if (end(gl, r, &kept) || width <= 0 || height <= 0)
        return gclErrorInvalidValue;
    r->format = format_of(internal);
    if (!r->format)
        return gclErrorNotSupported;
    r->width = (size_t)width;
    r->height = (size_t)height;
    r->size = r->width * r->height * (size_t)(r->format->channels * r->format->bits / 8);
    return gclSuccess;
}

gclError_t gcl_gl_measure(const struct gcl_gl *gl, struct gclGraphicsResource *r) {
    struct kept kept;
    int size = 0;
    if (r->target)
        return measure_image(gl, r);
    begin(gl, r, &kept);
    gl->GetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    if (end(gl, r, &kept) || size <= 0)
        return gclErrorInvalidValue;
    r->size = (size_t)size;
    return gclSuccess;
}

gclError_t gcl_gl_read(const struct gcl_gl *gl, const struct gclGraphicsResource *r, void *out) {
    struct kept kept;
    begin(gl, r, &kept);
    if (r->target)
        gl->GetTexImage(r->target, 0, r->format->layout, r->format->type, out);
    else
        gl->GetBufferSubData(GL_ARRAY_BUFFER, 0, (ptrdiff_t)r->size, out);
    return end(gl, r, &kept);
}

gclError_t gcl_gl_write(const struct gcl_gl *gl, const struct gclGraphicsResource *r,
                        const void *in) {
    struct kept kept;
    begin(gl, r, &kept);
    if (r->target)
        gl->TexSubImage2D(r->target, 0, 0, 0, (int)r->width, (int)r->height, r->format->layout,
                          r->format->type, in);
    else
        gl->BufferSubData(GL_ARRAY_BUFFER, 0, (ptrdiff_t)r->size, in);
    return end(gl, r, &kept);
}
