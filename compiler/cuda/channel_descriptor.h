// Which channel format a C++ type is, for cudaCreateChannelDesc<float4>().
#ifndef GCLUSTER_CHANNEL_DESCRIPTOR_H
#define GCLUSTER_CHANNEL_DESCRIPTOR_H

#include "driver_types.h"

#ifdef __cplusplus

#if __cplusplus >= 201103L
#define __GCL_CONSTEXPR constexpr
#else
#define __GCL_CONSTEXPR
#endif

/// Number of channels, bits of each, and kind. A type that can't be a texel has no channels.
template <class __type> struct __gcl_channel {
    enum { __count = 0, __bits = 0 };
    static __GCL_CONSTEXPR gclChannelFormatKind __kind() {
        return gclChannelFormatKindNone;
    }
};

#define __GCL_CHANNEL(__type, __n, __element, __which)                                             \
    template <> struct __gcl_channel<__type> {                                                     \
        enum { __count = __n, __bits = 8 * sizeof(__element) };                                    \
        static __GCL_CONSTEXPR gclChannelFormatKind __kind() {                                     \
            return gclChannelFormatKind##__which;                                                  \
        }                                                                                          \
    };
#define __GCL_CHANNELS(__type, __element, __which)                                                 \
    __GCL_CHANNEL(__element, 1, __element, __which)                                                \
    __GCL_CHANNEL(__type##1, 1, __element, __which)                                                \
    __GCL_CHANNEL(__type##2, 2, __element, __which)                                                \
    __GCL_CHANNEL(__type##3, 3, __element, __which)                                                \
    __GCL_CHANNEL(__type##4, 4, __element, __which)

__GCL_CHANNEL(char, 1, char, Signed)
__GCL_CHANNELS(char, signed char, Signed)
__GCL_CHANNELS(uchar, unsigned char, Unsigned)
__GCL_CHANNELS(short, short, Signed)
__GCL_CHANNELS(ushort, unsigned short, Unsigned)
__GCL_CHANNELS(int, int, Signed)
__GCL_CHANNELS(uint, unsigned int, Unsigned)
__GCL_CHANNELS(float, float, Float)

#undef __GCL_CHANNEL
#undef __GCL_CHANNELS
#undef __GCL_CONSTEXPR

#endif
#endif
