// What moves between launches. Bytes of a region come and go packed.
#include "exec/device/cpu.h"
#include "exec/device/cuda/state.h"

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

static int copy_alike(uintptr_t target, uintptr_t source, size_t size, struct gcl_cuda_lane *lane) {
    bool is_target_apart = gcl_cuda_is_apart((void *)target);
    bool is_source_apart = gcl_cuda_is_apart((void *)source);
    if (is_target_apart && !is_source_apart)
        return gcl_cuda_send(lane, target, (const void *)source, size);
    if (is_source_apart && !is_target_apart)
        return gcl_cuda_fetch(lane, (void *)target, source, size);
    return gcl_cuda.driver->copy(target, source, size, lane->stream);
}

static int copy_row(uintptr_t target, uintptr_t source, size_t width, struct gcl_cuda_lane *lane) {
    int error = GCL_CU_OK;
    for (size_t done = 0, size; done < width && error == GCL_CU_OK; done += size) {
        size = gcl_cuda_alike(target + done, width - done);
        size = gcl_cuda_alike(source + done, size);
        error = copy_alike(target + done, source + done, size, lane);
    }
    return error;
}

static int move_row(const struct gcl_cuda_rows *r, size_t row, struct gcl_cuda_lane *lane) {
    uintptr_t target = (uintptr_t)r->target + row * r->target_pitch;
    if (r->source)
        return copy_row(target, (uintptr_t)r->source + row * r->source_pitch, r->width, lane);
    return gcl_cuda.driver->set(target, r->value, r->width, lane->stream);
}

/// Whether rows from an address on are such that the driver takes them at once.
static bool is_one(const unsigned char *begin, size_t pitch, const struct gcl_cuda_rows *r) {
    size_t size = (r->count - 1) * pitch + r->width;
    return pitch <= MOST_PITCH && gcl_cuda_alike((uintptr_t)begin, size) == size;
}

bool gcl_cuda_move_rows(const struct gcl_cuda_rows *r, struct gcl_cuda_lane *lane) {
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
            error = move_row(r, i, lane);
    }
    return gcl_cuda_check(error, r->source ? "copy" : "set bytes");
}

// Regions: few runs by copies of the driver's, many by a kernel, and then by way of memory of the
// GPU's in which they are packed.

enum { FEW_RUNS = 4 };

enum way { PACK, UNPACK, FILL, BORROW };

struct move {
    enum way way;
    const struct gcl_region *region;
    unsigned char *place;  ///< of offset 0
    unsigned char *packed; ///< of the region's first byte
    ptrdiff_t shift;       ///< from the place to that of another process' copy
    uint8_t value;
    struct gcl_cuda_errand errand;
};

static bool move_strip(void *visitor, const struct gcl_cuda_strip *strip) {
    const struct move *m = visitor;
    bool has_packed = m->way == PACK || m->way == UNPACK;
    unsigned char *place = m->place + strip->place;
    unsigned char *packed = has_packed ? m->packed + strip->packed : NULL;
    struct gcl_cuda_rows r = {
        .width = (size_t)strip->length, .count = (size_t)strip->count, .value = m->value};
    size_t stride = (size_t)strip->stride, packed_stride = (size_t)strip->packed_stride;
    r.target = m->way == PACK ? packed : place;
    r.target_pitch = m->way == PACK ? packed_stride : stride;
    r.source = m->way == PACK     ? place
               : m->way == UNPACK ? packed
               : m->way == BORROW ? place + m->shift
                                  : NULL;
    r.source_pitch = m->way == UNPACK ? packed_stride : stride;
    return gcl_cuda_move_rows(&r, m->errand.lane);
}

/// Moves all by a kernel. False: nothing has happened.
static bool move_by_kernel(struct move *m) {
    static const char *const kernels[] = {[PACK] = "pack", [UNPACK] = "unpack", [FILL] = "fill"};
    size_t size = m->way == FILL ? 0 : (size_t)gcl_region_size(m->region);
    unsigned char *packed = size > 0 ? gcl_cuda_errand_bytes(&m->errand, size) : NULL;
    const struct gcl_cuda_job job = {.kernel = kernels[m->way],
                                     .region = m->region,
                                     .place = m->place,
                                     .packed = packed,
                                     .value = m->value * UINT64_C(0x0101010101010101)};
    if (size > 0 && !packed)
        return false;
    struct gcl_cuda_lane *lane = m->errand.lane;
    if (m->way == UNPACK &&
        !gcl_cuda_check(gcl_cuda_send(lane, (uintptr_t)packed, m->packed, size), "copy"))
        return true;
    if (!gcl_cuda_put_job(&m->errand, &job))
        return false;
    if (m->way == PACK)
        gcl_cuda_check(gcl_cuda_fetch(lane, m->packed, (uintptr_t)packed, size), "copy");
    return true;
}

static void move_region(struct move *m) {
    if (!gcl_cuda_errand_begin(&m->errand))
        return;
    bool is_by_copies = m->way == BORROW || gcl_region_run_count(m->region) <= FEW_RUNS;
    if (is_by_copies || !move_by_kernel(m))
        gcl_cuda_visit_strips(m->region, move_strip, m);
    gcl_cuda_errand_end(&m->errand, "copy");
    struct gcl_span bounds = gcl_region_bounds(m->region);
    if (m->way != PACK)
        gcl_cuda_note_write(m->place + bounds.begin, (size_t)(bounds.end - bounds.begin));
}

static void pack(const struct gcl_packer *packer, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed) {
    struct move m = {.way = PACK,
                     .region = region,
                     .place = (unsigned char *)(uintptr_t)place,
                     .packed = packed};
    (void)packer;
    if (gcl_cuda_is_apart(place))
        move_region(&m);
    else
        gcl_region_pack(region, place, packed);
}

static void unpack(const struct gcl_packer *packer, const struct gcl_region *region,
                   const unsigned char *packed, unsigned char *place) {
    struct move m = {.way = UNPACK,
                     .region = region,
                     .place = place,
                     .packed = (unsigned char *)(uintptr_t)packed};
    struct gcl_span limits = gcl_region_bounds(region);
    (void)packer;
    if (gcl_cuda_is_apart(place))
        move_region(&m);
    else
        gcl_region_unpack(region, packed, limits, place + limits.begin);
}

const struct gcl_packer gcl_cuda_packer = {
    .pack = pack, .unpack = unpack, .is_apart = true, .lending = &gcl_cuda_lending};

void gcl_cuda_borrow(const struct gcl_region *region, unsigned char *place, ptrdiff_t shift,
                     unsigned char *packed) {
    // Nothing beside the region need be mapped of the other process.
    struct move m = {.way = BORROW, .region = region, .place = place, .shift = shift};
    if (packed)
        m = (struct move){.way = PACK, .region = region, .place = place + shift, .packed = packed};
    move_region(&m);
}

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
    struct move m = {.way = FILL, .region = region, .place = place, .value = value};
    if (gcl_cuda_is_apart(place))
        move_region(&m);
    else
        gcl_device_cpu_bytes.fill(device, place, region, value);
}

const struct gcl_device_byte_ops gcl_cuda_bytes = {.copy = copy,
                                                   .fill = fill,
                                                   .keep_twin = gcl_cuda_keep_twin,
                                                   .forget_twin = gcl_cuda_forget_twin,
                                                   .make_neutral = gcl_cuda_make_neutral,
                                                   .merge = gcl_cuda_merge};
