// A walk along a table of a few rows at each launch; nothing is cached.
#include "exec/code/variant.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/processor.h"

static _Atomic uint32_t machine_level;
static atomic_bool is_capped;

void gcl_variant_set_level(uint32_t cap) {
    uint32_t level = gcl_processor_level();
    bool lower = cap != 0 && cap < level;
    atomic_store(&is_capped, lower);
    atomic_store(&machine_level, lower ? cap : level);
}

bool gcl_variant_is_capped(void) {
    return atomic_load(&is_capped);
}

bool gcl_variant_runs(const char *cpu) {
    static const char *const names[] = {
        [GCL_CPU_V2] = "x86-64-v2", [GCL_CPU_V3] = "x86-64-v3", [GCL_CPU_V4] = "x86-64-v4"};
    uint32_t needed = GCL_CPU_ANY;
    for (uint32_t level = GCL_CPU_V2; level <= GCL_CPU_V4; level++) {
        if (strcmp(cpu, names[level]) == 0)
            needed = level;
    }
    return needed <= atomic_load(&machine_level);
}

static bool fits(const struct gcl_variant *variant, const uint32_t block_size[3]) {
    const uint32_t *shape = variant->block_size;
    return shape[0] == 0 ||
           (shape[0] == block_size[0] && shape[1] == block_size[1] && shape[2] == block_size[2]);
}

// Vectors are filled along x: a row of one thread, or of few in code for blocks of any size, would
// leave most lanes asleep.
static bool is_narrow(const struct gcl_variant *variant, const uint32_t block_size[3]) {
    enum { FEW = 4 };
    return block_size[0] == 1 || (block_size[0] < FEW && variant->block_size[0] == 0);
}

const struct gcl_variant *gcl_variant_find(const struct gcl_kernel *kernel, uint32_t level,
                                           const uint32_t block_size[3]) {
    for (uint32_t i = 0; i < kernel->variant_count; i++) {
        const struct gcl_variant *variant = &kernel->variants[i];
        if (variant->level > level || !fits(variant, block_size))
            continue;
        const struct gcl_variant *last = &kernel->variants[kernel->variant_count - 1];
        bool by_threads = (kernel->flags & GCL_KERNEL_THREADS) && last->level <= level &&
                          is_narrow(variant, block_size);
        return by_threads ? last : variant;
    }
    return NULL;
}

gcl_region *const *gcl_variant_regions(const struct gcl_kernel *kernel,
                                       const uint32_t block_size[3]) {
    uint32_t level = atomic_load_explicit(&machine_level, memory_order_relaxed);
    const struct gcl_variant *variant = gcl_variant_find(kernel, level, block_size);
    assert(variant || kernel->variant_count == 0);
    return variant ? variant->regions : NULL;
}
