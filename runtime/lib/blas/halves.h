// Numbers of few bits and floats, many at a time. Both arrays may have any alignment.
#ifndef GCL_BLAS_HALVES_H
#define GCL_BLAS_HALVES_H

#include <stdint.h>

/// Halves, as IEEE 754 has them, to floats.
void gcl_halves_widen(const void *in, float *out, int64_t count);
/// To the nearest half, to the even one of two.
void gcl_halves_narrow(const float *in, void *out, int64_t count);
/// Likewise of bfloat16, the upper half of a float.
void gcl_bfloats_widen(const void *in, float *out, int64_t count);
void gcl_bfloats_narrow(const float *in, void *out, int64_t count);

#endif
