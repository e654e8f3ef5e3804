// Mathematics that GPUs approximate: here rounded from a double, so within one unit in the last
// place.
#include <math.h>

#include "real.h"

#define FUNCTION(name, value)                                                                      \
    static const struct ptx_op *name##_f32(struct ptx_warp *warp, const struct ptx_op *op) {       \
        float room[PTX_LANES];                                                                     \
        const float *pa = ptx_float_operand(warp, op, 0, room);                                    \
        float *restrict to = (float *)(void *)warp->scratch;                                       \
        for (int l = 0; l < PTX_LANES; l++) {                                                      \
            double a = (double)pa[l];                                                              \
            to[l] = warp->mask >> l & 1 ? (float)(value) : 0;                                      \
        }                                                                                          \
        ptx_finish_float(to, op);                                                                  \
        ptx_store_32(warp, op->d[0], to);                                                          \
        return op + 1;                                                                             \
    }
FUNCTION(rsqrt, 1 / sqrt(a))
FUNCTION(sin, sin(a))
FUNCTION(cos, cos(a))
FUNCTION(lg2, log2(a))
FUNCTION(ex2, exp2(a))
FUNCTION(tanh, tanh(a))
PTX_STEP_1(rsqrt_f64, double, double, 1 / sqrt(a))

ptx_steps ptx_rsqrt = {[PTX_F32] = rsqrt_f32, [PTX_F64] = rsqrt_f64};
ptx_steps ptx_sin = {[PTX_F32] = sin_f32};
ptx_steps ptx_cos = {[PTX_F32] = cos_f32};
ptx_steps ptx_lg2 = {[PTX_F32] = lg2_f32};
ptx_steps ptx_ex2 = {[PTX_F32] = ex2_f32};
ptx_steps ptx_tanh = {[PTX_F32] = tanh_f32};
