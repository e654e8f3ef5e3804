// A few bytes that the program wants, of memory that it can't reach by itself. While nothing is
// under way every node's memory is as the directory says, so node 0 reads what it lacks where it
// is. That changes nothing of who has what, so that no other node has to be told, let alone woken.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/device/device.h"
#include "exec/exchange/box.h"
#include "exec/spread/carry.h"
#include "exec/spread/home.h"
#include "exec/spread/rest.h"
#include "exec/spread/track.h"

enum { MOST_SIZE = 64 << 10, MOST_TRANSFERS = 16 };

/// A copy that is going to be made by reading.
struct reading {
    struct gcl_spread *spread;
    struct gcl_span span; ///< of the allocation that it reads
    unsigned char *place; ///< of offset 0
    struct gcl_plan *plan;
    unsigned char *bytes;  ///< of all transfers, packed
    struct gcl_region own; ///< the rest, which node 0 has
};

static void reading_finish(struct reading *r) {
    gcl_plan_release(r->plan);
    gcl_region_finish(&r->own);
    free(r->bytes);
}

/// Whether node 0 gets what it lacks from nodes whose memory it can read.
static bool are_near(const struct gcl_spread *spread, const struct gcl_plan *plan) {
    const struct gcl_communicator *communicator = &spread->options.communicator;
    if (plan->transfer_count > MOST_TRANSFERS)
        return false;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        assert(gcl_transfer_reaches(t, 0) && t->to_end - t->to == 1);
        if (t->from != GCL_NOWHERE && !communicator->is_near(communicator->context, t->from))
            return false;
    }
    return true;
}

/// Whether no other node has to know that bytes of the host's change: no program's memory, or such
/// that the host may change at any time, and of which nobody else has a copy.
static bool is_at_home(const struct gcl_spread *spread, const unsigned char *target) {
    const struct gcl_directory_entry *entry =
        gcl_directory_find(spread->directory, (uintptr_t)target);
    return !entry || (entry->use == GCL_HOST_UNSEEN &&
                      entry->layout == gcl_layouts_home(gcl_directory_layouts(spread->directory),
                                                        (int64_t)entry->size));
}

/// Finds what a copy needs of whom. False: it has to be made as others are. The lock is held.
static bool reading_init(struct reading *r, struct gcl_spread *spread,
                         const struct gcl_box_copy *copy) {
    const struct gcl_operation_box box =
        gcl_box_of_copy(copy->source, copy->source_pitch, copy->source_slice, copy);
    *r = (struct reading){.spread = spread};
    if (gcl_rest_is_on(spread))
        return false;
    if (!is_at_home(spread, copy->target))
        return false;
    const struct gcl_directory_entry *entry =
        gcl_directory_find(spread->directory, (uintptr_t)copy->source);
    if (!entry || entry->use)
        return false;
    int64_t begin = (int64_t)(box.begin - entry->begin);
    r->span = (struct gcl_span){begin, begin + (int64_t)box.width};
    r->place = (unsigned char *)(uintptr_t)entry->begin;
    r->plan = gcl_plan_create();
    return r->plan &&
           gcl_spread_demand(spread, r->plan, entry, 0, gcl_region_run(r->span.begin, r->span.end),
                             false) &&
           are_near(spread, r->plan);
}

/// Reads what node 0 lacks. False: it couldn't. The lock is held, so that nothing changes
/// meanwhile.
static bool read_all(struct reading *r) {
    const struct gcl_communicator *communicator = &r->spread->options.communicator;
    struct gcl_request requests[MOST_TRANSFERS];
    size_t count = 0;
    unsigned char *to = r->bytes = malloc((size_t)(r->span.end - r->span.begin));
    for (size_t i = 0; to && i < r->plan->transfer_count; i++) {
        const struct gcl_transfer *t = &r->plan->transfers[i];
        size_t size = (size_t)gcl_region_size(&t->bytes);
        if (t->from == GCL_NOWHERE)
            memset(to, t->fill, size);
        else
            requests[count++] = (struct gcl_request){.what = "a copy",
                                                     .peer = t->from,
                                                     .bytes = to,
                                                     .size = size,
                                                     .region = &t->bytes,
                                                     .place = r->place};
        to += size;
    }
    return to &&
           (count == 0 || communicator->read(communicator->context, requests, count) == GCL_OK);
}

/// Finds what node 0 has. False: no memory.
static bool find_own(struct reading *r) {
    bool ok = true;
    r->own = gcl_region_run(r->span.begin, r->span.end);
    for (size_t i = 0; ok && i < r->plan->transfer_count; i++)
        ok = gcl_region_subtract(&r->own, &r->plan->transfers[i].bytes, &r->own);
    return ok;
}

/// Puts what was read into the copy's target, and what node 0 has: of the rest its pages needn't be
/// there.
static void put(const struct reading *r, unsigned char *target) {
    const struct gcl_device *device = r->spread->options.device;
    const unsigned char *from = r->bytes;
    struct gcl_region_cursor cursor = {.region = &r->own};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run))
        device->bytes->copy(device, target + (run.begin - r->span.begin), r->place + run.begin,
                            (size_t)(run.end - run.begin));
    for (size_t i = 0; i < r->plan->transfer_count; i++) {
        const struct gcl_transfer *t = &r->plan->transfers[i];
        gcl_region_unpack(&t->bytes, from, r->span, target);
        from += gcl_region_size(&t->bytes);
    }
}

static bool is_small(const struct gcl_spread *spread, const struct gcl_box_copy *copy) {
    return copy->source && copy->height == 1 && copy->depth == 1 && copy->width <= MOST_SIZE &&
           !copy->noted && spread->options.device->bytes && !spread->options.has_devices &&
           !spread->comparison;
}

/// Whether nothing is under way, or it is worth waiting for that: after that the copy can be made.
static bool could_read(struct gcl_spread *spread, const struct gcl_box_copy *copy, bool waits) {
    struct reading r;
    gcl_spread_lock(spread);
    bool could = gcl_spread_is_quiet(spread);
    if (!could && waits) {
        could = reading_init(&r, spread, copy);
        reading_finish(&r);
    }
    gcl_spread_unlock(spread);
    return could;
}

/// Reads what a copy needs of others. False: something is under way, or it can't be read.
static bool read_others(struct gcl_spread *spread, const struct gcl_box_copy *copy,
                        struct reading *r) {
    gcl_spread_lock(spread);
    bool ok = reading_init(r, spread, copy) && gcl_spread_is_quiet(spread) &&
              (r->plan->transfer_count == 0 || (find_own(r) && read_all(r)));
    if (ok && r->plan->transfer_count > 0)
        gcl_spread_add_transfer(spread, r->plan, (struct gcl_fence){.stream = NULL});
    gcl_spread_unlock(spread);
    return ok;
}

enum gcl_status gcl_spread_read(struct gcl_spread *spread, struct gcl_stream *stream,
                                struct gcl_command *command, bool waits) {
    struct gcl_engine *engine = spread->options.engine;
    unsigned char *target = command->copy.target;
    struct reading r;
    if (!is_small(spread, &command->copy) || gcl_engine_is_calling() ||
        !could_read(spread, &command->copy, waits))
        return GCL_NOT_READY;
    struct gcl_fence fence = gcl_spread_submit_nothing(spread, stream);
    if (!waits && !gcl_engine_is_reached(engine, fence))
        return GCL_NOT_READY;
    enum gcl_status status = gcl_engine_wait(engine, fence);
    if (status != GCL_OK) {
        gcl_engine_discard(engine, command);
        return status;
    }
    if (!read_others(spread, &command->copy, &r)) {
        status = GCL_NOT_READY;
    } else if (r.plan->transfer_count == 0) {
        status = gcl_engine_run(engine, stream, command);
    } else {
        put(&r, target);
        gcl_engine_discard(engine, command);
    }
    reading_finish(&r);
    return status;
}
