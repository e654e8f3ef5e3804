// Surface accesses: surf1Dread() to surf2DLayeredwrite(). x counts bytes, y and z texels.
//
// A surface object is the address of a struct gcl_texture, as a texture object is. Texels are moved
// as they are. What is outside of the surface traps, reads as zero, or is taken at the edge.
#ifndef GCLUSTER_SURFACE_DEVICE_H
#define GCLUSTER_SURFACE_DEVICE_H

#include "gcluster_texture.h"

/// Address of a texel of `__size` bytes; NULL if there is none in mode Zero.
static __device__ unsigned char *__gcl_surface_at(gclSurfaceObject_t __object, int __x, int __y,
                                                  int __z, int __size,
                                                  gclSurfaceBoundaryMode __mode) {
    const gcl_texels *__texels = &((const gcl_texture *)__object)->texels;
    const int __bytes = (int)(__texels->width * ((const gcl_texture *)__object)->texel_size);
    const int __height = (int)__texels->height, __depth = (int)__texels->depth;
    if (__x < 0 || __x + __size > __bytes || __y < 0 || __y >= __height || __z < 0 ||
        __z >= __depth) {
        if (__mode == gclBoundaryModeZero)
            return 0;
        if (__mode != gclBoundaryModeClamp)
            __gcl_trap();
        __x = __x < 0 ? 0 : __x + __size > __bytes ? __bytes - __size : __x;
        __y = __y < 0 ? 0 : __y >= __height ? __height - 1 : __y;
        __z = __z < 0 ? 0 : __z >= __depth ? __depth - 1 : __z;
    }
    return __texels->data + (unsigned long long)__z * __texels->slice_pitch +
           (unsigned long long)__y * __texels->row_pitch + (unsigned long long)__x;
}

/// `__name`read, in its two forms, and `__name`write, at the place `__arguments`.
#define __GCL_SURFACE(__name, __parameters, __arguments)                                           \
    template <class __type>                                                                        \
    static __device__ __type __name##read(gclSurfaceObject_t __object, __GCL_UNWRAP __parameters,  \
                                          gclSurfaceBoundaryMode __mode = gclBoundaryModeTrap) {   \
        __type __result = {};                                                                      \
        unsigned char *__p =                                                                       \
            __gcl_surface_at(__object, __GCL_UNWRAP __arguments, (int)sizeof __result, __mode);    \
        if (__p)                                                                                   \
            __builtin_memcpy(&__result, __p, sizeof __result);                                     \
        return __result;                                                                           \
    }                                                                                              \
    template <class __type>                                                                        \
    static __device__ void __name##read(__type *__result, gclSurfaceObject_t __object,             \
                                        __GCL_UNWRAP __parameters,                                 \
                                        gclSurfaceBoundaryMode __mode = gclBoundaryModeTrap) {     \
        unsigned char *__p =                                                                       \
            __gcl_surface_at(__object, __GCL_UNWRAP __arguments, (int)sizeof *__result, __mode);   \
        if (__p)                                                                                   \
            __builtin_memcpy(__result, __p, sizeof *__result);                                     \
        else                                                                                       \
            __builtin_memset(__result, 0, sizeof *__result);                                       \
    }                                                                                              \
    template <class __type>                                                                        \
    static __device__ void __name##write(__type __value, gclSurfaceObject_t __object,              \
                                         __GCL_UNWRAP __parameters,                                \
                                         gclSurfaceBoundaryMode __mode = gclBoundaryModeTrap) {    \
        unsigned char *__p =                                                                       \
            __gcl_surface_at(__object, __GCL_UNWRAP __arguments, (int)sizeof __value, __mode);     \
        if (__p)                                                                                   \
            __builtin_memcpy(__p, &__value, sizeof __value);                                       \
    }

__GCL_SURFACE(surf1D, (int __x), (__x, 0, 0))
__GCL_SURFACE(surf2D, (int __x, int __y), (__x, __y, 0))
__GCL_SURFACE(surf3D, (int __x, int __y, int __z), (__x, __y, __z))
__GCL_SURFACE(surf1DLayered, (int __x, int __layer), (__x, 0, __layer))
__GCL_SURFACE(surf2DLayered, (int __x, int __y, int __layer), (__x, __y, __layer))
__GCL_SURFACE(surfCubemap, (int __x, int __y, int __face), (__x, __y, __face))
__GCL_SURFACE(surfCubemapLayered, (int __x, int __y, int __face), (__x, __y, __face))

#undef __GCL_SURFACE
#undef __GCL_UNWRAP

#endif
