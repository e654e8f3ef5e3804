// A Fourier transform as it is carried out: what a task of cuFFT's gets.
#ifndef GCL_LIB_FFT_TRANSFORM_H
#define GCL_LIB_FFT_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

enum { GCL_FFT_MAX_RANK = 3 };

enum gcl_fft_kind { GCL_FFT_COMPLEX, GCL_FFT_REAL_TO_COMPLEX, GCL_FFT_COMPLEX_TO_REAL };

/// Where the elements of one side of a transform lie: that at (i, j, k) of transform b at
/// i * stride[0] + j * stride[1] + k * stride[2] + b * distance, in elements.
struct gcl_fft_layout {
    int64_t stride[GCL_FFT_MAX_RANK];
    int64_t distance;
};

/// Without padding, so that two that are alike are so byte by byte.
struct gcl_transform {
    int64_t size[GCL_FFT_MAX_RANK]; ///< real elements where a side is real; the last runs fastest
    int64_t batch;
    struct gcl_fft_layout in, out;
    int32_t rank;
    int32_t kind;      ///< enum gcl_fft_kind
    int32_t direction; ///< -1 forward, 1 inverse, without scaling
    int32_t is_double;
};

/// The bytes of one side of a transform.
struct gcl_fft_side {
    uint64_t extent; ///< from the first element to the last one's end
    bool is_dense;   ///< without gaps
};
struct gcl_fft_side gcl_transform_side(const struct gcl_transform *transform, bool is_out);

/// Carries a transform out on the processors that this process may use; the input stays as it is
/// unless `out` is `in`. False: FFTW has no plan for it, or there is no memory.
bool gcl_transform_run(const struct gcl_transform *transform, void *in, void *out);

#endif
