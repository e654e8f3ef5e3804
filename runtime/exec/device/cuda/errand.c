// What a lane does for a while, and the GPU's memory that this takes.
//
// To allocate and to free wait for all that the GPU does, so a few buffers are kept for the next
// errand. All that there are have no more than a part of what no node may use for the program
// (share_of_memory in device.c): its allocations don't fail because of them.
#include <stdlib.h>

#include "exec/device/cuda/state.h"

#define MOST_KEPT ((size_t)64 << 20) // bytes of all that are kept
enum { GRANULE = 4096, PART = 40 };  ///< bytes of which sizes are multiples; see count_in

static struct {
    pthread_mutex_t lock;
    struct gcl_cuda_scratch *kept;
    size_t kept_size, size; ///< bytes of those, and of all that there are
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Takes the smallest of those kept that is large enough. NULL: none is.
static struct gcl_cuda_scratch *take_kept(size_t size) {
    struct gcl_cuda_scratch **best = NULL;
    pthread_mutex_lock(&spare.lock);
    for (struct gcl_cuda_scratch **s = &spare.kept; *s; s = &(*s)->next) {
        if ((*s)->size >= size && (!best || (*s)->size < (*best)->size))
            best = s;
    }
    struct gcl_cuda_scratch *found = best ? *best : NULL;
    if (found) {
        *best = found->next;
        spare.kept_size -= found->size;
    }
    pthread_mutex_unlock(&spare.lock);
    return found;
}

/// Counts bytes that are going to be, if there may be so many: half of the twentieth that
/// share_of_memory leaves.
static bool count_in(size_t size) {
    pthread_mutex_lock(&spare.lock);
    bool may_be = spare.size + size <= gcl_cuda.properties.memory / PART;
    spare.size += may_be ? size : 0;
    pthread_mutex_unlock(&spare.lock);
    return may_be;
}

static void count_out(size_t size) {
    pthread_mutex_lock(&spare.lock);
    spare.size -= size;
    pthread_mutex_unlock(&spare.lock);
}

struct gcl_cuda_scratch *gcl_cuda_scratch_take(size_t size) {
    size = (size / GRANULE + 1) * GRANULE;
    struct gcl_cuda_scratch *scratch = take_kept(size);
    gcl_cu_address address = 0;
    if (scratch)
        return scratch;
    if (!count_in(size) && (!gcl_cuda_scratch_drop() || !count_in(size)))
        return NULL;
    gcl_cuda_enter();
    scratch = calloc(1, sizeof *scratch);
    int error = scratch ? gcl_cuda.driver->memory_allocate(&address, size) : GCL_CU_NO_MEMORY;
    if (error == GCL_CU_OK) {
        *scratch =
            (struct gcl_cuda_scratch){.bytes = (unsigned char *)(uintptr_t)address, .size = size};
        return scratch;
    }
    if (error != GCL_CU_NO_MEMORY) // there is another way, but not on a GPU that has failed
        gcl_cuda_check(error, "give memory");
    count_out(size);
    free(scratch);
    return NULL;
}

static void free_scratch(struct gcl_cuda_scratch *scratch) {
    gcl_cuda_enter();
    gcl_cuda_check(gcl_cuda.driver->memory_free((uintptr_t)scratch->bytes), "give memory back");
    count_out(scratch->size);
    free(scratch);
}

void gcl_cuda_scratch_give(struct gcl_cuda_scratch *scratch) {
    if (!scratch)
        return;
    pthread_mutex_lock(&spare.lock);
    bool is_kept = spare.kept_size + scratch->size <= MOST_KEPT;
    if (is_kept) {
        scratch->next = spare.kept;
        spare.kept = scratch;
        spare.kept_size += scratch->size;
    }
    pthread_mutex_unlock(&spare.lock);
    if (!is_kept)
        free_scratch(scratch);
}

bool gcl_cuda_scratch_drop(void) {
    pthread_mutex_lock(&spare.lock);
    struct gcl_cuda_scratch *kept = spare.kept;
    spare.kept = NULL;
    spare.kept_size = 0;
    pthread_mutex_unlock(&spare.lock);
    bool has_any = kept != NULL;
    while (kept) {
        struct gcl_cuda_scratch *next = kept->next;
        free_scratch(kept);
        kept = next;
    }
    return has_any;
}

bool gcl_cuda_errand_begin(struct gcl_cuda_errand *errand) {
    *errand = (struct gcl_cuda_errand){.lane = gcl_cuda_lane_take()};
    return errand->lane != NULL;
}

unsigned char *gcl_cuda_errand_bytes(struct gcl_cuda_errand *errand, size_t size) {
    struct gcl_cuda_scratch *scratch = gcl_cuda_scratch_take(size);
    if (!scratch)
        return NULL;
    scratch->next = errand->held;
    errand->held = scratch;
    return scratch->bytes;
}

bool gcl_cuda_errand_end(struct gcl_cuda_errand *errand, const char *what) {
    bool ok = gcl_cuda_lane_wait(errand->lane, what);
    gcl_cuda_lane_give(errand->lane);
    while (errand->held) {
        struct gcl_cuda_scratch *held = errand->held;
        errand->held = held->next;
        gcl_cuda_scratch_give(held);
    }
    return ok;
}
