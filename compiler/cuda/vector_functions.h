// make_float4 and kin, for C, C++, host and device code.
#ifndef GCLUSTER_VECTOR_FUNCTIONS_H
#define GCLUSTER_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__ // programs ask for it

#include "vector_types.h"

#define __GCL_MAKE_VECTORS(__type, __element)                                                      \
    __GCL_BOTH __type##1 make_##__type##1(__element __x) {                                         \
        __type##1 __v = {__x};                                                                     \
        return __v;                                                                                \
    }                                                                                              \
    __GCL_BOTH __type##2 make_##__type##2(__element __x, __element __y) {                          \
        __type##2 __v = {__x, __y};                                                                \
        return __v;                                                                                \
    }                                                                                              \
    __GCL_BOTH __type##3 make_##__type##3(__element __x, __element __y, __element __z) {           \
        __type##3 __v = {__x, __y, __z};                                                           \
        return __v;                                                                                \
    }                                                                                              \
    __GCL_BOTH __type##4 make_##__type##4(__element __x, __element __y, __element __z,             \
                                          __element __w) {                                         \
        __type##4 __v = {__x, __y, __z, __w};                                                      \
        return __v;                                                                                \
    }

__GCL_MAKE_VECTORS(char, signed char)
__GCL_MAKE_VECTORS(uchar, unsigned char)
__GCL_MAKE_VECTORS(short, short)
__GCL_MAKE_VECTORS(ushort, unsigned short)
__GCL_MAKE_VECTORS(int, int)
__GCL_MAKE_VECTORS(uint, unsigned int)
__GCL_MAKE_VECTORS(long, long)
__GCL_MAKE_VECTORS(ulong, unsigned long)
__GCL_MAKE_VECTORS(longlong, long long)
__GCL_MAKE_VECTORS(ulonglong, unsigned long long)
__GCL_MAKE_VECTORS(float, float)
__GCL_MAKE_VECTORS(double, double)

#undef __GCL_MAKE_VECTORS

#endif
