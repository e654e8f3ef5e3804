// What moves between launches, in memory that the process reaches by itself.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/device/cpu.h"
#include "plan/schedule/combine.h"

static void copy(const struct gcl_device *device, void *target, const void *source, size_t size) {
    (void)device;
    memcpy(target, source, size);
}

static void fill(const struct gcl_device *device, unsigned char *place,
                 const struct gcl_region *region, uint8_t value) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    (void)device;
    while (gcl_region_next(&cursor, &run))
        memset(place + run.begin, value, (size_t)(run.end - run.begin));
}

// Twins are packed: they have as many bytes as the region.
static void *keep_twin(const struct gcl_device *device, const unsigned char *place,
                       const struct gcl_region *region) {
    void *twin = malloc((size_t)gcl_region_size(region) + 1);
    (void)device;
    if (twin)
        gcl_region_pack(region, place, twin);
    return twin;
}

static void forget_twin(const struct gcl_device *device, void *twin) {
    (void)device;
    free(twin);
}

static void make_neutral(const struct gcl_device *device, unsigned char *place,
                         const struct gcl_region *region,
                         const struct gcl_combination *combination) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    (void)device;
    while (gcl_region_next(&cursor, &run))
        gcl_combine_neutral((enum gcl_reduction)combination->reduction, combination->element,
                            place + run.begin, (size_t)(run.end - run.begin));
}

/// A stretch as it was before this node's blocks ran, and what becomes of it.
struct stretch {
    const struct gcl_combination *combination;
    int64_t begin;
    unsigned char *base;   ///< from `begin` on, as before the launch
    unsigned char *result; ///< as far as it is known
};

static bool stretch_init(struct stretch *s, const struct gcl_device_merge *merge) {
    struct gcl_span limits = merge->stretch;
    assert(limits.begin < limits.end);
    size_t size = (size_t)(limits.end - limits.begin);
    *s = (struct stretch){.combination = merge->combination, .begin = limits.begin};
    s->base = malloc(2 * size);
    if (!s->base)
        return false;
    s->result = s->base + size;
    memcpy(s->base, merge->place + limits.begin, size);
    gcl_region_unpack(merge->twinned, merge->twin, limits, s->base);
    memcpy(s->result, s->base, size);
    return true;
}

/// Puts one node's bytes to the others.
static void add_part(const struct stretch *s, const struct gcl_device_part *part,
                     const unsigned char *place) {
    const struct gcl_combination *c = s->combination;
    const unsigned char *packed = part->packed;
    struct gcl_region_cursor cursor = {.region = part->bytes};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        const unsigned char *theirs = packed ? packed : place + run.begin;
        unsigned char *result = s->result + (run.begin - s->begin);
        if (c->kind == GCL_COMBINATION_MERGE)
            gcl_combine_merge(result, theirs, s->base + (run.begin - s->begin), size);
        else
            gcl_combine_reduce((enum gcl_reduction)c->reduction, c->element, result, theirs, size);
        if (packed)
            packed += size;
    }
}

static enum gcl_status merge(const struct gcl_device *device,
                             const struct gcl_device_merge *request) {
    struct gcl_span limits = request->stretch;
    struct stretch s;
    (void)device;
    if (!stretch_init(&s, request))
        return GCL_NO_MEMORY;
    for (size_t i = 0; i < request->count; i++)
        add_part(&s, &request->parts[i], request->place);
    memcpy(request->place + limits.begin, s.result, (size_t)(limits.end - limits.begin));
    free(s.base);
    return GCL_OK;
}

static void pack(const struct gcl_packer *packer, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed) {
    (void)packer;
    gcl_region_pack(region, place, packed);
}

static void unpack(const struct gcl_packer *packer, const struct gcl_region *region,
                   const unsigned char *packed, unsigned char *place) {
    struct gcl_span limits = gcl_region_bounds(region);
    (void)packer;
    gcl_region_unpack(region, packed, limits, place + limits.begin);
}

const struct gcl_packer gcl_device_cpu_packer = {.pack = pack, .unpack = unpack};

const struct gcl_device_byte_ops gcl_device_cpu_bytes = {.copy = copy,
                                                         .fill = fill,
                                                         .keep_twin = keep_twin,
                                                         .forget_twin = forget_twin,
                                                         .make_neutral = make_neutral,
                                                         .merge = merge};
