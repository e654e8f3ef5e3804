// Plans as programs have them: numbers that stand for a shape of transforms and a stream.
#ifndef GCL_LIB_FFT_PLANS_H
#define GCL_LIB_FFT_PLANS_H

#include <stdbool.h>

#include <cufft.h>

#include "fft/transform.h"

/// What a plan is made from: cufftMakePlanMany64's arguments.
struct gcl_fft_shape {
    int rank;
    long long size[GCL_FFT_MAX_RANK];
    /// Elements of each row, plane … as they lie; NULL: densely, and strides and distances don't
    /// count.
    const long long *in_embedded, *out_embedded;
    long long in_stride, in_distance, out_stride, out_distance;
    cufftType type;
    long long batch;
};

/// A plan that has been made.
struct gcl_fft_plan {
    bool is_made;
    bool is_dense; ///< laid out by default: rows of real numbers are padded in place
    cufftType type;
    cudaStream_t stream;
    struct gcl_transform transform; ///< but for direction and dense layouts
};

/// A new plan, not made yet. CUFFT_ALLOC_FAILED.
cufftResult gcl_fft_plan_create(cufftHandle *handle);
/// CUFFT_INVALID_PLAN: there is none.
cufftResult gcl_fft_plan_destroy(cufftHandle handle);
/// Copies what is known of a plan. CUFFT_INVALID_PLAN: there is none.
cufftResult gcl_fft_plan_get(cufftHandle handle, struct gcl_fft_plan *plan);
cufftResult gcl_fft_plan_set(cufftHandle handle, const struct gcl_fft_plan *plan);

/// Checks a shape and works out its transform. CUFFT_INVALID_SIZE, CUFFT_INVALID_TYPE,
/// CUFFT_INVALID_VALUE.
cufftResult gcl_fft_plan_shape(struct gcl_fft_plan *plan, const struct gcl_fft_shape *shape);
/// The transform of a plan for these addresses.
struct gcl_transform gcl_fft_plan_transform(const struct gcl_fft_plan *plan, bool is_in_place,
                                            int direction);

#endif
