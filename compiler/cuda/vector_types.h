// float4, int2, dim3 and kin: plain structs, the same in C, C++, host and device code.
//
// Vectors of 2 and 4 are aligned as a whole (at most to 16 bytes), so that one access moves them;
// vectors of 1 and 3 are aligned as their element. Size and alignment are part of the ABI between
// host and kernels.
#ifndef GCLUSTER_VECTOR_TYPES_H
#define GCLUSTER_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ // programs ask for it

#include "gcluster/dim3.h" // uint3 and dim3, which the runtime's signatures need too
#include "gcluster_base.h"

/// `__type`1, 2 and 4 of elements `__element`, with the alignments of the vectors of 2 and 4.
#define __GCL_VECTORS_124(__type, __element, __align2, __align4)                                   \
    struct __type##1 {                                                                             \
        __element x;                                                                               \
    };                                                                                             \
    struct __attribute__((aligned(__align2))) __type##2 {                                          \
        __element x, y;                                                                            \
    };                                                                                             \
    struct __attribute__((aligned(__align4))) __type##4 {                                          \
        __element x, y, z, w;                                                                      \
    };                                                                                             \
    typedef struct __type##1 __type##1;                                                            \
    typedef struct __type##2 __type##2;                                                            \
    typedef struct __type##4 __type##4;

#define __GCL_VECTORS(__type, __element, __align2, __align4)                                       \
    __GCL_VECTORS_124(__type, __element, __align2, __align4)                                       \
    struct __type##3 {                                                                             \
        __element x, y, z;                                                                         \
    };                                                                                             \
    typedef struct __type##3 __type##3;

__GCL_VECTORS(char, signed char, 2, 4)
__GCL_VECTORS(uchar, unsigned char, 2, 4)
__GCL_VECTORS(short, short, 4, 8)
__GCL_VECTORS(ushort, unsigned short, 4, 8)
__GCL_VECTORS(int, int, 8, 16)
__GCL_VECTORS_124(uint, unsigned int, 8, 16)
__GCL_VECTORS(long, long, 16, 16)
__GCL_VECTORS(ulong, unsigned long, 16, 16)
__GCL_VECTORS(longlong, long long, 16, 16)
__GCL_VECTORS(ulonglong, unsigned long long, 16, 16)
__GCL_VECTORS(float, float, 8, 16)
__GCL_VECTORS(double, double, 16, 16)

#undef __GCL_VECTORS
#undef __GCL_VECTORS_124

#endif
