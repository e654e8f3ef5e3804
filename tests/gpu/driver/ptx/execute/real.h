// Floating-point operands and results: what .ftz, .sat and roundings do to them.
#ifndef PTX_EXECUTE_REAL_H
#define PTX_EXECUTE_REAL_H

#include "lanes.h"

/// 32 floats with subnormal ones made zeros of their sign.
static inline void ptx_flush(float *to, const float *from) {
    PTX_EACH_LANE(l) {
        uint32_t bits;
        memcpy(&bits, &from[l], sizeof bits);
        bits &= bits & 0x7f800000 ? UINT32_MAX : 0x80000000;
        memcpy(&to[l], &bits, sizeof bits);
    }
}

/// 32 results as PTX has them: one NaN, and what .ftz and .sat say.
static inline void ptx_finish_float(float *values, const struct ptx_op *op) {
    if (op->has_ftz)
        ptx_flush(values, values);
    if (op->has_sat)
        PTX_EACH_LANE(l) values[l] = values[l] > 0 ? (values[l] < 1 ? values[l] : 1) : 0;
    PTX_EACH_LANE(l) {
        uint32_t bits;
        memcpy(&bits, &values[l], sizeof bits);
        bits = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
        memcpy(&values[l], &bits, sizeof bits);
    }
}

/// From here on, until PTX_NEAREST is set again, arithmetic is rounded that way.
void ptx_set_rounding(enum ptx_rounding rounding);

/// Operand `index`, flushed if the operation says so: to `room`, or where it is.
static inline const float *ptx_float_operand(const struct ptx_warp *warp, const struct ptx_op *op,
                                             unsigned index, float *room) {
    const float *values = (const float *)(const void *)ptx_at(warp, op->s[index]);
    if (!op->has_ftz)
        return values;
    ptx_flush(room, values);
    return room;
}

#endif
