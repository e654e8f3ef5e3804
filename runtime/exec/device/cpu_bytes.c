// What moves between launches, in memory that the process reaches by itself.
#include <assert.h>
#include <string.h>

#include "base/spare.h"
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
    void *twin = gcl_spare_take((size_t)gcl_region_size(region) + 1);
    (void)device;
    if (twin)
        gcl_region_pack(region, place, twin);
    return twin;
}

static void forget_twin(const struct gcl_device *device, void *twin) {
    (void)device;
    gcl_spare_give(twin);
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

// Merging. A stretch is put together where it lies, which has this node's changes already: nodes
// before this one change only what this one hasn't, those behind it what they have. What a
// reduction gives may depend on the order, so it begins with the bytes from before.

/// A stretch as it was before this node's blocks ran.
struct stretch {
    int64_t begin;
    const unsigned char *base; ///< from `begin` on
    unsigned char *own;        ///< memory for that; NULL: it lies in the twin
};

static bool stretch_init(struct stretch *s, const struct gcl_device_merge *merge) {
    struct gcl_span limits = merge->stretch, run;
    assert(limits.begin < limits.end);
    size_t size = (size_t)(limits.end - limits.begin);
    *s = (struct stretch){.begin = limits.begin};
    bool is_run = gcl_region_run_count(merge->twinned) == 1 &&
                  gcl_region_run_at(merge->twinned, limits.begin, &run) && run.end >= limits.end;
    if (is_run) {
        s->base = (const unsigned char *)merge->twin + (limits.begin - run.begin);
        return true;
    }
    s->own = gcl_spare_take(size);
    if (!s->own)
        return false;
    memcpy(s->own, merge->place + limits.begin, size);
    gcl_region_unpack(merge->twinned, merge->twin, limits, s->own);
    s->base = s->own;
    return true;
}

typedef void merge_run(size_t element, unsigned char *bytes, const unsigned char *other,
                       const unsigned char *twin, size_t size);

static void merge_part(const struct stretch *s, const struct gcl_device_merge *request,
                       const struct gcl_device_part *part, merge_run *function) {
    const unsigned char *packed = part->packed;
    struct gcl_region_cursor cursor = {.region = part->bytes};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        function(request->combination->element, request->place + run.begin, packed,
                 s->base + (run.begin - s->begin), size);
        packed += size;
    }
}

size_t gcl_device_merge_self(const struct gcl_device_merge *request) {
    size_t self = 0;
    while (self < request->count &&
           (request->parts[self].packed || gcl_region_is_empty(request->parts[self].bytes)))
        self++;
    return self;
}

/// Puts what the others have changed to what this node has.
static void merge_parts(const struct stretch *s, const struct gcl_device_merge *request) {
    size_t self = gcl_device_merge_self(request);
    for (size_t i = self; i-- > 0;)
        merge_part(s, request, &request->parts[i], gcl_combine_complete);
    for (size_t i = self + 1; i < request->count; i++)
        merge_part(s, request, &request->parts[i], gcl_combine_merge);
}

static void reduce_part(const struct stretch *s, const struct gcl_device_merge *request,
                        const struct gcl_device_part *part, unsigned char *result) {
    const struct gcl_combination *c = request->combination;
    const unsigned char *packed = part->packed;
    struct gcl_region_cursor cursor = {.region = part->bytes};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        size_t size = (size_t)(run.end - run.begin);
        gcl_combine_reduce((enum gcl_reduction)c->reduction, c->element,
                           result + (run.begin - s->begin),
                           packed ? packed : request->place + run.begin, size);
        packed = packed ? packed + size : NULL;
    }
}

/// Reduces what all nodes have, in their order. False: no memory.
static bool reduce_parts(const struct stretch *s, const struct gcl_device_merge *request) {
    size_t size = (size_t)(request->stretch.end - request->stretch.begin);
    unsigned char *result = gcl_spare_take(size);
    if (!result)
        return false;
    memcpy(result, s->base, size);
    for (size_t i = 0; i < request->count; i++)
        reduce_part(s, request, &request->parts[i], result);
    memcpy(request->place + request->stretch.begin, result, size);
    gcl_spare_give(result);
    return true;
}

static enum gcl_status merge(const struct gcl_device *device,
                             const struct gcl_device_merge *request) {
    struct stretch s;
    bool ok = true;
    (void)device;
    if (!stretch_init(&s, request))
        return GCL_NO_MEMORY;
    if (request->combination->kind == GCL_COMBINATION_MERGE)
        merge_parts(&s, request);
    else
        ok = reduce_parts(&s, request);
    gcl_spare_give(s.own);
    return ok ? GCL_OK : GCL_NO_MEMORY;
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
