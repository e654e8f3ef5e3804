// A node takes what it lacks from the nodes next to it that have it: neighbours hold halos, and
// what everybody has isn't asked from one.
//
// What is combined is cut into as many stretches as there are nodes, unless it is so small that the
// messages would cost more than the bytes; each has a home, where its old value is needed and its
// new one is afterwards.
#include "plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    ONE_HOME = 16 << 10, ///< bytes; combined by one node up to there
    HOME_ALIGNMENT = 64, ///< bytes; more than any element that is reduced
};

// Plans.

/// Room for one more, zeroed; NULL: no memory.
static void *append(void **array, size_t *count, size_t size) {
    void *grown = realloc(*array, (*count + 1) * size);
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
        *place = (struct gcl_place){
            .begin = entry->begin, .before = entry->layout, .after = entry->layout};
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

static struct gcl_combination *add_combination(struct gcl_plan *plan, uint32_t node_count) {
    void *combinations = plan->combinations;
    struct gcl_combination *added = append(&combinations, &plan->combination_count, sizeof *added);
    plan->combinations = combinations;
    if (!added)
        return NULL;
    added->bytes = calloc(node_count, sizeof *added->bytes);
    added->limits = calloc(node_count + (size_t)1, sizeof *added->limits);
    return added->bytes && added->limits ? added : NULL;
}

static void finish_combination(struct gcl_combination *combination, uint32_t node_count) {
    for (uint32_t i = 0; combination->bytes && i < node_count; i++)
        gcl_region_finish(&combination->bytes[i]);
    free(combination->bytes);
    free(combination->limits);
}

void gcl_plan_finish(struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->transfer_count; i++)
        gcl_region_finish(&plan->transfers[i].bytes);
    for (size_t i = 0; i < plan->combination_count; i++) {
        struct gcl_combination *combination = &plan->combinations[i];
        finish_combination(combination, plan->places[combination->place].before->node_count);
    }
    free(plan->places);
    free(plan->transfers);
    free(plan->combinations);
    plan->places = NULL;
    plan->transfers = NULL;
    plan->combinations = NULL;
    plan->place_count = plan->transfer_count = plan->combination_count = 0;
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

uint64_t gcl_plan_moved(const struct gcl_plan *plan) {
    uint64_t moved = 0;
    for (size_t i = 0; i < plan->transfer_count; i++) {
        if (plan->transfers[i].from != GCL_NOWHERE)
            moved += (uint64_t)gcl_region_size(&plan->transfers[i].bytes);
    }
    return moved;
}

uint64_t gcl_plan_combined(const struct gcl_plan *plan, uint32_t node_count) {
    uint64_t moved = 0;
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *c = &plan->combinations[i];
        for (uint32_t node = 0; node < node_count; node++) {
            struct gcl_region own = {.count = 0};
            struct gcl_span home = {c->limits[node], c->limits[node + 1]};
            bool exact = gcl_region_clip(&c->bytes[node], home, &own);
            moved +=
                (uint64_t)(gcl_region_size(&c->bytes[node]) - (exact ? gcl_region_size(&own) : 0));
            gcl_region_finish(&own);
        }
    }
    return moved;
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

/// Has a node get what it needs and doesn't have.
static bool fetch(struct gcl_plan *plan, const struct gcl_place *place, uint32_t to,
                  const struct gcl_region *needed) {
    uint32_t count = place->before->node_count;
    struct gcl_region lack = {.count = 0};
    bool exact = gcl_region_subtract(needed, &place->before->held[to], &lack) &&
                 take(plan, place, count, to, &lack);
    for (uint32_t distance = 1; exact && distance < count; distance++) {
        if (gcl_region_is_empty(&lack))
            break;
        exact = (to < distance || take(plan, place, to - distance, to, &lack)) &&
                (to + distance >= count || take(plan, place, to + distance, to, &lack));
    }
    exact = exact && gcl_region_is_empty(&lack);
    gcl_region_finish(&lack);
    return exact;
}

// Changes.

static struct gcl_region *make_regions(uint32_t count) {
    return calloc(count, sizeof(struct gcl_region));
}

static void free_regions(struct gcl_region *regions, uint32_t count) {
    for (uint32_t i = 0; regions && i < count; i++)
        gcl_region_finish(&regions[i]);
    free(regions);
}

/// What nodes get by the transfers of a place.
static bool find_received(const struct gcl_plan *plan, const struct gcl_place *place,
                          struct gcl_region *received) {
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        if (t->place == (uint32_t)(place - plan->places) &&
            !gcl_region_unite(&received[t->to], &t->bytes, &received[t->to]))
            return false;
    }
    return true;
}

static bool change(const struct gcl_plan *plan, struct gcl_directory *directory,
                   struct gcl_place *place, struct gcl_layout_change *change) {
    uint32_t count = place->before->node_count;
    struct gcl_region *received = make_regions(count);
    const struct gcl_layout *after = NULL;
    change->received = received;
    if (received && find_received(plan, place, received))
        after = gcl_layouts_change(gcl_directory_layouts(directory), place->before, change);
    free_regions(received, count);
    if (after)
        place->after = after;
    return after != NULL;
}

// Combinations.

static void set_limits(struct gcl_combination *combination, const struct gcl_region *all,
                       uint32_t count) {
    struct gcl_span bounds = gcl_region_bounds(all);
    uint32_t homes = gcl_region_size(all) <= ONE_HOME ? 1 : count;
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
};

static bool add_all(const struct gcl_region *regions, uint32_t count, struct gcl_region *sums) {
    for (uint32_t i = 0; regions && i < count; i++) {
        if (!gcl_region_unite(&sums[i], &regions[i], &sums[i]))
            return false;
    }
    return true;
}

static bool find_all(const struct gcl_region *regions, uint32_t count, struct gcl_region *all) {
    for (uint32_t i = 0; i < count; i++) {
        if (!gcl_region_unite(all, &regions[i], all))
            return false;
    }
    return true;
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

static bool combine(struct gcl_plan *plan, uint32_t place, const struct gcl_demand *demand,
                    struct outline *outline) {
    struct gcl_region all = {.count = 0};
    struct gcl_combination *combination = add_combination(plan, outline->count);
    if (!combination)
        return false;
    combination->place = place;
    combination->kind = demand->kind;
    combination->reduction = demand->reduction;
    combination->element = demand->element;
    bool exact = find_all(demand->combined, outline->count, &all) &&
                 add_all(demand->combined, outline->count, combination->bytes);
    set_limits(combination, &all, outline->count);
    exact = exact && add_homes(outline, combination, &all);
    gcl_region_finish(&all);
    // Unless they start with the neutral element, they need the value from before.
    return exact && (demand->kind == GCL_COMBINATION_REDUCE ||
                     add_all(demand->combined, outline->count, outline->needed));
}

static bool carry_out(struct gcl_plan *plan, struct gcl_directory *directory,
                      const struct gcl_demand *demand, struct outline *outline) {
    struct gcl_place *place = add_place(plan, gcl_directory_find(directory, demand->begin));
    bool exact = place && add_all(demand->needed, outline->count, outline->needed) &&
                 add_all(demand->written, outline->count, outline->written);
    if (exact && demand->combined)
        exact = combine(plan, (uint32_t)(place - plan->places), demand, outline);
    for (uint32_t i = 0; exact && i < outline->count; i++) {
        place->is_changed |= !gcl_region_is_empty(&outline->written[i]);
        exact = fetch(plan, place, i, &outline->needed[i]);
    }
    struct gcl_layout_change after = {.written = outline->written};
    return exact && change(plan, directory, place, &after);
}

bool gcl_plan_demand(struct gcl_plan *plan, struct gcl_directory *directory,
                     const struct gcl_demand *demand) {
    struct outline outline = {.count = gcl_directory_node_count(directory)};
    outline.needed = make_regions(outline.count);
    outline.written = make_regions(outline.count);
    bool exact = outline.needed && outline.written && carry_out(plan, directory, demand, &outline);
    free_regions(outline.needed, outline.count);
    free_regions(outline.written, outline.count);
    return exact;
}

bool gcl_plan_fill(struct gcl_plan *plan, struct gcl_directory *directory, uint64_t begin,
                   const struct gcl_region *bytes, uint8_t value) {
    struct gcl_place *place = add_place(plan, gcl_directory_find(directory, begin));
    if (!place)
        return false;
    const struct gcl_layout *before = place->before;
    place->is_changed = true;
    struct gcl_layout_change after = {.filled = bytes, .fill = value};
    struct gcl_region old = {.count = 0};
    // What was filled with another value has to become somebody's own.
    bool exact = before->fill == value ||
                 (gcl_region_subtract(&before->held[before->node_count], bytes, &old) &&
                  fetch(plan, place, 0, &old));
    gcl_region_finish(&old);
    return exact && change(plan, directory, place, &after);
}
