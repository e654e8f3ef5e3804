// min() and max() of the arithmetic types, mixed ones too, on host and device, and their C names.
//
// Pairs that CUDA declares are plain overloads, so that they win over std::min under `using
// namespace std` and over programs' templates; the other pairs are a template. The names stand in
// parentheses because programs define macros min and max.
#ifndef GCLUSTER_MINMAX_H
#define GCLUSTER_MINMAX_H

#include "gcluster_base.h"

#define __GCL_MINMAX(__type, __a_type, __b_type)                                                   \
    __GCL_BOTH __type(min)(__a_type __a, __b_type __b) {                                           \
        return (__type)__a < (__type)__b ? (__type)__a : (__type)__b;                              \
    }                                                                                              \
    __GCL_BOTH __type(max)(__a_type __a, __b_type __b) {                                           \
        return (__type)__a > (__type)__b ? (__type)__a : (__type)__b;                              \
    }
#define __GCL_MINMAX_INTEGER(__plain, __without_sign)                                              \
    __GCL_MINMAX(__plain, __plain, __plain)                                                        \
    __GCL_MINMAX(__without_sign, __without_sign, __without_sign)                                   \
    __GCL_MINMAX(__without_sign, __plain, __without_sign)                                          \
    __GCL_MINMAX(__without_sign, __without_sign, __plain)

__GCL_MINMAX_INTEGER(int, unsigned int)
__GCL_MINMAX_INTEGER(long, unsigned long)
__GCL_MINMAX_INTEGER(long long, unsigned long long)

#undef __GCL_MINMAX
#undef __GCL_MINMAX_INTEGER

// Of a number and a NaN, the number.
#define __GCL_MINMAX(__type, __a_type, __b_type, __suffix)                                         \
    __GCL_BOTH __type(min)(__a_type __a, __b_type __b) {                                           \
        return __builtin_fmin##__suffix(__a, __b);                                                 \
    }                                                                                              \
    __GCL_BOTH __type(max)(__a_type __a, __b_type __b) {                                           \
        return __builtin_fmax##__suffix(__a, __b);                                                 \
    }

__GCL_MINMAX(float, float, float, f)
__GCL_MINMAX(double, double, double, )
__GCL_MINMAX(double, float, double, )
__GCL_MINMAX(double, double, float, )

#undef __GCL_MINMAX

/// Rank of the types whose mixed pairs have a common type by the usual conversions; 0: not ours.
template <class __type> struct __gcl_rank {
    enum { value = 0 };
};
#define __GCL_RANK(__type, __rank)                                                                 \
    template <> struct __gcl_rank<__type> {                                                        \
        enum { value = __rank };                                                                   \
    };
__GCL_RANK(bool, 1)
__GCL_RANK(char, 1)
__GCL_RANK(signed char, 1)
__GCL_RANK(unsigned char, 1)
__GCL_RANK(short, 1)
__GCL_RANK(unsigned short, 1)
__GCL_RANK(int, 1)
__GCL_RANK(unsigned int, 1)
__GCL_RANK(long, 2)
__GCL_RANK(unsigned long, 2)
__GCL_RANK(long long, 3)
__GCL_RANK(unsigned long long, 3)
__GCL_RANK(float, 4)
__GCL_RANK(double, 4)
#undef __GCL_RANK

/// The common type of two arithmetic types of different rank; no such type otherwise.
template <class __a, class __b,
          bool = __gcl_rank<__a>::value && __gcl_rank<__b>::value &&
                 int(__gcl_rank<__a>::value) != int(__gcl_rank<__b>::value)>
struct __gcl_common {};
template <class __a, class __b> struct __gcl_common<__a, __b, true> {
    typedef __typeof__(__a() + __b()) type;
};

template <class __a_type, class __b_type>
__GCL_BOTH_TEMPLATE
    typename __gcl_common<__a_type, __b_type>::type(min)(__a_type __a, __b_type __b) {
    typedef typename __gcl_common<__a_type, __b_type>::type __type;
    return (__type)__a < (__type)__b ? (__type)__a : (__type)__b;
}
template <class __a_type, class __b_type>
__GCL_BOTH_TEMPLATE
    typename __gcl_common<__a_type, __b_type>::type(max)(__a_type __a, __b_type __b) {
    typedef typename __gcl_common<__a_type, __b_type>::type __type;
    return (__type)__a > (__type)__b ? (__type)__a : (__type)__b;
}

__GCL_BOTH unsigned int umin(unsigned int __a, unsigned int __b) {
    return __a < __b ? __a : __b;
}
__GCL_BOTH unsigned int umax(unsigned int __a, unsigned int __b) {
    return __a > __b ? __a : __b;
}
__GCL_BOTH long long llmin(long long __a, long long __b) {
    return __a < __b ? __a : __b;
}
__GCL_BOTH long long llmax(long long __a, long long __b) {
    return __a > __b ? __a : __b;
}
__GCL_BOTH unsigned long long ullmin(unsigned long long __a, unsigned long long __b) {
    return __a < __b ? __a : __b;
}
__GCL_BOTH unsigned long long ullmax(unsigned long long __a, unsigned long long __b) {
    return __a > __b ? __a : __b;
}

#endif
