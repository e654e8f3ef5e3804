// What several nodes changed is put together on the GPU: twins stay there, and what others have
// comes to it. Where it has no memory for that, or no kernels, the host does it, from copies.
//
// A copy of a stretch, and whatever lies as its bytes do, begins as far behind a word's begin as
// they do, so that kernels take whole words.
#include <stdio.h>
#include <stdlib.h>

#include "base/spare.h"
#include "exec/device/cpu.h"
#include "exec/device/cuda/state.h"
#include "plan/schedule/combine.h"

enum { WORD = 8 };

/// A region's bytes from before, packed.
struct twin {
    struct gcl_cuda_scratch *scratch; ///< they are on the GPU; NULL: on the host
    unsigned char *bytes;
};

/// Has a lane do a job and waits for that. False: it can't.
static bool do_job(struct gcl_cuda_errand *errand, const struct gcl_cuda_job *job) {
    bool ok = gcl_cuda_put_job(errand, job);
    return gcl_cuda_errand_end(errand, job->kernel) && ok;
}

/// How far behind the begin of a word an address is.
static size_t skew_of(const unsigned char *address) {
    return (uintptr_t)address % WORD;
}

// Twins.

static bool keep_on_gpu(struct twin *twin, const unsigned char *place,
                        const struct gcl_region *region) {
    struct gcl_cuda_errand errand;
    if (!gcl_cuda_errand_begin(&errand))
        return false;
    twin->scratch = gcl_cuda_scratch_take((size_t)gcl_region_size(region) + WORD);
    if (twin->scratch)
        twin->bytes = twin->scratch->bytes + skew_of(place + gcl_region_bounds(region).begin);
    const struct gcl_cuda_job job = {.kernel = "pack",
                                     .region = region,
                                     .place = (unsigned char *)(uintptr_t)place,
                                     .packed = twin->bytes};
    bool ok = twin->scratch && gcl_cuda_put_job(&errand, &job);
    ok = gcl_cuda_errand_end(&errand, "keep bytes") && ok;
    if (!ok) {
        gcl_cuda_scratch_give(twin->scratch);
        *twin = (struct twin){.scratch = NULL};
    }
    return ok;
}

void *gcl_cuda_keep_twin(const struct gcl_device *device, const unsigned char *place,
                         const struct gcl_region *region) {
    struct twin *twin = calloc(1, sizeof *twin);
    (void)device;
    if (!twin || (gcl_cuda_is_apart(place) && keep_on_gpu(twin, place, region)))
        return twin;
    twin->bytes = gcl_spare_take((size_t)gcl_region_size(region) + 1);
    if (twin->bytes) {
        gcl_cuda_packer.pack(&gcl_cuda_packer, region, place, twin->bytes);
        return twin;
    }
    free(twin);
    return NULL;
}

void gcl_cuda_forget_twin(const struct gcl_device *device, void *forgotten) {
    struct twin *twin = forgotten;
    (void)device;
    if (!twin)
        return;
    if (twin->scratch)
        gcl_cuda_scratch_give(twin->scratch);
    else
        gcl_spare_give(twin->bytes);
    free(twin);
}

// Reductions begin.

static bool make_neutral_on_gpu(unsigned char *place, const struct gcl_region *region,
                                const struct gcl_combination *c) {
    struct gcl_cuda_errand errand;
    struct gcl_cuda_job job = {
        .kernel = "fill", .region = region, .place = place, .element = c->element};
    gcl_combine_neutral((enum gcl_reduction)c->reduction, c->element, &job.value, c->element);
    return gcl_cuda_errand_begin(&errand) && do_job(&errand, &job);
}

void gcl_cuda_make_neutral(const struct gcl_device *device, unsigned char *place,
                           const struct gcl_region *region, const struct gcl_combination *c) {
    if (!gcl_cuda_is_apart(place)) {
        gcl_device_cpu_bytes.make_neutral(device, place, region, c);
        return;
    }
    if (make_neutral_on_gpu(place, region, c))
        return;
    size_t size = (size_t)gcl_region_size(region);
    unsigned char *neutral = gcl_spare_take(size + 1);
    if (!neutral) {
        gcl_cuda_check(GCL_CU_NO_MEMORY, "begin a reduction");
        return;
    }
    gcl_combine_neutral((enum gcl_reduction)c->reduction, c->element, neutral, size);
    gcl_cuda_packer.unpack(&gcl_cuda_packer, region, neutral, place);
    gcl_spare_give(neutral);
}

// Merging on the GPU, in the order of the CPU's device (exec/device/cpu_bytes.c).

struct merging {
    struct gcl_cuda_errand errand;
    const struct gcl_device_merge *request;
    /// The stretch as it was before this node's blocks ran; of a reduction, what comes out. As it
    /// would be if it had all bytes from offset 0 on.
    unsigned char *base;
    unsigned char *arrived; ///< memory for what one of the others has
    bool has_begun;         ///< bytes in their place have changed
};

static bool put(struct merging *m, const struct gcl_cuda_job *job) {
    bool ok = gcl_cuda_put_job(&m->errand, job);
    if (ok && job->place == m->request->place && !gcl_region_is_empty(job->region))
        m->has_begun = true;
    return ok;
}

/// What of the twin lies in the stretch goes to a copy of it. False: it can't.
static bool restore(struct merging *m, const struct twin *twin) {
    const struct gcl_device_merge *r = m->request;
    struct gcl_span before = {gcl_region_bounds(r->twinned).begin, r->stretch.begin};
    struct gcl_region within = {.count = 0}, ahead = {.count = 0};
    bool ok = gcl_region_clip(r->twinned, r->stretch, &within) &&
              (before.begin >= before.end || gcl_region_clip(r->twinned, before, &ahead));
    ok = ok && put(m, &(struct gcl_cuda_job){.kernel = "unpack",
                                             .region = &within,
                                             .place = m->base,
                                             .packed = twin->bytes + gcl_region_size(&ahead)});
    gcl_region_finish(&within);
    gcl_region_finish(&ahead);
    return ok;
}

static bool copy_base(struct merging *m, const struct twin *twin) {
    const struct gcl_device_merge *r = m->request;
    const unsigned char *begin = r->place + r->stretch.begin;
    size_t size = (size_t)(r->stretch.end - r->stretch.begin);
    unsigned char *copy = gcl_cuda_errand_bytes(&m->errand, size + WORD);
    if (!copy)
        return false;
    copy += skew_of(begin);
    m->base = copy - r->stretch.begin;
    return gcl_cuda_check(gcl_cuda.driver->copy((uintptr_t)copy, (uintptr_t)begin, size,
                                                m->errand.lane->stream),
                          "copy") &&
           restore(m, twin);
}

/// Nothing changes in its place. False: it can't be merged on the GPU.
static bool prepare(struct merging *m, const struct twin *twin) {
    const struct gcl_device_merge *r = m->request;
    size_t largest = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t size = r->parts[i].packed ? (size_t)gcl_region_size(r->parts[i].bytes) : 0;
        largest = size > largest ? size : largest;
    }
    m->arrived = largest > 0 ? gcl_cuda_errand_bytes(&m->errand, largest + WORD) : NULL;
    return (m->arrived || largest == 0) && copy_base(m, twin);
}

/// Does something with what another node has, which comes to the GPU for that.
static bool put_part(struct merging *m, size_t index, struct gcl_cuda_job job) {
    const struct gcl_device_part *part = &m->request->parts[index];
    if (gcl_region_is_empty(part->bytes))
        return true;
    job.region = part->bytes;
    if (part->packed) {
        job.packed = m->arrived + skew_of(job.place + gcl_region_bounds(part->bytes).begin);
        if (!gcl_cuda_check(gcl_cuda_send(m->errand.lane, (uintptr_t)job.packed, part->packed,
                                          (size_t)gcl_region_size(part->bytes)),
                            "copy"))
            return true;
    }
    return put(m, &job);
}

/// Puts what the others have changed to what this node has.
static bool merge_parts(struct merging *m) {
    const struct gcl_device_merge *r = m->request;
    size_t self = gcl_device_merge_self(r), element = r->combination->element;
    struct gcl_cuda_job job = {.kernel = element > 1 ? "complete" : "complete_bytes",
                               .place = r->place,
                               .base = m->base,
                               .element = element > 1 ? element : 0};
    bool ok = true;
    for (size_t i = self; i-- > 0 && ok;)
        ok = put_part(m, i, job);
    job.kernel = element > 1 ? "merge" : "merge_bytes";
    for (size_t i = self + 1; i < r->count && ok; i++)
        ok = put_part(m, i, job);
    return ok;
}

/// Reduces what all nodes have, in their order, and puts that in its place.
static bool reduce_parts(struct merging *m) {
    const struct gcl_device_merge *r = m->request;
    char kernel[24];
    snprintf(kernel, sizeof kernel, "reduce_%s", gcl_reduction_names[r->combination->reduction]);
    bool ok = true;
    for (size_t i = 0; i < r->count && ok; i++)
        ok = put_part(m, i,
                      (struct gcl_cuda_job){.kernel = kernel,
                                            .place = m->base,
                                            .packed = r->place,
                                            .is_in_place = !r->parts[i].packed,
                                            .element = r->combination->element});
    for (size_t i = 0; i < r->count && ok; i++)
        ok = put(m, &(struct gcl_cuda_job){.kernel = "unpack",
                                           .region = r->parts[i].bytes,
                                           .place = r->place,
                                           .packed = m->base,
                                           .is_in_place = true});
    return ok;
}

/// GCL_NOT_READY: it can't, and nothing has changed.
static enum gcl_status merge_on_gpu(const struct gcl_device_merge *request,
                                    const struct twin *twin) {
    struct merging m = {.request = request};
    bool is_merge = request->combination->kind == GCL_COMBINATION_MERGE;
    if (!gcl_cuda_errand_begin(&m.errand))
        return GCL_NO_MEMORY;
    bool ok = prepare(&m, twin) && (is_merge ? merge_parts : reduce_parts)(&m);
    gcl_cuda_errand_end(&m.errand, "merge");
    if (!ok)
        return m.has_begun ? GCL_NO_MEMORY : GCL_NOT_READY;
    gcl_cuda_note_write(request->place + request->stretch.begin,
                        (size_t)(request->stretch.end - request->stretch.begin));
    return GCL_OK;
}

// Merging on the host.

/// Puts back what a merge may have changed of a stretch: what any node has of it.
static bool put_back(const struct gcl_device_merge *merge, const unsigned char *bytes) {
    unsigned char *packed = gcl_spare_take((size_t)(merge->stretch.end - merge->stretch.begin) + 1);
    for (size_t i = 0; packed && i < merge->count; i++) {
        const struct gcl_region *changed = merge->parts[i].bytes;
        if (gcl_region_is_empty(changed))
            continue;
        gcl_region_pack(changed, bytes - merge->stretch.begin, packed);
        gcl_cuda_packer.unpack(&gcl_cuda_packer, changed, packed, merge->place);
    }
    gcl_spare_give(packed);
    return packed != NULL;
}

static enum gcl_status merge_on_host(const struct gcl_device_merge *request,
                                     const struct twin *twin) {
    size_t size = (size_t)(request->stretch.end - request->stretch.begin);
    size_t twin_size = twin->scratch ? (size_t)gcl_region_size(request->twinned) : 0;
    unsigned char *bytes = gcl_spare_take(size), *home = gcl_spare_take(twin_size + 1);
    struct gcl_device_merge here = *request;
    enum gcl_status status = GCL_NO_MEMORY;
    if (bytes && home) {
        if (twin->scratch)
            gcl_cuda_bytes.copy(NULL, home, twin->bytes, twin_size);
        gcl_cuda_bytes.copy(NULL, bytes, request->place + request->stretch.begin, size);
        here.place = bytes - request->stretch.begin;
        here.twin = twin->scratch ? home : twin->bytes;
        status = gcl_device_cpu_bytes.merge(NULL, &here);
    }
    if (status == GCL_OK && !put_back(request, bytes))
        status = GCL_NO_MEMORY;
    gcl_spare_give(home);
    gcl_spare_give(bytes);
    return status;
}

enum gcl_status gcl_cuda_merge(const struct gcl_device *device,
                               const struct gcl_device_merge *request) {
    const struct twin *twin = request->twin;
    (void)device;
    enum gcl_status status = twin->scratch ? merge_on_gpu(request, twin) : GCL_NOT_READY;
    return status == GCL_NOT_READY ? merge_on_host(request, twin) : status;
}
