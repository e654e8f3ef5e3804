// Texture fetches against the formulas of the programming guide: address modes, both filters with
// weights of 8 bits, normalized coordinates and reads, layers, linear memory; and surfaces.
#include "../device/check.h"
#include <cmath>
#include <cstring>

enum { W = 8, H = 4, SAMPLES = 64 };

static float texel(int x, int y) {
    return (float)(x * x + 10 * y);
}

template <class T> __global__ void fetch(cudaTextureObject_t t, const float2 *at, T *out) {
    int i = threadIdx.x;
    out[i] = tex2D<T>(t, at[i].x, at[i].y);
}

// Index of texel i of n in an address mode; -1 is the border.
static int wrapped(int i, int n, cudaTextureAddressMode mode) {
    if (mode == cudaAddressModeClamp)
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == cudaAddressModeBorder)
        return i < 0 || i >= n ? -1 : i;
    int turn = (int)std::floor((double)i / n), rest = i - turn * n;
    return mode == cudaAddressModeMirror && turn % 2 ? n - 1 - rest : rest;
}

static float value(int x, int y, cudaTextureAddressMode mode) {
    x = wrapped(x, W, mode), y = wrapped(y, H, mode);
    return x < 0 || y < 0 ? 0 : texel(x, y);
}

static float expected(float2 at, const cudaTextureDesc &d) {
    float x = at.x * (d.normalizedCoords ? W : 1), y = at.y * (d.normalizedCoords ? H : 1);
    cudaTextureAddressMode mode = d.addressMode[0];
    if (d.filterMode == cudaFilterModePoint)
        return value((int)std::floor(x), (int)std::floor(y), mode);
    x -= 0.5f, y -= 0.5f;
    int i = (int)std::floor(x), j = (int)std::floor(y);
    float a = std::rint((x - i) * 256) / 256, b = std::rint((y - j) * 256) / 256;
    return (1 - a) * (1 - b) * value(i, j, mode) + a * (1 - b) * value(i + 1, j, mode) +
           (1 - a) * b * value(i, j + 1, mode) + a * b * value(i + 1, j + 1, mode);
}

static cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc &description) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
    return texture;
}

static void test_modes(cudaArray_t array) {
    static const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                                   cudaAddressModeMirror, cudaAddressModeBorder};
    float2 *at = managed<float2>(SAMPLES);
    float *out = managed<float>(SAMPLES);
    for (int test = 0; test < 16; test++) {
        cudaTextureDesc d;
        memset(&d, 0, sizeof d);
        d.normalizedCoords = test / 8;
        cudaTextureAddressMode mode = modes[test % 4];
        if (!d.normalizedCoords && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
            continue;
        d.addressMode[0] = d.addressMode[1] = mode;
        d.filterMode = test / 4 % 2 ? cudaFilterModeLinear : cudaFilterModePoint;
        cudaTextureObject_t texture = texture_of(array, d);
        for (int i = 0; i < SAMPLES; i++) {
            at[i] = make_float2((i % 16 - 4) * 0.90625f, (i / 16 - 1) * 2.28125f);
            if (d.normalizedCoords)
                at[i].x /= W, at[i].y /= H;
        }
        fetch<<<1, SAMPLES>>>(texture, at, out);
        SYNC();
        for (int i = 0; i < SAMPLES; i++) {
            if (std::fabs(out[i] - expected(at[i], d)) > 1e-4f)
                fprintf(stderr, "test %d at %g %g: %g, not %g\n", test, at[i].x, at[i].y, out[i],
                        expected(at[i], d));
            CHECK(std::fabs(out[i] - expected(at[i], d)) <= 1e-4f);
        }
        CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
    }
}

static void test_normalized_read() {
    uchar4 texels[W * H];
    for (int i = 0; i < W * H; i++)
        texels[i] = make_uchar4(i, 255 - i, 0, 255);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H) == cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, W * sizeof *texels, W * sizeof *texels, H,
                              cudaMemcpyHostToDevice) == cudaSuccess);
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    float2 *at = managed<float2>(W * H);
    float4 *out = managed<float4>(W * H);
    uchar4 *raw = managed<uchar4>(W * H);
    for (int i = 0; i < W * H; i++)
        at[i] = make_float2(i % W + 0.5f, i / W + 0.5f);
    cudaTextureObject_t elements = texture_of(array, d);
    d.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t normalized = texture_of(array, d);
    fetch<<<1, W * H>>>(normalized, at, out);
    fetch<<<1, W * H>>>(elements, at, raw);
    SYNC();
    for (int i = 0; i < W * H; i++) {
        CHECK(std::fabs(out[i].x - i / 255.0f) < 1e-6f && out[i].w == 1 && out[i].z == 0);
        CHECK(raw[i].x == i && raw[i].y == 255 - i && raw[i].w == 255);
    }
    cudaFreeArray(array);
}

__global__ void linear_and_surface(cudaTextureObject_t t, cudaSurfaceObject_t s, int *out) {
    int i = threadIdx.x;
    out[i] = tex1Dfetch<int>(t, i - 1);
    float v;
    surf2Dread(&v, s, i % W * (int)sizeof v, i / W);
    surf2Dwrite(2 * v, s, i % W * (int)sizeof v, i / W);
    out[i] += surf2Dread<float>(s, -4, 0, cudaBoundaryModeZero) == 0 ? 0 : 1000;
}

static void test_linear_and_surface(cudaArray_t array) {
    int *numbers = managed<int>(16), *out = managed<int>(W * H);
    for (int i = 0; i < 16; i++)
        numbers[i] = 3 * i + 1;
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = numbers;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 16 * sizeof(int);
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr) == cudaSuccess);
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    linear_and_surface<<<1, W * H>>>(texture, surface, out);
    SYNC();
    float back[W * H];
    CHECK(cudaMemcpy2DFromArray(back, W * sizeof(float), array, 0, 0, W * sizeof(float), H,
                                cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < W * H; i++) {
        CHECK(out[i] == (i >= 1 && i <= 16 ? 3 * (i - 1) + 1 : 0));
        CHECK(back[i] == 2 * texel(i % W, i / W));
    }
}

__global__ void layers(cudaTextureObject_t layered, cudaTextureObject_t volume, float *out) {
    int i = threadIdx.x;
    out[i] = tex2DLayered<float>(layered, 1.5f, 0.5f, i);
    out[4 + i] = tex3D<float>(volume, 1.0f, 1.0f, i + 1.0f);
}

static void test_layers() {
    float texels[4 * 2 * 2];
    for (int i = 0; i < 16; i++)
        texels[i] = (float)(i * i);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaTextureObject_t textures[2];
    cudaArray_t arrays[2];
    for (int k = 0; k < 2; k++) {
        cudaArray_t &array = arrays[k];
        CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 4),
                                k == 0 ? cudaArrayLayered : 0) == cudaSuccess);
        cudaMemcpy3DParms copy;
        memset(&copy, 0, sizeof copy);
        copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(float), 2, 2);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(2, 2, 4);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
        cudaTextureDesc d;
        memset(&d, 0, sizeof d);
        d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
        d.filterMode = k == 0 ? cudaFilterModePoint : cudaFilterModeLinear;
        textures[k] = texture_of(array, d);
    }
    float *out = managed<float>(8);
    layers<<<1, 4>>>(textures[0], textures[1], out);
    SYNC();
    for (int z = 0; z < 4; z++) {
        CHECK(out[z] == texels[4 * z + 1]);
        float sum = 0;
        for (int i = 0; i < 4; i++)
            sum += texels[4 * z + i] + texels[4 * (z < 3 ? z + 1 : 3) + i];
        CHECK(std::fabs(out[4 + z] - sum / 8) < 1e-4f);
    }
    for (int k = 0; k < 2; k++) {
        cudaDestroyTextureObject(textures[k]);
        cudaFreeArray(arrays[k]);
    }
}

int main() {
    float texels[W * H];
    for (int i = 0; i < W * H; i++)
        texels[i] = texel(i % W, i / W);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H, cudaArraySurfaceLoadStore) == cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, W * sizeof(float), W * sizeof(float), H,
                              cudaMemcpyHostToDevice) == cudaSuccess);
    test_modes(array);
    test_normalized_read();
    test_layers();
    test_linear_and_surface(array);
    cudaFreeArray(array);
}
