// cuFFT's functions. A transform is a task: it runs on one node, in the order of the plan's stream,
// on all processors of that node.
#include <cufft.h>

#include <stdio.h>
#include <stdlib.h>

#include "fft/fft.h"
#include "fft/transform.h"
#include "fft/vendor.h"
#include "gcluster/task.h"
#include "gcluster/vendor.h"

// Execution.

/// What a task gets.
struct call {
    struct gcl_transform transform;
    uint64_t is_in_place;
};

static void run(void *const *buffers, const void *payload) {
    const struct call *call = payload;
    void *out = call->is_in_place ? buffers[0] : buffers[1];
    if (gcl_transform_run(&call->transform, buffers[0], out))
        return;
    fputs("gcluster: cuFFT: FFTW has no plan for a transform, or there is no memory for it\n",
          stderr);
    abort();
}

static bool put(const struct gcl_vendor_launch *launch) {
    void *buffers[GCL_TASK_BUFFERS];
    const struct call *call = gcl_task_open(launch->arguments, buffers);
    return gcl_fft_vendor_put(&call->transform, buffers[0],
                              call->is_in_place ? buffers[0] : buffers[1], launch->stream);
}

GCL_TASK(c2c, "cufftExecC2C", run)
GCL_TASK(r2c, "cufftExecR2C", run)
GCL_TASK(c2r, "cufftExecC2R", run)
GCL_TASK(z2z, "cufftExecZ2Z", run)
GCL_TASK(d2z, "cufftExecD2Z", run)
GCL_TASK(z2d, "cufftExecZ2D", run)

__attribute__((constructor)) static void offer(void) {
    static const struct gcl_vendor vendor = {gcl_fft_vendor_is_there, put};
    struct gcl_task *const tasks[] = {&c2c, &r2c, &c2r, &z2z, &d2z, &z2d};
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        gcl_vendor_offer(tasks[i], &vendor);
}

static struct gcl_task *task_of(cufftType type) {
    switch (type) {
    case CUFFT_C2C:
        return &c2c;
    case CUFFT_R2C:
        return &r2c;
    case CUFFT_C2R:
        return &c2r;
    case CUFFT_Z2Z:
        return &z2z;
    case CUFFT_D2Z:
        return &d2z;
    case CUFFT_Z2D:
        return &z2d;
    }
    return NULL;
}

cufftResult gcl_fft_execute(cufftHandle handle, cufftType type, void *in, void *out,
                            int direction) {
    struct gcl_fft_plan plan;
    cufftResult result = gcl_fft_plan_get(handle, &plan);
    if (result != CUFFT_SUCCESS)
        return result;
    if (!plan.is_made)
        return CUFFT_INVALID_PLAN;
    if (plan.type != type)
        return CUFFT_INVALID_TYPE;
    if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    struct call call = {.transform = gcl_fft_plan_transform(&plan, in == out, direction),
                        .is_in_place = in == out};
    struct gcl_fft_side from = gcl_transform_side(&call.transform, false);
    struct gcl_fft_side to = gcl_transform_side(&call.transform, true);
    struct gcl_buffer buffers[] = {
        {in, from.extent, GCL_BUFFER_READ},
        {out, to.extent, to.is_dense ? GCL_BUFFER_WRITE : GCL_BUFFER_READ | GCL_BUFFER_WRITE}};
    // As documented, the way back of several dimensions may overwrite what it reads.
    if (call.transform.kind == GCL_FFT_COMPLEX_TO_REAL && call.transform.rank > 1)
        buffers[0].access |= GCL_BUFFER_WRITE;
    if (in == out) { // one buffer, as large as the larger side
        buffers[0].access = GCL_BUFFER_READ | GCL_BUFFER_WRITE;
        buffers[0].size = buffers[0].size > buffers[1].size ? buffers[0].size : buffers[1].size;
    }
    cudaError_t error =
        gclLaunchTask(task_of(type), buffers, in == out ? 1 : 2, &call, sizeof call, plan.stream);
    return error ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
    return gcl_fft_execute(plan, CUFFT_C2C, in, out, direction);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) {
    return gcl_fft_execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) {
    return gcl_fft_execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) {
    return gcl_fft_execute(plan, CUFFT_Z2Z, in, out, direction);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out) {
    return gcl_fft_execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out) {
    return gcl_fft_execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

// Shapes from the forms in which programs give them.

static struct gcl_fft_shape shape_1d(GCL_FFT_1D) {
    return (struct gcl_fft_shape){.rank = 1, .size = {nx}, .type = type, .batch = batch};
}

static struct gcl_fft_shape shape_2d(GCL_FFT_2D) {
    return (struct gcl_fft_shape){.rank = 2, .size = {nx, ny}, .type = type, .batch = 1};
}

static struct gcl_fft_shape shape_3d(GCL_FFT_3D) {
    return (struct gcl_fft_shape){.rank = 3, .size = {nx, ny, nz}, .type = type, .batch = 1};
}

/// cufftMakePlanMany's sizes, which a shape points to.
struct embedding {
    long long in[GCL_FFT_MAX_RANK], out[GCL_FFT_MAX_RANK];
};

static struct gcl_fft_shape shape_many64(struct embedding *e, GCL_FFT_MANY64) {
    struct gcl_fft_shape shape = {.rank = n ? rank : 0,
                                  .in_embedded = inembed ? e->in : NULL,
                                  .out_embedded = onembed ? e->out : NULL,
                                  .in_stride = istride,
                                  .in_distance = idist,
                                  .out_stride = ostride,
                                  .out_distance = odist,
                                  .type = type,
                                  .batch = batch};
    for (int i = 0; i < shape.rank && i < GCL_FFT_MAX_RANK; i++) {
        shape.size[i] = n[i];
        e->in[i] = inembed ? inembed[i] : 0;
        e->out[i] = onembed ? onembed[i] : 0;
    }
    return shape;
}

static struct gcl_fft_shape shape_many(struct embedding *e, GCL_FFT_MANY) {
    long long sizes[3][GCL_FFT_MAX_RANK] = {{0}};
    for (int i = 0; n && i < rank && i < GCL_FFT_MAX_RANK; i++) {
        sizes[0][i] = n[i];
        sizes[1][i] = inembed ? inembed[i] : 0;
        sizes[2][i] = onembed ? onembed[i] : 0;
    }
    return shape_many64(e, rank, n ? sizes[0] : NULL, inembed ? sizes[1] : NULL, istride, idist,
                        onembed ? sizes[2] : NULL, ostride, odist, type, batch);
}

// Whether a shape makes a plan; no memory of the device's is needed for it.
cufftResult gcl_fft_check(const struct gcl_fft_shape *shape, size_t *size) {
    struct gcl_fft_plan plan = {.is_made = false};
    cufftResult result = gcl_fft_plan_shape(&plan, shape);
    if (size)
        *size = 0;
    return result;
}

cufftResult gcl_fft_make(cufftHandle handle, const struct gcl_fft_shape *shape, size_t *size) {
    struct gcl_fft_plan plan;
    cufftResult result = gcl_fft_plan_get(handle, &plan);
    if (result == CUFFT_SUCCESS && plan.is_made)
        result = CUFFT_INVALID_PLAN;
    if (result == CUFFT_SUCCESS)
        result = gcl_fft_plan_shape(&plan, shape);
    if (result == CUFFT_SUCCESS)
        result = gcl_fft_plan_set(handle, &plan);
    if (size)
        *size = 0;
    return result;
}

static cufftResult plan(cufftHandle *handle, struct gcl_fft_shape shape) {
    if (!handle)
        return CUFFT_INVALID_VALUE;
    cufftResult result = gcl_fft_plan_create(handle);
    if (result != CUFFT_SUCCESS)
        return result;
    result = gcl_fft_make(*handle, &shape, NULL);
    if (result != CUFFT_SUCCESS)
        gcl_fft_plan_destroy(*handle);
    return result;
}

#define ARGUMENTS_1D nx, type, batch
#define ARGUMENTS_2D nx, ny, type
#define ARGUMENTS_3D nx, ny, nz, type
#define ARGUMENTS_MANY                                                                             \
    &embedding, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch

/// The functions that take a shape in one of its forms.
#define FORMS(form, parameters, shape, ...)                                                        \
    cufftResult cufftMakePlan##form(cufftHandle handle, parameters, size_t *size) {                \
        __VA_ARGS__;                                                                               \
        struct gcl_fft_shape given = shape;                                                        \
        return gcl_fft_make(handle, &given, size);                                                 \
    }                                                                                              \
    cufftResult cufftGetSize##form(cufftHandle handle, parameters, size_t *size) {                 \
        __VA_ARGS__;                                                                               \
        struct gcl_fft_shape given = shape;                                                        \
        (void)handle;                                                                              \
        return gcl_fft_check(&given, size);                                                        \
    }
#define SHORT_FORMS(form, parameters, shape, ...)                                                  \
    cufftResult cufftPlan##form(cufftHandle *handle, parameters) {                                 \
        __VA_ARGS__;                                                                               \
        return plan(handle, shape);                                                                \
    }                                                                                              \
    cufftResult cufftEstimate##form(parameters, size_t *size) {                                    \
        __VA_ARGS__;                                                                               \
        struct gcl_fft_shape given = shape;                                                        \
        return gcl_fft_check(&given, size);                                                        \
    }

FORMS(1d, GCL_FFT_1D, shape_1d(ARGUMENTS_1D))
FORMS(2d, GCL_FFT_2D, shape_2d(ARGUMENTS_2D))
FORMS(3d, GCL_FFT_3D, shape_3d(ARGUMENTS_3D))
FORMS(Many, GCL_FFT_MANY, shape_many(ARGUMENTS_MANY), struct embedding embedding)
FORMS(Many64, GCL_FFT_MANY64, shape_many64(ARGUMENTS_MANY), struct embedding embedding)
SHORT_FORMS(1d, GCL_FFT_1D, shape_1d(ARGUMENTS_1D))
SHORT_FORMS(2d, GCL_FFT_2D, shape_2d(ARGUMENTS_2D))
SHORT_FORMS(3d, GCL_FFT_3D, shape_3d(ARGUMENTS_3D))
SHORT_FORMS(Many, GCL_FFT_MANY, shape_many(ARGUMENTS_MANY), struct embedding embedding)

// The rest.

cufftResult cufftCreate(cufftHandle *handle) {
    return handle ? gcl_fft_plan_create(handle) : CUFFT_INVALID_VALUE;
}

cufftResult cufftDestroy(cufftHandle handle) {
    return gcl_fft_plan_destroy(handle);
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    struct gcl_fft_plan plan;
    cufftResult result = gcl_fft_plan_get(handle, &plan);
    plan.stream = stream;
    return result == CUFFT_SUCCESS ? gcl_fft_plan_set(handle, &plan) : result;
}

cufftResult gcl_fft_find(cufftHandle handle) {
    struct gcl_fft_plan plan;
    return gcl_fft_plan_get(handle, &plan);
}

cufftResult cufftGetSize(cufftHandle handle, size_t *size) {
    if (size)
        *size = 0;
    return gcl_fft_find(handle);
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area) {
    (void)area;
    return gcl_fft_find(handle);
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
    (void)allocates;
    return gcl_fft_find(handle);
}

cufftResult cufftSetCompatibilityMode(cufftHandle handle, cufftCompatibility mode) {
    return mode == CUFFT_COMPATIBILITY_DEFAULT ? gcl_fft_find(handle) : CUFFT_INVALID_VALUE;
}

cufftResult cufftGetVersion(int *version) {
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    if (!value || (unsigned)type >= sizeof parts / sizeof *parts)
        return CUFFT_INVALID_VALUE;
    *value = parts[type];
    return CUFFT_SUCCESS;
}

// How NVIDIA's library is compiled at run time means nothing here.

cufftResult cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty property, long long value) {
    (void)property, (void)value;
    return gcl_fft_find(handle);
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty property,
                                      long long *value) {
    (void)property;
    if (value)
        *value = 0;
    return gcl_fft_find(handle);
}

cufftResult cufftResetPlanProperty(cufftHandle handle, cufftProperty property) {
    (void)property;
    return gcl_fft_find(handle);
}
