// What moves between launches. Bytes of a region come and go packed; what several nodes changed is
// put together on the host, from copies.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/spare.h"
#include "exec/device/cpu.h"
#include "exec/device/cuda/state.h"
#include "plan/schedule/combine.h"

#define MOST_PITCH ((size_t)INT32_MAX)

// Rows.

static int kind_of(const void *address) {
    return gcl_cuda_is_apart(address) ? GCL_CU_TYPE_DEVICE : GCL_CU_TYPE_HOST;
}

static int copy_rows(const struct gcl_cuda_rows *r, void *stream) {
    struct gcl_cu_copy_2d copy = {.source_type = kind_of(r->source),
                                  .source_pitch = r->source_pitch,
                                  .target_type = kind_of(r->target),
                                  .target_pitch = r->target_pitch,
                                  .width = r->width,
                                  .height = r->count};
    if (copy.source_type == GCL_CU_TYPE_DEVICE)
        copy.source = (uintptr_t)r->source;
    else
        copy.source_host = r->source;
    if (copy.target_type == GCL_CU_TYPE_DEVICE)
        copy.target = (uintptr_t)r->target;
    else
        copy.target_host = r->target;
    return gcl_cuda.driver->copy_2d(&copy, stream);
}

static int move_row(const struct gcl_cuda_rows *r, size_t row, void *stream) {
    uintptr_t target = (uintptr_t)r->target + row * r->target_pitch;
    if (r->source)
        return gcl_cuda.driver->copy(target, (uintptr_t)r->source + row * r->source_pitch, r->width,
                                     stream);
    return gcl_cuda.driver->set(target, r->value, r->width, stream);
}

bool gcl_cuda_move_rows(const struct gcl_cuda_rows *r, const struct gcl_cuda_lane *lane) {
    bool fits = r->target_pitch <= MOST_PITCH && (!r->source || r->source_pitch <= MOST_PITCH);
    int error = GCL_CU_OK;
    if (r->width == 0)
        return true;
    if (r->count > 1 && fits) {
        error = r->source ? copy_rows(r, lane->stream)
                          : gcl_cuda.driver->set_2d((uintptr_t)r->target, r->target_pitch, r->value,
                                                    r->width, r->count, lane->stream);
    } else {
        for (size_t i = 0; i < r->count && error == GCL_CU_OK; i++)
            error = move_row(r, i, lane->stream);
    }
    return gcl_cuda_check(error, r->source ? "copy" : "set bytes");
}

// Regions, whose runs are rows as long as they have one length and one distance.

enum way { PACK, UNPACK, FILL };

struct walk {
    enum way way;
    unsigned char *place;  ///< of offset 0
    unsigned char *packed; ///< where the next rows' bytes are
    uint8_t value;
    struct gcl_span first; ///< of the rows
    int64_t stride, count;
};

static bool move_walked(struct walk *w, const struct gcl_cuda_lane *lane) {
    size_t width = (size_t)(w->first.end - w->first.begin), pitch = (size_t)w->stride;
    unsigned char *place = w->place + w->first.begin;
    struct gcl_cuda_rows rows = {.width = width, .count = (size_t)w->count, .value = w->value};
    if (w->count == 0)
        return true;
    rows.target = w->way == PACK ? w->packed : place;
    rows.target_pitch = w->way == PACK ? width : pitch;
    rows.source = w->way == PACK ? place : w->way == UNPACK ? w->packed : NULL;
    rows.source_pitch = w->way == PACK ? pitch : width;
    if (w->way != FILL)
        w->packed += width * rows.count;
    w->count = 0;
    return gcl_cuda_move_rows(&rows, lane);
}

static bool continues(const struct walk *w, struct gcl_span run) {
    int64_t width = w->first.end - w->first.begin;
    if (w->count == 0 || run.end - run.begin != width)
        return false;
    return w->count == 1 || run.begin == w->first.begin + w->count * w->stride;
}

static bool walk(struct walk *w, const struct gcl_region *region,
                 const struct gcl_cuda_lane *lane) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    bool ok = true;
    while (ok && gcl_region_next(&cursor, &run)) {
        if (!continues(w, run)) {
            ok = move_walked(w, lane);
            w->first = run;
            w->stride = run.end - run.begin;
        } else if (w->count == 1) {
            w->stride = run.begin - w->first.begin;
        }
        w->count++;
    }
    return ok && move_walked(w, lane);
}

static void move_region(struct walk *w, const struct gcl_region *region) {
    struct gcl_cuda_lane *lane = gcl_cuda_lane_take();
    if (!lane)
        return;
    if (walk(w, region, lane))
        gcl_cuda_lane_wait(lane, "copy");
    gcl_cuda_lane_give(lane);
    struct gcl_span bounds = gcl_region_bounds(region);
    if (w->way != PACK)
        gcl_cuda_note_write(w->place + bounds.begin, (size_t)(bounds.end - bounds.begin));
}

static void pack(const struct gcl_packer *packer, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed) {
    struct walk w = {.way = PACK, .place = (unsigned char *)(uintptr_t)place, .packed = packed};
    (void)packer;
    if (gcl_cuda_is_apart(place))
        move_region(&w, region);
    else
        gcl_region_pack(region, place, packed);
}

static void unpack(const struct gcl_packer *packer, const struct gcl_region *region,
                   const unsigned char *packed, unsigned char *place) {
    struct walk w = {.way = UNPACK, .place = place, .packed = (unsigned char *)(uintptr_t)packed};
    struct gcl_span limits = gcl_region_bounds(region);
    (void)packer;
    if (gcl_cuda_is_apart(place))
        move_region(&w, region);
    else
        gcl_region_unpack(region, packed, limits, place + limits.begin);
}

const struct gcl_packer gcl_cuda_packer = {.pack = pack, .unpack = unpack, .is_apart = true};

static void copy(const struct gcl_device *device, void *target, const void *source, size_t size) {
    const struct gcl_cuda_rows row = {
        .target = target, .source = source, .width = size, .count = 1};
    struct gcl_cuda_lane *lane = gcl_cuda_lane_take();
    (void)device;
    if (!lane)
        return;
    if (gcl_cuda_move_rows(&row, lane))
        gcl_cuda_lane_wait(lane, "copy");
    gcl_cuda_lane_give(lane);
    if (gcl_cuda_is_apart(target))
        gcl_cuda_note_write(target, size);
}

static void fill(const struct gcl_device *device, unsigned char *place,
                 const struct gcl_region *region, uint8_t value) {
    struct walk w = {.way = FILL, .place = place, .value = value};
    if (gcl_cuda_is_apart(place))
        move_region(&w, region);
    else
        gcl_device_cpu_bytes.fill(device, place, region, value);
}

// Twins are packed, as the CPU's are, and in the host's memory.

static void *keep_twin(const struct gcl_device *device, const unsigned char *place,
                       const struct gcl_region *region) {
    unsigned char *twin = gcl_spare_take((size_t)gcl_region_size(region) + 1);
    (void)device;
    if (twin)
        pack(NULL, region, place, twin);
    return twin;
}

static void forget_twin(const struct gcl_device *device, void *twin) {
    (void)device;
    gcl_spare_give(twin);
}

static void make_neutral(const struct gcl_device *device, unsigned char *place,
                         const struct gcl_region *region,
                         const struct gcl_combination *combination) {
    size_t size = (size_t)gcl_region_size(region);
    unsigned char *neutral = gcl_spare_take(size + 1);
    (void)device;
    if (!neutral) {
        gcl_cuda_check(GCL_CU_NO_MEMORY, "begin a reduction");
        return;
    }
    gcl_combine_neutral((enum gcl_reduction)combination->reduction, combination->element, neutral,
                        size);
    unpack(NULL, region, neutral, place);
    gcl_spare_give(neutral);
}

/// Puts back what a merge may have changed of a stretch: what any node has of it.
static bool put_back(const struct gcl_device_merge *merge, const unsigned char *bytes) {
    unsigned char *packed = gcl_spare_take((size_t)(merge->stretch.end - merge->stretch.begin) + 1);
    for (size_t i = 0; packed && i < merge->count; i++) {
        const struct gcl_region *changed = merge->parts[i].bytes;
        if (gcl_region_is_empty(changed))
            continue;
        gcl_region_pack(changed, bytes - merge->stretch.begin, packed);
        unpack(NULL, changed, packed, merge->place);
    }
    gcl_spare_give(packed);
    return packed != NULL;
}

static enum gcl_status merge(const struct gcl_device *device,
                             const struct gcl_device_merge *request) {
    size_t size = (size_t)(request->stretch.end - request->stretch.begin);
    unsigned char *bytes = gcl_spare_take(size);
    struct gcl_device_merge here = *request;
    if (!bytes)
        return GCL_NO_MEMORY;
    copy(device, bytes, request->place + request->stretch.begin, size);
    here.place = bytes - request->stretch.begin;
    enum gcl_status status = gcl_device_cpu_bytes.merge(device, &here);
    if (status == GCL_OK && !put_back(request, bytes))
        status = GCL_NO_MEMORY;
    gcl_spare_give(bytes);
    return status;
}

const struct gcl_device_byte_ops gcl_cuda_bytes = {.copy = copy,
                                                   .fill = fill,
                                                   .keep_twin = keep_twin,
                                                   .forget_twin = forget_twin,
                                                   .make_neutral = make_neutral,
                                                   .merge = merge};
