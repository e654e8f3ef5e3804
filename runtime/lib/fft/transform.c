// FFTW does the work. Plans depend on addresses only by their alignment, so one serves all calls
// of the same shape; a few are kept. They are made from what is known without trying
// (FFTW_ESTIMATE): trying would take arrays as large as the program's.
#include "fft/transform.h"

#include <assert.h>
#include <complex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fftw3.h>

// What a plan is for.
struct key {
    struct gcl_transform transform;
    int32_t in_alignment, out_alignment; // as FFTW counts them
    int32_t is_in_place;
    int32_t thread_count;
};

struct plan {
    struct key key;
    void *plan;      // fftw_plan or fftwf_plan; NULL: the place is free
    unsigned users;  // that carry it out now
    uint64_t latest; // when it was asked for
};

enum { PLACES = 32 };

static struct {
    pthread_mutex_t lock;
    struct plan plans[PLACES];
    uint64_t time;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The two precisions of FFTW.

static void destroy(void *plan, bool is_double) {
    if (is_double)
        fftw_destroy_plan(plan);
    else
        fftwf_destroy_plan(plan);
}

/// Defines make_PREFIX, which makes a plan, and carry_out_PREFIX.
#define PRECISION(prefix, real)                                                                    \
    static void *make_##prefix(const struct gcl_transform *t, void *in, void *out, int threads) {  \
        prefix##_iodim64 sizes[GCL_FFT_MAX_RANK],                                                  \
            batch = {t->batch, t->in.distance, t->out.distance};                                   \
        for (int i = 0; i < t->rank; i++)                                                          \
            sizes[i] = (prefix##_iodim64){t->size[i], t->in.stride[i], t->out.stride[i]};          \
        prefix##_plan_with_nthreads(threads);                                                      \
        switch ((enum gcl_fft_kind)t->kind) {                                                      \
        case GCL_FFT_COMPLEX:                                                                      \
            return prefix##_plan_guru64_dft(t->rank, sizes, 1, &batch, in, out, t->direction,      \
                                            FFTW_ESTIMATE);                                        \
        case GCL_FFT_REAL_TO_COMPLEX:                                                              \
            return prefix##_plan_guru64_dft_r2c(t->rank, sizes, 1, &batch, in, out,                \
                                                FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);              \
        case GCL_FFT_COMPLEX_TO_REAL:                                                              \
            return prefix##_plan_guru64_dft_c2r(t->rank, sizes, 1, &batch, in, out,                \
                                                FFTW_ESTIMATE | FFTW_DESTROY_INPUT);               \
        }                                                                                          \
        return NULL;                                                                               \
    }                                                                                              \
    static void carry_out_##prefix(const struct gcl_transform *t, void *plan, void *in,            \
                                   void *out) {                                                    \
        switch ((enum gcl_fft_kind)t->kind) {                                                      \
        case GCL_FFT_COMPLEX:                                                                      \
            prefix##_execute_dft(plan, in, out);                                                   \
            break;                                                                                 \
        case GCL_FFT_REAL_TO_COMPLEX:                                                              \
            prefix##_execute_dft_r2c(plan, in, out);                                               \
            break;                                                                                 \
        case GCL_FFT_COMPLEX_TO_REAL:                                                              \
            prefix##_execute_dft_c2r(plan, in, out);                                               \
            break;                                                                                 \
        }                                                                                          \
    }

PRECISION(fftw, double)
PRECISION(fftwf, float)

static void start(void) {
    fftw_init_threads();
    fftwf_init_threads();
    // The program may call FFTW, too.
    fftw_make_planner_thread_safe();
    fftwf_make_planner_thread_safe();
}

// Sizes.

struct gcl_fft_side gcl_transform_side(const struct gcl_transform *t, bool is_out) {
    bool is_real = t->kind == (is_out ? GCL_FFT_COMPLEX_TO_REAL : GCL_FFT_REAL_TO_COMPLEX);
    bool is_half = !is_real && t->kind != GCL_FFT_COMPLEX;
    const struct gcl_fft_layout *layout = is_out ? &t->out : &t->in;
    uint64_t element = (t->is_double ? sizeof(double) : sizeof(float)) * (is_real ? 1 : 2);
    uint64_t count = (uint64_t)t->batch;
    int64_t last = (t->batch - 1) * layout->distance;
    for (int i = 0; i < t->rank; i++) {
        int64_t size = is_half && i == t->rank - 1 ? t->size[i] / 2 + 1 : t->size[i];
        last += (size - 1) * layout->stride[i];
        count *= (uint64_t)size;
    }
    uint64_t extent = (uint64_t)(last + 1) * element;
    return (struct gcl_fft_side){extent, extent == count * element};
}

// Plans that are kept.

static struct plan *find(const struct key *key) {
    for (size_t i = 0; i < PLACES; i++) {
        struct plan *plan = &kept.plans[i];
        if (plan->plan && memcmp(&plan->key, key, sizeof *key) == 0)
            return plan;
    }
    return NULL;
}

/// A place for another plan, emptied; NULL: all are in use.
static struct plan *free_place(void) {
    struct plan *oldest = NULL;
    for (size_t i = 0; i < PLACES; i++) {
        struct plan *plan = &kept.plans[i];
        if (plan->users == 0 && (!oldest || plan->latest < oldest->latest))
            oldest = plan;
    }
    if (oldest && oldest->plan)
        destroy(oldest->plan, oldest->key.transform.is_double);
    if (oldest)
        oldest->plan = NULL;
    return oldest;
}

static void *make(const struct key *key, void *in, void *out) {
    const struct gcl_transform *t = &key->transform;
    return t->is_double ? make_fftw(t, in, out, key->thread_count)
                        : make_fftwf(t, in, out, key->thread_count);
}

/// A plan to be put back, with its place if it is kept.
static void *take(const struct key *key, void *in, void *out, struct plan **place) {
    pthread_mutex_lock(&kept.lock);
    struct plan *plan = find(key);
    void *made = plan ? plan->plan : make(key, in, out);
    if (!plan && made)
        plan = free_place();
    if (plan && made) {
        plan->key = *key;
        plan->plan = made;
        plan->users++;
        plan->latest = ++kept.time;
    }
    pthread_mutex_unlock(&kept.lock);
    *place = plan;
    return made;
}

static void put_back(const struct key *key, void *plan, struct plan *place) {
    pthread_mutex_lock(&kept.lock);
    if (place)
        place->users--;
    else
        destroy(plan, key->transform.is_double);
    pthread_mutex_unlock(&kept.lock);
}

// Processors.

/// Lets this thread, and those that FFTW starts in it, use all processors of the process: workers
/// of the runtime's are bound to one each. Returns how many there are.
static int widen(cpu_set_t *before) {
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof *before, before) != 0 ||
        sched_getaffinity(getpid(), sizeof all, &all) != 0 ||
        sched_setaffinity(0, sizeof all, &all) != 0)
        return 1;
    return CPU_COUNT(&all);
}

static int64_t element_count(const struct gcl_transform *t) {
    int64_t count = t->batch;
    for (int i = 0; i < t->rank; i++)
        count *= t->size[i];
    return count;
}

/// FFTW's way back to real numbers overwrites what it reads, so that is copied; NULL: no memory.
static void *copy_input(const struct gcl_transform *t, const void *in) {
    uint64_t size = gcl_transform_side(t, false).extent;
    void *copy = fftw_malloc(size);
    if (copy)
        memcpy(copy, in, size);
    return copy;
}

static bool run(const struct gcl_transform *t, void *in, void *out, int processors) {
    enum { SMALL = 1 << 15 }; // elements: more threads take longer
    struct key key = {.transform = *t,
                      .in_alignment = fftw_alignment_of(in),
                      .out_alignment = fftw_alignment_of(out),
                      .is_in_place = in == out,
                      .thread_count = element_count(t) < SMALL ? 1 : processors};
    struct plan *place;
    void *plan = take(&key, in, out, &place);
    if (!plan)
        return false;
    if (t->is_double)
        carry_out_fftw(t, plan, in, out);
    else
        carry_out_fftwf(t, plan, in, out);
    put_back(&key, plan, place);
    return true;
}

bool gcl_transform_run(const struct gcl_transform *t, void *in, void *out) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    bool copies = t->kind == GCL_FFT_COMPLEX_TO_REAL && in != out;
    void *source = copies ? copy_input(t, in) : in;
    if (!source)
        return false;
    cpu_set_t before;
    int processors = widen(&before);
    bool is_done = run(t, source, out, processors);
    sched_setaffinity(0, sizeof before, &before);
    if (copies)
        fftw_free(source);
    return is_done;
}
