// uint3 and dim3: the vector types that the runtime's own signatures need; vector_types.h includes
// this file for them. Usable from C, from C++ and in device code.
#ifndef GCLUSTER_DIM3_H
#define GCLUSTER_DIM3_H

struct uint3 {
    unsigned int x, y, z;
};
#ifndef __cplusplus
typedef struct uint3 uint3;
#endif

/// Size of a grid in blocks or of a block in threads; what is not given is 1.
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
#define GCL_CONSTEXPR constexpr
#elif defined(__CUDA__)
#define GCL_CONSTEXPR __attribute__((host)) __attribute__((device))
#else
#define GCL_CONSTEXPR
#endif
    GCL_CONSTEXPR dim3(unsigned int __x = 1, unsigned int __y = 1, unsigned int __z = 1)
        : x(__x), y(__y), z(__z) {
    }
    GCL_CONSTEXPR dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {
    }
    GCL_CONSTEXPR operator uint3() const {
        return make(x, y, z);
    }

  private:
    static GCL_CONSTEXPR uint3 make(unsigned int __x, unsigned int __y, unsigned int __z) {
#if __cplusplus >= 201103L
        return uint3{__x, __y, __z};
#else
        uint3 __v = {__x, __y, __z};
        return __v;
#endif
    }
#undef GCL_CONSTEXPR
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif

#endif
