// .f16 and .bf16 as floats, and back with a rounding.
#ifndef PTX_EXECUTE_HALF_H
#define PTX_EXECUTE_HALF_H

#include <math.h>

#include "../module.h"

/// The value of a half-precision number's bits: exact.
float ptx_half_value(uint16_t bits);
/// The half-precision number for a value. NaN: 7fff.
uint16_t ptx_half_of(double value, enum ptx_rounding rounding);
float ptx_bfloat_value(uint16_t bits);
uint16_t ptx_bfloat_of(double value, enum ptx_rounding rounding);
/// The float for a value, rounded so.
float ptx_float_of(double value, enum ptx_rounding rounding);

#endif
