// What comes for guarded memory is packed first: the program may be using that.
#include "exec/exchange/movement.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "base/spare.h"
#include "exec/device/device.h"
#include "exec/exchange/movement_pages.h"

enum phase { BEFORE, AFTER, BESIDE, PHASES = 4 };

struct gcl_movement {
    struct gcl_plan *plan;
    struct gcl_movement_purpose purpose;
    struct gcl_movement_means means;
    gcl_node count;
    void **twins; ///< of each combination: this node's bytes from before, as its device keeps them
};

enum { FEW_REQUESTS = 8 };

/// Requests of one exchange. Zeroed but for `few`, it has none.
struct cargo {
    struct gcl_request *more; ///< NULL: `few` are enough
    size_t count, capacity;
    struct gcl_request few[FEW_REQUESTS];
};

static uint64_t tag_of(uint64_t sequence, enum phase phase, size_t index) {
    return sequence << 26 | (uint64_t)phase << 24 | index;
}

const char *gcl_movement_name(uint64_t tag) {
    static const char *const names[PHASES] = {
        [BEFORE] = "fetch", [AFTER] = "merge", [BESIDE] = NULL};
    return names[tag >> 24 & 3];
}

uint64_t gcl_movement_tag_beside(uint64_t sequence, size_t index) {
    return tag_of(sequence, BESIDE, index);
}

struct gcl_movement *gcl_movement_create(struct gcl_plan *plan, struct gcl_movement_purpose purpose,
                                         const struct gcl_movement_means *means) {
    struct gcl_movement *movement =
        gcl_plan_select(plan, means->self) ? calloc(1, sizeof *movement) : NULL;
    if (movement)
        movement->twins = calloc(plan->combination_count + 1, sizeof *movement->twins);
    if (!movement || !movement->twins) {
        free(movement);
        return NULL;
    }
    movement->plan = gcl_plan_hold(plan);
    movement->purpose = purpose;
    movement->means = *means;
    movement->count = plan->allocation_count > 0 ? plan->allocations[0].before->node_count : 0;
    return movement;
}

void gcl_movement_destroy(struct gcl_movement *movement) {
    if (!movement)
        return;
    const struct gcl_device *device = movement->means.device;
    for (size_t i = 0; i < movement->plan->combination_count; i++) {
        if (movement->twins[i])
            device->bytes->forget_twin(device, movement->twins[i]);
    }
    free(movement->twins);
    gcl_plan_release(movement->plan);
    free(movement);
}

const struct gcl_plan *gcl_movement_plan(const struct gcl_movement *movement) {
    return movement->plan;
}

/// Bytes of one allocation that are combined here, or that come and go.
static int64_t size_in(const struct gcl_movement *movement, uint32_t place) {
    const struct gcl_plan *plan = movement->plan;
    int64_t combined = 0, moved = 0;
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        combined += c->allocation == place ? gcl_region_size(&c->bytes[movement->means.self]) : 0;
    }
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        uint32_t times = t->from == movement->means.self ? gcl_transfer_receivers(t) : 1;
        moved += t->allocation == place ? times * gcl_region_size(&t->bytes) : 0;
    }
    return combined > 0 ? combined : moved;
}

void gcl_movement_describe(const struct gcl_movement *movement, char *text, size_t size) {
    const struct gcl_plan *plan = movement->plan;
    char name[96];
    int64_t bytes = 0;
    uint32_t place = 0;
    while (place < plan->allocation_count && (bytes = size_in(movement, place)) == 0)
        place++;
    const struct gcl_plan_allocation *found = &plan->allocations[bytes > 0 ? place : 0];
    snprintf(text, size, "%" PRId64 " bytes for %s, of %" PRIu64 " bytes at %p", bytes,
             gcl_name_demangle(movement->purpose.what, name, sizeof name), found->size,
             (void *)(uintptr_t)found->begin);
}

bool gcl_movement_has_after(const struct gcl_movement *movement) {
    return movement->means.device->bytes && movement->plan->combination_count > 0;
}

bool gcl_movement_has_before(const struct gcl_movement *movement) {
    return movement->means.device->bytes &&
           (movement->plan->own_count > 0 || gcl_movement_has_after(movement) ||
            (movement->means.guard && gcl_movement_pages_change(movement->plan)));
}

// Cargo.

static void cargo_init(struct cargo *cargo) {
    cargo->more = NULL;
    cargo->count = 0;
    cargo->capacity = FEW_REQUESTS;
}

static struct gcl_request *requests_of(struct cargo *cargo) {
    return cargo->more ? cargo->more : cargo->few;
}

static bool add(struct cargo *cargo, const struct gcl_request *request) {
    if (cargo->count == cargo->capacity) {
        size_t capacity = 2 * cargo->capacity;
        struct gcl_request *more = realloc(cargo->more, capacity * sizeof *more);
        if (!more)
            return false;
        if (!cargo->more)
            memcpy(more, cargo->few, sizeof cargo->few);
        cargo->more = more;
        cargo->capacity = capacity;
    }
    requests_of(cargo)[cargo->count++] = *request;
    return true;
}

/// `waits`: false: GCL_NOT_READY, if the exchange would have to wait.
static enum gcl_status exchange(const struct gcl_movement *movement, uint64_t moment,
                                struct cargo *cargo, bool waits) {
    if (cargo->count == 0)
        return GCL_OK;
    const struct gcl_communicator *communicator = &movement->means.communicator;
    struct gcl_turn turn = {.track = movement->purpose.track, .moment = moment};
    return (waits ? communicator->exchange : communicator->attempt)(
        communicator->context, turn, requests_of(cargo), cargo->count);
}

static unsigned char *place_of(const struct gcl_movement *movement, uint32_t place) {
    assert(place < movement->plan->allocation_count);
    return (unsigned char *)(uintptr_t)movement->plan->allocations[place].begin;
}

// Before.

/// Adds one that this node has a part in, to each peer or from the one.
static bool load_transfer(const struct gcl_transfer *t, const struct gcl_request *request,
                          struct cargo *cargo) {
    struct gcl_request each = *request;
    assert(request->size > 0);
    bool ok = true;
    if (!each.is_sent)
        return add(cargo, request);
    for (each.peer = t->to; ok && each.peer < t->to_end; each.peer++)
        ok = each.peer == t->from || add(cargo, &each);
    return ok;
}

static bool load_transfers(const struct gcl_movement *movement,
                           const struct gcl_movement_arrivals *arrivals, struct cargo *cargo) {
    const struct gcl_plan *plan = movement->plan;
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        bool is_sent = t->from == movement->means.self;
        if (t->from == GCL_NOWHERE)
            continue;
        if (!load_transfer(t,
                           &(struct gcl_request){
                               .what = movement->purpose.what,
                               .peer = t->from,
                               .is_sent = is_sent,
                               .tag = tag_of(movement->purpose.sequence, BEFORE, plan->own[i]),
                               .bytes = arrivals->packed ? arrivals->packed[i] : NULL,
                               .size = (size_t)gcl_region_size(&t->bytes),
                               .region = &t->bytes,
                               .place = place_of(movement, t->allocation),
                               .packer = &movement->means.device->packer},
                           cargo))
            return false;
    }
    return true;
}

static void make_fills(const struct gcl_movement *movement) {
    const struct gcl_device *device = movement->means.device;
    const struct gcl_plan *plan = movement->plan;
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        if (t->from == GCL_NOWHERE)
            device->bytes->fill(device, place_of(movement, t->allocation), &t->bytes, t->fill);
    }
}

/// Keeps what is going to be combined, and lets reductions start anew.
static bool prepare_combinations(struct gcl_movement *movement) {
    const struct gcl_device *device = movement->means.device;
    for (size_t i = 0; i < movement->plan->combination_count; i++) {
        const struct gcl_combination *c = &movement->plan->combinations[i];
        const struct gcl_region *own = &c->bytes[movement->means.self];
        unsigned char *place = place_of(movement, c->allocation);
        movement->twins[i] = device->bytes->keep_twin(device, place, own);
        if (!movement->twins[i])
            return false;
        if (c->kind == GCL_COMBINATION_REDUCE)
            device->bytes->make_neutral(device, place, own, c);
    }
    return true;
}

/// Everything that is needed comes, and goes to its place.
static enum gcl_status transfer(const struct gcl_movement *movement, bool waits) {
    struct gcl_movement_arrivals arrivals = {.plan = movement->plan};
    struct cargo cargo;
    enum gcl_status status = GCL_OK;
    cargo_init(&cargo);
    if (movement->means.guard)
        status = gcl_movement_pages_protect(movement->means.guard, &arrivals);
    if (status == GCL_OK && !load_transfers(movement, &arrivals, &cargo))
        status = GCL_NO_MEMORY;
    if (status == GCL_OK)
        status = exchange(movement, tag_of(movement->purpose.sequence, BEFORE, 0), &cargo, waits);
    if (status == GCL_OK && movement->means.guard)
        status = gcl_movement_pages_arrive(movement->means.guard, &arrivals);
    gcl_movement_arrivals_finish(&arrivals);
    free(cargo.more);
    return status;
}

static enum gcl_status before(struct gcl_movement *movement, bool waits) {
    enum gcl_status status = transfer(movement, waits);
    if (status != GCL_OK)
        return status;
    make_fills(movement);
    return prepare_combinations(movement) ? GCL_OK : GCL_NO_MEMORY;
}

enum gcl_status gcl_movement_before(struct gcl_movement *movement) {
    return before(movement, true);
}

enum gcl_status gcl_movement_attempt(struct gcl_movement *movement) {
    // Pages of guarded memory are made ready once.
    return movement->means.guard ? GCL_NOT_READY : before(movement, false);
}

// After.

/// What a node has for the home of a combination.
struct part {
    gcl_node node, home;
    struct gcl_region bytes;
    unsigned char *packed; ///< where it comes to, if it comes here
};

/// Finds what `node` has for `home`; nothing is empty. False: no memory.
static bool part_init(struct part *part, const struct gcl_movement *movement, size_t index,
                      gcl_node node, gcl_node home) {
    const struct gcl_combination *c = &movement->plan->combinations[index];
    assert(node != home);
    *part = (struct part){.node = node, .home = home};
    if (!gcl_combination_part(c, node, home, &part->bytes))
        return false;
    if (home != movement->means.self || gcl_region_is_empty(&part->bytes))
        return true;
    part->packed = gcl_spare_take((size_t)gcl_region_size(&part->bytes));
    return part->packed != NULL;
}

static bool load_part(const struct gcl_movement *movement, size_t index, const struct part *part,
                      struct cargo *cargo) {
    const struct gcl_combination *c = &movement->plan->combinations[index];
    bool is_sent = part->node == movement->means.self;
    return gcl_region_is_empty(&part->bytes) ||
           add(cargo, &(struct gcl_request){.what = movement->purpose.what,
                                            .peer = is_sent ? part->home : part->node,
                                            .is_sent = is_sent,
                                            .tag = tag_of(movement->purpose.sequence, AFTER, index),
                                            .bytes = part->packed,
                                            .size = (size_t)gcl_region_size(&part->bytes),
                                            .region = &part->bytes,
                                            .place = place_of(movement, c->allocation),
                                            .packer = &movement->means.device->packer});
}

/// Finds and loads what this node and the others have for each other: two parts for each node,
/// those of this node are empty.
static bool load_parts(const struct gcl_movement *movement, size_t index, struct part *parts,
                       struct cargo *cargo) {
    for (gcl_node node = 0; node < movement->count; node++) {
        struct part *theirs = &parts[2 * (size_t)node], *ours = theirs + 1;
        if (node != movement->means.self &&
            (!part_init(ours, movement, index, movement->means.self, node) ||
             !part_init(theirs, movement, index, node, movement->means.self) ||
             !load_part(movement, index, ours, cargo) ||
             !load_part(movement, index, theirs, cargo)))
            return false;
    }
    return true;
}

static void finish_parts(struct part *parts, gcl_node count) {
    for (size_t i = 0; parts && i < 2 * (size_t)count; i++) {
        gcl_region_finish(&parts[i].bytes);
        gcl_spare_give(parts[i].packed);
    }
    free(parts);
}

/// Lets the device put this node's stretch of a combination together.
static enum gcl_status combine(const struct gcl_movement *movement, size_t index,
                               const struct part *parts) {
    const struct gcl_combination *c = &movement->plan->combinations[index];
    const struct gcl_device *device = movement->means.device;
    gcl_node self = movement->means.self;
    struct gcl_device_merge merge = {.combination = c,
                                     .place = place_of(movement, c->allocation),
                                     .stretch = {c->limits[self], c->limits[self + 1]},
                                     .twin = movement->twins[index],
                                     .twinned = &c->bytes[self],
                                     .count = movement->count};
    struct gcl_region own = {.count = 0};
    if (merge.stretch.begin >= merge.stretch.end)
        return GCL_OK;
    struct gcl_device_part *all = calloc(merge.count, sizeof *all);
    bool ok = all && gcl_combination_part(c, self, self, &own);
    for (gcl_node node = 0; ok && node < merge.count; node++) {
        const struct part *theirs = &parts[2 * (size_t)node];
        all[node] = node == self ? (struct gcl_device_part){.bytes = &own}
                                 : (struct gcl_device_part){&theirs->bytes, theirs->packed};
    }
    merge.parts = all;
    enum gcl_status status = ok ? device->bytes->merge(device, &merge) : GCL_NO_MEMORY;
    gcl_region_finish(&own);
    free(all);
    return status;
}

static enum gcl_status run_combination(const struct gcl_movement *movement, size_t index) {
    struct cargo cargo;
    struct part *parts = calloc(2 * (size_t)movement->count, sizeof *parts);
    enum gcl_status status = GCL_NO_MEMORY;
    cargo_init(&cargo);
    if (parts && load_parts(movement, index, parts, &cargo))
        status = exchange(movement, tag_of(movement->purpose.sequence, AFTER, index), &cargo, true);
    if (status == GCL_OK)
        status = combine(movement, index, parts);
    free(cargo.more);
    finish_parts(parts, movement->count);
    return status;
}

enum gcl_status gcl_movement_after(struct gcl_movement *movement) {
    for (size_t i = 0; i < movement->plan->combination_count; i++) {
        enum gcl_status status = run_combination(movement, i);
        if (status != GCL_OK)
            return status;
    }
    return GCL_OK;
}
