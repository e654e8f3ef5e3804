// One allocation after the other: what ranges read, change and reduce there is united range by
// range, so that two ranges meet where one overlaps with the union of those before it.
#include "plan/program/classes.h"

#include <assert.h>
#include <stdlib.h>

#include "gcluster/reasons.h"
#include "plan/inspect/base.h"

/// What ranges do to one allocation.
struct parts {
    struct gcl_region read, changed, reduced;
    bool changes_meet; ///< two ranges change the same
    bool reductions_meet;
    bool old_is_read; ///< one range reads what another one changes
    bool reads_meet;  ///< what two ranges reduce, one reads or changes as well
    bool reads_all;
    bool has_written, has_touched, has_claimed;
    uint8_t stored; ///< a bit i for values of 2^i bytes that a range stores
};

bool gcl_classes_is_single(uint16_t code) {
    return code >= GCL_REASON_ATOMIC_RESULT && code <= GCL_REASON_LAUNCH;
}

static void parts_finish(struct parts *parts) {
    gcl_region_finish(&parts->read);
    gcl_region_finish(&parts->changed);
    gcl_region_finish(&parts->reduced);
}

// What is united may be rounded up: the union is an upper bound, as regions are.
static void unite(struct gcl_region *all, const struct gcl_region *more) {
    bool is_exact = gcl_region_unite(all, more, all);
    (void)is_exact;
}

static void add_use(struct parts *parts, const struct gcl_allocation_use *use) {
    struct gcl_region changed = {0};
    unite(&changed, &use->written);
    unite(&changed, &use->touched);
    parts->changes_meet |= gcl_region_overlaps(&parts->changed, &changed);
    parts->reductions_meet |= gcl_region_overlaps(&parts->reduced, &use->reduced);
    parts->old_is_read |= gcl_region_overlaps(&parts->read, &changed) ||
                          gcl_region_overlaps(&parts->changed, &use->read);
    parts->reads_meet |= gcl_region_overlaps(&parts->reduced, &use->read) ||
                         gcl_region_overlaps(&parts->reduced, &changed) ||
                         gcl_region_overlaps(&parts->read, &use->reduced) ||
                         gcl_region_overlaps(&parts->changed, &use->reduced);
    unite(&parts->read, &use->read);
    unite(&parts->changed, &changed);
    unite(&parts->reduced, &use->reduced);
    gcl_region_finish(&changed);
    struct gcl_span all = {0, use->allocation.end - use->allocation.begin};
    parts->reads_all |= gcl_region_contains_range(&use->read, all);
    parts->has_written |= !gcl_region_is_empty(&use->written);
    parts->has_touched |= !gcl_region_is_empty(&use->touched);
    parts->has_claimed |= !gcl_region_is_empty(&use->claimed);
}

// Where a reduction meets what its own range reads or writes, it can't start with the neutral
// element either.
static bool is_seen(const struct parts *parts) {
    return parts->reads_meet || gcl_region_overlaps(&parts->reduced, &parts->read) ||
           gcl_region_overlaps(&parts->reduced, &parts->changed);
}

// Combining a value with what already holds it changes nothing.
static bool is_idempotent(uint8_t reduction) {
    return reduction != GCL_REDUCTION_ADD && reduction != GCL_REDUCTION_FADD &&
           reduction != GCL_REDUCTION_XOR;
}

/// Adds what reductions need; false: the launch can't be cut.
static bool handle_reductions(const struct parts *parts, struct gcl_handling *handling) {
    if (gcl_region_is_empty(&parts->reduced))
        return true;
    if (!parts->reductions_meet && !parts->reads_meet) // each range has its own
        handling->handles |= GCL_HANDLE_KEEP;
    else if (!is_seen(parts))
        handling->handles |= GCL_HANDLE_REDUCE;
    else if (is_idempotent(handling->reduction) &&
             !gcl_region_overlaps(&parts->reduced, &parts->changed))
        handling->handles |= GCL_HANDLE_COMBINE;
    else
        return false;
    return true;
}

static void handle_changes(const struct parts *parts, struct gcl_handling *handling) {
    if (parts->changes_meet)
        handling->handles |= GCL_HANDLE_MERGE;
    else
        handling->handles |= (parts->has_written ? GCL_HANDLE_OWN : 0u) |
                             (parts->has_touched ? GCL_HANDLE_KEEP : 0u);
}

static void handle_reads(const struct parts *parts, struct gcl_handling *handling) {
    if (gcl_region_is_empty(&parts->read))
        return;
    handling->handles |= parts->reads_all ? GCL_HANDLE_WHOLE : GCL_HANDLE_FETCH;
    if (parts->old_is_read)
        handling->handles |= GCL_HANDLE_OLD;
}

// The base that leads to an allocation and fulfils what is asked for.

static bool leads_to(const struct gcl_program *program, const struct gcl_launch_part *launch,
                     uint16_t base, const struct gcl_span *allocation) {
    uint64_t address;
    return gcl_base_address(program, launch, base, &address) &&
           (int64_t)address >= allocation->begin && (int64_t)address < allocation->end;
}

static bool is_said_disjoint(const struct gcl_program *program,
                             const struct gcl_launch_part *launch,
                             const struct gcl_span *allocation) {
    for (uint16_t i = 0; i < program->base_count; i++) {
        if ((program->bases[i].flags & GCL_BASE_DISJOINT) &&
            leads_to(program, launch, i, allocation))
            return true;
    }
    return false;
}

uint16_t gcl_classes_access(const struct gcl_program *program, const struct gcl_launch_part *launch,
                            const struct gcl_span *allocation, enum gcl_access_kind kind) {
    uint16_t found = GCL_NONE;
    for (uint16_t i = 0; i < program->access_count; i++) {
        const struct gcl_access *access = &program->accesses[i];
        if (access->kind != kind)
            continue;
        if (leads_to(program, launch, access->base, allocation))
            return i;
        if (found == GCL_NONE && program->bases[access->base].kind >= GCL_BASE_LOADED)
            found = i;
    }
    return found;
}

// Ranges of one launch reduce alike, or one of them claims instead.
static void note_reduction(struct gcl_handling *handling, struct parts *parts,
                           const struct gcl_allocation_use *use) {
    if (gcl_region_is_empty(&use->reduced))
        return;
    bool is_first = gcl_region_is_empty(&parts->reduced);
    bool is_same = handling->reduction == use->reduction && handling->element == use->element;
    parts->has_claimed |= !is_first && !is_same;
    handling->reduction = use->reduction;
    handling->element = use->element;
}

// Values that ranges store. Where some of a size may overlap with smaller ones, bytes between the
// outermost of those are taken as the smaller ones; no other value is torn.

static bool leave_overlap(struct gcl_region *larger, int64_t size, struct gcl_region *smaller) {
    struct gcl_region both = {0}, left = {0};
    bool is_exact = gcl_region_intersect(larger, smaller, &both);
    struct gcl_span bounds = gcl_region_bounds(&both);
    bounds.begin -= bounds.begin % size;
    bounds.end += (size - bounds.end % size) % size;
    struct gcl_region around = gcl_region_run(bounds.begin, bounds.end);
    is_exact = gcl_region_clip(larger, bounds, &left) &&
               gcl_region_unite(smaller, &left, smaller) &&
               gcl_region_subtract(larger, &around, larger);
    gcl_region_finish(&both);
    gcl_region_finish(&left);
    gcl_region_finish(&around);
    return is_exact;
}

/// The first value size at which regions overlap with smaller values; GCL_VALUE_SIZES: none do.
static unsigned find_overlap(const struct gcl_region *values, unsigned *smaller) {
    unsigned size = 1;
    for (; size < GCL_VALUE_SIZES; size++) {
        for (*smaller = 0; *smaller < size; ++*smaller) {
            if (gcl_region_overlaps(&values[size], &values[*smaller]))
                return size;
        }
    }
    return size;
}

/// False: they are too many parts to be told apart, or no memory.
static bool find_values(const struct gcl_footprint *ranges, size_t count,
                        struct gcl_handling *handling) {
    struct gcl_region *values = calloc(GCL_VALUE_SIZES, sizeof *values);
    bool is_exact = values != NULL;
    handling->values = values;
    for (size_t i = 0; values && i < count; i++) {
        const struct gcl_allocation_use *use =
            gcl_footprint_use(&ranges[i], handling->allocation.begin);
        for (unsigned size = 0; use && size < GCL_VALUE_SIZES; size++) {
            struct gcl_region room;
            unite(&values[size], gcl_footprint_values(use, size, &room));
            gcl_region_finish(&room);
        }
    }
    for (unsigned smaller, size; is_exact;) {
        size = find_overlap(values, &smaller);
        if (size == GCL_VALUE_SIZES)
            break;
        is_exact = leave_overlap(&values[size], INT64_C(1) << size, &values[smaller]);
    }
    return is_exact;
}

static void handle_values(const struct gcl_footprint *ranges, size_t count, uint8_t stored,
                          struct gcl_classes *classes) {
    struct gcl_handling *handling = &classes->handlings[classes->count - 1];
    handling->element = stored ? (uint16_t)(stored & -stored) : 0;
    bool has_one_size = (stored & (stored - 1)) == 0;
    if (!has_one_size && !find_values(ranges, count, handling) && !classes->reason)
        classes->reason = GCL_REASON_PARTS;
}

// Kinds.

static void find_handling(const struct gcl_program *program, const struct gcl_launch_part *launch,
                          const struct gcl_footprint *ranges, size_t count,
                          struct gcl_classes *classes) {
    assert(classes->count > 0);
    struct gcl_handling *handling = &classes->handlings[classes->count - 1];
    struct parts parts = {.reads_all = false};
    for (size_t i = 0; i < count; i++) {
        const struct gcl_allocation_use *use =
            gcl_footprint_use(&ranges[i], handling->allocation.begin);
        if (!use)
            continue;
        note_reduction(handling, &parts, use);
        add_use(&parts, use);
        parts.stored |= use->stored;
    }
    handle_reads(&parts, handling);
    handle_changes(&parts, handling);
    bool is_cut = handle_reductions(&parts, handling) && !parts.has_claimed;
    if (parts.changes_meet) {
        handling->is_disjoint = is_said_disjoint(program, launch, &handling->allocation);
        handle_values(ranges, count, parts.stored, classes);
    }
    if (!is_cut && !classes->reason) {
        classes->reason = GCL_REASON_ATOMIC_RESULT;
        classes->access =
            gcl_classes_access(program, launch, &handling->allocation,
                               parts.has_claimed ? GCL_ACCESS_ATOMIC : GCL_ACCESS_REDUCE);
    }
    parts_finish(&parts);
}

static void find_reason(const struct gcl_program *program, const struct gcl_footprint *ranges,
                        size_t count, struct gcl_classes *classes) {
    for (uint16_t i = 0; i < program->reason_count && !classes->reason; i++) {
        if (gcl_classes_is_single(program->reasons[i].code)) {
            classes->reason = program->reasons[i].code;
            classes->access = program->reasons[i].access;
        }
    }
    for (size_t i = 0; i < count && !classes->reason; i++) {
        if (ranges[i].outside || ranges[i].reads_escaped || ranges[i].writes_escaped)
            classes->reason = GCL_REASON_BASE;
    }
}

static bool has_handling(const struct gcl_classes *classes, int64_t begin) {
    for (size_t i = 0; i < classes->count; i++) {
        if (classes->handlings[i].allocation.begin == begin)
            return true;
    }
    return false;
}

bool gcl_classes_find(const struct gcl_program *program, const struct gcl_launch_part *launch,
                      const struct gcl_footprint *ranges, size_t count,
                      struct gcl_classes *classes) {
    size_t room = 0;
    *classes = (struct gcl_classes){.access = GCL_NONE};
    for (size_t i = 0; i < count; i++)
        room += ranges[i].count;
    classes->handlings = calloc(room + 1, sizeof *classes->handlings);
    if (!classes->handlings)
        return false;
    find_reason(program, ranges, count, classes);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < ranges[i].count; k++) {
            struct gcl_span allocation = ranges[i].uses[k].allocation;
            if (has_handling(classes, allocation.begin))
                continue;
            assert(classes->count < room);
            classes->handlings[classes->count++] = (struct gcl_handling){.allocation = allocation};
            find_handling(program, launch, ranges, count, classes);
        }
    }
    return true;
}

void gcl_classes_finish(struct gcl_classes *classes) {
    for (size_t i = 0; i < classes->count; i++) {
        for (unsigned size = 0; classes->handlings[i].values && size < GCL_VALUE_SIZES; size++)
            gcl_region_finish(&classes->handlings[i].values[size]);
        free(classes->handlings[i].values);
    }
    free(classes->handlings);
    *classes = (struct gcl_classes){.count = 0};
}
