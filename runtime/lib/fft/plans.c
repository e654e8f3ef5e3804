#include "fft/plans.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    struct gcl_fft_plan **plans; // by handle; NULL: free
    int count;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The lock is held.
static int free_handle(void) {
    for (int i = 0; i < table.count; i++) {
        if (!table.plans[i])
            return i;
    }
    int more = table.count ? 2 * table.count : 16;
    struct gcl_fft_plan **plans = realloc(table.plans, (size_t)more * sizeof(*plans));
    if (!plans)
        return -1;
    for (int i = table.count; i < more; i++)
        plans[i] = NULL;
    table.plans = plans;
    int first = table.count;
    table.count = more;
    return first;
}

// Handles begin at 1: programs take 0 for none.
static struct gcl_fft_plan **place(cufftHandle handle) {
    bool is_known = handle >= 1 && handle <= table.count && table.plans[handle - 1];
    return is_known ? &table.plans[handle - 1] : NULL;
}

cufftResult gcl_fft_plan_create(cufftHandle *handle) {
    struct gcl_fft_plan *plan = calloc(1, sizeof *plan);
    pthread_mutex_lock(&table.lock);
    int index = plan ? free_handle() : -1;
    if (index >= 0) {
        table.plans[index] = plan;
        *handle = index + 1;
    }
    pthread_mutex_unlock(&table.lock);
    if (index < 0)
        free(plan);
    return index < 0 ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS;
}

cufftResult gcl_fft_plan_destroy(cufftHandle handle) {
    struct gcl_fft_plan *plan = NULL;
    pthread_mutex_lock(&table.lock);
    struct gcl_fft_plan **at = place(handle);
    if (at) {
        plan = *at;
        *at = NULL;
    }
    pthread_mutex_unlock(&table.lock);
    free(plan);
    return plan ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult gcl_fft_plan_get(cufftHandle handle, struct gcl_fft_plan *plan) {
    pthread_mutex_lock(&table.lock);
    struct gcl_fft_plan **at = place(handle);
    if (at)
        *plan = **at;
    pthread_mutex_unlock(&table.lock);
    return at ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult gcl_fft_plan_set(cufftHandle handle, const struct gcl_fft_plan *plan) {
    pthread_mutex_lock(&table.lock);
    struct gcl_fft_plan **at = place(handle);
    if (at)
        **at = *plan;
    pthread_mutex_unlock(&table.lock);
    return at ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

// Shapes.

static bool read_type(cufftType type, struct gcl_transform *t) {
    t->is_double = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
    switch (type) {
    case CUFFT_C2C:
    case CUFFT_Z2Z:
        t->kind = GCL_FFT_COMPLEX;
        return true;
    case CUFFT_R2C:
    case CUFFT_D2Z:
        t->kind = GCL_FFT_REAL_TO_COMPLEX;
        return true;
    case CUFFT_C2R:
    case CUFFT_Z2D:
        t->kind = GCL_FFT_COMPLEX_TO_REAL;
        return true;
    }
    return false;
}

static struct gcl_fft_layout embedded_layout(int rank, const long long *embedded, long long stride,
                                             long long distance) {
    struct gcl_fft_layout layout = {.distance = distance};
    for (int i = rank - 1; i >= 0; i--) {
        layout.stride[i] = stride;
        stride *= embedded[i];
    }
    return layout;
}

/// Rows of `last` elements, one behind the other.
static struct gcl_fft_layout dense_layout(const struct gcl_transform *t, int64_t last) {
    struct gcl_fft_layout layout = {.distance = last};
    layout.stride[t->rank - 1] = 1;
    for (int i = t->rank - 2; i >= 0; i--) {
        layout.stride[i] = layout.distance;
        layout.distance *= t->size[i];
    }
    return layout;
}

cufftResult gcl_fft_plan_shape(struct gcl_fft_plan *plan, const struct gcl_fft_shape *shape) {
    struct gcl_transform *t = &plan->transform;
    *t = (struct gcl_transform){.rank = shape->rank, .batch = shape->batch};
    if (shape->rank < 1 || shape->rank > GCL_FFT_MAX_RANK)
        return CUFFT_INVALID_SIZE;
    if (shape->batch < 1)
        return CUFFT_INVALID_SIZE;
    for (int i = 0; i < shape->rank; i++) {
        t->size[i] = shape->size[i];
        if (shape->size[i] < 1)
            return CUFFT_INVALID_SIZE;
    }
    if (!read_type(shape->type, t))
        return CUFFT_INVALID_TYPE;
    // As documented, one side alone has no layout of its own.
    plan->is_dense = !shape->in_embedded || !shape->out_embedded;
    plan->type = shape->type;
    plan->is_made = true;
    if (plan->is_dense)
        return CUFFT_SUCCESS;
    if (shape->in_stride < 1 || shape->out_stride < 1 || shape->in_distance < 0 ||
        shape->out_distance < 0)
        return CUFFT_INVALID_VALUE;
    t->in = embedded_layout(t->rank, shape->in_embedded, shape->in_stride, shape->in_distance);
    t->out = embedded_layout(t->rank, shape->out_embedded, shape->out_stride, shape->out_distance);
    return CUFFT_SUCCESS;
}

struct gcl_transform gcl_fft_plan_transform(const struct gcl_fft_plan *plan, bool is_in_place,
                                            int direction) {
    struct gcl_transform t = plan->transform;
    t.direction = direction;
    if (!plan->is_dense)
        return t;
    int64_t last = t.size[t.rank - 1], half = last / 2 + 1, real = is_in_place ? 2 * half : last;
    bool is_complex = t.kind == GCL_FFT_COMPLEX;
    t.in = dense_layout(&t, is_complex ? last : t.kind == GCL_FFT_REAL_TO_COMPLEX ? real : half);
    t.out = dense_layout(&t, is_complex ? last : t.kind == GCL_FFT_REAL_TO_COMPLEX ? half : real);
    return t;
}
