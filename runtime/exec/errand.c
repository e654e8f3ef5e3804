// What comes for guarded memory is packed first: the program may be using that.
#include "errand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "exec/errand_pages.h"
#include "plan/combine.h"

enum phase { BEFORE, AFTER, BESIDE, PHASES = 4 };

struct gcl_errand {
    struct gcl_plan *plan;
    struct gcl_errand_purpose purpose;
    struct gcl_errand_means means;
    gcl_node count;
    unsigned char **twins; ///< of each combination: this node's bytes from before, packed
};

/// Parcels of one exchange.
struct cargo {
    struct gcl_parcel *parcels;
    size_t count, capacity;
};

static uint64_t tag_of(uint64_t sequence, enum phase phase, size_t index) {
    return sequence << 26 | (uint64_t)phase << 24 | index;
}

const char *gcl_errand_name(uint64_t tag) {
    static const char *const names[PHASES] = {
        [BEFORE] = "fetch", [AFTER] = "merge", [BESIDE] = NULL};
    return names[tag >> 24 & 3];
}

uint64_t gcl_errand_tag_beside(uint64_t sequence, size_t index) {
    return tag_of(sequence, BESIDE, index);
}

struct gcl_errand *gcl_errand_create(struct gcl_plan *plan, struct gcl_errand_purpose purpose,
                                     const struct gcl_errand_means *means) {
    struct gcl_errand *errand =
        gcl_plan_select(plan, means->self) ? calloc(1, sizeof *errand) : NULL;
    if (errand)
        errand->twins = calloc(plan->combination_count + 1, sizeof *errand->twins);
    if (!errand || !errand->twins) {
        free(errand);
        return NULL;
    }
    errand->plan = gcl_plan_hold(plan);
    errand->purpose = purpose;
    errand->means = *means;
    errand->count = plan->place_count > 0 ? plan->places[0].before->node_count : 0;
    return errand;
}

void gcl_errand_destroy(struct gcl_errand *errand) {
    if (!errand)
        return;
    for (size_t i = 0; i < errand->plan->combination_count; i++)
        free(errand->twins[i]);
    free(errand->twins);
    gcl_plan_release(errand->plan);
    free(errand);
}

/// Bytes of one allocation that are combined here, or that come and go.
static int64_t size_in(const struct gcl_errand *errand, uint32_t place) {
    const struct gcl_plan *plan = errand->plan;
    int64_t combined = 0, moved = 0;
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        combined += c->place == place ? gcl_region_size(&c->bytes[errand->means.self]) : 0;
    }
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        uint32_t times = t->from == errand->means.self ? gcl_transfer_receivers(t) : 1;
        moved += t->place == place ? times * gcl_region_size(&t->bytes) : 0;
    }
    return combined > 0 ? combined : moved;
}

void gcl_errand_describe(const struct gcl_errand *errand, char *text, size_t size) {
    const struct gcl_plan *plan = errand->plan;
    char name[96];
    int64_t bytes = 0;
    uint32_t place = 0;
    while (place < plan->place_count && (bytes = size_in(errand, place)) == 0)
        place++;
    const struct gcl_place *found = &plan->places[bytes > 0 ? place : 0];
    snprintf(text, size, "%" PRId64 " bytes for %s, of %" PRIu64 " bytes at %p", bytes,
             gcl_name_demangle(errand->purpose.what, name, sizeof name), found->size,
             (void *)(uintptr_t)found->begin);
}

bool gcl_errand_has_after(const struct gcl_errand *errand) {
    return errand->plan->combination_count > 0;
}

bool gcl_errand_has_before(const struct gcl_errand *errand) {
    return errand->plan->own_count > 0 || gcl_errand_has_after(errand) ||
           (errand->means.guard && gcl_errand_pages_change(errand->plan));
}

static void fill(const struct gcl_region *region, unsigned char value, unsigned char *place) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run))
        memset(place + run.begin, value, (size_t)(run.end - run.begin));
}

// Cargo.

static bool add(struct cargo *cargo, const struct gcl_parcel *parcel) {
    if (cargo->count == cargo->capacity) {
        size_t capacity = cargo->capacity ? 2 * cargo->capacity : 16;
        struct gcl_parcel *parcels = realloc(cargo->parcels, capacity * sizeof *parcels);
        if (!parcels)
            return false;
        cargo->parcels = parcels;
        cargo->capacity = capacity;
    }
    cargo->parcels[cargo->count++] = *parcel;
    return true;
}

static enum gcl_status exchange(const struct gcl_errand *errand, uint64_t moment,
                                const struct cargo *cargo) {
    if (cargo->count == 0)
        return GCL_OK;
    const struct gcl_courier *courier = &errand->means.courier;
    return courier->exchange(courier->context, (struct gcl_turn){errand->purpose.track, moment},
                             cargo->parcels, cargo->count);
}

static unsigned char *place_of(const struct gcl_errand *errand, uint32_t place) {
    return (unsigned char *)(uintptr_t)errand->plan->places[place].begin;
}

// Before.

/// Adds one that this node has a part in, to each peer or from the one.
static bool load_transfer(const struct gcl_transfer *t, const struct gcl_parcel *parcel,
                          struct cargo *cargo) {
    struct gcl_parcel each = *parcel;
    bool ok = true;
    if (!each.is_sent)
        return add(cargo, parcel);
    for (each.peer = t->to; ok && each.peer < t->to_end; each.peer++)
        ok = each.peer == t->from || add(cargo, &each);
    return ok;
}

static bool load_transfers(const struct gcl_errand *errand,
                           const struct gcl_errand_arrivals *arrivals, struct cargo *cargo) {
    const struct gcl_plan *plan = errand->plan;
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        bool is_sent = t->from == errand->means.self;
        if (t->from == GCL_NOWHERE)
            continue;
        if (!load_transfer(
                t,
                &(struct gcl_parcel){.what = errand->purpose.what,
                                     .peer = t->from,
                                     .is_sent = is_sent,
                                     .tag = tag_of(errand->purpose.sequence, BEFORE, plan->own[i]),
                                     .bytes = arrivals->packed ? arrivals->packed[i] : NULL,
                                     .size = (size_t)gcl_region_size(&t->bytes),
                                     .region = &t->bytes,
                                     .place = place_of(errand, t->place)},
                cargo))
            return false;
    }
    return true;
}

static void make_fills(const struct gcl_errand *errand) {
    const struct gcl_plan *plan = errand->plan;
    for (size_t i = 0; i < plan->own_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[plan->own[i]];
        if (t->from == GCL_NOWHERE)
            fill(&t->bytes, t->fill, place_of(errand, t->place));
    }
}

static void make_neutral(const struct gcl_combination *c, const struct gcl_region *region,
                         unsigned char *place) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run))
        gcl_combine_neutral((enum gcl_reduction)c->reduction, c->element, place + run.begin,
                            (size_t)(run.end - run.begin));
}

/// Keeps what is going to be combined, and lets reductions start anew.
static bool prepare_combinations(struct gcl_errand *errand) {
    for (size_t i = 0; i < errand->plan->combination_count; i++) {
        const struct gcl_combination *c = &errand->plan->combinations[i];
        const struct gcl_region *own = &c->bytes[errand->means.self];
        unsigned char *place = place_of(errand, c->place);
        errand->twins[i] = malloc((size_t)gcl_region_size(own) + 1);
        if (!errand->twins[i])
            return false;
        gcl_region_pack(own, place, errand->twins[i]);
        if (c->kind == GCL_COMBINATION_REDUCE)
            make_neutral(c, own, place);
    }
    return true;
}

/// Everything that is needed comes, and goes to its place.
static enum gcl_status transfer(const struct gcl_errand *errand) {
    struct gcl_errand_arrivals arrivals = {.plan = errand->plan};
    struct cargo cargo = {.count = 0};
    enum gcl_status status = GCL_OK;
    if (errand->means.guard)
        status = gcl_errand_pages_protect(errand->means.guard, &arrivals);
    if (status == GCL_OK && !load_transfers(errand, &arrivals, &cargo))
        status = GCL_NO_MEMORY;
    if (status == GCL_OK)
        status = exchange(errand, tag_of(errand->purpose.sequence, BEFORE, 0), &cargo);
    if (status == GCL_OK && errand->means.guard)
        status = gcl_errand_pages_arrive(errand->means.guard, &arrivals);
    gcl_errand_arrivals_finish(&arrivals);
    free(cargo.parcels);
    return status;
}

enum gcl_status gcl_errand_before(struct gcl_errand *errand) {
    enum gcl_status status = transfer(errand);
    if (status != GCL_OK)
        return status;
    make_fills(errand);
    return prepare_combinations(errand) ? GCL_OK : GCL_NO_MEMORY;
}

// After.

/// What a node has for the home of a combination.
struct part {
    gcl_node node, home;
    struct gcl_region bytes;
    unsigned char *packed; ///< where it comes to, if it comes here
};

/// Finds what `node` has for `home`; nothing is empty. False: no memory.
static bool part_init(struct part *part, const struct gcl_errand *errand, size_t index,
                      gcl_node node, gcl_node home) {
    const struct gcl_combination *c = &errand->plan->combinations[index];
    *part = (struct part){.node = node, .home = home};
    if (!gcl_combination_part(c, node, home, &part->bytes))
        return false;
    if (home != errand->means.self || gcl_region_is_empty(&part->bytes))
        return true;
    part->packed = malloc((size_t)gcl_region_size(&part->bytes));
    return part->packed != NULL;
}

static bool load_part(const struct gcl_errand *errand, size_t index, const struct part *part,
                      struct cargo *cargo) {
    const struct gcl_combination *c = &errand->plan->combinations[index];
    bool is_sent = part->node == errand->means.self;
    return gcl_region_is_empty(&part->bytes) ||
           add(cargo, &(struct gcl_parcel){.what = errand->purpose.what,
                                           .peer = is_sent ? part->home : part->node,
                                           .is_sent = is_sent,
                                           .tag = tag_of(errand->purpose.sequence, AFTER, index),
                                           .bytes = part->packed,
                                           .size = (size_t)gcl_region_size(&part->bytes),
                                           .region = &part->bytes,
                                           .place = place_of(errand, c->place)});
}

/// Finds and loads what this node and the others have for each other: two parts for each node,
/// those of this node are empty.
static bool load_parts(const struct gcl_errand *errand, size_t index, struct part *parts,
                       struct cargo *cargo) {
    for (gcl_node node = 0; node < errand->count; node++) {
        struct part *theirs = &parts[2 * (size_t)node], *ours = theirs + 1;
        if (node != errand->means.self &&
            (!part_init(ours, errand, index, errand->means.self, node) ||
             !part_init(theirs, errand, index, node, errand->means.self) ||
             !load_part(errand, index, ours, cargo) || !load_part(errand, index, theirs, cargo)))
            return false;
    }
    return true;
}

static void finish_parts(struct part *parts, gcl_node count) {
    for (size_t i = 0; parts && i < 2 * (size_t)count; i++) {
        gcl_region_finish(&parts[i].bytes);
        free(parts[i].packed);
    }
    free(parts);
}

/// This node's stretch of a combination: bytes from `begin` on.
struct stretch {
    const struct gcl_combination *combination;
    int64_t begin;
    unsigned char *base;   ///< as before the launch
    unsigned char *result; ///< as far as it is known
};

/// Puts one node's bytes to the others; they are packed, or lie in their place.
static void add_node(const struct stretch *s, const struct gcl_region *part,
                     const unsigned char *packed, const unsigned char *place) {
    const struct gcl_combination *c = s->combination;
    struct gcl_region_cursor cursor = {.region = part};
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

/// The stretch as it was before this node's blocks ran, and a copy of it.
static bool stretch_init(struct stretch *s, const struct gcl_errand *errand, size_t index,
                         struct gcl_span limits) {
    const struct gcl_combination *c = &errand->plan->combinations[index];
    const unsigned char *place = place_of(errand, c->place);
    size_t size = (size_t)(limits.end - limits.begin);
    *s = (struct stretch){.combination = c, .begin = limits.begin};
    s->base = malloc(2 * size);
    if (!s->base)
        return false;
    s->result = s->base + size;
    memcpy(s->base, place + limits.begin, size);
    gcl_region_unpack(&c->bytes[errand->means.self], errand->twins[index], limits, s->base);
    memcpy(s->result, s->base, size);
    return true;
}

static bool combine(const struct gcl_errand *errand, size_t index, const struct part *parts) {
    const struct gcl_combination *c = &errand->plan->combinations[index];
    struct gcl_span limits = {c->limits[errand->means.self], c->limits[errand->means.self + 1]};
    unsigned char *place = place_of(errand, c->place);
    struct gcl_region own = {.count = 0};
    struct stretch s;
    if (limits.begin >= limits.end)
        return true;
    if (!gcl_combination_part(c, errand->means.self, errand->means.self, &own) ||
        !stretch_init(&s, errand, index, limits)) {
        gcl_region_finish(&own);
        return false;
    }
    for (gcl_node node = 0; node < errand->count; node++) {
        const struct part *theirs = &parts[2 * (size_t)node];
        if (node == errand->means.self)
            add_node(&s, &own, NULL, place);
        else
            add_node(&s, &theirs->bytes, theirs->packed, NULL);
    }
    memcpy(place + limits.begin, s.result, (size_t)(limits.end - limits.begin));
    free(s.base);
    gcl_region_finish(&own);
    return true;
}

static enum gcl_status run_combination(const struct gcl_errand *errand, size_t index) {
    struct cargo cargo = {.count = 0};
    struct part *parts = calloc(2 * (size_t)errand->count, sizeof *parts);
    enum gcl_status status = GCL_NO_MEMORY;
    if (parts && load_parts(errand, index, parts, &cargo))
        status = exchange(errand, tag_of(errand->purpose.sequence, AFTER, index), &cargo);
    if (status == GCL_OK && !combine(errand, index, parts))
        status = GCL_NO_MEMORY;
    free(cargo.parcels);
    finish_parts(parts, errand->count);
    return status;
}

enum gcl_status gcl_errand_after(struct gcl_errand *errand) {
    for (size_t i = 0; i < errand->plan->combination_count; i++) {
        enum gcl_status status = run_combination(errand, i);
        if (status != GCL_OK)
            return status;
    }
    return GCL_OK;
}
