// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// A variable such as threadIdx has no memory: reading a member calls a function that the code
// generator replaces. So it can't be assigned to, and its address means nothing.
#ifndef GCLUSTER_DEVICE_LAUNCH_PARAMETERS_H
#define GCLUSTER_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__ // programs ask for it

#include "vector_types.h"

#if defined(__CUDA__) && defined(__cplusplus)

/// A variable `__variable` whose members are `__function`_x() and so on.
#define __GCL_INDEX(__variable, __function)                                                        \
    __GCL_PURE unsigned int __function##_x();                                                      \
    __GCL_PURE unsigned int __function##_y();                                                      \
    __GCL_PURE unsigned int __function##_z();                                                      \
    struct __function##_t {                                                                        \
        __declspec(property(get = __get_x)) unsigned int x;                                        \
        __declspec(property(get = __get_y)) unsigned int y;                                        \
        __declspec(property(get = __get_z)) unsigned int z;                                        \
        __GCL_DEVICE_TEMPLATE unsigned int __get_x() const {                                       \
            return __function##_x();                                                               \
        }                                                                                          \
        __GCL_DEVICE_TEMPLATE unsigned int __get_y() const {                                       \
            return __function##_y();                                                               \
        }                                                                                          \
        __GCL_DEVICE_TEMPLATE unsigned int __get_z() const {                                       \
            return __function##_z();                                                               \
        }                                                                                          \
        __GCL_DEVICE_TEMPLATE operator uint3() const {                                             \
            uint3 __v = {__function##_x(), __function##_y(), __function##_z()};                    \
            return __v;                                                                            \
        }                                                                                          \
        __GCL_DEVICE_TEMPLATE operator dim3() const {                                              \
            return dim3(__function##_x(), __function##_y(), __function##_z());                     \
        }                                                                                          \
    };                                                                                             \
    static const __device__ __attribute__((unused)) __function##_t __variable = {};

__GCL_INDEX(threadIdx, __gcl_tid)
__GCL_INDEX(blockIdx, __gcl_ctaid)
__GCL_INDEX(blockDim, __gcl_ntid)
__GCL_INDEX(gridDim, __gcl_nctaid)

#undef __GCL_INDEX

/// Lanes of a warp.
static const __device__ __attribute__((unused)) int warpSize = 32;

#endif
#endif
