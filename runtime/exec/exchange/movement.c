// What comes for guarded memory is packed first: the program may be using that.
//
// Where a plan has faults, words go before the blocks from each node to those that may get pages
// from it, that these are what they are planned to be; and back behind the blocks, that nobody
// touches them any more. Node 0 hears from all who may get pages how many bytes came.
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
#include "exec/exchange/remote.h"

enum phase { BEFORE, AFTER, BESIDE, TOUCHED, PHASES };

struct gcl_movement {
    struct gcl_plan *plan;
    struct gcl_movement_purpose purpose;
    struct gcl_movement_means means;
    gcl_node count;
    void **twins; ///< of each combination: this node's bytes from before, as its device keeps them
    struct gcl_remote_task *task; ///< NULL: no pages come here as they are touched, or end that
    struct word *words;           ///< of each node, if the plan has faults
    uint64_t came;                ///< bytes by the plan's faults
};

/// What this node and another one say to each other where a plan has faults.
struct word {
    bool gives;  ///< this node gets pages from it
    bool takes;  ///< it gets pages from this one
    bool counts; ///< it gets pages from somebody
    uint64_t said, heard;
};

enum { FEW_REQUESTS = 8 };

/// Requests of one exchange. Zeroed but for `few`, it has none.
struct cargo {
    struct gcl_request *more; ///< NULL: `few` are enough
    size_t count, capacity;
    struct gcl_request few[FEW_REQUESTS];
};

static uint64_t tag_of(uint64_t sequence, enum phase phase, size_t index) {
    return sequence << 26 | (uint64_t)phase << 24 | (index & ((UINT64_C(1) << 24) - 1));
}

const char *gcl_movement_name(uint64_t tag) {
    static const char *const names[PHASES] = {
        [BEFORE] = "fetch", [AFTER] = "merge", [BESIDE] = NULL, [TOUCHED] = "touch"};
    bool is_depot = (tag >> 24 & 3) == TOUCHED && tag >> 26 > 0;
    return is_depot ? "spill" : names[tag >> 24 & 3];
}

uint64_t gcl_movement_tag_beside(uint64_t sequence, size_t index) {
    return tag_of(sequence, BESIDE, index);
}

static void find_words(struct gcl_movement *movement) {
    const struct gcl_plan *plan = movement->plan;
    gcl_node self = movement->means.self;
    for (size_t i = 0; i < plan->fault_count; i++) {
        const struct gcl_transfer *fault = &plan->faults[i];
        movement->words[fault->to].counts = true;
        if (fault->to == self)
            movement->words[fault->from].gives = true;
        if (fault->from == self)
            movement->words[fault->to].takes = true;
    }
}

uint64_t gcl_movement_tag_touched(uint64_t index) {
    return tag_of(0, TOUCHED, index);
}

uint64_t gcl_movement_tag_depot(enum gcl_depot_request request, uint64_t index) {
    return tag_of(request, TOUCHED, index);
}

struct gcl_movement *gcl_movement_create(struct gcl_plan *plan, struct gcl_movement_purpose purpose,
                                         const struct gcl_movement_means *means,
                                         struct gcl_remote_task *task) {
    struct gcl_movement *movement =
        gcl_plan_select(plan, means->self) ? calloc(1, sizeof *movement) : NULL;
    if (!movement) {
        gcl_remote_task_destroy(means->remote, task);
        return NULL;
    }
    movement->plan = gcl_plan_hold(plan);
    movement->purpose = purpose;
    movement->means = *means;
    movement->task = task;
    movement->count = plan->allocation_count > 0 ? plan->allocations[0].before->node_count : 0;
    movement->twins = calloc(plan->combination_count + 1, sizeof *movement->twins);
    movement->words =
        plan->fault_count > 0 ? calloc(movement->count, sizeof *movement->words) : NULL;
    if (movement->twins && (movement->words || plan->fault_count == 0)) {
        if (movement->words)
            find_words(movement);
        return movement;
    }
    gcl_movement_destroy(movement);
    return NULL;
}

void gcl_movement_destroy(struct gcl_movement *movement) {
    if (!movement)
        return;
    const struct gcl_device *device = movement->means.device;
    for (size_t i = 0; movement->twins && i < movement->plan->combination_count; i++) {
        if (movement->twins[i])
            device->bytes->forget_twin(device, movement->twins[i]);
    }
    gcl_remote_task_destroy(movement->means.remote, movement->task);
    free(movement->words);
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
    return movement->means.device->bytes &&
           (movement->plan->combination_count > 0 || movement->words);
}

bool gcl_movement_has_before(const struct gcl_movement *movement) {
    return movement->means.device->bytes &&
           (movement->plan->own_count > 0 || gcl_movement_has_after(movement) || movement->task ||
            (movement->means.guard && gcl_movement_pages_change(movement->plan)));
}

bool gcl_movement_has_task(const struct gcl_movement *movement) {
    return movement->task != NULL;
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

// Words.

static bool load_word(const struct gcl_movement *movement, gcl_node peer, bool is_sent,
                      enum phase phase, struct cargo *cargo) {
    const struct gcl_plan *plan = movement->plan;
    struct word *word = &movement->words[peer];
    size_t index = phase == BEFORE ? plan->transfer_count : plan->combination_count;
    return add(cargo, &(struct gcl_request){.what = movement->purpose.what,
                                            .peer = peer,
                                            .is_sent = is_sent,
                                            .tag = tag_of(movement->purpose.sequence, phase, index),
                                            .bytes = is_sent ? &word->said : &word->heard,
                                            .size = sizeof word->said});
}

/// Exchanges the words of a phase: those that go first, so that nobody waits for two at once.
static enum gcl_status exchange_words(struct gcl_movement *movement, enum phase phase) {
    gcl_node self = movement->means.self;
    const struct word *words = movement->words;
    enum gcl_status status = GCL_OK;
    for (unsigned is_heard = 0; words && is_heard < 2 && status == GCL_OK; is_heard++) {
        struct cargo cargo;
        cargo_init(&cargo);
        for (gcl_node i = 0; i < movement->count && status == GCL_OK; i++) {
            bool gives = words[i].gives || (phase == AFTER && i == 0 && words[self].counts);
            bool takes = words[i].takes || (phase == AFTER && self == 0 && words[i].counts);
            bool is_sent = !is_heard, is_wanted = (phase == AFTER) == is_sent ? gives : takes;
            if (i != self && is_wanted && !load_word(movement, i, is_sent, phase, &cargo))
                status = GCL_NO_MEMORY;
        }
        if (status == GCL_OK)
            status = exchange(movement, 0, &cargo, true);
        free(cargo.more);
    }
    return status;
}

/// Says that this node touches nobody's pages any more, and waits for those who touch its own.
static enum gcl_status close_faults(struct gcl_movement *movement) {
    struct word *words = movement->words;
    movement->came = movement->task ? gcl_remote_end(movement->task) : 0;
    for (gcl_node i = 0; words && i < movement->count; i++) {
        words[i].said = movement->came;
        words[i].heard = 0;
    }
    enum gcl_status status = exchange_words(movement, AFTER);
    if (words)
        gcl_remote_end_loan(movement->means.remote, movement->plan);
    for (gcl_node i = 0; words && movement->means.self == 0 && i < movement->count; i++)
        movement->came += words[i].heard;
    return status;
}

uint64_t gcl_movement_came(const struct gcl_movement *movement) {
    return movement->came;
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
    enum gcl_status status =
        movement->task ? gcl_remote_begin(movement->means.remote, movement->task) : GCL_OK;
    if (status == GCL_OK)
        status = transfer(movement, waits);
    if (status == GCL_OK && movement->words)
        status = gcl_remote_lend(movement->means.remote, movement->plan);
    if (status == GCL_OK)
        status = exchange_words(movement, BEFORE);
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
    bool waits = movement->means.guard || movement->words;
    return waits ? GCL_NOT_READY : before(movement, false);
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
    enum gcl_status status = close_faults(movement);
    if (status != GCL_OK)
        return status;
    for (size_t i = 0; i < movement->plan->combination_count; i++) {
        status = run_combination(movement, i);
        if (status != GCL_OK)
            return status;
    }
    return GCL_OK;
}
