// Buffers and images of OpenGL, in a context without a window. Without one, each function says so.
// REQUIRES: egl
// RUN: %gcluster-cc -O1 %s -o %t
// RUN: env LSAN_OPTIONS=detect_leaks=0 %t 2> %t.err && FileCheck %s < %t.err
// RUN: env LSAN_OPTIONS=detect_leaks=0 GCL_SPLIT=always %gcluster-run -n 3 %t 2> %t.err
// RUN: FileCheck %s < %t.err
// CHECK: cudaGraphicsGLRegisterBuffer: no OpenGL context is current in the calling thread
// CHECK: cudaGLGetDevices: no OpenGL context
// CHECK: internal format 0x881b can't be registered
// CHECK: target 0x806f can't be registered
// CHECK: cudaGraphicsMapResources: no OpenGL context
#include "../device/check.h"
#include <cuda_gl_interop.h>

#include <dlfcn.h>
#include <vector>

#define IS(call, wanted) CHECK((call) == (wanted))
#define DOES(call) IS(call, cudaSuccess)

// What the test needs of EGL and OpenGL, by hand: their headers needn't be there.
template <class Function> static void load(Function &function, const char *name) {
    static void *library = dlopen("libEGL.so.1", RTLD_NOW);
    using Find = void *(*)(const char *);
    static Find find = library ? (Find)dlsym(library, "eglGetProcAddress") : nullptr;
    function = find ? (Function)find(name) : nullptr;
    CHECK(function != nullptr);
}

static void *(*eglGetPlatformDisplay)(unsigned, void *, const intptr_t *);
static unsigned (*eglInitialize)(void *, int *, int *), (*eglBindAPI)(unsigned);
static unsigned (*eglChooseConfig)(void *, const int *, void **, int, int *);
static void *(*eglCreateContext)(void *, void *, void *, const int *);
static unsigned (*eglMakeCurrent)(void *, void *, void *, void *);

static void *display, *context;

static void begin_gl() {
    const int none[] = {0x3038};
    void *config = nullptr;
    int count = 0;
    load(eglGetPlatformDisplay, "eglGetPlatformDisplay");
    load(eglInitialize, "eglInitialize");
    load(eglBindAPI, "eglBindAPI");
    load(eglChooseConfig, "eglChooseConfig");
    load(eglCreateContext, "eglCreateContext");
    load(eglMakeCurrent, "eglMakeCurrent");
    display = eglGetPlatformDisplay(0x31DD /* EGL_PLATFORM_SURFACELESS_MESA */, nullptr, nullptr);
    CHECK(display && eglInitialize(display, nullptr, nullptr));
    CHECK(eglBindAPI(0x30A2 /* EGL_OPENGL_API */));
    const int wanted[] = {0x3033, 0, 0x3040, 8, 0x3038}; // any surface, OpenGL
    CHECK(eglChooseConfig(display, wanted, &config, 1, &count));
    context = eglCreateContext(display, count ? config : nullptr, nullptr, none);
    CHECK(context && eglMakeCurrent(display, nullptr, nullptr, context));
}

static void (*genBuffers)(int, unsigned *), (*bindBuffer)(unsigned, unsigned);
static void (*bufferData)(unsigned, ptrdiff_t, const void *, unsigned);
static void (*getBufferSubData)(unsigned, ptrdiff_t, ptrdiff_t, void *);
static void (*genTextures)(int, unsigned *), (*bindTexture)(unsigned, unsigned);
static void (*texImage2D)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *);
static void (*getTexImage)(unsigned, int, unsigned, unsigned, void *);
static void (*getIntegerv)(unsigned, int *), (*pixelStorei)(unsigned, int);

enum { ARRAY_BUFFER = 0x8892, UNPACK_BUFFER = 0x88ec, TEXTURE_2D = 0x0de1, RGBA = 0x1908 };
enum { UNSIGNED_BYTE = 0x1401, RGBA8 = 0x8058, DYNAMIC_DRAW = 0x88e8, COUNT = 5000 };

static void load_gl() {
    load(genBuffers, "glGenBuffers");
    load(bindBuffer, "glBindBuffer");
    load(bufferData, "glBufferData");
    load(getBufferSubData, "glGetBufferSubData");
    load(genTextures, "glGenTextures");
    load(bindTexture, "glBindTexture");
    load(texImage2D, "glTexImage2D");
    load(getTexImage, "glGetTexImage");
    load(getIntegerv, "glGetIntegerv");
    load(pixelStorei, "glPixelStorei");
}

__global__ void twice(float *x, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        x[i] = 2 * x[i];
}

static unsigned make_buffer() {
    unsigned buffer;
    std::vector<float> numbers(COUNT);
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)i;
    genBuffers(1, &buffer);
    bindBuffer(ARRAY_BUFFER, buffer);
    bufferData(ARRAY_BUFFER, COUNT * sizeof(float), numbers.data(), DYNAMIC_DRAW);
    bindBuffer(ARRAY_BUFFER, 0);
    return buffer;
}

static bool holds(unsigned buffer, float factor) {
    std::vector<float> numbers(COUNT);
    bindBuffer(ARRAY_BUFFER, buffer);
    getBufferSubData(ARRAY_BUFFER, 0, COUNT * sizeof(float), numbers.data());
    for (int i = 0; i < COUNT; i++)
        if (numbers[i] != factor * (float)i)
            return false;
    return true;
}

static void use_buffer() {
    const unsigned buffer = make_buffer(), other = make_buffer();
    struct cudaGraphicsResource *resource;
    cudaStream_t stream;
    float *x;
    size_t size;
    DOES(cudaStreamCreate(&stream));
    IS(cudaGraphicsGLRegisterBuffer(&resource, buffer, 3), cudaErrorInvalidValue);
    IS(cudaGraphicsGLRegisterBuffer(&resource, 4711, 0), cudaErrorInvalidValue);
    DOES(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone));
    IS(cudaGraphicsResourceGetMappedPointer((void **)&x, &size, resource), cudaErrorNotMapped);
    IS(cudaGraphicsUnmapResources(1, &resource, stream), cudaErrorNotMapped);

    bindBuffer(ARRAY_BUFFER, other);
    DOES(cudaGraphicsMapResources(1, &resource, stream));
    IS(cudaGraphicsMapResources(1, &resource), cudaErrorAlreadyMapped);
    DOES(cudaGraphicsResourceGetMappedPointer((void **)&x, &size, resource));
    CHECK(size == COUNT * sizeof(float));
    cudaArray_t array;
    IS(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0), cudaErrorNotMappedAsArray);
    twice<<<(COUNT + 127) / 128, 128, 0, stream>>>(x, COUNT);
    DOES(cudaGraphicsUnmapResources(1, &resource, stream));
    int bound = 0;
    getIntegerv(0x8894, &bound);
    CHECK((unsigned)bound == other && holds(buffer, 2) && holds(other, 1));

    // Nothing is written back.
    DOES(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsReadOnly));
    DOES(cudaGraphicsMapResources(1, &resource, stream));
    twice<<<(COUNT + 127) / 128, 128, 0, stream>>>(x, COUNT);
    DOES(cudaGraphicsUnmapResources(1, &resource, stream));
    CHECK(holds(buffer, 2));
    // Nothing is read: the device still has what it had.
    DOES(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsWriteDiscard));
    DOES(cudaGraphicsMapResources(1, &resource, stream));
    DOES(cudaGraphicsUnmapResources(1, &resource, stream));
    CHECK(holds(buffer, 4));
    DOES(cudaGraphicsUnregisterResource(resource));
    IS(cudaGraphicsUnregisterResource(resource), cudaErrorInvalidResourceHandle);
}

static void use_old_functions() {
    const unsigned buffer = make_buffer();
    float *x;
    DOES(cudaGLSetGLDevice(0));
    IS(cudaGLMapBufferObject((void **)&x, buffer), cudaErrorInvalidResourceHandle);
    DOES(cudaGLRegisterBufferObject(buffer));
    DOES(cudaGLSetBufferObjectMapFlags(buffer, cudaGLMapFlagsNone));
    DOES(cudaGLMapBufferObject((void **)&x, buffer));
    twice<<<(COUNT + 127) / 128, 128>>>(x, COUNT);
    DOES(cudaGLUnmapBufferObject(buffer));
    CHECK(holds(buffer, 2));
    DOES(cudaGLMapBufferObjectAsync((void **)&x, buffer, 0));
    twice<<<(COUNT + 127) / 128, 128>>>(x, COUNT);
    DOES(cudaGLUnmapBufferObjectAsync(buffer, 0));
    CHECK(holds(buffer, 4));
    DOES(cudaGLUnregisterBufferObject(buffer));
}

__global__ void invert(cudaSurfaceObject_t image, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    uchar4 p = surf2Dread<uchar4>(image, x * 4, y);
    surf2Dwrite(make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, (unsigned char)y), image, x * 4, y);
}

static unsigned make_image(int internal, int width, int height, const void *pixels) {
    unsigned image;
    genTextures(1, &image);
    bindTexture(TEXTURE_2D, image);
    texImage2D(TEXTURE_2D, 0, internal, width, height, 0, RGBA, UNSIGNED_BYTE, pixels);
    bindTexture(TEXTURE_2D, 0);
    return image;
}

static void use_image() {
    const int width = 33, height = 17;
    std::vector<uchar4> pixels(width * height), found(width * height);
    for (int i = 0; i < width * height; i++)
        pixels[i] = make_uchar4(i % 256, i / 3 % 256, 7, 9);
    const unsigned image = make_image(RGBA8, width, height, pixels.data());
    struct cudaGraphicsResource *resource;
    cudaArray_t array;
    DOES(cudaGraphicsGLRegisterImage(&resource, image, TEXTURE_2D,
                                     cudaGraphicsRegisterFlagsSurfaceLoadStore));
    bindBuffer(UNPACK_BUFFER, make_buffer()); // what the program has set isn't in the way
    pixelStorei(0x0cf2, 100);
    DOES(cudaGraphicsMapResources(1, &resource));
    DOES(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    IS(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 1), cudaErrorInvalidValue);
    cudaMipmappedArray_t levels;
    IS(cudaGraphicsResourceGetMappedMipmappedArray(&levels, resource), cudaErrorNotSupported);
    IS(cudaGraphicsResourceGetMappedPointer(nullptr, nullptr, resource),
       cudaErrorNotMappedAsPointer);

    cudaResourceDesc description = {};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = array;
    cudaSurfaceObject_t surface;
    DOES(cudaCreateSurfaceObject(&surface, &description));
    invert<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(surface, width, height);
    DOES(cudaGraphicsUnmapResources(1, &resource));
    DOES(cudaDestroySurfaceObject(surface));
    int row_length = 0;
    getIntegerv(0x0cf2, &row_length);
    CHECK(row_length == 100);
    pixelStorei(0x0cf2, 0);
    bindBuffer(UNPACK_BUFFER, 0);
    bindTexture(TEXTURE_2D, image);
    getTexImage(TEXTURE_2D, 0, RGBA, UNSIGNED_BYTE, found.data());
    for (int i = 0; i < width * height; i++)
        CHECK(found[i].x == 255 - pixels[i].x && found[i].y == 255 - pixels[i].y &&
              found[i].z == 248 && found[i].w == i / width);
    DOES(cudaGraphicsUnregisterResource(resource));

    const unsigned halves = make_image(0x881b /* GL_RGB16F */, 4, 4, nullptr);
    IS(cudaGraphicsGLRegisterImage(&resource, halves, TEXTURE_2D, 0), cudaErrorNotSupported);
    IS(cudaGraphicsGLRegisterImage(&resource, halves, 0x806f, 0), cudaErrorNotSupported);
}

int main() {
    struct cudaGraphicsResource *resource;
    unsigned count = 0;
    int device = -1;
    IS(cudaGraphicsGLRegisterBuffer(&resource, 1, 0), cudaErrorOperatingSystem);
    IS(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll), cudaErrorInvalidGraphicsContext);
    begin_gl();
    load_gl();
    DOES(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll));
    CHECK(count == 1 && device == 0);
    use_buffer();
    use_old_functions();
    use_image();

    DOES(cudaGraphicsGLRegisterBuffer(&resource, make_buffer(), 0));
    eglMakeCurrent(display, nullptr, nullptr, nullptr);
    IS(cudaGraphicsMapResources(1, &resource), cudaErrorOperatingSystem);
    DOES(cudaGraphicsUnregisterResource(resource));
    return 0;
}
