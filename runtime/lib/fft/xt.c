// cuFFT's extended interface, on one device.
#include <cufftXt.h>

#include <stdio.h>
#include <stdlib.h>

#include "fft/fft.h"

/// A descriptor that cufftXtMalloc has made, with what it points to.
struct descriptor {
    cudaLibXtDesc own;
    cudaXtDesc memory;
};

// What isn't there says so by name: a status alone is often not looked at.
static cufftResult refuse(cufftResult result, const char *what) {
    fprintf(stderr, "gcluster: error: cuFFT: %s\n", what);
    return result;
}

// Plans.

static cufftResult type_of(cudaDataType in, cudaDataType out, cudaDataType execution,
                           cufftType *type) {
    static const struct {
        cudaDataType in, out, execution;
        cufftType type;
    } types[] = {
        {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
        {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
        {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z},
        {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].in == in && types[i].out == out && types[i].execution == execution) {
            *type = types[i].type;
            return CUFFT_SUCCESS;
        }
    }
    if (execution == CUDA_C_16F || execution == CUDA_C_16BF)
        return refuse(CUFFT_NOT_SUPPORTED,
                      "gcluster has no transforms of half precision (cufftXtMakePlanMany); use "
                      "CUDA_C_32F, and convert");
    return CUFFT_INVALID_TYPE;
}

/// cufftXtMakePlanMany's arguments as a shape, which points to them.
static cufftResult shape_xt(struct gcl_fft_shape *shape, GCL_FFT_XT) {
    (void)size;
    *shape = (struct gcl_fft_shape){.rank = n ? rank : 0,
                                    .in_embedded = inembed,
                                    .out_embedded = onembed,
                                    .in_stride = istride,
                                    .in_distance = idist,
                                    .out_stride = ostride,
                                    .out_distance = odist,
                                    .batch = batch};
    for (int i = 0; i < shape->rank && i < GCL_FFT_MAX_RANK; i++)
        shape->size[i] = n[i];
    return type_of(intype, outtype, executiontype, &shape->type);
}

#define ARGUMENTS_XT                                                                               \
    rank, n, inembed, istride, idist, intype, onembed, ostride, odist, outtype, batch, size,       \
        executiontype

cufftResult cufftXtMakePlanMany(cufftHandle plan, GCL_FFT_XT) {
    struct gcl_fft_shape shape;
    cufftResult result = shape_xt(&shape, ARGUMENTS_XT);
    return result ? result : gcl_fft_make(plan, &shape, size);
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, GCL_FFT_XT) {
    struct gcl_fft_shape shape;
    cufftResult result = shape_xt(&shape, ARGUMENTS_XT);
    (void)plan;
    return result ? result : gcl_fft_check(&shape, size);
}

static cufftResult get_made(cufftHandle handle, struct gcl_fft_plan *plan) {
    cufftResult result = gcl_fft_plan_get(handle, plan);
    return !result && !plan->is_made ? CUFFT_INVALID_PLAN : result;
}

cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction) {
    struct gcl_fft_plan plan;
    cufftResult result = get_made(handle, &plan);
    if (result)
        return result;
    switch (plan.type) {
    case CUFFT_R2C:
    case CUFFT_D2Z:
        return gcl_fft_execute(handle, plan.type, in, out, CUFFT_FORWARD);
    case CUFFT_C2R:
    case CUFFT_Z2D:
        return gcl_fft_execute(handle, plan.type, in, out, CUFFT_INVERSE);
    default:
        return gcl_fft_execute(handle, plan.type, in, out, direction);
    }
}

// Memory.

cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int *devices) {
    if (count < 1 || !devices)
        return CUFFT_INVALID_VALUE;
    if (count > 1)
        return refuse(CUFFT_NOT_IMPLEMENTED,
                      "gcluster's plans have one device (cufftXtSetGPUs); use one");
    return gcl_fft_find(plan);
}

/// Bytes of one side, as it lies where both sides are in one place, or alone.
static size_t size_of(const struct gcl_fft_plan *plan, bool is_in_place, bool is_out) {
    struct gcl_transform transform = gcl_fft_plan_transform(plan, is_in_place, CUFFT_FORWARD);
    return gcl_transform_side(&transform, is_out).extent;
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **out, cufftXtSubFormat format) {
    struct gcl_fft_plan plan;
    cufftResult result = get_made(handle, &plan);
    if (result || !out)
        return result ? result : CUFFT_INVALID_VALUE;
    if (format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
        return refuse(CUFFT_NOT_IMPLEMENTED, "gcluster has no distributed formats (cufftXtMalloc)");
    bool is_in_place =
        format == CUFFT_XT_FORMAT_INPLACE || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    size_t from = size_of(&plan, is_in_place, false), to = size_of(&plan, is_in_place, true);
    size_t size = format == CUFFT_XT_FORMAT_OUTPUT ? to : from;
    struct descriptor *made = calloc(1, sizeof *made);
    if (is_in_place && to > size)
        size = to;
    if (!made || cudaMalloc(&made->memory.data[0], size)) {
        free(made);
        return CUFFT_ALLOC_FAILED;
    }
    made->memory.version = made->own.version = CUDA_XT_DESCRIPTOR_VERSION;
    made->memory.nGPUs = 1;
    cudaGetDevice(&made->memory.GPUs[0]);
    made->memory.size[0] = size;
    made->own.descriptor = &made->memory;
    made->own.library = LIB_FORMAT_CUFFT;
    made->own.subFormat = (int)format;
    *out = &made->own;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtFree(cudaLibXtDesc *descriptor) {
    if (!descriptor)
        return CUFFT_INVALID_VALUE;
    cudaFree(descriptor->descriptor->data[0]);
    free(descriptor);
    return CUFFT_SUCCESS;
}

/// Bytes of what a descriptor holds: by its format one side of the transform; in place the one that
/// goes in, or, `comes_out`, the other.
static size_t size_in(const struct gcl_fft_plan *plan, const cudaLibXtDesc *descriptor,
                      bool comes_out) {
    switch (descriptor->subFormat) {
    case CUFFT_XT_FORMAT_OUTPUT:
        return size_of(plan, false, true);
    case CUFFT_XT_FORMAT_INPLACE:
    case CUFFT_XT_FORMAT_INPLACE_SHUFFLED:
        return size_of(plan, true, comes_out);
    default:
        return size_of(plan, false, false);
    }
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

cufftResult cufftXtMemcpy(cufftHandle handle, void *to, void *from, cufftXtCopyType type) {
    struct gcl_fft_plan plan;
    cufftResult result = get_made(handle, &plan);
    const cudaLibXtDesc *in = to, *out = from;
    cudaError_t error;
    if (result || !to || !from)
        return result ? result : CUFFT_INVALID_VALUE;
    if (cudaStreamSynchronize(plan.stream))
        return CUFFT_EXEC_FAILED;
    switch (type) {
    case CUFFT_COPY_HOST_TO_DEVICE:
        error = cudaMemcpy(in->descriptor->data[0], from, size_in(&plan, in, false),
                           cudaMemcpyHostToDevice);
        break;
    case CUFFT_COPY_DEVICE_TO_HOST:
        error = cudaMemcpy(to, out->descriptor->data[0], size_in(&plan, out, true),
                           cudaMemcpyDeviceToHost);
        break;
    case CUFFT_COPY_DEVICE_TO_DEVICE:
        error = cudaMemcpy(in->descriptor->data[0], out->descriptor->data[0],
                           least(in->descriptor->size[0], out->descriptor->size[0]),
                           cudaMemcpyDeviceToDevice);
        break;
    default:
        return CUFFT_INVALID_VALUE;
    }
    return error ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
}

static cufftResult execute(cufftHandle plan, cufftType type, cudaLibXtDesc *in, cudaLibXtDesc *out,
                           int direction) {
    if (!in || !out)
        return CUFFT_INVALID_VALUE;
    return gcl_fft_execute(plan, type, in->descriptor->data[0], out->descriptor->data[0],
                           direction);
}

cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out,
                                  int direction) {
    if (!in || !out)
        return CUFFT_INVALID_VALUE;
    return cufftXtExec(plan, in->descriptor->data[0], out->descriptor->data[0], direction);
}

#define BOTH_WAYS(kind)                                                                            \
    cufftResult cufftXtExecDescriptor##kind(cufftHandle plan, cudaLibXtDesc *in,                   \
                                            cudaLibXtDesc *out, int direction) {                   \
        return execute(plan, CUFFT_##kind, in, out, direction);                                    \
    }
#define ONE_WAY(kind, direction)                                                                   \
    cufftResult cufftXtExecDescriptor##kind(cufftHandle plan, cudaLibXtDesc *in,                   \
                                            cudaLibXtDesc *out) {                                  \
        return execute(plan, CUFFT_##kind, in, out, direction);                                    \
    }
BOTH_WAYS(C2C)
BOTH_WAYS(Z2Z)
ONE_WAY(R2C, CUFFT_FORWARD)
ONE_WAY(C2R, CUFFT_INVERSE)
ONE_WAY(D2Z, CUFFT_FORWARD)
ONE_WAY(Z2D, CUFFT_INVERSE)

cufftResult cufftXtSetWorkArea(cufftHandle plan, void **areas) {
    (void)areas;
    return gcl_fft_find(plan);
}

cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *size) {
    (void)policy;
    if (size)
        *size = 0;
    return gcl_fft_find(plan);
}

// What is refused.

static cufftResult refuse_callbacks(const char *function) {
    fprintf(stderr,
            "gcluster: error: cuFFT: gcluster has no callbacks (%s); do what they do in a kernel "
            "before or after the transform\n",
            function);
    return CUFFT_NOT_IMPLEMENTED;
}

cufftResult cufftXtSetCallback(cufftHandle plan, void **functions, cufftXtCallbackType type,
                               void **infos) {
    (void)plan, (void)functions, (void)type, (void)infos;
    return refuse_callbacks("cufftXtSetCallback");
}

cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) {
    (void)plan, (void)type;
    return refuse_callbacks("cufftXtClearCallback");
}

cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t size) {
    (void)plan, (void)type, (void)size;
    return refuse_callbacks("cufftXtSetCallbackSharedSize");
}

cufftResult cufftXtSetJITCallback(cufftHandle plan, const char *name, const void *code, size_t size,
                                  cufftXtCallbackType type, void **infos) {
    (void)plan, (void)name, (void)code, (void)size, (void)type, (void)infos;
    return refuse_callbacks("cufftXtSetJITCallback");
}

cufftResult cufftXtQueryPlan(cufftHandle plan, void *out, cufftXtQueryType type) {
    (void)plan, (void)out, (void)type;
    return refuse(CUFFT_NOT_IMPLEMENTED,
                  "gcluster's transforms aren't made of factors that can be asked for "
                  "(cufftXtQueryPlan)");
}
