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

static int copy_row(uintptr_t target, uintptr_t source, size_t width, void *stream) {
    int error = GCL_CU_OK;
    for (size_t done = 0, size; done < width && error == GCL_CU_OK; done += size) {
        size = gcl_cuda_alike(target + done, width - done);
        size = gcl_cuda_alike(source + done, size);
        error = gcl_cuda.driver->copy(target + done, source + done, size, stream);
    }
    return error;
}

static int move_row(const struct gcl_cuda_rows *r, size_t row, void *stream) {
    uintptr_t target = (uintptr_t)r->target + row * r->target_pitch;
    if (r->source)
        return copy_row(target, (uintptr_t)r->source + row * r->source_pitch, r->width, stream);
    return gcl_cuda.driver->set(target, r->value, r->width, stream);
}

/// Whether rows from an address on are such that the driver takes them at once.
static bool is_one(const unsigned char *begin, size_t pitch, const struct gcl_cuda_rows *r) {
    size_t size = (r->count - 1) * pitch + r->width;
    return pitch <= MOST_PITCH && gcl_cuda_alike((uintptr_t)begin, size) == size;
}

bool gcl_cuda_move_rows(const struct gcl_cuda_rows *r, const struct gcl_cuda_lane *lane) {
    int error = GCL_CU_INVALID;
    if (r->width == 0 || r->count == 0)
        return true;
    if (r->count > 1 && is_one(r->target, r->target_pitch, r) &&
        (!r->source || is_one(r->source, r->source_pitch, r)))
        error = r->source ? copy_rows(r, lane->stream)
                          : gcl_cuda.driver->set_2d((uintptr_t)r->target, r->target_pitch, r->value,
                                                    r->width, r->count, lane->stream);
    // Within the GPU's memory the driver promises nothing of pitches that aren't its own.
    if (error == GCL_CU_INVALID) {
        error = GCL_CU_OK;
        for (size_t i = 0; i < r->count && error == GCL_CU_OK; i++)
            error = move_row(r, i, lane->stream);
    }
    return gcl_cuda_check(error, r->source ? "copy" : "set bytes");
}

// Regions. A box of one, in a motif or not, is rows as often as its other levels say; packed, rows
// of a motif's boxes lie as far apart as its copies are large.

enum { MOST_STEPS = (GCL_MOTIF_NESTING + 1) * GCL_STRIDED_LEVELS, FEW_BOXES = 32, SPARSE = 16 };

/// Something `count` times: bytes from one to the next, in their place and packed.
struct step {
    int64_t stride, packed, count;
};

enum way { PACK, UNPACK, FILL };

struct walk {
    enum way way;
    unsigned char *place;  ///< of offset 0
    unsigned char *packed; ///< of the region's first byte
    uint8_t value;
    const struct gcl_cuda_lane *lane;
    struct step steps[MOST_STEPS]; ///< by which what is looked at is repeated
    unsigned depth;
};

/// A run, in its place and packed.
struct run {
    int64_t offset, packed, length;
};

static bool move_rows(const struct walk *w, const struct run *run, const struct step *rows) {
    unsigned char *place = w->place + run->offset;
    unsigned char *packed = w->way == FILL ? NULL : w->packed + run->packed;
    struct gcl_cuda_rows r = {
        .width = (size_t)run->length, .count = (size_t)rows->count, .value = w->value};
    size_t stride = (size_t)rows->stride, packed_stride = (size_t)rows->packed;
    r.target = w->way == PACK ? packed : place;
    r.target_pitch = w->way == PACK ? packed_stride : stride;
    r.source = w->way == PACK ? place : w->way == UNPACK ? packed : NULL;
    r.source_pitch = w->way == PACK ? stride : packed_stride;
    return gcl_cuda_move_rows(&r, w->lane);
}

/// Moves a run with all its repetitions: those of step `rows` at once. `at`: the first step that
/// hasn't been taken.
static bool move_runs(const struct walk *w, const struct run *run, unsigned rows, unsigned at) {
    static const struct step once = {.count = 1};
    bool ok = true;
    if (at == w->depth)
        return move_rows(w, run, w->depth > 0 ? &w->steps[rows] : &once);
    if (at == rows)
        return move_runs(w, run, rows, at + 1);
    for (int64_t i = 0; i < w->steps[at].count && ok; i++) {
        const struct run next = {run->offset + i * w->steps[at].stride,
                                 run->packed + i * w->steps[at].packed, run->length};
        ok = move_runs(w, &next, rows, at + 1);
    }
    return ok;
}

static unsigned longest_step(const struct walk *w) {
    unsigned longest = 0;
    for (unsigned i = 1; i < w->depth; i++) {
        if (w->steps[i].count > w->steps[longest].count)
            longest = i;
    }
    return longest;
}

/// Moves the runs of a taper, each of which is longer or shorter than the one before.
static bool move_taper(const struct walk *w, const struct gcl_strided *box, struct run run) {
    bool ok = true;
    run.length = box->length;
    for (int64_t i = 0; i < box->levels[0].count && ok; i++) {
        ok = move_runs(w, &run, longest_step(w), 0);
        run.offset += box->levels[0].stride;
        run.packed += run.length;
        run.length += box->growth;
    }
    return ok;
}

/// Moves a box whose offsets count from `base`.
static bool move_box(struct walk *w, const struct gcl_strided *box, int64_t base, int64_t packed) {
    struct run run = {base + box->begin, packed, box->length};
    unsigned depth = w->depth;
    bool ok = true;
    if (box->growth)
        return move_taper(w, box, run);
    int64_t size = box->motif ? box->motif->size : box->length;
    for (int i = 0; i < GCL_STRIDED_LEVELS; i++) {
        const struct gcl_level *level = &box->levels[i];
        assert(w->depth < MOST_STEPS);
        if (level->count > 1)
            w->steps[w->depth++] = (struct step){level->stride, size, level->count};
        size *= level->count;
    }
    if (!box->motif)
        ok = move_runs(w, &run, longest_step(w), 0);
    for (size_t i = 0; box->motif && i < box->motif->count && ok; i++) {
        ok = move_box(w, &box->motif->boxes[i], run.offset, run.packed);
        run.packed += gcl_strided_size(&box->motif->boxes[i]);
    }
    w->depth = depth;
    return ok;
}

static bool move_boxes(struct walk *w, const struct gcl_region *region) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    int64_t packed = 0;
    bool ok = true;
    for (size_t i = 0; i < gcl_region_box_count(region) && ok; i++) {
        ok = move_box(w, &boxes[i], 0, packed);
        packed += gcl_strided_size(&boxes[i]);
    }
    assert(!ok || packed == gcl_region_size(region));
    return ok;
}

static void move_region(struct walk *w, const struct gcl_region *region) {
    struct gcl_cuda_lane *lane = gcl_cuda_lane_take();
    if (!lane)
        return;
    w->lane = lane;
    if (move_boxes(w, region))
        gcl_cuda_lane_wait(lane, "copy");
    gcl_cuda_lane_give(lane);
    struct gcl_span bounds = gcl_region_bounds(region);
    if (w->way != PACK)
        gcl_cuda_note_write(w->place + bounds.begin, (size_t)(bounds.end - bounds.begin));
}

/// Packs many pieces that lie close together from a copy of all that they lie in. False: they
/// aren't such, or there is no memory.
static bool pack_all(const struct gcl_region *region, const unsigned char *place,
                     unsigned char *packed) {
    struct gcl_span bounds = gcl_region_bounds(region);
    int64_t size = bounds.end - bounds.begin;
    if (gcl_region_weight(region) <= FEW_BOXES || size / SPARSE > gcl_region_size(region))
        return false;
    unsigned char *all = gcl_spare_take((size_t)size);
    if (!all)
        return false;
    gcl_cuda_bytes.copy(NULL, all, place + bounds.begin, (size_t)size);
    gcl_region_pack(region, all - bounds.begin, packed);
    gcl_spare_give(all);
    return true;
}

static void pack(const struct gcl_packer *packer, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed) {
    struct walk w = {.way = PACK, .place = (unsigned char *)(uintptr_t)place, .packed = packed};
    (void)packer;
    if (!gcl_cuda_is_apart(place))
        gcl_region_pack(region, place, packed);
    else if (!pack_all(region, place, packed))
        move_region(&w, region);
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
