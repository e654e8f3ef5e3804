// What a node reads and doesn't have moves in any case, whatever becomes of the rest: so an axis
// that is worse than one already found is given up after the first few parts, which makes most of
// the difference where there are many nodes.
#include "plan/schedule/partition.h"

#include <stdlib.h>

#include "gcluster/reasons.h"
#include "plan/inspect/contents.h"
#include "plan/schedule/combine.h"

enum { REGIONS = 3 }; ///< of a node in a demand: needed, written, combined

/// Regions of a demand: those of its nodes, and where values of each size are.
static size_t regions_of_demand(const struct gcl_partition *partition) {
    return REGIONS * (size_t)partition->node_count + GCL_VALUE_SIZES;
}

static bool unite(struct gcl_region *sum, const struct gcl_region *region) {
    return gcl_region_is_empty(region) || gcl_region_unite(sum, region, sum);
}

// Demands.

/// Adds what one node does to an allocation.
static bool draft_node(const struct gcl_handling *handling, const struct gcl_allocation_use *use,
                       struct gcl_region *needed, struct gcl_region *written,
                       struct gcl_region *combined) {
    const unsigned handles = handling->handles;
    struct gcl_region all =
        gcl_region_run(0, handling->allocation.end - handling->allocation.begin);
    bool reduces = (handles & (GCL_HANDLE_REDUCE | GCL_HANDLE_COMBINE)) != 0;
    bool ok = unite(needed, &use->read);
    if (handles & GCL_HANDLE_WHOLE)
        ok = ok && (gcl_region_is_empty(&use->read) || unite(needed, &all));
    if (reduces)
        ok = ok && unite(combined, &use->reduced);
    else
        ok = ok && unite(needed, &use->reduced) && unite(written, &use->reduced);
    if (handles & GCL_HANDLE_MERGE)
        return ok && unite(combined, &use->written) && unite(combined, &use->touched);
    return ok && unite(needed, &use->touched) && unite(written, &use->touched) &&
           unite(written, &use->written);
}

/// Why an allocation's parts can't be combined; 0: they can.
static uint16_t find_obstacle(struct gcl_directory *directory,
                              const struct gcl_handling *handling) {
    if (!(handling->handles & (GCL_HANDLE_REDUCE | GCL_HANDLE_COMBINE)))
        return 0;
    // The host would see what is neutral, and what it writes meanwhile would be lost.
    if (gcl_directory_find(directory, (uint64_t)handling->allocation.begin)->use == GCL_HOST_UNSEEN)
        return GCL_REASON_HOST_MEMORY;
    if (handling->handles & GCL_HANDLE_MERGE)
        return GCL_REASON_OVERLAP;
    return gcl_combine_can(handling->reduction, handling->element) ? 0 : GCL_REASON_OPERATION;
}

static uint8_t combination_kind(const struct gcl_handling *handling) {
    if (handling->handles & GCL_HANDLE_MERGE)
        return GCL_COMBINATION_MERGE;
    return handling->handles & GCL_HANDLE_REDUCE ? GCL_COMBINATION_REDUCE : GCL_COMBINATION_AGAIN;
}

/// Whether what nodes read of an allocation is a bound.
static bool is_vague(const struct gcl_handling *handling, const struct gcl_footprint *ranges,
                     size_t count) {
    bool is = false;
    for (size_t i = 0; i < count && !is; i++) {
        const struct gcl_allocation_use *use =
            gcl_footprint_use(&ranges[i], handling->allocation.begin);
        is = use && use->reads_vaguely;
    }
    return is;
}

/// Moves where values of several sizes are out of `handling`. False: they have one size.
static bool take_values(const struct gcl_handling *handling, struct gcl_region *values) {
    for (unsigned size = 0; handling->values && size < GCL_VALUE_SIZES; size++) {
        values[size] = handling->values[size];
        handling->values[size] = (struct gcl_region){.count = 0};
    }
    return handling->values != NULL;
}

/// Adds what all nodes do to an allocation.
static bool add_demand(struct gcl_partition *partition, const struct gcl_handling *handling,
                       const struct gcl_footprint *ranges, bool faults) {
    bool combines =
        (handling->handles & (GCL_HANDLE_MERGE | GCL_HANDLE_REDUCE | GCL_HANDLE_COMBINE)) != 0;
    size_t count = partition->node_count;
    struct gcl_region *needed =
        partition->regions + regions_of_demand(partition) * partition->demand_count;
    struct gcl_region *written = needed + count, *combined = written + count;
    struct gcl_region *values = combined + count;
    bool has_values = take_values(handling, values);
    partition->demands[partition->demand_count++] =
        (struct gcl_demand){.begin = (uint64_t)handling->allocation.begin,
                            .needed = needed,
                            .written = written,
                            .combined = combines ? combined : NULL,
                            .kind = combination_kind(handling),
                            .reduction = handling->reduction,
                            .element = handling->element,
                            .values = has_values ? values : NULL,
                            .is_faulted = faults && is_vague(handling, ranges, count)};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const struct gcl_allocation_use *use =
            gcl_footprint_use(&ranges[i], handling->allocation.begin);
        if (use)
            ok = draft_node(handling, use, &needed[i], &written[i], &combined[i]);
    }
    return ok;
}

void gcl_partition_finish(struct gcl_partition *partition) {
    for (size_t i = 0;
         partition->regions && i < regions_of_demand(partition) * partition->demand_count; i++)
        gcl_region_finish(&partition->regions[i]);
    for (size_t i = 0; partition->outlines && i < partition->demand_count; i++)
        gcl_demand_outline_destroy(partition->outlines[i]);
    free(partition->outlines);
    free(partition->regions);
    free(partition->demands);
    free(partition->parts);
    *partition = (struct gcl_partition){.node_count = 0};
}

/// Adds what node 0 would lack of one allocation.
static bool add_lack_of_one(const struct gcl_demand *demand, uint32_t count,
                            const struct gcl_layout *layout, uint64_t *bytes) {
    struct gcl_region all = {.count = 0};
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = gcl_region_unite(&all, &demand->needed[i], &all) &&
             (!demand->combined || gcl_region_unite(&all, &demand->combined[i], &all));
    ok = ok && gcl_region_subtract(&all, &layout->held[0], &all) &&
         gcl_region_subtract(&all, &layout->held[layout->node_count], &all);
    *bytes += (uint64_t)gcl_region_size(&all);
    gcl_region_finish(&all);
    return ok;
}

bool gcl_partition_cost_of_one(const struct gcl_partition *partition,
                               struct gcl_directory *directory, uint64_t *bytes) {
    bool ok = true;
    for (size_t i = 0; i < partition->demand_count && ok; i++) {
        const struct gcl_demand *demand = &partition->demands[i];
        const struct gcl_directory_entry *entry = gcl_directory_find(directory, demand->begin);
        ok = add_lack_of_one(demand, partition->node_count, entry->layout, bytes);
    }
    return ok;
}

// Parts.

/// Adds the bytes that a node reads and hasn't got. False: no memory.
static bool add_lack(struct gcl_directory *directory, const struct gcl_footprint *range,
                     uint32_t node, uint64_t *lack) {
    bool ok = true;
    for (size_t i = 0; i < range->count && ok; i++) {
        const struct gcl_allocation_use *use = &range->uses[i];
        const struct gcl_layout *layout =
            gcl_directory_find(directory, (uint64_t)use->allocation.begin)->layout;
        struct gcl_region rest = {.count = 0};
        ok = gcl_region_subtract(&use->read, &layout->held[node], &rest) &&
             gcl_region_subtract(&rest, &layout->held[layout->node_count], &rest);
        *lack += ok ? (uint64_t)gcl_region_size(&rest) : 0;
        gcl_region_finish(&rest);
    }
    return ok;
}

/// False: it costs too much, or no memory.
static bool find_ranges(const struct gcl_partition_input *input, struct gcl_contents *contents,
                        uint64_t limit, struct gcl_partition *partition,
                        struct gcl_footprint *ranges) {
    uint64_t lack = 0;
    for (uint32_t i = 0; i < partition->node_count; i++) {
        const struct gcl_footprint_known known = {contents, gcl_survey_found(input->survey, i),
                                                  input->shares};
        if (gcl_split_is_empty(&partition->parts[i]))
            continue;
        partition->lacks_memory =
            !gcl_footprint_find_known(input->evaluator, &partition->parts[i], &known, &ranges[i]) ||
            !input->found(input->context, &ranges[i]);
        if (partition->lacks_memory)
            return false;
        if (gcl_evaluator_is_spent(input->evaluator)) {
            partition->reason = GCL_REASON_DEAR_PLAN;
            return false;
        }
        partition->accesses += ranges[i].accesses;
        if (limit < UINT64_MAX &&
            (!add_lack(input->directory, &ranges[i], i, &lack) || lack >= limit))
            return false;
    }
    return true;
}

/// False: as find_ranges.
static bool find_parts(const struct gcl_partition_input *input, unsigned axis, uint64_t limit,
                       struct gcl_partition *partition, struct gcl_footprint *ranges) {
    struct gcl_contents contents;
    const struct gcl_survey_launch launch = {.evaluator = input->evaluator,
                                             .launch = input->launch,
                                             .parts = partition->parts,
                                             .axis = partition->axis,
                                             .contents = &contents};
    partition->lacks_memory =
        !gcl_footprint_open_contents(input->evaluator, input->launch, input->memory, &contents);
    if (partition->lacks_memory)
        return false;
    for (uint32_t i = 0; i < partition->node_count; i++)
        partition->parts[i] =
            gcl_split_weighed(input->launch, axis, input->weights, partition->node_count, i);
    partition->lacks_memory = !gcl_survey_take(input->survey, &launch, input->reader);
    bool ok = !partition->lacks_memory && find_ranges(input, &contents, limit, partition, ranges);
    gcl_contents_finish(&contents);
    return ok;
}

/// Finds the classes of ranges. False: no memory.
static bool find_classes(const struct gcl_partition_input *input,
                         const struct gcl_footprint *ranges, struct gcl_partition *partition,
                         struct gcl_classes *classes) {
    partition->lacks_memory =
        !gcl_classes_find(gcl_evaluator_program(input->evaluator), input->launch, ranges,
                          partition->node_count, classes);
    return !partition->lacks_memory;
}

/// Adds what the latest demand costs. False: it can't be said.
static bool add_cost(struct gcl_partition *partition, struct gcl_directory *directory) {
    size_t latest = partition->demand_count - 1;
    partition->outlines[latest] = gcl_demand_outline_create(directory, &partition->demands[latest]);
    return partition->outlines[latest] &&
           gcl_demand_outline_cost(partition->outlines[latest], &partition->cost);
}

/// Makes demands of what classes say. False: they say that it can't be cut, or no memory.
static bool add_demands(const struct gcl_partition_input *input, const struct gcl_classes *classes,
                        const struct gcl_footprint *ranges, struct gcl_partition *partition) {
    partition->reason = classes->reason;
    partition->access = classes->access;
    partition->demands = calloc(classes->count + 1, sizeof *partition->demands);
    partition->regions =
        calloc(regions_of_demand(partition) * classes->count + 1, sizeof *partition->regions);
    partition->outlines = calloc(classes->count + 1, sizeof *partition->outlines);
    partition->lacks_memory = !partition->demands || !partition->regions || !partition->outlines;
    for (size_t i = 0; !partition->lacks_memory && i < classes->count && !partition->reason; i++) {
        const struct gcl_handling *handling = &classes->handlings[i];
        partition->merges |= (handling->handles & GCL_HANDLE_MERGE) != 0;
        partition->reason = find_obstacle(input->directory, handling);
        if (!partition->reason && !(add_demand(partition, handling, ranges, input->faults) &&
                                    add_cost(partition, input->directory)))
            partition->reason = GCL_REASON_PARTS;
    }
    return !partition->lacks_memory && !partition->reason;
}

void gcl_partition_init(struct gcl_partition *partition, const struct gcl_partition_input *input,
                        unsigned axis, uint64_t limit) {
    uint32_t count = gcl_directory_node_count(input->directory);
    struct gcl_footprint *ranges = calloc(count, sizeof *ranges);
    struct gcl_classes classes = {.count = 0};
    *partition =
        (struct gcl_partition){.node_count = count, .axis = (char)('x' + axis), .access = GCL_NONE};
    partition->parts = calloc(count, sizeof *partition->parts);
    gcl_evaluator_take_parts(input->evaluator);
    partition->lacks_memory = !ranges || !partition->parts;
    bool ok = !partition->lacks_memory && find_parts(input, axis, limit, partition, ranges) &&
              find_classes(input, ranges, partition, &classes) &&
              add_demands(input, &classes, ranges, partition);
    partition->is_possible = ok && partition->cost < limit;
    gcl_classes_finish(&classes);
    for (uint32_t i = 0; ranges && i < count; i++)
        gcl_footprint_finish(&ranges[i]);
    free(ranges);
}
