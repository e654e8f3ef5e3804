// A node takes what it lacks from the nodes next to it that have it: neighbours hold halos, and
// what everybody has isn't asked from one.
//
// What is combined is cut into as many stretches as there are nodes, unless it is so small that the
// messages would cost more than the bytes; each has a home, where its old value is needed and its
// new one is afterwards. The home of guarded memory is node 0, which works on whole pages of it.
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "holders.h"
#include "plan/pages.h"

enum {
    ONE_HOME = 16 << 10, ///< bytes; combined by one node up to there
    HOME_ALIGNMENT = 64, ///< bytes; more than any element that is reduced
    LEAST_RECEIVERS = 3, ///< of what is gathered
};

// Plans.

/// Room for one more, zeroed; NULL: no memory. There is always room up to a power of two.
static void *append(void **array, size_t *count, size_t size) {
    bool is_full = (*count & (*count - 1)) == 0;
    void *grown = is_full ? realloc(*array, (*count ? 2 * *count : 1) * size) : *array;
    if (!grown)
        return NULL;
    *array = grown;
    return memset((char *)grown + (*count)++ * size, 0, size);
}

static struct gcl_place *add_place(struct gcl_plan *plan, const struct gcl_entry *entry) {
    void *places = plan->places;
    struct gcl_place *place = append(&places, &plan->place_count, sizeof *place);
    plan->places = places;
    if (place)
        *place = (struct gcl_place){.begin = entry->begin,
                                    .size = entry->size,
                                    .use = entry->use,
                                    .before = gcl_layout_hold(entry->layout),
                                    .after = gcl_layout_hold(entry->layout)};
    return place;
}

static bool add_transfer(struct gcl_plan *plan, const struct gcl_transfer *transfer) {
    void *transfers = plan->transfers;
    struct gcl_transfer *added = append(&transfers, &plan->transfer_count, sizeof *added);
    plan->transfers = transfers;
    if (added)
        *added = *transfer;
    return added != NULL;
}

/// Takes it.
static bool add_combination(struct gcl_plan *plan, struct gcl_combination *combination) {
    void *combinations = plan->combinations;
    struct gcl_combination *added = append(&combinations, &plan->combination_count, sizeof *added);
    plan->combinations = combinations;
    if (!added)
        return false;
    *added = *combination;
    combination->bytes = NULL;
    combination->limits = NULL;
    return true;
}

static struct gcl_region *make_regions(uint32_t count) {
    return calloc(count, sizeof(struct gcl_region));
}

static void free_regions(struct gcl_region *regions, uint32_t count) {
    for (uint32_t i = 0; regions && i < count; i++)
        gcl_region_finish(&regions[i]);
    free(regions);
}

static void finish_combination(struct gcl_combination *combination, uint32_t node_count) {
    free_regions(combination->bytes, node_count);
    free(combination->limits);
}

static void finish_place(struct gcl_place *place) {
    gcl_region_finish(&place->opened);
    gcl_region_finish(&place->used);
    gcl_region_finish(&place->touched);
    free_regions(place->needed, place->before->node_count);
    gcl_layout_release(place->before);
    gcl_layout_release(place->after);
}

void gcl_plan_rewind(struct gcl_plan *plan, size_t place_count, size_t transfer_count) {
    while (plan->place_count > place_count)
        finish_place(&plan->places[--plan->place_count]);
    while (plan->transfer_count > transfer_count)
        gcl_region_finish(&plan->transfers[--plan->transfer_count].bytes);
}

void gcl_plan_finish(struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        struct gcl_combination *combination = &plan->combinations[i];
        finish_combination(combination, plan->places[combination->place].before->node_count);
    }
    gcl_plan_rewind(plan, 0, 0);
    free(plan->places);
    free(plan->transfers);
    free(plan->combinations);
    free(plan->own);
    plan->own = NULL;
    plan->places = NULL;
    plan->transfers = NULL;
    plan->combinations = NULL;
    plan->combination_count = 0;
    plan->moves = (struct gcl_moves){.bytes = {0}};
}

struct gcl_plan *gcl_plan_create(void) {
    struct gcl_plan *plan = calloc(1, sizeof *plan);
    if (plan)
        atomic_init(&plan->holders, 1);
    return plan;
}

struct gcl_plan *gcl_plan_hold(struct gcl_plan *plan) {
    atomic_fetch_add(&plan->holders, 1);
    return plan;
}

bool gcl_transfer_reaches(const struct gcl_transfer *transfer, uint32_t node) {
    return node >= transfer->to && node < transfer->to_end && node != transfer->from;
}

uint32_t gcl_transfer_receivers(const struct gcl_transfer *transfer) {
    bool is_among_them = transfer->from >= transfer->to && transfer->from < transfer->to_end;
    return transfer->to_end - transfer->to - is_among_them;
}

static bool concerns(const struct gcl_transfer *transfer, uint32_t node) {
    return transfer->from == node || gcl_transfer_reaches(transfer, node);
}

bool gcl_plan_select(struct gcl_plan *plan, uint32_t node) {
    size_t count = 0;
    if (plan->own)
        return true;
    for (size_t i = 0; i < plan->transfer_count; i++)
        count += concerns(&plan->transfers[i], node);
    plan->own = malloc((count + 1) * sizeof *plan->own);
    if (!plan->own)
        return false;
    plan->own_count = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        if (concerns(&plan->transfers[i], node))
            plan->own[plan->own_count++] = (uint32_t)i;
    }
    return true;
}

void gcl_plan_release(struct gcl_plan *plan) {
    if (!plan || atomic_fetch_sub(&plan->holders, 1) > 1)
        return;
    gcl_plan_finish(plan);
    free(plan);
}

void gcl_plan_commit(const struct gcl_plan *plan, struct gcl_directory *directory) {
    for (size_t i = 0; i < plan->place_count; i++)
        gcl_directory_update(directory, plan->places[i].begin, plan->places[i].after,
                             plan->places[i].is_changed);
}

static size_t regions_memory(const struct gcl_region *regions, size_t count) {
    size_t size = count * sizeof *regions;
    for (size_t i = 0; i < count; i++)
        size += gcl_region_memory(&regions[i]);
    return size;
}

size_t gcl_plan_memory(const struct gcl_plan *plan) {
    size_t size = sizeof *plan + plan->place_count * sizeof *plan->places +
                  plan->transfer_count * sizeof *plan->transfers +
                  plan->combination_count * sizeof *plan->combinations +
                  plan->own_count * sizeof *plan->own;
    for (size_t i = 0; i < plan->place_count; i++) {
        const struct gcl_place *place = &plan->places[i];
        size += gcl_region_memory(&place->used) + gcl_region_memory(&place->touched);
        if (place->needed)
            size += regions_memory(place->needed, place->before->node_count);
    }
    for (size_t i = 0; i < plan->transfer_count; i++)
        size += gcl_region_memory(&plan->transfers[i].bytes);
    for (size_t i = 0; i < plan->combination_count; i++) {
        uint32_t count = plan->places[plan->combinations[i].place].before->node_count;
        size += regions_memory(plan->combinations[i].bytes, count) +
                (count + (size_t)1) * sizeof *plan->combinations[i].limits;
    }
    return size;
}

uint64_t gcl_plan_moved(const struct gcl_plan *plan) {
    uint64_t moved = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        if (t->from != GCL_NOWHERE)
            moved += gcl_transfer_receivers(t) * (uint64_t)gcl_region_size(&t->bytes);
    }
    return moved;
}

bool gcl_combination_part(const struct gcl_combination *c, uint32_t node, uint32_t home,
                          struct gcl_region *part) {
    struct gcl_span limits = {c->limits[home], c->limits[home + 1]};
    return gcl_region_clip(&c->bytes[node], limits, part);
}

uint64_t gcl_combination_moved(const struct gcl_combination *c, uint32_t node_count) {
    uint64_t moved = 0;
    for (uint32_t node = 0; node < node_count; node++) {
        struct gcl_region own = {.count = 0};
        bool exact = gcl_combination_part(c, node, node, &own);
        moved += (uint64_t)(gcl_region_size(&c->bytes[node]) - (exact ? gcl_region_size(&own) : 0));
        gcl_region_finish(&own);
    }
    return moved;
}

uint64_t gcl_plan_combined(const struct gcl_plan *plan, uint32_t node_count) {
    uint64_t moved = 0;
    for (size_t i = 0; i < plan->combination_count; i++)
        moved += gcl_combination_moved(&plan->combinations[i], node_count);
    return moved;
}

// Conflicts.

static bool meet(const struct gcl_place *a, const struct gcl_place *b) {
    // Whole pages of guarded memory change hands.
    return a->use == GCL_HOST_GUARDED || gcl_region_overlaps(&a->touched, &b->touched) ||
           gcl_region_overlaps(&a->touched, &b->used) || gcl_region_overlaps(&a->used, &b->touched);
}

bool gcl_plan_conflicts(const struct gcl_plan *a, const struct gcl_plan *b) {
    for (size_t i = 0; i < a->place_count; i++) {
        for (size_t k = 0; k < b->place_count; k++) {
            if (a->places[i].begin == b->places[k].begin && meet(&a->places[i], &b->places[k]))
                return true;
        }
    }
    return false;
}

// Transfers.

/// Takes from `lack` what `from` can give to `to`.
static bool take(struct gcl_plan *plan, const struct gcl_place *place, uint32_t from, uint32_t to,
                 struct gcl_region *lack) {
    const struct gcl_layout *layout = place->before;
    const struct gcl_region *held = &layout->held[from];
    struct gcl_transfer transfer = {.place = (uint32_t)(place - plan->places),
                                    .from = from == layout->node_count ? GCL_NOWHERE : from,
                                    .to = to,
                                    .to_end = to + 1,
                                    .fill = layout->fill};
    if (!gcl_region_overlaps(lack, held))
        return true;
    if (gcl_region_intersect(lack, held, &transfer.bytes) &&
        gcl_region_subtract(lack, &transfer.bytes, lack) &&
        (gcl_region_is_empty(&transfer.bytes) || add_transfer(plan, &transfer)))
        return true;
    gcl_region_finish(&transfer.bytes);
    return false;
}

// Gathering: what many nodes get from each other, each of them from the only one that has it, would
// be a transfer for each pair of them. It is one for each node that has some.

/// Nodes that lack something: from the first to the last of them, all.
struct receivers {
    uint32_t begin, end;
};

/// False: there are others between them, or too few of them.
static bool find_receivers(const struct gcl_region *lacked, uint32_t count,
                           struct receivers *receivers) {
    uint32_t lacking = 0;
    *receivers = (struct receivers){count, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (gcl_region_is_empty(&lacked[i]))
            continue;
        receivers->begin = receivers->begin < i ? receivers->begin : i;
        receivers->end = i + 1;
        lacking++;
    }
    return lacking >= LEAST_RECEIVERS && receivers->end - receivers->begin == lacking;
}

/// What each of the receivers has or lacks, and which nobody makes itself. False: it can't be said.
static bool find_common(const struct gcl_layout *layout, const struct gcl_region *lacked,
                        struct receivers receivers, struct gcl_region *common) {
    const struct gcl_region *fills = &layout->held[layout->node_count];
    bool exact = true;
    for (uint32_t i = receivers.begin; exact && i < receivers.end; i++) {
        struct gcl_region wanted = {.count = 0};
        exact = gcl_region_unite(&lacked[i], &layout->held[i], &wanted) &&
                (i == receivers.begin ? gcl_region_subtract(&wanted, fills, common)
                                      : gcl_region_intersect(common, &wanted, common));
        gcl_region_finish(&wanted);
        if (gcl_region_is_empty(common))
            return false;
    }
    return exact;
}

/// Finds what each node has of the common bytes. False: several have the same, or it can't be said.
static bool find_parts(const struct gcl_layout *layout, const struct gcl_region *common,
                       struct gcl_region *parts) {
    int64_t size = 0, all = gcl_region_size(common);
    for (uint32_t i = 0; i < layout->node_count && size <= all; i++) {
        if (!gcl_region_intersect(common, &layout->held[i], &parts[i]))
            return false;
        size += gcl_region_size(&parts[i]);
    }
    return size == all;
}

/// Takes the parts. False: no memory.
static bool add_gathering(struct gcl_plan *plan, const struct gcl_place *place,
                          struct receivers receivers, struct gcl_region *parts) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < place->before->node_count; i++) {
        if (gcl_region_is_empty(&parts[i]))
            continue;
        ok = add_transfer(plan, &(struct gcl_transfer){.place = (uint32_t)(place - plan->places),
                                                       .from = i,
                                                       .to = receivers.begin,
                                                       .to_end = receivers.end,
                                                       .bytes = parts[i]});
        if (ok)
            parts[i] = (struct gcl_region){.count = 0};
    }
    return ok;
}

/// Has nodes get what all of them lack that haven't got it; `gathered` becomes that, which may be
/// nothing. False: no memory.
static bool gather(struct gcl_plan *plan, const struct gcl_place *place,
                   const struct gcl_region *lacked, struct gcl_region *gathered) {
    uint32_t count = place->before->node_count;
    struct receivers receivers;
    if (!find_receivers(lacked, count, &receivers))
        return true;
    struct gcl_region *parts = make_regions(count);
    bool ok = parts != NULL;
    if (ok && find_common(place->before, lacked, receivers, gathered) &&
        find_parts(place->before, gathered, parts))
        ok = add_gathering(plan, place, receivers, parts);
    else
        gcl_region_finish(gathered);
    free_regions(parts, count);
    return ok;
}

/// Has a node get what it lacks and isn't gathered.
static bool fetch(struct gcl_plan *plan, const struct gcl_place *place,
                  const struct gcl_holders *holders, uint32_t to, const struct gcl_region *lacked,
                  const struct gcl_region *gathered) {
    struct gcl_region lack = {.count = 0};
    struct gcl_holders_search search = {.holders = holders, .around = to};
    bool exact = gcl_region_subtract(lacked, gathered, &lack) &&
                 take(plan, place, place->before->node_count, to, &lack);
    while (exact && !gcl_region_is_empty(&lack)) {
        uint32_t from = gcl_holders_next(&search, gcl_region_bounds(&lack));
        exact = from != GCL_NOWHERE && take(plan, place, from, to, &lack);
    }
    gcl_region_finish(&lack);
    return exact;
}

/// Has all nodes get what they lack.
static bool fetch_all(struct gcl_plan *plan, const struct gcl_place *place,
                      const struct gcl_region *lacked) {
    struct gcl_holders holders;
    struct gcl_region gathered = {.count = 0};
    bool exact = gcl_holders_init(&holders, place->before->held, place->before->node_count) &&
                 gather(plan, place, lacked, &gathered);
    for (uint32_t i = 0; exact && i < place->before->node_count; i++)
        exact = gcl_region_is_empty(&lacked[i]) ||
                fetch(plan, place, &holders, i, &lacked[i], &gathered);
    gcl_region_finish(&gathered);
    gcl_holders_finish(&holders);
    return exact;
}

// Combinations.

static void set_limits(struct gcl_combination *combination, const struct gcl_region *all,
                       uint32_t count, enum gcl_host_use use) {
    struct gcl_span bounds = gcl_region_bounds(all);
    bool has_one_home = gcl_region_size(all) <= ONE_HOME || use == GCL_HOST_GUARDED;
    uint32_t homes = has_one_home ? 1 : count;
    int64_t step = (bounds.end - bounds.begin + homes - 1) / homes;
    step = (step + HOME_ALIGNMENT - 1) / HOME_ALIGNMENT * HOME_ALIGNMENT;
    for (uint32_t i = 0; i <= count; i++) {
        int64_t limit = bounds.begin + i * step;
        combination->limits[i] = i >= homes || limit > bounds.end ? bounds.end : limit;
    }
}

/// What one demand makes of each node's bytes.
struct outline {
    uint32_t count;
    struct gcl_region *needed;  ///< valid before
    struct gcl_region *written; ///< alone valid afterwards
    struct gcl_region *lacked;  ///< of those that are needed: not valid there yet
    struct gcl_region opened;   ///< as in struct gcl_place
    struct gcl_combination combination;
};

static bool add_all(const struct gcl_region *regions, uint32_t count, struct gcl_region *sums) {
    for (uint32_t i = 0; regions && i < count; i++) {
        if (!gcl_region_unite(&sums[i], &regions[i], &sums[i]))
            return false;
    }
    return true;
}

static bool find_all(const struct gcl_region *regions, uint32_t count, struct gcl_region *all) {
    bool exact = true;
    for (uint32_t i = 0; i < count; i++)
        exact =
            (gcl_region_is_empty(&regions[i]) || gcl_region_unite(all, &regions[i], all)) && exact;
    return exact;
}

/// Each home needs the old value of what it combines, and has the new one.
static bool add_homes(struct outline *outline, const struct gcl_combination *combination,
                      const struct gcl_region *all) {
    bool exact = true;
    for (uint32_t i = 0; exact && i < outline->count; i++) {
        struct gcl_region home = {.count = 0};
        struct gcl_span limits = {combination->limits[i], combination->limits[i + 1]};
        exact = gcl_region_clip(all, limits, &home) &&
                gcl_region_unite(&outline->needed[i], &home, &outline->needed[i]) &&
                gcl_region_unite(&outline->written[i], &home, &outline->written[i]);
        gcl_region_finish(&home);
    }
    return exact;
}

/// Node 0 rewrites the whole stretch of guarded memory that it combines.
static void widen(struct gcl_region *all) {
    struct gcl_span bounds = gcl_region_bounds(all);
    gcl_region_finish(all);
    *all = gcl_region_run(bounds.begin, bounds.end);
}

static bool combine(const struct gcl_demand *demand, enum gcl_host_use use,
                    struct outline *outline) {
    struct gcl_combination *combination = &outline->combination;
    struct gcl_region all = {.count = 0};
    combination->kind = demand->kind;
    combination->reduction = demand->reduction;
    combination->element = demand->element;
    combination->bytes = make_regions(outline->count);
    combination->limits = calloc(outline->count + (size_t)1, sizeof *combination->limits);
    if (!combination->bytes || !combination->limits)
        return false;
    bool exact = find_all(demand->combined, outline->count, &all) &&
                 add_all(demand->combined, outline->count, combination->bytes);
    set_limits(combination, &all, outline->count, use);
    if (use == GCL_HOST_GUARDED)
        widen(&all);
    exact = exact && add_homes(outline, combination, &all);
    gcl_region_finish(&all);
    // Unless they start with the neutral element, they need the value from before.
    return exact && (demand->kind == GCL_COMBINATION_REDUCE ||
                     add_all(demand->combined, outline->count, outline->needed));
}

// Outlines.

/// Rounds what node 0 needs and writes to pages. Those that it writes all of, it needn't get.
static bool take_pages(struct outline *outline, int64_t size) {
    struct gcl_region *needed = &outline->needed[0], *written = &outline->written[0];
    struct gcl_region edges = {.count = 0};
    gcl_pages_around(written, size, &outline->opened);
    bool exact = gcl_region_subtract(&outline->opened, written, &edges) &&
                 gcl_region_unite(needed, &edges, needed) &&
                 gcl_region_copy(&outline->opened, written);
    gcl_region_finish(&edges);
    gcl_pages_around(needed, size, needed);
    for (uint32_t i = 1; exact && i < outline->count; i++)
        exact = gcl_region_is_empty(&outline->written[i]) ||
                gcl_region_subtract(written, &outline->written[i], written);
    return exact;
}

static void outline_finish(struct outline *outline) {
    free_regions(outline->needed, outline->count);
    free_regions(outline->written, outline->count);
    free_regions(outline->lacked, outline->count);
    gcl_region_finish(&outline->opened);
    finish_combination(&outline->combination, outline->count);
}

/// False: as gcl_plan_demand; the outline is to be finished all the same.
static bool outline_init(struct outline *outline, const struct gcl_entry *entry,
                         const struct gcl_demand *demand) {
    const struct gcl_layout *layout = entry->layout;
    uint32_t count = layout->node_count;
    *outline = (struct outline){.count = count,
                                .needed = make_regions(count),
                                .written = make_regions(count),
                                .lacked = make_regions(count)};
    bool exact = outline->needed && outline->written && outline->lacked &&
                 add_all(demand->needed, count, outline->needed) &&
                 add_all(demand->written, count, outline->written);
    if (exact && demand->combined)
        exact = combine(demand, entry->use, outline);
    if (exact && entry->use == GCL_HOST_GUARDED)
        exact = take_pages(outline, (int64_t)entry->size);
    for (uint32_t i = 0; exact && i < count; i++)
        exact = gcl_region_is_empty(&outline->needed[i]) ||
                gcl_region_subtract(&outline->needed[i], &layout->held[i], &outline->lacked[i]);
    return exact;
}

static bool change(struct gcl_directory *directory, struct gcl_place *place,
                   const struct gcl_layout_change *change) {
    const struct gcl_layout *after =
        gcl_layouts_change(gcl_directory_layouts(directory), place->before, change);
    if (!after)
        return false;
    gcl_layout_release(place->after);
    place->after = gcl_layout_hold(after);
    return true;
}

/// What can't be said exactly is rounded up.
static void note_uses(const struct outline *outline, struct gcl_place *place) {
    bool exact = find_all(outline->needed, outline->count, &place->used);
    exact = find_all(outline->written, outline->count, &place->touched) && exact;
    exact = find_all(outline->lacked, outline->count, &place->touched) && exact;
    (void)exact;
}

/// Takes the outline's combination and pages.
static bool carry_out(struct gcl_plan *plan, struct gcl_directory *directory, uint64_t begin,
                      struct outline *outline) {
    struct gcl_place *place = add_place(plan, gcl_directory_find(directory, begin));
    if (!place)
        return false;
    place->opened = outline->opened;
    outline->opened = (struct gcl_region){.count = 0};
    note_uses(outline, place);
    outline->combination.place = (uint32_t)(place - plan->places);
    for (uint32_t i = 0; i < outline->count; i++)
        place->is_changed |= !gcl_region_is_empty(&outline->written[i]);
    return (!outline->combination.bytes || add_combination(plan, &outline->combination)) &&
           fetch_all(plan, place, outline->lacked) &&
           change(directory, place,
                  &(struct gcl_layout_change){.received = outline->lacked,
                                              .written = outline->written});
}

bool gcl_plan_demand(struct gcl_plan *plan, struct gcl_directory *directory,
                     const struct gcl_demand *demand) {
    struct outline outline;
    bool exact = outline_init(&outline, gcl_directory_find(directory, demand->begin), demand) &&
                 carry_out(plan, directory, demand->begin, &outline);
    uint32_t place = (uint32_t)plan->place_count - 1;
    if (exact && plan->counts_moves && demand->combined)
        gcl_moves_add_combined(&plan->moves, plan, place, outline.count);
    else if (exact && plan->counts_moves)
        exact = gcl_moves_add_needed(&plan->moves, plan, place, outline.needed, outline.count);
    if (exact && !gcl_region_is_empty(&plan->places[place].used)) {
        plan->places[place].needed = outline.needed;
        outline.needed = NULL;
    }
    outline_finish(&outline);
    return exact;
}

/// Bytes of `lacked` that come from other nodes. False: no memory.
static bool count_moved(const struct gcl_layout *layout, const struct gcl_region *lacked,
                        uint64_t *moved) {
    struct gcl_region rest = {.count = 0};
    bool exact = gcl_region_subtract(lacked, &layout->held[layout->node_count], &rest);
    *moved += (uint64_t)gcl_region_size(&rest);
    gcl_region_finish(&rest);
    return exact;
}

bool gcl_plan_cost(struct gcl_directory *directory, const struct gcl_demand *demand,
                   uint64_t *bytes) {
    const struct gcl_entry *entry = gcl_directory_find(directory, demand->begin);
    struct outline outline;
    bool exact = outline_init(&outline, entry, demand);
    for (uint32_t i = 0; exact && i < outline.count; i++)
        exact = gcl_region_is_empty(&outline.lacked[i]) ||
                count_moved(entry->layout, &outline.lacked[i], bytes);
    if (exact && outline.combination.bytes)
        *bytes += gcl_combination_moved(&outline.combination, outline.count);
    outline_finish(&outline);
    return exact;
}

bool gcl_plan_fill(struct gcl_plan *plan, struct gcl_directory *directory, uint64_t begin,
                   const struct gcl_region *bytes, uint8_t value) {
    struct gcl_place *place = add_place(plan, gcl_directory_find(directory, begin));
    struct gcl_region *lacked = place ? make_regions(place->before->node_count) : NULL;
    if (!lacked)
        return false;
    const struct gcl_layout *before = place->before;
    place->is_changed = true;
    // What was filled with another value has to become somebody's own.
    bool exact = before->fill == value ||
                 (gcl_region_subtract(&before->held[before->node_count], bytes, &lacked[0]) &&
                  fetch_all(plan, place, lacked));
    bool is_rounded = !gcl_region_unite(bytes, &lacked[0], &place->touched);
    (void)is_rounded;
    exact = exact &&
            change(directory, place,
                   &(struct gcl_layout_change){.received = lacked, .filled = bytes, .fill = value});
    free_regions(lacked, before->node_count);
    return exact;
}
