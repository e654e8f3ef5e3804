// What the files with cuFFT's functions share.
#ifndef GCL_LIB_FFT_FFT_H
#define GCL_LIB_FFT_FFT_H

#include <cufft.h>

#include "fft/plans.h"

/// Makes a plan that has been created; `size`, which may be NULL, gets the bytes of its work area:
/// 0.
cufftResult gcl_fft_make(cufftHandle handle, const struct gcl_fft_shape *shape, size_t *size);
/// Whether a shape makes a plan.
cufftResult gcl_fft_check(const struct gcl_fft_shape *shape, size_t *size);
/// Carries out a plan of that type.
cufftResult gcl_fft_execute(cufftHandle handle, cufftType type, void *in, void *out, int direction);
/// Success if there is such a plan.
cufftResult gcl_fft_find(cufftHandle handle);

#endif
