// nvcuda::wmma: matrices that a warp holds together in fragments, and their products.
//
// Elements of fragments are where mma.sync wants them (PTX ISA, "Matrix Fragments for mma"): a
// fragment is one or more tiles of its instruction. In a tile of A, lane l has words of row l / 4
// and, of 16 rows, l / 4 + 8; of B, of column l / 4; word number l % 4 along the inner dimension,
// and so on in steps of 4. Of a product it has columns 2 (l % 4) and the next one of A's rows. A
// product of 8 rows and 32 columns is computed as its transpose. GPUs that have the instruction run
// it; others exchange words by shuffles.
#ifndef GCLUSTER_CRT_MMA_H
#define GCLUSTER_CRT_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gcluster_mma.h>

#if defined(__cplusplus) && defined(__CUDA__)

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/// What elements of a type are: how many bits they have, what a program sees of them, and what
/// multiplies tiles of them.
template <class __type> struct __element;
#define __GCL_ELEMENT(__type, __size, __stored, __product)                                         \
    template <> struct __element<__type> {                                                         \
        enum { __bits = __size };                                                                  \
        typedef __stored __storage;                                                                \
        typedef __product __multiply;                                                              \
    };
__GCL_ELEMENT(__half, 16, __half, __gcl_mma_f16)
__GCL_ELEMENT(__nv_bfloat16, 16, __nv_bfloat16, __gcl_mma_bf16)
__GCL_ELEMENT(precision::tf32, 32, float, __gcl_mma_tf32)
__GCL_ELEMENT(double, 64, double, __gcl_mma_f64)
__GCL_ELEMENT(signed char, 8, signed char, __gcl_mma_s8)
__GCL_ELEMENT(unsigned char, 8, unsigned char, __gcl_mma_u8)
__GCL_ELEMENT(experimental::precision::s4, 4, int, __gcl_mma_s4)
__GCL_ELEMENT(experimental::precision::u4, 4, unsigned, __gcl_mma_u4)
__GCL_ELEMENT(experimental::precision::b1, 1, unsigned, void)
__GCL_ELEMENT(float, 32, float, void)
__GCL_ELEMENT(int, 32, int, void)
#undef __GCL_ELEMENT

/// What pointers to elements of a type point to: of those with fewer than 8 bits, to anything.
template <class __type> struct __memory_of {
    typedef typename __element<__type>::__storage __seen;
};
template <> struct __memory_of<experimental::precision::s4> {
    typedef void __seen;
};
template <> struct __memory_of<experimental::precision::u4> {
    typedef void __seen;
};
template <> struct __memory_of<experimental::precision::b1> {
    typedef void __seen;
};

/// How a product of a shape falls into tiles.
template <int __m, int __n, int __k, int __bits> struct __tiling {
    static constexpr bool __swapped = __m == 8 && __n == 32;
    static constexpr int __high = __swapped ? __n : __m, __wide = __swapped ? __m : __n;
    static constexpr int __rows = __high >= 16 ? 2 : 1; ///< a lane has in a tile
    static constexpr int __down = __high / (8 * __rows), __across = __wide / 8; ///< tiles
    static constexpr int __in_word = __bits >= 32 ? 1 : 32 / __bits;
    static constexpr int __depth = __k / (4 * __in_word); ///< words along the inner dimension
};
/// Only those shapes are there that CUDA has.
template <int __m, int __n, int __k, class __type> struct __shape;
#define __GCL_SHAPE(__m, __n, __k, __type)                                                         \
    template <>                                                                                    \
    struct __shape<__m, __n, __k, __type> : __tiling<__m, __n, __k, __element<__type>::__bits> {};
#define __GCL_SHAPES(__type)                                                                       \
    __GCL_SHAPE(16, 16, 16, __type)                                                                \
    __GCL_SHAPE(32, 8, 16, __type)                                                                 \
    __GCL_SHAPE(8, 32, 16, __type)
__GCL_SHAPES(__half)
__GCL_SHAPES(__nv_bfloat16)
__GCL_SHAPES(signed char)
__GCL_SHAPES(unsigned char)
__GCL_SHAPE(16, 16, 8, precision::tf32)
__GCL_SHAPE(8, 8, 4, double)
__GCL_SHAPE(8, 8, 32, experimental::precision::s4)
__GCL_SHAPE(8, 8, 32, experimental::precision::u4)
__GCL_SHAPE(8, 8, 128, experimental::precision::b1)
#undef __GCL_SHAPES
#undef __GCL_SHAPE

/// Where an element is: row and column of a product; of a factor, row of A or column of B, and the
/// place along the inner dimension.
struct __place {
    unsigned __outer, __inner;
};

/// A factor of a product: how many words of it a lane has.
template <bool __is_a, class __tiles> struct __factor {
    static constexpr bool __is_first = __is_a != __tiles::__swapped;
    static constexpr unsigned __rows = __is_first ? __tiles::__rows : 1;
    static constexpr unsigned __in_tile = __rows * __tiles::__depth;
    static constexpr unsigned __words =
        __in_tile * (__is_first ? __tiles::__down : __tiles::__across);
    static constexpr unsigned __elements = __words * __tiles::__in_word;

    __GCL_MMA_MEMBER static __place __at(unsigned __i) {
        unsigned __lane = __gcl_lane(), __word = __i / __tiles::__in_word;
        unsigned __tile = __word / __in_tile, __register = __word % __in_tile;
        return {__lane / 4 + 8 * (__register % __rows) + 8 * __rows * __tile,
                (__lane % 4 + 4 * (__register / __rows)) * __tiles::__in_word +
                    __i % __tiles::__in_word};
    }
};

template <class __tiles> struct __product {
    static constexpr unsigned __in_tile = 2 * __tiles::__rows;
    static constexpr unsigned __elements = __in_tile * __tiles::__down * __tiles::__across;

    __GCL_MMA_MEMBER static __place __at(unsigned __i) {
        unsigned __lane = __gcl_lane(), __register = __i % __in_tile, __tile = __i / __in_tile;
        unsigned __row =
            __lane / 4 + 8 * (__register / 2) + 8 * __tiles::__rows * (__tile / __tiles::__across);
        unsigned __column = 2 * (__lane % 4) + __register % 2 + 8 * (__tile % __tiles::__across);
        return __tiles::__swapped ? __place{__column, __row} : __place{__row, __column};
    }
};

/// What a fragment of any use has. Elements of fewer than 8 bits are seen as words.
template <class __type, unsigned __count> struct __GCL_MMA_ALIGNED __elements {
    static constexpr unsigned __in_storage =
        __element<__type>::__bits < 8 ? 32 / __element<__type>::__bits : 1;
    enum { num_elements = __count, num_storage_elements = __count / __in_storage };
    typedef __type element_type;
    typedef typename __element<__type>::__storage storage_element_type;
    storage_element_type x[num_storage_elements];
};

template <class __use, int __m, int __n, int __k, class __type, class __layout = void>
class fragment;

#define __GCL_FACTOR(__use, __is_a)                                                                \
    template <int __m, int __n, int __k, class __type, class __layout>                             \
    class fragment<__use, __m, __n, __k, __type, __layout>                                         \
        : public __elements<__type,                                                                \
                            __is_half<__type>::__is                                                \
                                ? 16 /* of a half, some are in two places */                       \
                                : __factor<__is_a, __shape<__m, __n, __k, __type>>::__elements> {  \
    };
template <class __type> struct __is_half {
    static constexpr bool __is = false;
};
template <> struct __is_half<__half> {
    static constexpr bool __is = true;
};
__GCL_FACTOR(matrix_a, true)
__GCL_FACTOR(matrix_b, false)
#undef __GCL_FACTOR

template <int __m, int __n, int __k, class __type>
class fragment<accumulator, __m, __n, __k, __type, void>
    : public __elements<__type, __product<__tiling<__m, __n, __k, 32>>::__elements> {};

template <class __type, unsigned __count>
__GCL_DEVICE_TEMPLATE void
fill_fragment(__elements<__type, __count> &__f,
              const typename __gcl_same<typename __element<__type>::__storage>::type &__value) {
#pragma unroll
    for (unsigned __i = 0; __i < __elements<__type, __count>::num_storage_elements; __i++)
        __f.x[__i] = __value;
}

// ---- Loads and stores ----

template <class __layout> struct __is_row_major {
    static constexpr bool __is = false;
};
template <> struct __is_row_major<row_major> {
    static constexpr bool __is = true;
};

/// Distances of memory count in elements, which are words for those of fewer than 8 bits.
template <bool __is_a, int __m, int __n, int __k, class __type, class __layout, class __fragment,
          class __stored>
__GCL_DEVICE_TEMPLATE void __load(__fragment &__f, const __stored *__p, unsigned __distance) {
    typedef __factor<__is_a, __shape<__m, __n, __k, __type>> __these;
    constexpr unsigned __step = __fragment::__in_storage;
    constexpr bool __by_outer = __is_row_major<__layout>::__is == __is_a;
#pragma unroll
    for (unsigned __i = 0; __i < __fragment::num_storage_elements; __i++) {
        __place __at = __these::__at(__i * __step % __these::__elements);
        __f.x[__i] = __p[__by_outer ? __at.__outer * (__distance / __step) + __at.__inner / __step
                                    : __at.__inner * __distance + __at.__outer];
    }
    __syncwarp();
}

template <int __m, int __n, int __k, class __type, class __layout>
__GCL_DEVICE_TEMPLATE void
load_matrix_sync(fragment<matrix_a, __m, __n, __k, __type, __layout> &__f,
                 const typename __memory_of<__type>::__seen *__p, unsigned __distance) {
    typedef typename __element<__type>::__storage __stored;
    __load<true, __m, __n, __k, __type, __layout>(__f, (const __stored *)__p, __distance);
}
template <int __m, int __n, int __k, class __type, class __layout>
__GCL_DEVICE_TEMPLATE void
load_matrix_sync(fragment<matrix_b, __m, __n, __k, __type, __layout> &__f,
                 const typename __memory_of<__type>::__seen *__p, unsigned __distance) {
    typedef typename __element<__type>::__storage __stored;
    __load<false, __m, __n, __k, __type, __layout>(__f, (const __stored *)__p, __distance);
}
template <int __m, int __n, int __k, class __type>
__GCL_DEVICE_TEMPLATE void load_matrix_sync(fragment<accumulator, __m, __n, __k, __type> &__f,
                                            const typename __gcl_same<__type>::type *__p,
                                            unsigned __distance, layout_t __layout) {
    typedef __product<__tiling<__m, __n, __k, 32>> __these;
#pragma unroll
    for (unsigned __i = 0; __i < __these::__elements; __i++) {
        __place __at = __these::__at(__i);
        __f.x[__i] = __p[__layout == mem_row_major ? __at.__outer * __distance + __at.__inner
                                                   : __at.__inner * __distance + __at.__outer];
    }
    __syncwarp();
}
template <int __m, int __n, int __k, class __type>
__GCL_DEVICE_TEMPLATE void
store_matrix_sync(typename __gcl_same<__type>::type *__p,
                  const fragment<accumulator, __m, __n, __k, __type> &__f, unsigned __distance,
                  layout_t __layout) {
    typedef __product<__tiling<__m, __n, __k, 32>> __these;
#pragma unroll
    for (unsigned __i = 0; __i < __these::__elements; __i++) {
        __place __at = __these::__at(__i);
        __p[__layout == mem_row_major ? __at.__outer * __distance + __at.__inner
                                      : __at.__inner * __distance + __at.__outer] = __f.x[__i];
    }
    __syncwarp();
}

// ---- Products ----

/// Goes through the tiles of d = a b + c, in sums of type `__sum`.
template <class __multiply, class __sum, class __tiles, class __D, class __A, class __B, class __C>
__GCL_DEVICE_TEMPLATE void __multiply_tiles(__D &__d, const __A &__a, const __B &__b,
                                            const __C &__c) {
    typedef __factor<true, __tiles> __of_a;
    typedef __factor<false, __tiles> __of_b;
    typedef typename __multiply::__word __word;
    constexpr unsigned __each = 2 * __tiles::__rows;
    __word __first[__tiles::__swapped ? __of_b::__words : __of_a::__words];
    __word __second[__tiles::__swapped ? __of_a::__words : __of_b::__words];
    __builtin_memcpy(__first, __tiles::__swapped ? (const void *)__b.x : __a.x, sizeof __first);
    __builtin_memcpy(__second, __tiles::__swapped ? (const void *)__a.x : __b.x, sizeof __second);
#pragma unroll
    for (unsigned __t = 0; __t < __tiles::__down * __tiles::__across; __t++) {
        __sum __sums[4];
#pragma unroll
        for (unsigned __i = 0; __i < __each; __i++)
            __sums[__i] = __gcl_mma_as<__sum>(__c.x[__t * __each + __i]);
        __multiply::template __tile<__tiles::__rows, __tiles::__depth>(
            __sums, __first + __t / __tiles::__across * (__tiles::__rows * __tiles::__depth),
            __second + __t % __tiles::__across * __tiles::__depth);
#pragma unroll
        for (unsigned __i = 0; __i < __each; __i++)
            __d.x[__t * __each + __i] =
                __gcl_mma_as<typename __D::storage_element_type>(__sums[__i]);
    }
}

/// Of floating-point numbers. Sums of half are those of float that are rounded at the end.
template <int __m, int __n, int __k, class __type, class __layout_a, class __layout_b, class __to,
          class __from>
__GCL_DEVICE_TEMPLATE void
mma_sync(fragment<accumulator, __m, __n, __k, __to> &__d,
         const fragment<matrix_a, __m, __n, __k, __type, __layout_a> &__a,
         const fragment<matrix_b, __m, __n, __k, __type, __layout_b> &__b,
         const fragment<accumulator, __m, __n, __k, __from> &__c) {
    typedef typename __element<__type>::__multiply __multiply;
    __multiply_tiles<__multiply, typename __multiply::__sum, __shape<__m, __n, __k, __type>>(
        __d, __a, __b, __c);
}
/// Of integers, which saturate if asked to.
template <int __m, int __n, int __k, class __type, class __layout_a, class __layout_b>
__GCL_DEVICE_TEMPLATE void
mma_sync(fragment<accumulator, __m, __n, __k, int> &__d,
         const fragment<matrix_a, __m, __n, __k, __type, __layout_a> &__a,
         const fragment<matrix_b, __m, __n, __k, __type, __layout_b> &__b,
         const fragment<accumulator, __m, __n, __k, int> &__c, bool __saturates = false) {
    typedef typename __element<__type>::__multiply __multiply;
    typedef __shape<__m, __n, __k, __type> __tiles;
    if (__saturates)
        __multiply_tiles<typename __multiply::__saturating, int, __tiles>(__d, __a, __b, __c);
    else
        __multiply_tiles<__multiply, int, __tiles>(__d, __a, __b, __c);
}

template <class __layout_a, class __layout_b>
__GCL_DEVICE_TEMPLATE void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &__d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, __layout_a> &__a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, __layout_b> &__b,
          const fragment<accumulator, 8, 8, 128, int> &__c,
          experimental::bmmaBitOp __operation = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    typedef __shape<8, 8, 128, experimental::precision::b1> __tiles;
    if (__operation == experimental::bmmaBitOpAND)
        __multiply_tiles<__gcl_mma_and, int, __tiles>(__d, __a, __b, __c);
    else
        __multiply_tiles<__gcl_mma_xor, int, __tiles>(__d, __a, __b, __c);
}

/// The nearest number of 10 bits behind the point; ties go away from zero.
__GCL_DEVICE float __float_to_tf32(float __x) {
    unsigned __bits = __float_as_uint(__x);
    bool __is_finite = (__bits & 0x7f800000u) != 0x7f800000u;
    return __uint_as_float((__bits + (__is_finite ? 0x1000u : 0u)) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

#endif

#endif
