// Orders of keys, by which the sorts of this folder go. An order has
//     bool less(const Key &a, const Key &b): a comes before b
// and, where keys are numbers, what a radix sort needs:
//     rank(key): an unsigned number; a comes before b if its rank is the smaller one
//     digits(): how many bytes of ranks tell keys apart
#ifndef GCLUSTER_ALGORITHMS_KEYS_H
#define GCLUSTER_ALGORITHMS_KEYS_H

#pragma GCC system_header

#include <stddef.h>
#include <stdint.h>

namespace gcluster {

template <size_t size> struct unsigned_of;
template <> struct unsigned_of<1> {
    typedef uint8_t type;
};
template <> struct unsigned_of<2> {
    typedef uint16_t type;
};
template <> struct unsigned_of<4> {
    typedef uint32_t type;
};
template <> struct unsigned_of<8> {
    typedef uint64_t type;
};

enum number_kind { UNSIGNED_NUMBER, SIGNED_NUMBER, FLOATING_NUMBER };

/// Which numbers a radix sort takes. Half and its kin are added by who knows them.
template <class Key> struct number {
    static constexpr bool is_sortable = false;
};
#define GCL_NUMBER(type, is)                                                                       \
    template <> struct number<type> {                                                              \
        static constexpr bool is_sortable = true;                                                  \
        static constexpr number_kind kind = is;                                                    \
    };
GCL_NUMBER(bool, UNSIGNED_NUMBER)
GCL_NUMBER(char, static_cast<char>(-1) < 0 ? SIGNED_NUMBER : UNSIGNED_NUMBER)
GCL_NUMBER(signed char, SIGNED_NUMBER)
GCL_NUMBER(unsigned char, UNSIGNED_NUMBER)
GCL_NUMBER(short, SIGNED_NUMBER)
GCL_NUMBER(unsigned short, UNSIGNED_NUMBER)
GCL_NUMBER(int, SIGNED_NUMBER)
GCL_NUMBER(unsigned, UNSIGNED_NUMBER)
GCL_NUMBER(long, SIGNED_NUMBER)
GCL_NUMBER(unsigned long, UNSIGNED_NUMBER)
GCL_NUMBER(long long, SIGNED_NUMBER)
GCL_NUMBER(unsigned long long, UNSIGNED_NUMBER)
GCL_NUMBER(float, FLOATING_NUMBER)
GCL_NUMBER(double, FLOATING_NUMBER)
#undef GCL_NUMBER

/// Numbers by the bits [begin_bit, end_bit) of what orders them; -0 and 0 are the same.
template <class Key, bool descending> struct by_bits {
    typedef typename unsigned_of<sizeof(Key)>::type Rank;
    int begin_bit, end_bit;

    __host__ __device__ Rank rank(Key key) const {
        constexpr Rank top = static_cast<Rank>(Rank{1} << (8 * sizeof(Key) - 1));
        Rank bits;
        __builtin_memcpy(&bits, &key, sizeof bits);
        if (number<Key>::kind == FLOATING_NUMBER) {
            bits = bits == top ? Rank{0} : bits;
            bits = static_cast<Rank>(bits & top ? ~bits : bits | top);
        } else if (number<Key>::kind == SIGNED_NUMBER) {
            bits = static_cast<Rank>(bits ^ top);
        }
        bits = static_cast<Rank>(descending ? ~bits : bits);
        bits = static_cast<Rank>(bits << (8 * sizeof(Key) - static_cast<size_t>(end_bit)));
        return static_cast<Rank>(bits >> (8 * sizeof(Key) - static_cast<size_t>(end_bit) +
                                          static_cast<size_t>(begin_bit)));
    }
    __host__ __device__ int digits() const {
        return (end_bit - begin_bit + 7) / 8;
    }
    __host__ __device__ bool less(Key a, Key b) const {
        return rank(a) < rank(b);
    }
};

/// Keys by a function object.
template <class Less> struct by_comparison {
    mutable Less compare;
    template <class A, class B> __host__ __device__ bool less(const A &a, const B &b) const {
        return compare(a, b);
    }
};

} // namespace gcluster

#endif
