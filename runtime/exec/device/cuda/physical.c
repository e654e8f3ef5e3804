// Physical memory, in chunks, that pages.c maps: the GPU's, and behind that the host's, which the
// driver maps at the same addresses, so that kernels reach all of it without a fault; what lies in
// the host's memory goes over the bus whenever it is read or written. A chunk stays where it came
// to lie: a sweep over more than the GPU holds moves what doesn't fit once either way, as long as
// it is read once. Chunks that nothing is mapped to are kept for later, the GPU's first.
#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "exec/device/cuda/state.h"

#define CHUNK GCL_CUDA_CHUNK

enum { ON_DEVICE, IN_HOST, TIERS };

/// Chunks of one tier.
struct tier {
    size_t made, most;            ///< that there are, and may be
    gcl_cu_memory *spare;         ///< those that nobody uses
    size_t spare_count, capacity; ///< of `spare`
};

static struct {
    pthread_mutex_t lock;
    struct tier tiers[TIERS];
    bool is_told; ///< that the host's memory is used
} physical = {.lock = PTHREAD_MUTEX_INITIALIZER, .tiers[ON_DEVICE].most = SIZE_MAX};

bool gcl_cuda_has_found(int error, const char *what) {
    return error != GCL_CU_NO_MEMORY && gcl_cuda_check(error, what);
}

/// The host's memory is that of the NUMA node near the GPU.
static struct gcl_cu_memory_form form_of(int tier) {
    struct gcl_cu_memory_form form = {.type = GCL_CU_MEMORY_PINNED,
                                      .handle_types = gcl_cuda.handle_type,
                                      .location = {GCL_CU_LOCATION_DEVICE, gcl_cuda.device}};
    if (tier == ON_DEVICE)
        return form;
    int node = 0;
    if (gcl_cuda.driver->device_attribute(&node, GCL_CU_HOST_NUMA_NODE, gcl_cuda.device) !=
            GCL_CU_OK ||
        node < 0)
        node = 0;
    form.handle_types = GCL_CU_HANDLE_NONE;
    form.location = (struct gcl_cu_location){GCL_CU_LOCATION_HOST_NUMA, node};
    return form;
}

static int find_granularity(int tier, size_t *granularity) {
    enum { MINIMUM = 0 };
    const struct gcl_cu_memory_form form = form_of(tier);
    *granularity = 0;
    return gcl_cuda.driver->memory_granularity(granularity, &form, MINIMUM);
}

static bool fits(size_t granularity) {
    return granularity > 0 && CHUNK % granularity == 0;
}

bool gcl_cuda_fits_chunks(size_t *granularity) {
    return find_granularity(ON_DEVICE, granularity) == GCL_CU_OK && fits(*granularity);
}

static int make(int tier, gcl_cu_memory *memory) {
    const struct gcl_cu_memory_form form = form_of(tier);
    int error = gcl_cuda.driver->memory_create(memory, CHUNK, &form, 0);
    if (error == GCL_CU_NO_MEMORY && tier == ON_DEVICE && gcl_cuda_scratch_drop())
        error = gcl_cuda.driver->memory_create(memory, CHUNK, &form, 0);
    return error;
}

/// GCL_CU_NO_MEMORY: a tier has none left.
static int take(int number, gcl_cu_memory *memory) {
    struct tier *tier = &physical.tiers[number];
    if (tier->spare_count > 0) {
        *memory = tier->spare[--tier->spare_count];
        return GCL_CU_OK;
    }
    int error = tier->made < tier->most ? make(number, memory) : GCL_CU_NO_MEMORY;
    tier->made += error == GCL_CU_OK;
    return error;
}

static void tell_once(void) {
    if (physical.is_told)
        return;
    physical.is_told = true;
    gcl_log(GCL_LOG_WARN,
            "%zu MiB of the GPU's memory are in use: what is allocated from here on lies in the "
            "host's memory, which the GPU reaches over its bus only",
            physical.tiers[ON_DEVICE].made * (CHUNK >> 20));
}

bool gcl_cuda_physical_take(gcl_cu_memory *memory, bool *is_in_host) {
    pthread_mutex_lock(&physical.lock);
    int error = take(ON_DEVICE, memory);
    *is_in_host = error == GCL_CU_NO_MEMORY && physical.tiers[IN_HOST].most > 0;
    if (*is_in_host) {
        error = take(IN_HOST, memory);
        if (error == GCL_CU_OK)
            tell_once();
    }
    pthread_mutex_unlock(&physical.lock);
    return gcl_cuda_has_found(error, "give memory");
}

static bool keep(struct tier *tier, gcl_cu_memory memory) {
    if (tier->spare_count == tier->capacity) {
        size_t capacity = 2 * tier->capacity + 64;
        gcl_cu_memory *spare = realloc(tier->spare, capacity * sizeof *spare);
        if (!spare)
            return false;
        tier->spare = spare;
        tier->capacity = capacity;
    }
    tier->spare[tier->spare_count++] = memory;
    return true;
}

static void release(struct tier *tier, gcl_cu_memory memory) {
    tier->made--;
    gcl_cuda_check(gcl_cuda.driver->memory_release(memory), "give memory back");
}

void gcl_cuda_physical_give(gcl_cu_memory memory, bool is_in_host) {
    struct tier *tier = &physical.tiers[is_in_host ? IN_HOST : ON_DEVICE];
    pthread_mutex_lock(&physical.lock);
    assert(tier->made > tier->spare_count);
    if (!keep(tier, memory))
        release(tier, memory);
    pthread_mutex_unlock(&physical.lock);
}

void gcl_cuda_physical_drop(void) {
    pthread_mutex_lock(&physical.lock);
    for (int i = 0; i < TIERS; i++) {
        struct tier *tier = &physical.tiers[i];
        while (tier->spare_count > 0)
            release(tier, tier->spare[--tier->spare_count]);
    }
    pthread_mutex_unlock(&physical.lock);
}

bool gcl_cuda_physical_extend(size_t device, char why[GCL_PAGES_WHY_SIZE]) {
    int maps = 0;
    size_t granularity = 0;
    gcl_cuda_enter();
    int error = gcl_cuda.driver->device_attribute(&maps, GCL_CU_MAPS_HOST_MEMORY, gcl_cuda.device);
    if (error != GCL_CU_OK || !maps) {
        snprintf(why, GCL_PAGES_WHY_SIZE, "the GPU's driver doesn't map the host's memory");
        return false;
    }
    error = find_granularity(IN_HOST, &granularity);
    if (error != GCL_CU_OK || !fits(granularity)) {
        snprintf(why, GCL_PAGES_WHY_SIZE,
                 "the GPU's driver doesn't map the host's memory in pieces of 2 MiB (%zu, %s)",
                 granularity, gcl_driver_error(gcl_cuda.driver, error).name);
        return false;
    }
    physical.tiers[ON_DEVICE].most = device / CHUNK;
    physical.tiers[IN_HOST].most = SIZE_MAX; // the space counts bytes, of which chunks are more
    return true;
}

static uint64_t bytes_in(const struct tier *tier) {
    return (tier->made - tier->spare_count) * (uint64_t)CHUNK;
}

void gcl_cuda_physical_tell(struct gcl_tiers *tiers) {
    pthread_mutex_lock(&physical.lock);
    if (physical.tiers[IN_HOST].made > 0) {
        tiers->on_device = bytes_in(&physical.tiers[ON_DEVICE]);
        tiers->in_host = bytes_in(&physical.tiers[IN_HOST]);
    }
    pthread_mutex_unlock(&physical.lock);
}
