// Texture and surface references fetch what objects with the same settings do, in all filters and
// address modes, and follow what they are bound to.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

const int WIDTH = 64, HEIGHT = 48, DEPTH = 4, COUNT = 1 << 15;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("%d: %s\n", __LINE__, cudaGetErrorString(error_));                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

texture<float, 1, cudaReadModeElementType> linear;
static texture<int2> pairs; // of one dimension, as they are
texture<float, 2> image;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colors;
texture<short, cudaTextureType2DLayered> layers;
surface<void, cudaSurfaceType2D> drawing;

__global__ void fetch_linear(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch(linear, n - 1 - i) + (float)tex1Dfetch(pairs, i).y;
}

__device__ float coordinate(int i, int n, bool is_normalized) {
    float x = (i - 5) * 1.37f;
    return is_normalized ? x / n : x;
}

__global__ void fetch(float *out, bool is_normalized) {
    int x = threadIdx.x, y = blockIdx.x;
    float u = coordinate(x, WIDTH, is_normalized), v = coordinate(y, HEIGHT, is_normalized);
    float4 color = tex2D(colors, u, v);
    out[y * WIDTH + x] =
        tex2D(image, u, v) + color.x + 2 * color.w + tex2DLayered(layers, u, v, y % DEPTH);
}

__global__ void fetch_objects(float *out, bool is_normalized, cudaTextureObject_t image_object,
                              cudaTextureObject_t colors_object,
                              cudaTextureObject_t layers_object) {
    int x = threadIdx.x, y = blockIdx.x;
    float u = coordinate(x, WIDTH, is_normalized), v = coordinate(y, HEIGHT, is_normalized);
    float4 color = tex2D<float4>(colors_object, u, v);
    out[y * WIDTH + x] = tex2D<float>(image_object, u, v) + color.x + 2 * color.w +
                         tex2DLayered<short>(layers_object, u, v, y % DEPTH);
}

__global__ void draw(float factor) {
    int x = threadIdx.x, y = blockIdx.x;
    float old = surf2Dread<float>(drawing, x * sizeof(float), y);
    surf2Dwrite(old * factor + x, drawing, x * sizeof(float), y);
}

template <class T> static cudaArray_t make_array(int depth, unsigned flags, int step) {
    std::vector<T> texels((size_t)WIDTH * HEIGHT * (depth ? depth : 1));
    unsigned char *bytes = (unsigned char *)texels.data();
    if (sizeof(T) == sizeof(float) && cudaCreateChannelDesc<T>().f == cudaChannelFormatKindFloat) {
        for (size_t i = 0; i < texels.size(); i++)
            ((float *)bytes)[i] = (float)(i * step % 511);
    } else {
        for (size_t i = 0; i < texels.size() * sizeof(T); i++)
            bytes[i] = (unsigned char)(i * step);
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    cudaExtent extent = make_cudaExtent(WIDTH, HEIGHT, depth);
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), WIDTH * sizeof(T), WIDTH, HEIGHT);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(WIDTH, HEIGHT, depth ? depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

template <class T>
static cudaTextureObject_t make_object(const T &reference, cudaArray_t array,
                                       cudaTextureReadMode mode) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    for (int i = 0; i < 3; i++)
        description.addressMode[i] = reference.addressMode[i];
    description.filterMode = reference.filterMode;
    description.readMode = mode;
    description.normalizedCoords = reference.normalized;
    cudaTextureObject_t object;
    CHECK(cudaCreateTextureObject(&object, &resource, &description, NULL));
    return object;
}

template <class T>
static void set(T &reference, cudaTextureFilterMode filter, cudaTextureAddressMode mode,
                bool is_normalized) {
    reference.filterMode = filter;
    for (cudaTextureAddressMode &m : reference.addressMode)
        m = mode;
    reference.normalized = is_normalized;
}

static std::vector<float> values_of(const float *device, size_t count) {
    std::vector<float> values(count);
    CHECK(cudaMemcpy(values.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost));
    return values;
}

static void arrays() {
    cudaArray_t a = make_array<float>(0, 0, 7), b = make_array<uchar4>(0, 0, 13);
    cudaArray_t c = make_array<short>(DEPTH, cudaArrayLayered, 3);
    float *out, *wanted;
    double sum = 0;
    CHECK(cudaMalloc(&out, WIDTH * HEIGHT * sizeof(float)));
    CHECK(cudaMalloc(&wanted, WIDTH * HEIGHT * sizeof(float)));
    for (int way = 0; way < 16; way++) {
        auto filter = (cudaTextureFilterMode)(way & 1);
        auto mode = (cudaTextureAddressMode)(way >> 1 & 3);
        bool is_normalized = way >> 3;
        set(image, filter, mode, is_normalized);
        set(colors, filter, mode, is_normalized);
        set(layers, cudaFilterModePoint, mode, is_normalized);
        CHECK(cudaBindTextureToArray(image, a));
        CHECK(cudaBindTextureToArray(colors, b, cudaCreateChannelDesc<uchar4>()));
        CHECK(cudaBindTextureToArray(layers, c));
        cudaTextureObject_t objects[] = {make_object(image, a, cudaReadModeElementType),
                                         make_object(colors, b, cudaReadModeNormalizedFloat),
                                         make_object(layers, c, cudaReadModeElementType)};
        fetch<<<HEIGHT, WIDTH>>>(out, is_normalized);
        fetch_objects<<<HEIGHT, WIDTH>>>(wanted, is_normalized, objects[0], objects[1], objects[2]);
        std::vector<float> got = values_of(out, WIDTH * HEIGHT);
        std::vector<float> expected = values_of(wanted, WIDTH * HEIGHT);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            sum += got[i];
            if (got[i] != expected[i]) {
                printf("way %d: %d is %g, not %g\n", way, i, got[i], expected[i]);
                exit(1);
            }
        }
        for (cudaTextureObject_t object : objects)
            CHECK(cudaDestroyTextureObject(object));
    }
    printf("arrays: right, %.1f\n", sum);
    CHECK(cudaUnbindTexture(image));
    for (cudaArray_t array : {a, b, c})
        CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    CHECK(cudaFree(wanted));
}

static void memory() {
    std::vector<float> numbers(COUNT);
    std::vector<int2> both(COUNT);
    float *device, *out;
    int2 *device_pairs;
    size_t offset = 1;
    CHECK(cudaMalloc(&device, 2 * COUNT * sizeof(float)));
    CHECK(cudaMalloc(&device_pairs, COUNT * sizeof(int2)));
    CHECK(cudaMalloc(&out, COUNT * sizeof(float)));
    for (int i = 0; i < COUNT; i++)
        both[i] = make_int2(-i, i % 100);
    CHECK(cudaMemcpy(device_pairs, both.data(), COUNT * sizeof(int2), cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(NULL, pairs, device_pairs));
    for (int round = 0; round < 6; round++) {
        float *half = device + (round % 3 == 2 ? COUNT : 0);
        for (int i = 0; i < COUNT; i++)
            numbers[i] = (float)(i * (round + 1) % 1000);
        CHECK(cudaMemcpy(half, numbers.data(), COUNT * sizeof(float), cudaMemcpyHostToDevice));
        CHECK(cudaBindTexture(&offset, linear, half, COUNT * sizeof(float)));
        fetch_linear<<<COUNT / 256, 256>>>(out, COUNT);
        CHECK(cudaUnbindTexture(linear));
        std::vector<float> got = values_of(out, COUNT);
        for (int i = 0; i < COUNT; i++) {
            if (got[i] != numbers[COUNT - 1 - i] + i % 100) {
                printf("round %d: %d is %g\n", round, i, got[i]);
                exit(1);
            }
        }
    }
    printf("memory: right, offset %zu\n", offset);
    const textureReference *found;
    CHECK(cudaGetTextureReference(&found, &linear));
    printf("%s, %s\n", found == &linear ? "found" : "lost",
           cudaGetErrorName(cudaGetTextureReference(&found, &offset)));
    CHECK(cudaFree(device));
    CHECK(cudaFree(device_pairs));
    CHECK(cudaFree(out));
}

static void pitched() {
    float *device;
    size_t pitch;
    std::vector<float> values(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        values[i] = (float)i;
    CHECK(cudaMallocPitch(&device, &pitch, WIDTH * sizeof(float), HEIGHT));
    CHECK(cudaMemcpy2D(device, pitch, values.data(), WIDTH * sizeof(float), WIDTH * sizeof(float),
                       HEIGHT, cudaMemcpyHostToDevice));
    set(image, cudaFilterModeLinear, cudaAddressModeClamp, false);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaBindTexture2D(NULL, image, device, format, WIDTH, HEIGHT, pitch));
    cudaArray_t drawn = make_array<float>(0, cudaArraySurfaceLoadStore, 1);
    CHECK(cudaBindSurfaceToArray(drawing, drawn));
    draw<<<HEIGHT, WIDTH>>>(2.0f);
    draw<<<HEIGHT, WIDTH>>>(3.0f);
    CHECK(cudaMemcpy2DFromArray(values.data(), WIDTH * sizeof(float), drawn, 0, 0,
                                WIDTH * sizeof(float), HEIGHT, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float wanted = (float)(6 * (i % 511) + 4 * (i % WIDTH));
        if (values[i] != wanted) {
            printf("drawn: %d is %g, not %g\n", i, values[i], wanted);
            exit(1);
        }
    }
    printf("drawn: right\n");
    CHECK(cudaFreeArray(drawn));
    CHECK(cudaFree(device));
}

int main() {
    memory();
    arrays();
    pitched();
    return 0;
}
