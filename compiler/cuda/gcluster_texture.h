// Texture fetches: tex1Dfetch() to texCubemapLayered(), from texture objects.
//
// A texture object is the address of a struct gcl_texture, which kernels read like any memory. A
// coordinate becomes one or two texels and a weight; weights have 8 bits of fraction, as CUDA
// documents for its linear filter. Texels become four numbers, of which the result takes as many as
// it has channels.
#ifndef GCLUSTER_TEXTURE_DEVICE_H
#define GCLUSTER_TEXTURE_DEVICE_H

#include "driver_types.h"
#include "gcluster_device.h"

#include "gcluster/texture.h"

/// Four channels of a texel that is fetched as `__element`.
template <class __element> struct __gcl_channels {
    __element __v[4];
};

/// Element and number of channels of the types that can be fetched.
template <class __type> struct __gcl_texel;
#define __GCL_TEXEL(__type, __e, __n)                                                              \
    template <> struct __gcl_texel<__type> {                                                       \
        typedef __e __element;                                                                     \
        enum { __count = __n };                                                                    \
    };
#define __GCL_TEXELS(__type, __e)                                                                  \
    __GCL_TEXEL(__e, __e, 1)                                                                       \
    __GCL_TEXEL(__type##1, __e, 1)                                                                 \
    __GCL_TEXEL(__type##2, __e, 2)                                                                 \
    __GCL_TEXEL(__type##4, __e, 4)
__GCL_TEXEL(char, char, 1)
__GCL_TEXELS(char, signed char)
__GCL_TEXELS(uchar, unsigned char)
__GCL_TEXELS(short, short)
__GCL_TEXELS(ushort, unsigned short)
__GCL_TEXELS(int, int)
__GCL_TEXELS(uint, unsigned int)
__GCL_TEXELS(float, float)
#undef __GCL_TEXEL
#undef __GCL_TEXELS

/// One dimension of a fetch: texel `__first` and, for the linear filter, `__second` with its
/// weight. A texel is -1 where the border is.
struct __gcl_axis {
    int __first, __second;
    float __weight;
};

__GCL_DEVICE int __gcl_texel_index(int __i, int __n, unsigned int __mode) {
    if (__mode == gclAddressModeClamp) {
        __i = __i < __n ? __i : __n - 1;
        return __i > 0 ? __i : 0;
    }
    if (__i >= 0 && __i < __n)
        return __i;
    if (__mode == gclAddressModeBorder)
        return -1;
    int __period = __mode == gclAddressModeWrap ? __n : 2 * __n;
    int __rest = __i % __period;
    if (__rest < 0)
        __rest += __period;
    return __rest < __n ? __rest : 2 * __n - 1 - __rest;
}

/// Coordinate `__x` along `__dimension`, which has `__n` texels at this level.
__GCL_DEVICE __gcl_axis __gcl_texture_axis(const gcl_texture *__t, int __dimension,
                                           unsigned int __n, float __x) {
    unsigned int __mode = __t->address_mode[__dimension];
    if (!__t->normalized_coords) {
        if (__mode != gclAddressModeBorder) // the others need normalized coordinates
            __mode = gclAddressModeClamp;
    } else {
        if (__mode == gclAddressModeWrap)
            __x -= __builtin_floorf(__x);
        else if (__mode == gclAddressModeMirror)
            __x -= 2.0f * __builtin_floorf(0.5f * __x);
        __x *= (float)__n;
    }
    __x = __builtin_fmaxf(-2.0f, __builtin_fminf(__x, 2.0f * (float)__n + 2.0f));
    __gcl_axis __axis = {0, 0, 0.0f};
    if (__t->filter_mode == gclFilterModeLinear) {
        __x -= 0.5f;
        __axis.__weight = __builtin_rintf((__x - __builtin_floorf(__x)) * 256.0f) / 256.0f;
    }
    int __i = (int)__builtin_floorf(__x);
    __axis.__first = __gcl_texel_index(__i, (int)__n, __mode);
    __axis.__second = __gcl_texel_index(__i + 1, (int)__n, __mode);
    return __axis;
}

__GCL_DEVICE float __gcl_from_srgb(float __x) {
    return __x <= 0.04045f ? __x / 12.92f : __builtin_powf((__x + 0.055f) / 1.055f, 2.4f);
}

/// Channel `__c` of the texel at `__p`, as a number.
template <class __element>
static __device__ __element __gcl_texel_channel(const gcl_texture *__t, const unsigned char *__p,
                                                unsigned int __c) {
    bool __normalize = __t->read_mode == gclReadModeNormalizedFloat;
    if (__t->channel_kind == gclChannelFormatKindFloat) {
        if (__t->channel_bits == 32)
            return (__element)((const float *)__p)[__c];
        return (__element)(float)((const __fp16 *)__p)[__c];
    }
    bool __has_sign = __t->channel_kind == gclChannelFormatKindSigned;
    switch (__t->channel_bits) {
    case 8: {
        float __f = __has_sign ? __builtin_fmaxf(((const signed char *)__p)[__c] / 127.0f, -1.0f)
                               : __p[__c] / 255.0f;
        if (__normalize)
            return (__element)(__t->srgb && __c < 3 ? __gcl_from_srgb(__f) : __f);
        return __has_sign ? (__element)((const signed char *)__p)[__c] : (__element)__p[__c];
    }
    case 16: {
        float __f = __has_sign ? __builtin_fmaxf(((const short *)__p)[__c] / 32767.0f, -1.0f)
                               : ((const unsigned short *)__p)[__c] / 65535.0f;
        if (__normalize)
            return (__element)__f;
        return __has_sign ? (__element)((const short *)__p)[__c]
                          : (__element)((const unsigned short *)__p)[__c];
    }
    default:
        return __has_sign ? (__element)((const int *)__p)[__c]
                          : (__element)((const unsigned int *)__p)[__c];
    }
}

/// The texel (x, y, z) of one level; the border's color where a coordinate is -1.
template <class __element>
static __device__ __gcl_channels<__element>
__gcl_texel_at(const gcl_texture *__t, const gcl_texels *__level, int __x, int __y, int __z) {
    __gcl_channels<__element> __result;
    if (__x < 0 || __y < 0 || __z < 0) {
        for (int __c = 0; __c < 4; __c++)
            __result.__v[__c] = (__element)__t->border_color[__c];
        return __result;
    }
    const unsigned char *__p = __level->data + (unsigned long long)__z * __level->slice_pitch +
                               (unsigned long long)__y * __level->row_pitch +
                               (unsigned long long)__x * __t->texel_size;
    for (unsigned int __c = 0; __c < 4; __c++)
        __result.__v[__c] = __c < __t->channel_count ? __gcl_texel_channel<__element>(__t, __p, __c)
                                                     : (__element)(__c == 3);
    return __result;
}

template <class __element>
__GCL_DEVICE_TEMPLATE __gcl_channels<__element> __gcl_mix(const __gcl_channels<__element> &__a,
                                                          const __gcl_channels<__element> &__b,
                                                          float __weight) {
    __gcl_channels<__element> __result;
    for (int __c = 0; __c < 4; __c++)
        __result.__v[__c] =
            (__element)((1.0f - __weight) * (float)__a.__v[__c] + __weight * (float)__b.__v[__c]);
    return __result;
}

/// Texel (x, y, z) or the mean of its neighbours; an axis with weight 0 has no second texel.
template <class __element>
static __device__ __gcl_channels<__element>
__gcl_sample_axes(const gcl_texture *__t, const gcl_texels *__level, const __gcl_axis &__x,
                  const __gcl_axis &__y, const __gcl_axis &__z) {
    __gcl_channels<__element> __slices[2], __rows[2];
    for (int __k = 0; __k < (__z.__weight != 0 ? 2 : 1); __k++) {
        int __slice = __k ? __z.__second : __z.__first;
        for (int __j = 0; __j < (__y.__weight != 0 ? 2 : 1); __j++) {
            int __row = __j ? __y.__second : __y.__first;
            __rows[__j] = __gcl_texel_at<__element>(__t, __level, __x.__first, __row, __slice);
            if (__x.__weight != 0)
                __rows[__j] =
                    __gcl_mix(__rows[__j],
                              __gcl_texel_at<__element>(__t, __level, __x.__second, __row, __slice),
                              __x.__weight);
        }
        __slices[__k] =
            __y.__weight != 0 ? __gcl_mix(__rows[0], __rows[1], __y.__weight) : __rows[0];
    }
    return __z.__weight != 0 ? __gcl_mix(__slices[0], __slices[1], __z.__weight) : __slices[0];
}

/// A fetch from one level. `__layer` is below 0 if z is a coordinate.
template <class __element>
static __device__ __gcl_channels<__element> __gcl_sample_level(const gcl_texture *__t,
                                                               const gcl_texels *__level, float __x,
                                                               float __y, float __z, int __layer) {
    const __gcl_axis __none = {0, 0, 0.0f};
    __gcl_axis __a = __gcl_texture_axis(__t, 0, __level->width, __x), __b = __none, __c = __none;
    if (__t->dimensions > 1)
        __b = __gcl_texture_axis(__t, 1, __level->height, __y);
    if (__layer >= 0)
        __c.__first = __gcl_texel_index(__layer, (int)__level->depth, gclAddressModeClamp);
    else if (__t->dimensions > 2)
        __c = __gcl_texture_axis(__t, 2, __level->depth, __z);
    return __gcl_sample_axes<__element>(__t, __level, __a, __b, __c);
}

/// Index of a texel of a plain texture: `__i` is at most one period away, unless it comes from what
/// is no number.
__GCL_DEVICE int __gcl_plain_index(int __i, int __n, bool __wraps) {
    if (__wraps)
        __i = __i < 0 ? __i + __n : __i < __n ? __i : __i - __n;
    __i = __i < __n ? __i : __n - 1;
    return __i > 0 ? __i : 0;
}

/// __gcl_texture_axis of a plain texture, without branches on what differs between threads.
__GCL_DEVICE __gcl_axis __gcl_plain_axis(const gcl_texture *__t, int __dimension, unsigned int __n,
                                         float __x) {
    bool __wraps = __t->normalized_coords && __t->address_mode[__dimension] == gclAddressModeWrap;
    if (__wraps)
        __x -= __builtin_floorf(__x);
    if (__t->normalized_coords)
        __x *= (float)__n;
    __x = __builtin_fmaxf(-2.0f, __builtin_fminf(__x, 2.0f * (float)__n + 2.0f));
    if (__t->filter_mode == gclFilterModeLinear)
        __x -= 0.5f;
    float __floor = __builtin_floorf(__x);
    __gcl_axis __axis;
    __axis.__first = __gcl_plain_index((int)__floor, (int)__n, __wraps);
    __axis.__second = __gcl_plain_index((int)__floor + 1, (int)__n, __wraps);
    __axis.__weight = __builtin_rintf((__x - __floor) * 256.0f) / 256.0f;
    return __axis;
}

template <class __element>
__GCL_DEVICE_TEMPLATE __element __gcl_plain_mix(__element __a, __element __b, float __weight) {
    __element __mixed = (__element)((1.0f - __weight) * (float)__a + __weight * (float)__b);
    return __weight != 0 ? __mixed : __a;
}

/// Whether __gcl_sample_plain may stand for the general fetch; the same for all threads as a rule,
/// so that they go on in vectors.
template <class __type> __GCL_DEVICE_TEMPLATE bool __gcl_is_plain(const gcl_texture *__t) {
    typedef typename __gcl_texel<__type>::__element __e;
    return __t->plain == 8 * sizeof(__e) + ((__e)0.5f != 0) && __t->texel_size == sizeof(__type);
}

/// A fetch from a texture of one or two dimensions whose texels are of type `__type` in memory.
template <class __type>
__GCL_DEVICE_TEMPLATE __type __gcl_sample_plain(const gcl_texture *__t, float __x, float __y) {
    typedef typename __gcl_texel<__type>::__element __e;
    enum { __count = __gcl_texel<__type>::__count };
    __gcl_axis __a = __gcl_plain_axis(__t, 0, __t->texels.width, __x), __b = {0, 0, 0.0f};
    if (__t->dimensions > 1)
        __b = __gcl_plain_axis(__t, 1, __t->texels.height, __y);
    const unsigned char *__first = __t->texels.data + __b.__first * __t->texels.row_pitch;
    const unsigned char *__second = __t->texels.data + __b.__second * __t->texels.row_pitch;
    __e __result[__count];
    for (int __c = 0; __c < __count; __c++) {
        long long __left = __a.__first * (long long)__count + __c;
        long long __right = __a.__second * (long long)__count + __c;
        __result[__c] = ((const __e *)__first)[__left];
        if (__t->filter_mode == gclFilterModeLinear)
            __result[__c] = __gcl_plain_mix(
                __gcl_plain_mix(__result[__c], ((const __e *)__first)[__right], __a.__weight),
                __gcl_plain_mix(((const __e *)__second)[__left], ((const __e *)__second)[__right],
                                __a.__weight),
                __b.__weight);
    }
    __type __texel;
    __builtin_memcpy(&__texel, __result, sizeof __texel);
    return __texel;
}

/// A fetch at mipmap level `__lod`, between two levels if the filter of mipmaps is linear.
template <class __element>
static __device__ __gcl_channels<__element> __gcl_sample(gclTextureObject_t __object, float __x,
                                                         float __y, float __z, int __layer,
                                                         float __lod) {
    const gcl_texture *__t = (const gcl_texture *)__object;
    if (!__t->levels)
        return __gcl_sample_level<__element>(__t, &__t->texels, __x, __y, __z, __layer);
    __lod = __builtin_fmaxf(__lod + __t->mipmap_level_bias, __t->min_mipmap_level);
    __lod = __builtin_fminf(__lod, __t->max_mipmap_level);
    __lod = __builtin_fmaxf(0.0f, __builtin_fminf(__lod, (float)(__t->level_count - 1)));
    if (__t->mipmap_filter_mode == gclFilterModePoint)
        __lod = __builtin_floorf(__lod + 0.5f);
    int __level = (int)__lod;
    __gcl_channels<__element> __result =
        __gcl_sample_level<__element>(__t, &__t->levels[__level], __x, __y, __z, __layer);
    if (__lod > (float)__level)
        __result = __gcl_mix(
            __result,
            __gcl_sample_level<__element>(__t, &__t->levels[__level + 1], __x, __y, __z, __layer),
            __lod - (float)__level);
    return __result;
}

/// The level whose texels are about as large as what one step of the given gradients covers.
__GCL_DEVICE float __gcl_gradient_lod(gclTextureObject_t __object, float2 __dx, float2 __dy) {
    const gcl_texture *__t = (const gcl_texture *)__object;
    float __w = __t->normalized_coords ? (float)__t->texels.width : 1.0f;
    float __h = __t->normalized_coords ? (float)__t->texels.height : 1.0f;
    float __a = __builtin_sqrtf(__dx.x * __dx.x * __w * __w + __dx.y * __dx.y * __h * __h);
    float __b = __builtin_sqrtf(__dy.x * __dy.x * __w * __w + __dy.y * __dy.y * __h * __h);
    return __builtin_log2f(__builtin_fmaxf(__a, __b));
}

/// Face and place on it, in [0, 1], of a direction: the usual layout, +x -x +y -y +z -z.
__GCL_DEVICE int __gcl_cube_face(float __x, float __y, float __z, float *__s, float *__t) {
    float __ax = __builtin_fabsf(__x), __ay = __builtin_fabsf(__y), __az = __builtin_fabsf(__z);
    float __m, __u, __v;
    int __face;
    if (__ax >= __ay && __ax >= __az) {
        __face = __x < 0;
        __m = __ax, __u = __x < 0 ? __z : -__z, __v = -__y;
    } else if (__ay >= __az) {
        __face = 2 + (__y < 0);
        __m = __ay, __u = __x, __v = __y < 0 ? -__z : __z;
    } else {
        __face = 4 + (__z < 0);
        __m = __az, __u = __z < 0 ? -__x : __x, __v = -__y;
    }
    *__s = 0.5f * (__u / __m + 1.0f);
    *__t = 0.5f * (__v / __m + 1.0f);
    return __face;
}

/// The first channels as a `__type`.
template <class __type, class __element>
__GCL_DEVICE_TEMPLATE __type __gcl_texel_as(const __gcl_channels<__element> &__channels) {
    __type __result;
    __builtin_memcpy(&__result, __channels.__v, sizeof __result);
    return __result;
}

/// A fetch function as CUDA has it twice: with the type explicit, and with the result's address.
#define __GCL_FETCH(__name, __parameters, __arguments, ...)                                        \
    template <class __type> static __device__ __type __name __parameters {                         \
        typedef typename __gcl_texel<__type>::__element __e;                                       \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    template <class __type>                                                                        \
    __GCL_DEVICE_TEMPLATE void __name(__type *__result, __GCL_UNWRAP __parameters) {               \
        *__result = __name<__type> __arguments;                                                    \
    }
#define __GCL_UNWRAP(...) __VA_ARGS__
#define __GCL_RETURN(...) return __gcl_texel_as<__type>(__gcl_sample<__e>(__object, __VA_ARGS__));
#define __GCL_RETURN_IF_PLAIN(...)                                                                 \
    if (__gcl_is_plain<__type>((const gcl_texture *)__object))                                     \
        return __gcl_sample_plain<__type>((const gcl_texture *)__object, __VA_ARGS__);

__GCL_FETCH(tex1D, (gclTextureObject_t __object, float __x), (__object, __x),
            __GCL_RETURN_IF_PLAIN(__x, 0) __GCL_RETURN(__x, 0, 0, -1, 0))
__GCL_FETCH(tex2D, (gclTextureObject_t __object, float __x, float __y), (__object, __x, __y),
            __GCL_RETURN_IF_PLAIN(__x, __y) __GCL_RETURN(__x, __y, 0, -1, 0))
__GCL_FETCH(tex3D, (gclTextureObject_t __object, float __x, float __y, float __z),
            (__object, __x, __y, __z), __GCL_RETURN(__x, __y, __z, -1, 0))
__GCL_FETCH(tex1DLayered, (gclTextureObject_t __object, float __x, int __layer),
            (__object, __x, __layer), __GCL_RETURN(__x, 0, 0, __layer, 0))
__GCL_FETCH(tex2DLayered, (gclTextureObject_t __object, float __x, float __y, int __layer),
            (__object, __x, __y, __layer), __GCL_RETURN(__x, __y, 0, __layer, 0))
__GCL_FETCH(tex1DLod, (gclTextureObject_t __object, float __x, float __lod), (__object, __x, __lod),
            __GCL_RETURN(__x, 0, 0, -1, __lod))
__GCL_FETCH(tex2DLod, (gclTextureObject_t __object, float __x, float __y, float __lod),
            (__object, __x, __y, __lod), __GCL_RETURN(__x, __y, 0, -1, __lod))
__GCL_FETCH(tex3DLod, (gclTextureObject_t __object, float __x, float __y, float __z, float __lod),
            (__object, __x, __y, __z, __lod), __GCL_RETURN(__x, __y, __z, -1, __lod))
__GCL_FETCH(tex1DLayeredLod, (gclTextureObject_t __object, float __x, int __layer, float __lod),
            (__object, __x, __layer, __lod), __GCL_RETURN(__x, 0, 0, __layer, __lod))
__GCL_FETCH(tex2DLayeredLod,
            (gclTextureObject_t __object, float __x, float __y, int __layer, float __lod),
            (__object, __x, __y, __layer, __lod), __GCL_RETURN(__x, __y, 0, __layer, __lod))
__GCL_FETCH(tex2DGrad,
            (gclTextureObject_t __object, float __x, float __y, float2 __dx, float2 __dy),
            (__object, __x, __y, __dx, __dy),
            __GCL_RETURN(__x, __y, 0, -1, __gcl_gradient_lod(__object, __dx, __dy)))
__GCL_FETCH(texCubemap, (gclTextureObject_t __object, float __x, float __y, float __z),
            (__object, __x, __y, __z), float __s, __t;
            int __face = __gcl_cube_face(__x, __y, __z, &__s, &__t);
            __GCL_RETURN(__s, __t, 0, __face, 0))
__GCL_FETCH(texCubemapLod,
            (gclTextureObject_t __object, float __x, float __y, float __z, float __lod),
            (__object, __x, __y, __z, __lod), float __s, __t;
            int __face = __gcl_cube_face(__x, __y, __z, &__s, &__t);
            __GCL_RETURN(__s, __t, 0, __face, __lod))
__GCL_FETCH(texCubemapLayered,
            (gclTextureObject_t __object, float __x, float __y, float __z, int __layer),
            (__object, __x, __y, __z, __layer), float __s, __t;
            int __face = __gcl_cube_face(__x, __y, __z, &__s, &__t);
            __GCL_RETURN(__s, __t, 0, 6 * __layer + __face, 0))

// Linear memory: the texel itself; outside of it, zero.
__GCL_FETCH(
    tex1Dfetch, (gclTextureObject_t __object, int __x), (__object, __x),
    const gcl_texture *__t = (const gcl_texture *)__object;
    __gcl_channels<__e> __zero = {};
    if (__x < 0 || (unsigned int)__x >= __t->texels.width) return __gcl_texel_as<__type>(__zero);
    if (__t->texel_size == sizeof(__type) &&
        __t->read_mode == gclReadModeElementType) return ((const __type *)__t->texels.data)[__x];
    return __gcl_texel_as<__type>(__gcl_texel_at<__e>(__t, &__t->texels, __x, 0, 0));)

// One channel of the four texels that the linear filter would mix, counter-clockwise from the lower
// left.
__GCL_FETCH(
    tex2Dgather, (gclTextureObject_t __object, float __x, float __y, int __channel = 0),
    (__object, __x, __y, __channel), gcl_texture __t = *(const gcl_texture *)__object;
    __t.filter_mode = gclFilterModeLinear;
    __gcl_axis __a = __gcl_texture_axis(&__t, 0, __t.texels.width, __x);
    __gcl_axis __b = __gcl_texture_axis(&__t, 1, __t.texels.height, __y);
    const int __columns[4] = {__a.__first, __a.__second, __a.__second, __a.__first};
    const int __rows[4] = {__b.__second, __b.__second, __b.__first, __b.__first};
    __gcl_channels<__e> __four;
    for (int __i = 0; __i < 4; __i++) __four.__v[__i] =
        __gcl_texel_at<__e>(&__t, &__t.texels, __columns[__i], __rows[__i], 0).__v[__channel & 3];
    return __gcl_texel_as<__type>(__four);)

#undef __GCL_FETCH
#undef __GCL_RETURN
#undef __GCL_RETURN_IF_PLAIN

#endif
