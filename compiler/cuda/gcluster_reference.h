// Texture and surface references, which CUDA 12 removed: `texture<float, 2> image;` at file scope,
// bound on the host by cudaBindTexture() and kin, fetched from by name in kernels.
//
// Clang has a type for such variables: on the device each is one word, and the runtime keeps a
// texture or surface object there. So a fetch reads that word and goes on with the object.
#ifndef GCLUSTER_REFERENCE_H
#define GCLUSTER_REFERENCE_H

#include "channel_descriptor.h"
#include "driver_types.h"

#ifdef __CUDA__
#define __GCL_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#define __GCL_SURFACE_TYPE __attribute__((device_builtin_surface_type))
#else
#define __GCL_TEXTURE_TYPE
#define __GCL_SURFACE_TYPE
#endif

/// Texels of a type, in `__dimensions` (gclTextureType1D and kin), fetched as they are or as
/// numbers from 0 or -1 to 1.
template <class __type, int __dimensions = gclTextureType1D,
          enum gclTextureReadMode __mode = gclReadModeElementType>
struct __GCL_TEXTURE_TYPE texture : textureReference {
    constexpr texture(int __normalized = 0, gclTextureFilterMode __filter = gclFilterModePoint,
                      gclTextureAddressMode __address = gclAddressModeClamp)
        : texture(__normalized, __filter, __address, __format()) {
    }
    constexpr texture(int __normalized, gclTextureFilterMode __filter,
                      gclTextureAddressMode __address, gclChannelFormatDesc __description)
        : textureReference{__normalized,
                           __filter,
                           {__address, __address, __address},
                           __description,
                           0,
                           0,
                           gclFilterModePoint,
                           0.0f,
                           0.0f,
                           0.0f,
                           0} {
    }

  private:
    static constexpr gclChannelFormatDesc __format() {
        typedef __gcl_channel<__type> __c;
        return {__c::__bits, __c::__count > 1 ? __c::__bits : 0, __c::__count > 2 ? __c::__bits : 0,
                __c::__count > 3 ? __c::__bits : 0, __c::__kind()};
    }
};

/// Clang asks for two arguments, of which the first is void.
template <class __type, int __dimensions = gclSurfaceType1D>
struct __GCL_SURFACE_TYPE surface : surfaceReference {
    constexpr surface() : surfaceReference{{0, 0, 0, 0, gclChannelFormatKindNone}} {
    }
};
template <int __dimensions>
struct __GCL_SURFACE_TYPE surface<void, __dimensions> : surfaceReference {
    constexpr surface() : surfaceReference{{0, 0, 0, 0, gclChannelFormatKindNone}} {
    }
};

#ifdef __CUDA__

#include "gcluster_surface.h"
#include "gcluster_texture.h"

/// The object that a reference holds on the device.
static inline __device__ unsigned long long __gcl_object_of(const void *__reference) {
    return *(const unsigned long long *)__reference;
}

/// What a fetch gives: the texel's type, or as many floats.
template <class __type, gclTextureReadMode __mode> struct __gcl_fetched {
    typedef __type __result;
};
template <int __count> struct __gcl_floats;
template <> struct __gcl_floats<1> {
    typedef float __result;
};
template <> struct __gcl_floats<2> {
    typedef float2 __result;
};
template <> struct __gcl_floats<4> {
    typedef float4 __result;
};
template <class __type> struct __gcl_fetched<__type, gclReadModeNormalizedFloat> {
    typedef typename __gcl_floats<__gcl_texel<__type>::__count>::__result __result;
};

#define __GCL_FETCH(__name, __dimensions, __parameters, __arguments)                               \
    template <class __type, gclTextureReadMode __mode>                                             \
    static __device__ typename __gcl_fetched<__type, __mode>::__result __name(                     \
        const texture<__type, gclTextureType##__dimensions, __mode> &__reference,                  \
        __GCL_LIST __parameters) {                                                                 \
        return __name<typename __gcl_fetched<__type, __mode>::__result>(                           \
            (gclTextureObject_t)__gcl_object_of(&__reference), __GCL_LIST __arguments);            \
    }
#define __GCL_LIST(...) __VA_ARGS__

__GCL_FETCH(tex1Dfetch, 1D, (int __x), (__x))
__GCL_FETCH(tex1D, 1D, (float __x), (__x))
__GCL_FETCH(tex2D, 2D, (float __x, float __y), (__x, __y))
__GCL_FETCH(tex3D, 3D, (float __x, float __y, float __z), (__x, __y, __z))
__GCL_FETCH(tex1DLayered, 1DLayered, (float __x, int __layer), (__x, __layer))
__GCL_FETCH(tex2DLayered, 2DLayered, (float __x, float __y, int __layer), (__x, __y, __layer))
__GCL_FETCH(tex1DLod, 1D, (float __x, float __lod), (__x, __lod))
__GCL_FETCH(tex2DLod, 2D, (float __x, float __y, float __lod), (__x, __y, __lod))
__GCL_FETCH(tex3DLod, 3D, (float __x, float __y, float __z, float __lod), (__x, __y, __z, __lod))
__GCL_FETCH(tex1DLayeredLod, 1DLayered, (float __x, int __layer, float __lod),
            (__x, __layer, __lod))
__GCL_FETCH(tex2DLayeredLod, 2DLayered, (float __x, float __y, int __layer, float __lod),
            (__x, __y, __layer, __lod))
__GCL_FETCH(tex2DGrad, 2D, (float __x, float __y, float2 __dx, float2 __dy), (__x, __y, __dx, __dy))
__GCL_FETCH(texCubemap, Cubemap, (float __x, float __y, float __z), (__x, __y, __z))
__GCL_FETCH(texCubemapLod, Cubemap, (float __x, float __y, float __z, float __lod),
            (__x, __y, __z, __lod))
__GCL_FETCH(texCubemapLayered, CubemapLayered, (float __x, float __y, float __z, int __layer),
            (__x, __y, __z, __layer))

/// One channel of four texels.
template <class __type, gclTextureReadMode __mode> struct __gcl_gathered {
    typedef float4 __result;
};
#define __GCL_GATHERED(__element, __four)                                                          \
    template <> struct __gcl_gathered<__element, gclReadModeElementType> {                         \
        typedef __four __result;                                                                   \
    };
__GCL_GATHERED(signed char, char4)
__GCL_GATHERED(unsigned char, uchar4)
__GCL_GATHERED(short, short4)
__GCL_GATHERED(unsigned short, ushort4)
__GCL_GATHERED(int, int4)
__GCL_GATHERED(unsigned int, uint4)
#undef __GCL_GATHERED

template <class __type, gclTextureReadMode __mode>
static __device__ typename __gcl_gathered<typename __gcl_texel<__type>::__element, __mode>::__result
tex2Dgather(const texture<__type, gclTextureType2D, __mode> &__reference, float __x, float __y,
            int __channel = 0) {
    return tex2Dgather<
        typename __gcl_gathered<typename __gcl_texel<__type>::__element, __mode>::__result>(
        (gclTextureObject_t)__gcl_object_of(&__reference), __x, __y, __channel);
}

/// `__name`read, in its two forms, and `__name`write.
#define __GCL_ACCESS(__name, __dimensions, __parameters, __arguments)                              \
    template <class __type>                                                                        \
    static __device__ __type __name##read(                                                         \
        const surface<void, gclSurfaceType##__dimensions> &__reference, __GCL_LIST __parameters,   \
        gclSurfaceBoundaryMode __mode = gclBoundaryModeTrap) {                                     \
        return __name##read<__type>((gclSurfaceObject_t)__gcl_object_of(&__reference),             \
                                    __GCL_LIST __arguments, __mode);                               \
    }                                                                                              \
    template <class __type>                                                                        \
    static __device__ void __name##read(                                                           \
        __type *__result, const surface<void, gclSurfaceType##__dimensions> &__reference,          \
        __GCL_LIST __parameters, gclSurfaceBoundaryMode __mode = gclBoundaryModeTrap) {            \
        __name##read(__result, (gclSurfaceObject_t)__gcl_object_of(&__reference),                  \
                     __GCL_LIST __arguments, __mode);                                              \
    }                                                                                              \
    template <class __type>                                                                        \
    static __device__ void __name##write(                                                          \
        __type __value, const surface<void, gclSurfaceType##__dimensions> &__reference,            \
        __GCL_LIST __parameters, gclSurfaceBoundaryMode __mode = gclBoundaryModeTrap) {            \
        __name##write(__value, (gclSurfaceObject_t)__gcl_object_of(&__reference),                  \
                      __GCL_LIST __arguments, __mode);                                             \
    }

__GCL_ACCESS(surf1D, 1D, (int __x), (__x))
__GCL_ACCESS(surf2D, 2D, (int __x, int __y), (__x, __y))
__GCL_ACCESS(surf3D, 3D, (int __x, int __y, int __z), (__x, __y, __z))
__GCL_ACCESS(surf1DLayered, 1DLayered, (int __x, int __layer), (__x, __layer))
__GCL_ACCESS(surf2DLayered, 2DLayered, (int __x, int __y, int __layer), (__x, __y, __layer))
__GCL_ACCESS(surfCubemap, Cubemap, (int __x, int __y, int __face), (__x, __y, __face))
__GCL_ACCESS(surfCubemapLayered, CubemapLayered, (int __x, int __y, int __face), (__x, __y, __face))

#undef __GCL_ACCESS
#undef __GCL_FETCH
#undef __GCL_LIST

#endif
#undef __GCL_TEXTURE_TYPE
#undef __GCL_SURFACE_TYPE

#endif
