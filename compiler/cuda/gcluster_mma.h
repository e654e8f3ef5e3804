// Products of tiles that a warp holds together: one struct for each type of element, with
// __tile<rows, depth>(sums, a, b). A lane has `rows` (1 or 2) rows of A and `depth` words of each
// along the inner dimension, row by row; of B, `depth` words of one column; of the product, two
// numbers of each row. crt/mma.h says which.
#ifndef GCLUSTER_MMA_H
#define GCLUSTER_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define __GCL_MMA_MEMBER __inline__ __attribute__((device, always_inline, nodebug))
#define __GCL_MMA_ALIGNED __attribute__((aligned(8)))
#define __GCL_MMA_TILE(__sum, __word)                                                              \
    template <unsigned __rows, unsigned __depth>                                                   \
    __GCL_MMA_MEMBER static void __tile(__sum *__d, const __word *__a, const __word *__b)

/// A number as one of another type; half has no conversions under some macros.
template <class __to, class __from> __GCL_DEVICE_TEMPLATE __to __gcl_mma_as(__from __x) {
    return __x;
}
template <> __GCL_DEVICE_TEMPLATE float __gcl_mma_as<float, __half>(__half __x) {
    return __half2float(__x);
}
template <> __GCL_DEVICE_TEMPLATE __half __gcl_mma_as<__half, float>(float __x) {
    return __float2half(__x);
}

/// What GPUs without the instruction do. `__dot` adds the products of two words to a sum.
template <class __dot, unsigned __rows, unsigned __depth, class __sum, class __word>
__GCL_DEVICE_TEMPLATE void __gcl_mma_exchange(__sum *__d, const __word *__a, const __word *__b) {
    unsigned __lane = __gcl_lane();
#pragma clang loop unroll(disable)
    for (unsigned __l = 0; __l < 4; __l++) {
        __word __of_a[__rows * __depth], __of_b[2][__depth];
#pragma unroll
        for (unsigned __i = 0; __i < __rows * __depth; __i++)
            __of_a[__i] = __gcl_shuffle(~0u, __a[__i], __lane / 4 * 4 + __l);
#pragma unroll
        for (unsigned __i = 0; __i < 2 * __depth; __i++)
            __of_b[__i / __depth][__i % __depth] =
                __gcl_shuffle(~0u, __b[__i % __depth], __lane % 4 * 8 + __i / __depth * 4 + __l);
#pragma unroll
        for (unsigned __i = 0; __i < 2 * __rows * __depth; __i++) {
            unsigned __r = __i / (2 * __depth), __c = __i / __depth % 2, __w = __i % __depth;
            __d[2 * __r + __c] =
                __dot::__add(__d[2 * __r + __c], __of_a[__rows * __w + __r], __of_b[__c][__w]);
        }
    }
}

#define __GCL_MMA_REAL(__type, ...)                                                                \
    asm volatile("mma.sync.aligned." __type                                                        \
                 : "+f"(__d[0]), "+f"(__d[1]), "+f"(__d[2]), "+f"(__d[3])                          \
                 : __VA_ARGS__)
#define __GCL_MMA_WHOLE(__type, ...)                                                               \
    asm volatile("mma.sync.aligned." __type                                                        \
                 : "+r"(__d[0]), "+r"(__d[1]), "+r"(__d[2]), "+r"(__d[3])                          \
                 : __VA_ARGS__)
#define __GCL_MMA_LARGE " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
#define __GCL_MMA_SMALL " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
#define __GCL_MMA_ROWS_8 " {%0, %1}, {%2}, {%3}, {%0, %1};"
#define __GCL_MMA_ALL "r"(__a[0]), "r"(__a[1]), "r"(__a[2]), "r"(__a[3]), "r"(__b[0]), "r"(__b[1])

struct __gcl_dot_f16 {
    __GCL_MMA_MEMBER static float __half_at(unsigned __word, unsigned __shift) {
        return __half2float(__ushort_as_half((unsigned short)(__word >> __shift)));
    }
    __GCL_MMA_MEMBER static float __add(float __sum, unsigned __a, unsigned __b) {
        __sum += __half_at(__a, 0) * __half_at(__b, 0);
        return __sum + __half_at(__a, 16) * __half_at(__b, 16);
    }
};
struct __gcl_mma_f16 {
    typedef float __sum;
    typedef unsigned __word;
    __GCL_MMA_TILE(float, unsigned) {
#if __CUDA_ARCH__ >= 800
        __GCL_MMA_REAL("m16n8k16.row.col.f32.f16.f16.f32" __GCL_MMA_LARGE, __GCL_MMA_ALL);
#elif __CUDA_ARCH__ >= 750
        __GCL_MMA_REAL("m16n8k8.row.col.f32.f16.f16.f32" __GCL_MMA_SMALL, "r"(__a[0]), "r"(__a[1]),
                       "r"(__b[0]));
        __GCL_MMA_REAL("m16n8k8.row.col.f32.f16.f16.f32" __GCL_MMA_SMALL, "r"(__a[2]), "r"(__a[3]),
                       "r"(__b[1]));
#else
        __gcl_mma_exchange<__gcl_dot_f16, __rows, __depth>(__d, __a, __b);
#endif
    }
};

struct __gcl_dot_bf16 {
    __GCL_MMA_MEMBER static float __add(float __sum, unsigned __a, unsigned __b) {
        __sum += __uint_as_float(__a << 16) * __uint_as_float(__b << 16);
        return __sum + __uint_as_float(__a & 0xffff0000) * __uint_as_float(__b & 0xffff0000);
    }
};
struct __gcl_mma_bf16 {
    typedef float __sum;
    typedef unsigned __word;
    __GCL_MMA_TILE(float, unsigned) {
#if __CUDA_ARCH__ >= 800
        __GCL_MMA_REAL("m16n8k16.row.col.f32.bf16.bf16.f32" __GCL_MMA_LARGE, __GCL_MMA_ALL);
#else
        __gcl_mma_exchange<__gcl_dot_bf16, __rows, __depth>(__d, __a, __b);
#endif
    }
};

struct __gcl_dot_tf32 {
    __GCL_MMA_MEMBER static float __add(float __sum, unsigned __a, unsigned __b) {
        return __sum + __uint_as_float(__a & 0xffffe000) * __uint_as_float(__b & 0xffffe000);
    }
};
struct __gcl_mma_tf32 {
    typedef float __sum;
    typedef unsigned __word;
    __GCL_MMA_TILE(float, unsigned) {
#if __CUDA_ARCH__ >= 800
        __GCL_MMA_REAL("m16n8k8.row.col.f32.tf32.tf32.f32" __GCL_MMA_LARGE, __GCL_MMA_ALL);
#else
        __gcl_mma_exchange<__gcl_dot_tf32, __rows, __depth>(__d, __a, __b);
#endif
    }
};

struct __gcl_dot_f64 {
    __GCL_MMA_MEMBER static double __add(double __sum, double __a, double __b) {
        return fma(__a, __b, __sum);
    }
};
struct __gcl_mma_f64 {
    typedef double __sum;
    typedef double __word;
    __GCL_MMA_TILE(double, double) {
#if __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64" __GCL_MMA_ROWS_8
                     : "+d"(__d[0]), "+d"(__d[1])
                     : "d"(__a[0]), "d"(__b[0]));
#else
        __gcl_mma_exchange<__gcl_dot_f64, __rows, __depth>(__d, __a, __b);
#endif
    }
};

/// Of integers that are parts of words.
template <class __part, unsigned __bits> struct __gcl_dot_parts {
    __GCL_MMA_MEMBER static int __at(unsigned __word, unsigned __i) {
        __part __up = (__part)(__word << (32 - __bits * (__i + 1)));
        return (int)(__up >> (32 - __bits));
    }
    __GCL_MMA_MEMBER static int __add(int __sum, unsigned __a, unsigned __b) {
#pragma unroll
        for (unsigned __i = 0; __i < 32 / __bits; __i++)
            __sum += __at(__a, __i) * __at(__b, __i);
        return __sum;
    }
};
/// The sum with saturation: products of so few small numbers fit.
template <class __dot, unsigned __rows, unsigned __depth>
__GCL_DEVICE_TEMPLATE void __gcl_mma_saturate(int *__d, const unsigned *__a, const unsigned *__b) {
    int __sums[4] = {0, 0, 0, 0};
    __gcl_mma_exchange<__dot, __rows, __depth>(__sums, __a, __b);
#pragma unroll
    for (unsigned __i = 0; __i < 2 * __rows; __i++) {
        long long __sum = (long long)__d[__i] + __sums[__i];
        __d[__i] = (int)(__sum > 0x7fffffffll    ? 0x7fffffffll
                         : __sum < -0x80000000ll ? -0x80000000ll
                                                 : __sum);
    }
}

#define __GCL_MMA_BYTES(__name, __type, __part)                                                    \
    struct __name {                                                                                \
        typedef unsigned __word;                                                                   \
        struct __saturating {                                                                      \
            typedef unsigned __word;                                                               \
            __GCL_MMA_TILE(int, unsigned) {                                                        \
                __gcl_mma_saturate<__gcl_dot_parts<__part, 8>, __rows, __depth>(__d, __a, __b);    \
            }                                                                                      \
        };                                                                                         \
        __GCL_MMA_TILE(int, unsigned) {                                                            \
            __GCL_MMA_BYTES_TILE(__type, __part)                                                   \
        }                                                                                          \
    };
#if __CUDA_ARCH__ >= 800
#define __GCL_MMA_BYTES_TILE(__type, __part)                                                       \
    __GCL_MMA_WHOLE("m16n8k16.row.col.s32." __type __GCL_MMA_SMALL, "r"(__a[0]), "r"(__a[1]),      \
                    "r"(__b[0]));
#else
#define __GCL_MMA_BYTES_TILE(__type, __part)                                                       \
    __gcl_mma_exchange<__gcl_dot_parts<__part, 8>, __rows, __depth>(__d, __a, __b);
#endif
__GCL_MMA_BYTES(__gcl_mma_s8, "s8.s8.s32", int)
__GCL_MMA_BYTES(__gcl_mma_u8, "u8.u8.s32", unsigned)

// Since Hopper, GPUs compute with numbers of 4 bits and with bits in other ways, too.
#define __GCL_MMA_FEW_BITS(__name, __type, __least, ...)                                           \
    struct __name {                                                                                \
        typedef unsigned __word;                                                                   \
        struct __saturating {                                                                      \
            typedef unsigned __word;                                                               \
            __GCL_MMA_TILE(int, unsigned) {                                                        \
                __gcl_mma_saturate<__VA_ARGS__, __rows, __depth>(__d, __a, __b);                   \
            }                                                                                      \
        };                                                                                         \
        __GCL_MMA_TILE(int, unsigned) {                                                            \
            if (__GCL_MMA_ARCHITECTURE >= __least)                                                 \
                asm volatile("mma.sync.aligned." __type __GCL_MMA_ROWS_8                           \
                             : "+r"(__d[0]), "+r"(__d[1])                                          \
                             : "r"(__a[0]), "r"(__b[0]));                                          \
            else                                                                                   \
                __gcl_mma_exchange<__VA_ARGS__, __rows, __depth>(__d, __a, __b);                   \
        }                                                                                          \
    };
#ifdef __CUDA_ARCH__
#define __GCL_MMA_ARCHITECTURE __CUDA_ARCH__
#else
#define __GCL_MMA_ARCHITECTURE 0
#endif
template <bool __is_and> struct __gcl_dot_bits {
    __GCL_MMA_MEMBER static int __add(int __sum, unsigned __a, unsigned __b) {
        return __sum + __popc(__is_and ? __a & __b : __a ^ __b);
    }
};
typedef __gcl_dot_parts<int, 4> __gcl_dot_s4;
typedef __gcl_dot_parts<unsigned, 4> __gcl_dot_u4;
__GCL_MMA_FEW_BITS(__gcl_mma_s4, "m8n8k32.row.col.s32.s4.s4.s32", 750, __gcl_dot_s4)
__GCL_MMA_FEW_BITS(__gcl_mma_u4, "m8n8k32.row.col.s32.u4.u4.s32", 750, __gcl_dot_u4)
__GCL_MMA_FEW_BITS(__gcl_mma_xor, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 750,
                   __gcl_dot_bits<false>)
__GCL_MMA_FEW_BITS(__gcl_mma_and, "m8n8k128.row.col.s32.b1.b1.s32.and.popc", 800,
                   __gcl_dot_bits<true>)

#undef __GCL_MMA_FEW_BITS
#undef __GCL_MMA_ARCHITECTURE
#undef __GCL_MMA_BYTES
#undef __GCL_MMA_BYTES_TILE
#undef __GCL_MMA_ALL
#undef __GCL_MMA_ROWS_8
#undef __GCL_MMA_SMALL
#undef __GCL_MMA_LARGE
#undef __GCL_MMA_WHOLE
#undef __GCL_MMA_REAL
#undef __GCL_MMA_TILE

#endif

#endif
