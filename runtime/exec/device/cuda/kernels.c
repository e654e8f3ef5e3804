// The GPU's kernels of ours, and what they are given: regions as tables of strips.
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "exec/device/cuda/state.h"

enum { THREADS = 256, BLOCKS_PER_CORE = 8, WIDEST = 8 };

// library/bytes.c, compiled.
__asm__(".pushsection .rodata\n"
        "gcl_cuda_kernels: .incbin \"" GCL_CUDA_KERNELS "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char gcl_cuda_kernels[] __attribute__((visibility("hidden")));

static struct {
    pthread_once_t once;
    void *module; ///< NULL: the driver doesn't take it
} loaded = {.once = PTHREAD_ONCE_INIT};

static void load(void) {
    int error = gcl_cuda.driver->module_load(&loaded.module, gcl_cuda_kernels, 0, NULL, NULL);
    if (error == GCL_CU_OK)
        return;
    const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
    loaded.module = NULL;
    gcl_log(GCL_LOG_WARN,
            "what nodes have changed is put together on the host, which takes longer, since the "
            "driver can't load kernels for it: %s (%s)",
            e.text, e.name);
}

/// NULL: there is none.
static void *find_function(const struct gcl_cuda_job *job, size_t width) {
    void *function = NULL;
    char name[32];
    pthread_once(&loaded.once, load);
    snprintf(name, sizeof name, "%s%zu", job->kernel, 8 * width);
    if (!loaded.module ||
        gcl_cuda.driver->module_function(&function, loaded.module, name) != GCL_CU_OK)
        return NULL;
    return function;
}

// Tables.

struct table {
    struct gcl_cuda_strip *strips;
    size_t count, capacity;
    bool is_in_place; ///< packed bytes lie as those in their place do
    uint64_t bits;    ///< that are set in an offset, a stride or a length
};

static bool add(void *visitor, const struct gcl_cuda_strip *strip) {
    struct table *t = visitor;
    if (t->count == t->capacity) {
        size_t capacity = 2 * t->capacity + 16;
        struct gcl_cuda_strip *strips = realloc(t->strips, capacity * sizeof *strips);
        if (!strips)
            return false;
        t->strips = strips;
        t->capacity = capacity;
    }
    struct gcl_cuda_strip *s = &t->strips[t->count++];
    *s = *strip;
    if (t->is_in_place) {
        s->packed = s->place;
        s->packed_stride = s->stride;
    }
    t->bits |= (uint64_t)(s->place | s->packed | s->stride | s->packed_stride | s->length);
    return true;
}

/// Bytes of the words that a table consists of, as wide as can be: 8, 4 or 1.
static size_t width_of(const struct gcl_cuda_job *job, const struct table *table) {
    uint64_t bits =
        table->bits | (uintptr_t)job->place | (uintptr_t)job->packed | (uintptr_t)job->base;
    for (size_t width = WIDEST; width > 2; width /= 2) {
        if (bits % width == 0)
            return width;
    }
    return 1;
}

/// Numbers the words of a table; returns how many there are.
static uint64_t number_words(struct table *table, size_t width) {
    int64_t words = 0;
    for (size_t i = 0; i < table->count; i++) {
        table->strips[i].first = words;
        words += table->strips[i].length / (int64_t)width * table->strips[i].count;
    }
    return (uint64_t)words;
}

static unsigned blocks_for(uint64_t words) {
    uint64_t most = (uint64_t)gcl_cuda.properties.core_count * BLOCKS_PER_CORE;
    uint64_t blocks = (words + THREADS - 1) / THREADS;
    return (unsigned)(blocks < most ? blocks : most);
}

static bool launch(struct gcl_cuda_errand *errand, const struct gcl_cuda_job *job,
                   struct table *table, size_t width) {
    void *function = find_function(job, width);
    size_t size = table->count * sizeof *table->strips;
    unsigned char *strips = function ? gcl_cuda_errand_bytes(errand, size) : NULL;
    if (!strips)
        return false;
    struct gcl_cuda_strips work = {.strips = (const struct gcl_cuda_strip *)strips,
                                   .count = table->count,
                                   .words = number_words(table, width),
                                   .place = job->place,
                                   .packed = job->packed,
                                   .base = job->base,
                                   .value = job->value};
    void *parameters[] = {&work};
    if (gcl_cuda_check(gcl_cuda_send(errand->lane, (uintptr_t)strips, table->strips, size), "copy"))
        gcl_cuda_check(gcl_cuda.driver->launch(function, blocks_for(work.words), 1, 1, THREADS, 1,
                                               1, 0, errand->lane->stream, parameters, NULL),
                       job->kernel);
    return true;
}

bool gcl_cuda_put_job(struct gcl_cuda_errand *errand, const struct gcl_cuda_job *job) {
    struct table table = {.is_in_place = job->is_in_place};
    if (gcl_region_is_empty(job->region))
        return true;
    bool ok = gcl_cuda_visit_strips(job->region, add, &table);
    size_t width = ok ? width_of(job, &table) : 0;
    if (job->element > 0) {
        ok = ok && width % job->element == 0;
        width = job->element;
    }
    ok = ok && launch(errand, job, &table, width);
    free(table.strips);
    return ok;
}
