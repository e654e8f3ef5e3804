// What node 0 and the others look up in memory to plan a launch, and which allocations pointers in
// memory may lead to. All nodes plan alike, so all of them look up the same at the same time.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/spare.h"
#include "exec/exchange/movement.h"
#include "exec/memory/space.h"
#include "exec/spread/carry.h"
#include "exec/spread/contents.h"
#include "exec/spread/devices.h"
#include "exec/spread/launch.h"
#include "exec/spread/track.h"

// Bytes that a node tells of what it has found, so that the sum of all nodes' is a size.
#define MOST_TOLD (UINT64_C(1) << 40)

static const char LOOK[] = "a look into memory";

// Contents.

/// Plans that nodes get what they demand, or all of the allocations of which they demand some.
/// NULL: no memory, or it takes too many parts to say what nodes would have then.
static struct gcl_plan *plan_demands(struct gcl_spread *spread, const struct gcl_demand *demands,
                                     size_t count, bool of_all) {
    gcl_node nodes = spread->options.count;
    struct gcl_plan *plan = gcl_plan_create();
    struct gcl_region *all = calloc(nodes, sizeof *all);
    bool ok = plan && all;
    for (size_t i = 0; i < count && ok; i++) {
        struct gcl_demand demand = demands[i];
        int64_t size = (int64_t)gcl_directory_find(spread->directory, demand.begin)->size;
        for (gcl_node n = 0; n < nodes; n++)
            all[n] = gcl_region_run(0, gcl_region_is_empty(&demand.needed[n]) ? 0 : size);
        if (of_all)
            demand.needed = all;
        ok = gcl_plan_demand(plan, spread->directory, &demand);
    }
    free(all); // single runs need no memory
    if (ok)
        return plan;
    gcl_plan_release(plan);
    return NULL;
}

/// Submits that nodes get what they demand. False: no memory.
static bool submit_demands(struct gcl_spread *spread, const struct gcl_demand *demands,
                           size_t count, struct gcl_fence *fence) {
    struct gcl_plan *plan = plan_demands(spread, demands, count, false);
    if (!plan)
        plan = plan_demands(spread, demands, count, true);
    if (!plan)
        return false;
    struct gcl_stream *stream = gcl_spread_own_stream(spread);
    *fence = gcl_spread_carry_out(
        spread, stream, plan,
        (struct gcl_turn){.track = GCL_TRACK_KERNELS, .moment = spread->sequence}, NULL);
    gcl_spread_add_done(spread,
                        &(struct gcl_heard_plan){.kind = GCL_HEARD_INSPECTION,
                                                 .kernel = gcl_spread_launched_kernel(spread)},
                        plan, *fence);
    gcl_plan_release(plan);
    return true;
}

/// Waits in the middle of planning.
static void wait_for(struct gcl_spread *spread, struct gcl_fence fence) {
    gcl_spread_pause(spread);
    gcl_engine_reach(spread->options.engine, fence);
    gcl_spread_resume(spread);
}

void gcl_spread_reach_before(struct gcl_spread *spread) {
    struct gcl_stream *stream = gcl_spread_own_stream(spread);
    uint64_t begin_ns = gcl_clock_ns();
    gcl_spread_join_tracks(spread, stream, GCL_SPREAD_ALL_TRACKS);
    wait_for(spread, gcl_spread_submit_nothing(spread, stream));
    gcl_spread_note_wait(spread, gcl_clock_ns() - begin_ns);
}

static bool fetch(struct gcl_spread *spread, const struct gcl_demand *demands, size_t count) {
    struct gcl_fence fence;
    gcl_spread_reach_before(spread); // that isn't what looking costs
    spread->sequence++;
    if (!submit_demands(spread, demands, count, &fence)) {
        gcl_spread_give_up(spread);
        return false;
    }
    wait_for(spread, fence);
    // After a failure nodes may have different bytes.
    return gcl_engine_status(spread->options.engine) == GCL_OK;
}

void gcl_spread_share(void *context, void (*work)(void *work_context, uint32_t number),
                      void *work_context, uint32_t count) {
    struct gcl_spread *spread = context;
    wait_for(spread, gcl_spread_call(spread, gcl_spread_own_stream(spread),
                                     (struct gcl_host_call){.data = work_context,
                                                            .name = "look",
                                                            .track = GCL_TRACK_KERNELS,
                                                            .share = work,
                                                            .share_count = count}));
}

// Mirrors: what has been looked at of memory that this process can't reach, at its offsets.

struct gcl_spread_mirror {
    uint64_t begin, size;
    unsigned char *bytes; ///< pages that come as they are touched
    struct gcl_spread_mirror *next;
};

void gcl_spread_drop_mirror(struct gcl_spread *spread, uint64_t begin) {
    for (struct gcl_spread_mirror **link = &spread->mirrors; *link; link = &(*link)->next) {
        struct gcl_spread_mirror *mirror = *link;
        if (mirror->begin != begin)
            continue;
        *link = mirror->next;
        munmap(mirror->bytes, mirror->size);
        free(mirror);
        return;
    }
}

/// NULL: no memory.
static struct gcl_spread_mirror *find_mirror(struct gcl_spread *spread, uint64_t begin) {
    struct gcl_spread_mirror *mirror = spread->mirrors;
    while (mirror && mirror->begin != begin)
        mirror = mirror->next;
    mirror = mirror ? mirror : calloc(1, sizeof *mirror);
    if (!mirror || mirror->bytes)
        return mirror;
    mirror->begin = begin;
    mirror->size = gcl_directory_find(spread->directory, begin)->size;
    mirror->bytes = mmap(NULL, mirror->size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mirror->bytes == MAP_FAILED) {
        free(mirror);
        return NULL;
    }
    mirror->next = spread->mirrors;
    spread->mirrors = mirror;
    return mirror;
}

/// Copies what this node looks at of an allocation. False: no memory.
static bool reflect(struct gcl_spread *spread, const struct gcl_demand *demand) {
    const struct gcl_packer *packer = &spread->options.device->packer;
    const struct gcl_region *needed = &demand->needed[spread->options.self];
    struct gcl_span limits = gcl_region_bounds(needed);
    if (gcl_region_is_empty(needed))
        return true;
    struct gcl_spread_mirror *mirror = find_mirror(spread, demand->begin);
    unsigned char *packed = mirror ? gcl_spare_take((size_t)gcl_region_size(needed)) : NULL;
    if (!packed)
        return false;
    packer->pack(packer, needed, (const unsigned char *)(uintptr_t)demand->begin, packed);
    gcl_region_unpack(needed, packed, limits, mirror->bytes + limits.begin);
    gcl_spare_give(packed);
    return true;
}

const unsigned char *gcl_spread_memory_at(void *context, uint64_t begin) {
    struct gcl_spread *spread = context;
    const struct gcl_spread_mirror *mirror = spread->mirrors;
    if (!spread->options.device->is_apart)
        return (const unsigned char *)(uintptr_t)begin;
    while (mirror && mirror->begin != begin)
        mirror = mirror->next;
    return mirror ? mirror->bytes : NULL;
}

bool gcl_spread_fetch(void *context, const struct gcl_demand *demands, size_t count) {
    struct gcl_spread *spread = context;
    bool ok = fetch(spread, demands, count);
    for (size_t i = 0; i < count && ok && spread->options.device->is_apart; i++) {
        ok = reflect(spread, &demands[i]);
        if (!ok)
            gcl_spread_give_up(spread);
    }
    return ok;
}

// Telling. What nodes tell goes round in steps: in each of them a node has the words of so many
// nodes from itself on, hands them to the one as many places before it, and gets as many from
// behind. So everybody has all in as many steps as the number of nodes has digits.

/// What has come so far, of this node and those behind it, one after the other.
struct circle {
    struct gcl_spread *spread;
    unsigned char *bytes;
    size_t *ends; ///< of each node's words, counted from this one
    unsigned step;
};

static size_t begin_of(const struct circle *circle, gcl_node place) {
    return place > 0 ? circle->ends[place - 1] : 0;
}

static void add_request(struct circle *circle, const struct gcl_request *request,
                        struct gcl_request *requests, size_t *count) {
    if (request->size == 0)
        return;
    requests[*count] = *request;
    requests[*count].what = LOOK;
    requests[*count].tag = gcl_movement_tag_beside(circle->spread->sequence, circle->step);
    ++*count;
}

/// Hands on the words of `have` nodes. What comes is those from there on.
static enum gcl_status go_round(struct circle *circle, gcl_node have) {
    const struct gcl_spread_options *options = &circle->spread->options;
    gcl_node missing = options->count - have, given = have < missing ? have : missing;
    assert(have > 0 && given > 0 && have + given <= options->count);
    size_t begin = circle->ends[have - 1], end = circle->ends[have + given - 1];
    // The node before has as many, of which it doesn't need more than are missing.
    const struct gcl_request sent = {.peer =
                                         (options->self + options->count - have) % options->count,
                                     .is_sent = true,
                                     .bytes = circle->bytes,
                                     .size = circle->ends[given - 1]};
    const struct gcl_request received = {.peer = (options->self + have) % options->count,
                                         .bytes = circle->bytes + begin,
                                         .size = end - begin};
    struct gcl_request requests[2];
    size_t count = 0;
    circle->step++;
    add_request(circle, &sent, requests, &count);
    add_request(circle, &received, requests, &count);
    return count > 0 ? options->communicator.exchange(options->communicator.context,
                                                      (struct gcl_turn){0}, requests, count)
                     : GCL_OK;
}

/// `circle->bytes` has this node's words, and room for all.
static enum gcl_status go_all_round(struct circle *circle) {
    enum gcl_status status = GCL_OK;
    for (gcl_node have = 1; have < circle->spread->options.count && status == GCL_OK; have *= 2)
        status = go_round(circle, have);
    return status;
}

/// The place-th node from this one on says that it tells more than is possible.
static void refuse_size(const struct circle *circle, gcl_node place, uint64_t size) {
    const struct gcl_spread_options *options = &circle->spread->options;
    char reason[96];
    snprintf(reason, sizeof reason, "node %u wants to tell it %" PRIu64 " bytes, at most %" PRIu64,
             (options->self + place) % options->count, size, MOST_TOLD);
    gcl_spread_fail(circle->spread, GCL_SYSTEM, reason);
}

/// Has all nodes know how much each of them tells; false: one of them can't.
static bool tell_sizes(struct circle *circle, const struct gcl_words *own,
                       enum gcl_status *status) {
    enum { SIZE = 8 };
    gcl_node count = circle->spread->options.count;
    unsigned char *sizes = malloc((size_t)count * SIZE);
    bool can_all = true;
    *status = sizes ? GCL_OK : GCL_NO_MEMORY;
    if (!sizes)
        return false;
    gcl_bytes_put64(sizes, own->bytes ? own->size : UINT64_MAX);
    for (gcl_node i = 0; i < count; i++)
        circle->ends[i] = (size_t)(i + 1) * SIZE;
    circle->bytes = sizes;
    *status = go_all_round(circle);
    uint64_t size = 0, end = 0;
    for (gcl_node i = 0; i < count && *status == GCL_OK && can_all; i++) {
        gcl_bytes_get64(sizes + (size_t)i * SIZE, &size);
        can_all = size != UINT64_MAX;
        if (can_all && size > MOST_TOLD) {
            refuse_size(circle, i, size);
            *status = GCL_SYSTEM;
        }
        end += size;
        circle->ends[i] = (size_t)end;
    }
    free(sizes);
    return *status == GCL_OK && can_all;
}

/// Takes the words apart. False: no memory.
static bool take_apart(const struct circle *circle, struct gcl_words *all) {
    gcl_node count = circle->spread->options.count;
    for (gcl_node i = 0; i < count; i++) {
        struct gcl_words *words = &all[(circle->spread->options.self + i) % count];
        words->size = circle->ends[i] - begin_of(circle, i);
        words->bytes = malloc(words->size + 1);
        if (!words->bytes)
            return false;
        memcpy(words->bytes, circle->bytes + begin_of(circle, i), words->size);
    }
    return true;
}

/// False: one of the nodes can't tell, or `status` isn't GCL_OK.
static bool tell(struct gcl_spread *spread, const struct gcl_words *own, struct gcl_words *all,
                 enum gcl_status *status) {
    struct circle circle = {.spread = spread,
                            .ends = calloc(spread->options.count, sizeof *circle.ends)};
    *status = circle.ends ? GCL_OK : GCL_NO_MEMORY;
    bool can_all = circle.ends && tell_sizes(&circle, own, status);
    circle.bytes = can_all ? malloc(circle.ends[spread->options.count - 1] + 1) : NULL;
    if (can_all && !circle.bytes)
        *status = GCL_NO_MEMORY;
    if (circle.bytes) {
        memcpy(circle.bytes, own->bytes, own->size);
        *status = go_all_round(&circle);
        if (*status == GCL_OK && !take_apart(&circle, all))
            *status = GCL_NO_MEMORY;
    }
    free(circle.bytes);
    free(circle.ends);
    return can_all && *status == GCL_OK;
}

bool gcl_spread_tell(void *context, const struct gcl_words *own, struct gcl_words *all) {
    struct gcl_spread *spread = context;
    enum gcl_status status;
    gcl_spread_pause(spread);
    bool can_all = tell(spread, own, all, &status);
    if (status != GCL_OK)
        gcl_spread_fail(spread, status, "it has no memory for what nodes tell each other");
    gcl_spread_resume(spread);
    return can_all;
}

void gcl_spread_blame(void *context, uint32_t node) {
    char reason[96];
    snprintf(reason, sizeof reason, "node %u told it what can't be read of addresses in memory",
             node);
    gcl_spread_fail(context, GCL_SYSTEM, reason);
}

// Escapes. Only node 0 sees how addresses come into memory.

static bool follows(const struct gcl_program *program) {
    for (uint16_t i = 0; program && i < program->base_count; i++) {
        if (program->bases[i].kind >= GCL_BASE_LOADED)
            return true;
    }
    return false;
}

/// Whether launches may be planned by what is in memory.
static bool looks(const struct gcl_program *program) {
    bool looks = follows(program);
    for (uint16_t i = 0; program && i < program->node_count && !looks; i++)
        looks = program->nodes[i].kind == GCL_NODE_LOAD;
    return looks;
}

struct gcl_escapes gcl_spread_find_escapes(struct gcl_spread *spread,
                                           const struct gcl_kernel *kernel) {
    struct gcl_escapes found = {.count = 0};
    size_t room = 0;
    assert(gcl_spread_is_home(spread)); // who sees how addresses come into memory
    bool may_wait = !looks(kernel->program) || gcl_spread_await_calls(spread);
    if (!follows(kernel->program))
        return found;
    if (!may_wait) {
        found.are_unknown = true;
        return found;
    }
    gcl_spread_reach_all(spread); // copies note addresses as they are carried out
    while ((found.count = gcl_space_escaped(spread->options.space, found.list, room)) > room) {
        room = 2 * found.count;
        free(found.list);
        found.list = malloc(room * sizeof *found.list);
        if (!found.list) {
            gcl_spread_give_up(spread);
            found.count = 0;
            break;
        }
    }
    return found;
}

static void tell_escape(struct gcl_spread *spread, uint64_t begin) {
    struct gcl_operation o = {.kind = GCL_OPERATION_ESCAPE, .escape.begin = begin};
    if (gcl_directory_has_escaped(spread->directory, begin))
        return;
    gcl_spread_announce(spread, &o);
    gcl_directory_escape(spread->directory, begin);
}

void gcl_spread_tell_escapes(struct gcl_spread *spread, struct gcl_escapes *escapes) {
    size_t count = 0;
    const struct gcl_directory_entry *entries = gcl_directory_entries(spread->directory, &count);
    for (size_t i = 0; escapes->are_unknown && i < count; i++)
        tell_escape(spread, entries[i].begin);
    for (size_t i = 0; i < escapes->count; i++)
        tell_escape(spread, escapes->list[i].begin);
    free(escapes->list);
}
