// How a step reaches its operands: arrays of 32 lanes. Steps compute all lanes, into the warp's
// scratch, and store those of the mask: loops without conditions, which the compiler makes vector
// code of. So what is computed must be defined whatever is in lanes that don't take part.
#ifndef PTX_EXECUTE_LANES_H
#define PTX_EXECUTE_LANES_H

#include <string.h>

#include "../run/warp.h"
#include "steps.h"

#define PTX_EACH_LANE(l) for (int l = 0; l < PTX_LANES; l++)

/// The 32 lanes of a place.
static inline unsigned char *ptx_at(const struct ptx_warp *warp, uint32_t place) {
    return warp->base[place & PTX_POOL] + (place & ~(uint32_t)PTX_POOL);
}

static inline uint32_t ptx_predicate(const struct ptx_warp *warp, uint32_t place) {
    uint32_t mask;
    memcpy(&mask, ptx_at(warp, place), sizeof mask);
    return mask;
}

static inline void ptx_set_predicate(struct ptx_warp *warp, uint32_t place, uint32_t bits) {
    uint32_t old = ptx_predicate(warp, place);
    old = (old & ~warp->mask) | (bits & warp->mask);
    memcpy(ptx_at(warp, place), &old, sizeof old);
}

#define PTX_STORE(bits)                                                                            \
    static inline void ptx_store_##bits(struct ptx_warp *warp, uint32_t place,                     \
                                        const void *values) {                                      \
        uint##bits##_t *to = (uint##bits##_t *)(void *)ptx_at(warp, place);                        \
        const uint##bits##_t *from = values;                                                       \
        uint32_t mask = warp->mask;                                                                \
        if (mask == UINT32_MAX) {                                                                  \
            memcpy(to, from, sizeof *to *PTX_LANES);                                               \
            return;                                                                                \
        }                                                                                          \
        PTX_EACH_LANE(l)                                                                           \
        to[l] = mask >> l & 1 ? from[l] : to[l];                                                   \
    }
PTX_STORE(8)
PTX_STORE(16)
PTX_STORE(32)
PTX_STORE(64)
#undef PTX_STORE

static inline void ptx_store(struct ptx_warp *warp, uint32_t place, const void *values,
                             size_t size) {
    switch (size) {
    case 1:
        ptx_store_8(warp, place, values);
        break;
    case 2:
        ptx_store_16(warp, place, values);
        break;
    case 4:
        ptx_store_32(warp, place, values);
        break;
    case 8:
        ptx_store_64(warp, place, values);
        break;
    default:
        PTX_EACH_LANE(l)
        if (warp->mask >> l & 1)
            memcpy(ptx_at(warp, place) + (size_t)l * 16, (const char *)values + (size_t)l * 16, 16);
    }
}

/// The steps `name` for operands of type T, results of type R: `value` is an expression of a, b, c.
#define PTX_STEP_1(name, R, T, value)                                                              \
    static const struct ptx_op *name(struct ptx_warp *warp, const struct ptx_op *op) {             \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        R *restrict to = (R *)(void *)warp->scratch;                                               \
        PTX_EACH_LANE(l) {                                                                         \
            T a = pa[l];                                                                           \
            to[l] = (R)(value);                                                                    \
        }                                                                                          \
        ptx_store(warp, op->d[0], to, sizeof(R));                                                  \
        return op + 1;                                                                             \
    }
#define PTX_STEP_2(name, R, T, U, value)                                                           \
    static const struct ptx_op *name(struct ptx_warp *warp, const struct ptx_op *op) {             \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        const U *pb = (const U *)(const void *)ptx_at(warp, op->s[1]);                             \
        R *restrict to = (R *)(void *)warp->scratch;                                               \
        PTX_EACH_LANE(l) {                                                                         \
            T a = pa[l];                                                                           \
            U b = pb[l];                                                                           \
            to[l] = (R)(value);                                                                    \
        }                                                                                          \
        ptx_store(warp, op->d[0], to, sizeof(R));                                                  \
        return op + 1;                                                                             \
    }
#define PTX_STEP_3(name, R, T, U, V, value)                                                        \
    static const struct ptx_op *name(struct ptx_warp *warp, const struct ptx_op *op) {             \
        const T *pa = (const T *)(const void *)ptx_at(warp, op->s[0]);                             \
        const U *pb = (const U *)(const void *)ptx_at(warp, op->s[1]);                             \
        const V *pc = (const V *)(const void *)ptx_at(warp, op->s[2]);                             \
        R *restrict to = (R *)(void *)warp->scratch;                                               \
        PTX_EACH_LANE(l) {                                                                         \
            T a = pa[l];                                                                           \
            U b = pb[l];                                                                           \
            V c = pc[l];                                                                           \
            to[l] = (R)(value);                                                                    \
        }                                                                                          \
        ptx_store(warp, op->d[0], to, sizeof(R));                                                  \
        return op + 1;                                                                             \
    }

#endif
