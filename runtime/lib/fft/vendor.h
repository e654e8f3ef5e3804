// NVIDIA's cuFFT, which carries transforms out on GPUs.
#ifndef GCL_LIB_FFT_VENDOR_H
#define GCL_LIB_FFT_VENDOR_H

#include <stdbool.h>

#include "fft/transform.h"

/// Whether it is there; loads it.
bool gcl_fft_vendor_is_there(void);

/// Puts a transform of the device's memory into a stream of the driver's. False: it has no plan for
/// it.
bool gcl_fft_vendor_put(const struct gcl_transform *transform, void *in, void *out, void *stream);

#endif
