// A few of NVIDIA's plans are kept, by the transform and the stream that they are for: each has
// memory of its own to work in.
#include "fft/vendor.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cufftXt.h>

#include "gcluster/vendor.h"

#define FUNCTIONS(X)                                                                               \
    X(cufftCreate)                                                                                 \
    X(cufftDestroy)                                                                                \
    X(cufftMakePlanMany64)                                                                         \
    X(cufftSetStream)                                                                              \
    X(cufftXtExec)

struct plan {
    struct gcl_transform transform;
    void *stream;
    cufftHandle handle;
    bool is_made;
    uint64_t latest; ///< when it was asked for
};

enum { PLACES = 32 };

static struct {
    void *library; ///< NULL: it isn't there
#define FUNCTION(name) __typeof__(&name) name;
    struct {
        FUNCTIONS(FUNCTION)
    } has;
#undef FUNCTION
    struct plan plans[PLACES];
    uint64_t time;
} vendor;

static cufftType type_of(const struct gcl_transform *t) {
    switch ((enum gcl_fft_kind)t->kind) {
    case GCL_FFT_REAL_TO_COMPLEX:
        return t->is_double ? CUFFT_D2Z : CUFFT_R2C;
    case GCL_FFT_COMPLEX_TO_REAL:
        return t->is_double ? CUFFT_Z2D : CUFFT_C2R;
    case GCL_FFT_COMPLEX:
        break;
    }
    return t->is_double ? CUFFT_Z2Z : CUFFT_C2C;
}

/// The elements of each row, plane … as they lie.
static void embed(const struct gcl_transform *t, const struct gcl_fft_layout *layout,
                  long long embedded[GCL_FFT_MAX_RANK]) {
    embedded[0] = t->size[0]; // nothing depends on it
    for (int i = 1; i < t->rank; i++)
        embedded[i] = layout->stride[i - 1] / layout->stride[i];
}

static bool make(struct plan *plan, const struct gcl_transform *t, void *stream) {
    long long sizes[GCL_FFT_MAX_RANK], in[GCL_FFT_MAX_RANK], out[GCL_FFT_MAX_RANK];
    size_t work;
    for (int i = 0; i < t->rank; i++)
        sizes[i] = t->size[i];
    embed(t, &t->in, in);
    embed(t, &t->out, out);
    if (vendor.has.cufftCreate(&plan->handle) != CUFFT_SUCCESS)
        return false;
    plan->is_made = vendor.has.cufftMakePlanMany64(plan->handle, t->rank, sizes, in,
                                                   t->in.stride[t->rank - 1], t->in.distance, out,
                                                   t->out.stride[t->rank - 1], t->out.distance,
                                                   type_of(t), t->batch, &work) == CUFFT_SUCCESS &&
                    vendor.has.cufftSetStream(plan->handle, stream) == CUFFT_SUCCESS;
    plan->transform = *t;
    plan->stream = stream;
    if (!plan->is_made)
        vendor.has.cufftDestroy(plan->handle);
    return plan->is_made;
}

// The library.

static void load(void) {
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", NULL};
#define NAME(name) #name,
    static const char *const functions[] = {FUNCTIONS(NAME) NULL};
#undef NAME
    vendor.library = gcl_vendor_open("cuFFT", names, functions, &vendor.has);
    static const struct gcl_transform least = {
        .size = {2}, .batch = 1, .in = {{1}, 2}, .out = {{1}, 2}, .rank = 1, .direction = -1};
    struct plan plan;
    if (vendor.library && make(&plan, &least, NULL)) {
        vendor.has.cufftDestroy(plan.handle);
    } else if (vendor.library) {
        fputs("gcluster: NVIDIA's cuFFT can't be used: it makes no plan\n", stderr);
        vendor.library = NULL;
    }
}

bool gcl_fft_vendor_is_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return vendor.library != NULL;
}

// Plans that are kept.

/// NULL: there is none.
static struct plan *find_plan(const struct gcl_transform *t, void *stream) {
    struct plan *oldest = &vendor.plans[0];
    for (struct plan *plan = vendor.plans; plan < vendor.plans + PLACES; plan++) {
        if (plan->is_made && plan->stream == stream && memcmp(&plan->transform, t, sizeof *t) == 0)
            return plan;
        if (plan->latest < oldest->latest)
            oldest = plan;
    }
    if (oldest->is_made)
        vendor.has.cufftDestroy(oldest->handle);
    oldest->is_made = false;
    return make(oldest, t, stream) ? oldest : NULL;
}

bool gcl_fft_vendor_put(const struct gcl_transform *t, void *in, void *out, void *stream) {
    struct plan *plan = find_plan(t, stream);
    if (!plan)
        return false;
    plan->latest = ++vendor.time;
    return vendor.has.cufftXtExec(plan->handle, in, out, t->direction) == CUFFT_SUCCESS;
}
