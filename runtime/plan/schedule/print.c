// A run waits for copies that bring bytes to its node, and for those that take away bytes which it
// changes; the text says so, whatever else comes before the run on that node.
#include "plan/schedule/print.h"

#include <inttypes.h>

#include "base/reason.h"
#include "plan/schedule/combine.h"

static const struct gcl_plan_allocation *allocation_of(const struct gcl_plan *plan,
                                                       uint32_t allocation) {
    return &plan->allocations[allocation];
}

// Copies and fills.

/// `verb`: how the bytes come, unless the node fills them.
static void print_transfer(const struct gcl_plan *plan, const struct gcl_transfer *transfer,
                           const char *verb, const struct gcl_names *names, FILE *out) {
    bool is_fill = transfer->from == GCL_NOWHERE;
    fputs(is_fill ? "fill " : verb, out);
    gcl_print_name(names, allocation_of(plan, transfer->allocation)->begin, out);
    fputc(' ', out);
    gcl_print_region(&transfer->bytes, out);
    if (is_fill)
        fprintf(out, " with %u on ", transfer->fill);
    else
        fprintf(out, " %" PRIu32 " -> ", transfer->from);
    gcl_print_nodes(transfer->to, transfer->to_end, out);
    fputc('\n', out);
}

static void print_transfers(const struct gcl_plan *plan, const struct gcl_names *names, FILE *out) {
    for (size_t i = 0; i < plan->transfer_count; i++)
        print_transfer(plan, &plan->transfers[i], "copy ", names, out);
    for (size_t i = 0; i < plan->fault_count; i++)
        print_transfer(plan, &plan->faults[i], "touch ", names, out);
}

// Combinations.

static void print_operation(const struct gcl_combination *combination, FILE *out) {
    if (combination->kind != GCL_COMBINATION_MERGE)
        fprintf(out, " with %u-byte %s", combination->element,
                gcl_reduction_names[combination->reduction]);
}

static void print_part(const struct gcl_plan *plan, const struct gcl_combination *combination,
                       const struct gcl_region *part, const struct gcl_names *names, FILE *out) {
    static const char *const kinds[] = {[GCL_COMBINATION_REDUCE] = "reduce ",
                                        [GCL_COMBINATION_AGAIN] = "reduce again ",
                                        [GCL_COMBINATION_MERGE] = "merge "};
    fputs(kinds[combination->kind], out);
    gcl_print_name(names, allocation_of(plan, combination->allocation)->begin, out);
    fputc(' ', out);
    gcl_print_region(part, out);
    print_operation(combination, out);
    fputc(' ', out);
}

/// Prints what a home gets from the other nodes, those in a row with the same bytes on one line.
static void print_home(const struct gcl_plan *plan, const struct gcl_combination *combination,
                       uint32_t count, uint32_t home, const struct gcl_names *names, FILE *out) {
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        struct gcl_region part = {.count = 0}, next = {.count = 0};
        bool is_exact = gcl_combination_part(combination, begin, home, &part), is_same = true;
        for (end = begin + 1; end < count && end != home && begin != home; end++) {
            is_exact = gcl_combination_part(combination, end, home, &next) && is_exact;
            is_same = gcl_region_equal(&part, &next);
            if (!is_same)
                break;
        }
        if (begin != home && !gcl_region_is_empty(&part)) {
            print_part(plan, combination, &part, names, out);
            gcl_print_nodes(begin, end, out);
            fprintf(out, " -> %" PRIu32 "%s\n", home, is_exact ? "" : ", at most");
        }
        gcl_region_finish(&part);
        gcl_region_finish(&next);
    }
}

static void print_combinations(const struct gcl_plan *plan, const struct gcl_names *names,
                               FILE *out) {
    for (size_t i = 0; i < plan->combination_count; i++) {
        const struct gcl_combination *combination = &plan->combinations[i];
        uint32_t count = allocation_of(plan, combination->allocation)->before->node_count;
        for (uint32_t home = 0; home < count; home++) {
            if (combination->limits[home] < combination->limits[home + 1])
                print_home(plan, combination, count, home, names, out);
        }
    }
}

void gcl_plan_print(const struct gcl_plan *plan, const struct gcl_names *names, FILE *out) {
    print_transfers(plan, names, out);
    print_combinations(plan, names, out);
}

// Runs.

/// Whether the node `from` changes bytes that a transfer takes from there: afterwards it has bytes
/// of them that a receiver hasn't any more, or it combines some.
static bool changes_source(const struct gcl_plan *plan, const struct gcl_transfer *transfer) {
    const struct gcl_layout *after = allocation_of(plan, transfer->allocation)->after;
    uint32_t to = transfer->to == transfer->from ? transfer->to + 1 : transfer->to;
    struct gcl_region changed = {.count = 0};
    bool is_exact = gcl_region_subtract(&transfer->bytes, &after->held[to], &changed);
    bool does = !is_exact || gcl_region_overlaps(&changed, &after->held[transfer->from]);
    for (size_t i = 0; i < plan->combination_count && !does; i++) {
        const struct gcl_combination *combination = &plan->combinations[i];
        does = combination->allocation == transfer->allocation &&
               gcl_region_overlaps(&combination->bytes[transfer->from], &transfer->bytes);
    }
    gcl_region_finish(&changed);
    return does;
}

/// What the run of a node waits for, as the end of its line.
static const char *condition_of(const struct gcl_plan *plan, uint32_t node) {
    const char *condition = "";
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *transfer = &plan->transfers[i];
        bool is_reached = gcl_transfer_reaches(transfer, node);
        if (is_reached && transfer->from == GCL_NOWHERE)
            condition = ", after fill";
        else if (is_reached || (transfer->from == node && changes_source(plan, transfer)))
            return ", after copy";
    }
    return condition;
}

/// Prints the blocks of a part: those of each axis up to the last one that has more than one block.
static void print_blocks(const struct gcl_launch_part *part, FILE *out) {
    unsigned axes = part->geometry.grid[2] > 1 ? 3 : part->geometry.grid[1] > 1 ? 2 : 1;
    for (unsigned i = 0; i < axes; i++)
        fprintf(out, "%s[%" PRIu32 ", %" PRIu32 ")", i ? " x " : "", part->begin[i], part->end[i]);
}

void gcl_schedule_print(const struct gcl_schedule *schedule, const char *kernel,
                        const struct gcl_names *names, FILE *out) {
    print_transfers(schedule->plan, names, out);
    for (uint32_t node = 0; node < schedule->node_count; node++) {
        if (gcl_split_is_empty(&schedule->parts[node]))
            continue;
        fprintf(out, "run %s ", kernel);
        print_blocks(&schedule->parts[node], out);
        fprintf(out, " on %" PRIu32 "%s\n", node, condition_of(schedule->plan, node));
    }
    print_combinations(schedule->plan, names, out);
    if (schedule->reason)
        fprintf(out, "on one node because %s [GCL%u]\n", gcl_reason_why(schedule->reason),
                schedule->reason);
}
