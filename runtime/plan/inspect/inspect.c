// The nest of levels around an access (nest.h) is gone through in batches: up to GCL_LANES blocks,
// threads or iterations of a level are computed at once, a lane each, and those that the level's
// guards let through go on further in, where each of them stands for as many lanes as that level
// counts. A loop is gone through a few iterations ahead, of which those behind its end are dropped.
// So the time is that of what the access does, not of all threads. Where the innermost level takes
// equal steps through memory, they are taken as one. A value that isn't known makes unknown what it
// is used for: where that is a guard, the access may happen; where it is an address or a loop's
// condition, there is no result. All this is for accesses without a look, and for what looks leave.
#include "plan/inspect/inspect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/inspect/base.h"
#include "plan/inspect/batch.h"
#include "plan/inspect/look.h"
#include "plan/region/progression.h"

enum {
    STEPS = 1 << 28, ///< nodes that are computed for one access, a fraction of a second
    // Nodes that are computed for a small array, and for each byte of one, which takes some hundred
    // times as long as to take all of it: what is found has to serve for many launches.
    FEW_STEPS = 1 << 18,
    STEPS_A_BYTE = 64,
    LOOK_STEPS = 4,   ///< that a look takes in the time of one
    FEW_COUNTED = 32, ///< of a level, that aren't worth it to look for where a guard ends them
    UNEVEN = 4 ///< batches in a row that don't take equal steps: others aren't expected to, either
};

/// Lanes of the level outside that are still to be gone through, and up to where.
struct waiting {
    unsigned count;
    uint16_t lanes[GCL_LANES];
    uint64_t ends[GCL_LANES];
};

struct inspector {
    struct gcl_batches batches;
    struct gcl_contents *contents;
    const struct gcl_nest *nest; ///< the batches'
    const struct gcl_access *access;
    struct gcl_marked *result;
    struct waiting *waiting;              ///< by level
    uint64_t *values;                     ///< of nodes in one lane, for progressions
    struct gcl_progression *progressions; ///< of nodes at one level
    unsigned uneven;                      ///< batches in a row
    size_t last;                          ///< part
};

// Bytes.

static bool is_in(const struct gcl_span *allocation, uint64_t address) {
    return (int64_t)address >= allocation->begin && (int64_t)address < allocation->end;
}

static bool add_part(struct inspector *s, const struct gcl_span *allocation) {
    s->last = s->result->count;
    return gcl_marked_add(s->result, allocation, s->access->size);
}

static bool find_allocation(const struct inspector *s, uint64_t address,
                            struct gcl_span *allocation) {
    const struct gcl_memory *memory = s->contents->memory;
    uint64_t base;
    bool has_base = gcl_base_address(s->nest->program, s->nest->launch, s->access->base, &base);
    return memory->find(memory->context, address, allocation) ||
           (has_base && memory->find(memory->context, base, allocation));
}

static bool find_known_part(struct inspector *s, uint64_t address) {
    for (s->last = 0; s->last < s->result->count; s->last++) {
        if (is_in(&s->result->parts[s->last].allocation, address))
            return true;
    }
    return false;
}

// The allocation is that of what is touched; of what is in none, that of the base. True, and a part
// that there isn't: none.
static bool find_part(struct inspector *s, uint64_t address) {
    struct gcl_marked *r = s->result;
    struct gcl_span allocation;
    if (s->last < r->count && is_in(&r->parts[s->last].allocation, address))
        return true;
    if (find_known_part(s, address))
        return true;
    if (find_allocation(s, address, &allocation))
        return find_known_part(s, (uint64_t)allocation.begin) || add_part(s, &allocation);
    r->outside = true;
    return true;
}

/// Where bytes begin in the current part; false: too far away.
static bool find_offset(const struct inspector *s, uint64_t address, int64_t *offset) {
    *offset = (int64_t)(address - (uint64_t)s->result->parts[s->last].allocation.begin);
    return *offset >= -GCL_OFFSET_LIMIT && *offset <= GCL_OFFSET_LIMIT;
}

/// The lanes that go on at the innermost level touch as many bytes as the access has at addresses
/// in one part. False: some are too far away.
static bool touch_part(struct inspector *s, const struct gcl_lanes *addresses, unsigned count) {
    struct gcl_marked_part *part = &s->result->parts[s->last];
    int64_t length = (int64_t)s->access->size;
    const struct gcl_marks_each each = {addresses->values, count,
                                        0 - (uint64_t)part->allocation.begin, length};
    s->batches.steps -= count * (length >> 12);
    return gcl_marks_set_each(&part->marks, &each);
}

/// A lane that goes on touches bytes somewhere. False: they aren't known, or no memory.
static bool touch_one(struct inspector *s, const struct gcl_batch *batch, uint64_t address,
                      uint16_t lane) {
    uint64_t length = s->access->size;
    int64_t offset;
    if (length == 0) {
        const struct gcl_lanes *lengths =
            s->access->length != GCL_NONE ? batch->nodes[s->access->length] : NULL;
        if (!lengths || !gcl_lanes_is_known(lengths, lane))
            return false;
        length = lengths->values[lane];
    }
    if (length >= (uint64_t)GCL_OFFSET_LIMIT || !find_part(s, address))
        return false;
    if (length == 0 || s->last == s->result->count)
        return true;
    if (!find_offset(s, address, &offset))
        return false;
    gcl_marks_set(&s->result->parts[s->last].marks, offset, (int64_t)length);
    s->batches.steps -= (int64_t)(length >> 12);
    return true;
}

static bool are_in(const struct gcl_span *allocation, const struct gcl_lanes *addresses,
                   unsigned count) {
    uint64_t size = (uint64_t)(allocation->end - allocation->begin), furthest = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t offset = addresses->values[i] - (uint64_t)allocation->begin;
        furthest = offset > furthest ? offset : furthest;
    }
    return furthest < size;
}

/// Touches what the lanes do that go on at the innermost level.
static bool touch(struct inspector *s) {
    const struct gcl_batch *batch = &s->batches.list[s->nest->count - 1];
    struct gcl_lanes addresses;
    gcl_batches_find_addresses(&s->batches, batch, s->nest->access, batch->chosen,
                               batch->chosen_count, &addresses);
    for (unsigned i = 0; i < batch->chosen_count && !addresses.all_known; i++) {
        if (!addresses.known[i])
            return false;
    }
    if (s->access->size > 0 && s->last < s->result->count &&
        are_in(&s->result->parts[s->last].allocation, &addresses, batch->chosen_count))
        return touch_part(s, &addresses, batch->chosen_count);
    for (unsigned i = 0; i < batch->chosen_count; i++) {
        if (!touch_one(s, batch, addresses.values[i], batch->chosen[i]))
            return false;
    }
    return true;
}

// Progressions, of one lane.

static struct gcl_progressions progressions_of(const struct inspector *s, unsigned at) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    const struct gcl_progressions progressions = {s->nest->program, s->values, s->progressions};
    gcl_progressions_find(&progressions, s->nest->nodes + level->nodes.begin,
                          (uint16_t)(level->nodes.end - level->nodes.begin));
    return progressions;
}

/// Has `values` be those of a lane.
static void show_lane(struct inspector *s, unsigned at, unsigned lane) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    struct gcl_lanes *const *nodes = s->batches.list[at].nodes;
    for (uint32_t i = level->nodes.begin; i < level->nodes.end; i++)
        s->values[s->nest->nodes[i]] = nodes[s->nest->nodes[i]]->values[lane];
    for (uint32_t i = level->taken.begin; i < level->taken.end; i++)
        s->values[s->nest->taken[i]] = nodes[s->nest->taken[i]]->values[lane];
}

/// How many steps the innermost level takes after the first, and how long one is. False: they
/// aren't equal, or that isn't known.
static bool find_steps(struct inspector *s, unsigned at, unsigned lane, int64_t *step,
                       uint64_t *count) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    struct gcl_lanes *const *nodes = s->batches.list[at].nodes;
    uint16_t offset = s->access->offset;
    const struct gcl_progressions progressions = progressions_of(s, at);
    *count = level->end - level->begin - 1;
    if (level->kind == GCL_LEVEL_LOOP) {
        uint16_t condition = s->nest->program->guards[level->index].node;
        if (!gcl_lanes_is_known(nodes[condition], lane) ||
            !gcl_progressions_end(&progressions, condition, count))
            return false;
    }
    unsigned width = s->nest->program->nodes[offset].width;
    struct gcl_progression found = s->progressions[offset];
    *step = gcl_scalar_extend(found.step, width);
    return *count <= found.last && gcl_lanes_is_known(nodes[offset], lane) &&
           (width == 64 ||
            *count <= gcl_progression_reach(s->values[offset], found.step, width, false));
}

/// Whether an address is in an allocation that isn't that of the current part.
static bool leads_elsewhere(const struct inspector *s, uint64_t address) {
    const struct gcl_memory *memory = s->contents->memory;
    struct gcl_span other;
    return !is_in(&s->result->parts[s->last].allocation, address) &&
           memory->find(memory->context, address, &other);
}

/// Touches all that the innermost level does in a lane, whose first nodes are computed. False: it
/// has to be gone through.
static bool touch_progression(struct inspector *s, unsigned at, unsigned lane) {
    int64_t step, offset, length = (int64_t)s->access->size, way;
    uint64_t count, start;
    if (!find_steps(s, at, lane, &step, &count) || count >= (uint64_t)GCL_OFFSET_LIMIT ||
        !gcl_base_address(s->nest->program, s->nest->launch, s->access->base, &start))
        return false;
    uint64_t address = start + s->values[s->access->offset];
    if (!find_part(s, address) || s->last == s->result->count ||
        !find_offset(s, address, &offset) || __builtin_mul_overflow(step, (int64_t)count, &way) ||
        way < -GCL_OFFSET_LIMIT - offset || way > GCL_OFFSET_LIMIT - offset ||
        leads_elsewhere(s, address + (uint64_t)way))
        return false;
    if (step == length) {
        length += way;
        count = 0;
    } else if (step == 0) {
        count = 0;
    }
    if ((int64_t)count > s->batches.steps)
        return false;
    for (uint64_t i = 0; i <= count; i++, offset += step)
        gcl_marks_set(&s->result->parts[s->last].marks, offset, length);
    s->batches.steps -= (int64_t)count + (length >> 12);
    return true;
}

/// Whether the innermost level may take equal steps, as far as that doesn't depend on numbers.
static bool may_progress(const struct inspector *s, unsigned at) {
    const struct gcl_nest_list guards = s->nest->levels[at].guards;
    return at + 1 == s->nest->count && guards.begin == guards.end && s->access->size > 0 &&
           s->access->offset != GCL_NONE && s->uneven < UNEVEN &&
           s->nest->program->bases[s->access->base].kind != GCL_BASE_LOADED;
}

/// Whether a level may end where a guard once doesn't hold, and then never again: `i < n`.
static bool may_end(const struct inspector *s, unsigned at) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    return level->kind != GCL_LEVEL_LOOP && level->guards.begin != level->guards.end &&
           level->end - level->begin >= FEW_COUNTED;
}

/// Where such a level ends for a lane.
static uint64_t guarded_end(struct inspector *s, unsigned at, unsigned lane) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    const struct gcl_progressions progressions = progressions_of(s, at);
    uint64_t steps = level->end - level->begin - 1, end = level->end, last;
    for (uint32_t g = level->guards.begin; g < level->guards.end; g++) {
        const struct gcl_guard *guard = &s->nest->program->guards[s->nest->guards[g]];
        if (guard->kind == GCL_GUARD_HOLDS &&
            gcl_lanes_is_known(s->batches.list[at].nodes[guard->node], lane) &&
            gcl_progressions_less(&progressions, guard->node, steps, &last) &&
            level->begin + last < end)
            end = level->begin + last;
    }
    for (uint32_t i = level->nodes.begin; i < level->nodes.end; i++)
        s->progressions[s->nest->nodes[i]] = GCL_PROGRESSION_CONSTANT; // for the levels inside
    return end;
}

/// Computes where a level begins, a lane for each that waits, to see how much of it follows from
/// that.
static void begin(struct inspector *s, unsigned at) {
    struct waiting *waiting = &s->waiting[at];
    struct gcl_batch *batch = &s->batches.list[at];
    bool is_tried = may_progress(s, at), may_go_on = is_tried;
    unsigned kept = 0;
    batch->count = waiting->count;
    memcpy(batch->parents, waiting->lanes, batch->count * sizeof *batch->parents);
    for (unsigned i = 0; i < batch->count; i++)
        batch->index[i] = s->nest->levels[at].begin;
    gcl_batches_compute(&s->batches, at);
    for (unsigned i = 0; i < batch->count; i++) {
        if (may_go_on || may_end(s, at))
            show_lane(s, at, i);
        waiting->lanes[kept] = waiting->lanes[i];
        waiting->ends[kept] = may_end(s, at) ? guarded_end(s, at, i) : waiting->ends[i];
        bool is_done = may_go_on && touch_progression(s, at, i);
        kept += !is_done;
        may_go_on = is_done; // where the first one isn't even, others are hardly
    }
    if (is_tried)
        s->uneven = may_go_on ? 0 : s->uneven + 1;
    waiting->count = kept;
}

// Levels.

static bool run(struct inspector *s, unsigned at);

/// Goes on with the lanes of a level that are chosen so far. False: there is no result.
static bool go_on(struct inspector *s, unsigned at) {
    gcl_batches_choose(&s->batches, at);
    if (s->batches.list[at].chosen_count == 0)
        return true;
    return at + 1 == s->nest->count ? touch(s) : run(s, at + 1);
}

/// Goes through the lanes that have been put together.
static bool run_batch(struct inspector *s, unsigned at) {
    struct gcl_batch *batch = &s->batches.list[at];
    gcl_batches_compute(&s->batches, at);
    memcpy(batch->chosen, s->batches.all, sizeof batch->chosen);
    batch->chosen_count = batch->count;
    return s->batches.steps >= 0 && go_on(s, at);
}

/// Adds lanes to a batch that count from `first` on, for one of the level outside.
static void count_on(struct gcl_batch *batch, uint16_t parent, uint64_t first, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        batch->parents[batch->count + i] = parent;
        batch->index[batch->count + i] = first + i;
    }
    batch->count += count;
}

static bool run_counted(struct inspector *s, unsigned at) {
    struct waiting *waiting = &s->waiting[at];
    struct gcl_batch *batch = &s->batches.list[at];
    batch->count = 0;
    for (unsigned w = 0; w < waiting->count; w++) {
        for (uint64_t i = s->nest->levels[at].begin; i < waiting->ends[w];) {
            uint64_t left = waiting->ends[w] - i;
            unsigned room = GCL_LANES - batch->count;
            unsigned added = left < room ? (unsigned)left : room;
            count_on(batch, waiting->lanes[w], i, added);
            i += added;
            if (batch->count < GCL_LANES)
                continue;
            if (!run_batch(s, at))
                return false;
            batch->count = 0;
        }
    }
    return batch->count == 0 || run_batch(s, at);
}

/// Drops lanes that wait and don't go on behind an iteration, of which the batch has one for each.
static void drop_ended(struct waiting *waiting, const struct gcl_lanes *condition) {
    unsigned kept = 0;
    for (unsigned w = 0; w < waiting->count; w++) {
        waiting->lanes[kept] = waiting->lanes[w];
        kept += condition->values[w] != 0;
    }
    waiting->count = kept;
}

/// Chooses the iterations that a loop makes of those that were computed ahead, `ahead` of each lane
/// that waits; who doesn't go on behind them doesn't wait any more. False: an end isn't known.
static bool find_ends(struct inspector *s, unsigned at, unsigned ahead) {
    struct waiting *waiting = &s->waiting[at];
    struct gcl_batch *batch = &s->batches.list[at];
    const struct gcl_lanes *condition =
        batch->nodes[s->nest->program->guards[s->nest->levels[at].index].node];
    unsigned kept = 0;
    batch->chosen_count = 0;
    if (ahead == 1 && condition->all_known) {
        memcpy(batch->chosen, s->batches.all, sizeof batch->chosen);
        batch->chosen_count = batch->count;
        drop_ended(waiting, condition);
        return true;
    }
    for (unsigned w = 0; w < waiting->count; w++) {
        bool goes_on = true;
        for (unsigned lane = w * ahead; lane < (w + 1) * ahead && goes_on; lane++) {
            if (!gcl_lanes_is_known(condition, lane))
                return false;
            batch->chosen[batch->chosen_count++] = (uint16_t)lane;
            goes_on = condition->values[lane] != 0;
        }
        waiting->lanes[kept] = waiting->lanes[w];
        kept += goes_on;
    }
    waiting->count = kept;
    return true;
}

/// Puts together so many iterations of each lane that waits.
static void look_ahead(const struct waiting *waiting, uint64_t first, unsigned ahead,
                       struct gcl_batch *batch) {
    batch->count = 0;
    if (ahead > 1) {
        for (unsigned w = 0; w < waiting->count; w++)
            count_on(batch, waiting->lanes[w], first, ahead);
        return;
    }
    batch->count = waiting->count;
    memcpy(batch->parents, waiting->lanes, batch->count * sizeof *batch->parents);
    for (unsigned i = 0; i < batch->count; i++)
        batch->index[i] = first;
}

static bool run_loop(struct inspector *s, unsigned at) {
    struct waiting *waiting = &s->waiting[at];
    struct gcl_batch *batch = &s->batches.list[at];
    unsigned most = 1;
    for (uint64_t first = 0; waiting->count > 0;) {
        unsigned ahead = GCL_LANES / waiting->count;
        ahead = ahead < most ? ahead : most;
        most = 2 * most < GCL_LANES ? 2 * most : GCL_LANES;
        look_ahead(waiting, first, ahead, batch);
        gcl_batches_compute(&s->batches, at);
        if (s->batches.steps < 0 || !find_ends(s, at, ahead) || !go_on(s, at))
            return false;
        first += ahead;
    }
    return true;
}

/// Goes through a level, and those further in, for the lanes that go on from outside. False: there
/// is no result.
static bool run(struct inspector *s, unsigned at) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    const struct gcl_batch *outer = &s->batches.list[at - 1];
    struct waiting *waiting = &s->waiting[at];
    assert(at > 0 && at < s->nest->count && outer->chosen_count > 0);
    if (level->begin >= level->end)
        return true;
    waiting->count = outer->chosen_count;
    memcpy(waiting->lanes, outer->chosen, outer->chosen_count * sizeof *waiting->lanes);
    for (unsigned i = 0; i < waiting->count; i++)
        waiting->ends[i] = level->end;
    if (may_progress(s, at) || may_end(s, at))
        begin(s, at);
    if (s->batches.steps < 0)
        return false;
    return level->kind == GCL_LEVEL_LOOP ? run_loop(s, at) : run_counted(s, at);
}

/// The outermost level has one lane.
static bool run_all(struct inspector *s) {
    struct gcl_batch *batch = &s->batches.list[0];
    batch->count = 1;
    gcl_batches_compute(&s->batches, 0);
    for (uint32_t i = s->nest->levels[0].nodes.begin; i < s->nest->levels[0].nodes.end; i++)
        s->values[s->nest->nodes[i]] = batch->nodes[s->nest->nodes[i]]->values[0];
    batch->chosen[0] = 0;
    batch->chosen_count = 1;
    return go_on(s, 0);
}

// All of it.

/// How many nodes it is worth to compute: what is read may as well be taken whole.
static int64_t affordable_steps(const struct gcl_inspect_input *input) {
    const struct gcl_access *access = &input->program->accesses[input->access];
    const struct gcl_memory *memory = input->contents->memory;
    struct gcl_span allocation;
    uint64_t base;
    int64_t steps = STEPS;
    if (access->kind == GCL_ACCESS_READ &&
        gcl_base_address(input->program, input->launch, access->base, &base) &&
        memory->find(memory->context, base, &allocation) &&
        allocation.end - allocation.begin <= STEPS / STEPS_A_BYTE)
        steps = FEW_STEPS + STEPS_A_BYTE * (allocation.end - allocation.begin);
    return input->shares > 1 ? steps / input->shares * 2 : steps; // which needn't be even
}

bool gcl_inspect_is_needed(const struct gcl_program *program, uint16_t access,
                           const struct gcl_launch_part *launch, struct gcl_contents *contents,
                           const struct gcl_origins *origins) {
    bool is_needed = program->bases[program->accesses[access].base].kind == GCL_BASE_LOADED;
    // What comes from memory and is the same for all threads, forms can have as well.
    for (uint16_t i = 0; i < origins->bare_count && !is_needed; i++) {
        uint64_t value;
        is_needed = program->nodes[origins->nodes[i]].kind == GCL_NODE_LOAD &&
                    !gcl_inspect_constant(program, launch, contents, origins->nodes[i], &value);
    }
    return is_needed;
}

static void finish(struct inspector *s, bool ok) {
    s->result->is_doubtful = s->batches.is_doubtful;
    free(s->waiting);
    free(s->values);
    free(s->progressions);
    gcl_batches_finish(&s->batches);
    if (!ok)
        gcl_marked_finish(s->result);
}

/// Takes the nest. False: no memory.
static bool prepare(struct inspector *s, const struct gcl_nest *nest) {
    size_t room = nest->program->node_count + 1u;
    bool ok = gcl_batches_init(&s->batches, nest, s->contents);
    s->nest = &s->batches.nest;
    s->waiting = malloc(nest->count * sizeof *s->waiting);
    s->values = malloc(room * sizeof *s->values);
    s->progressions = malloc(room * sizeof *s->progressions);
    if (!ok || !s->waiting || !s->values || !s->progressions)
        return false;
    for (size_t i = 0; i < room; i++)
        s->progressions[i] = GCL_PROGRESSION_CONSTANT;
    return true;
}

/// Goes through the program itself.
static enum gcl_inspected inspect(const struct gcl_inspect_input *input, int64_t steps,
                                  struct gcl_marked *marked) {
    struct gcl_nest nest;
    struct inspector s = {.contents = input->contents,
                          .access = &input->program->accesses[input->access],
                          .result = marked};
    *marked = (struct gcl_marked){.count = 0};
    if (!gcl_nest_find(&nest, input->program, input->access, input->launch, input->origins))
        return GCL_INSPECTED_NOTHING;
    bool is_ready = prepare(&s, &nest);
    s.batches.steps = steps;
    bool ok = is_ready && run_all(&s);
    bool is_long = s.batches.steps < 0;
    finish(&s, ok);
    return ok ? GCL_INSPECTED_FOUND : is_long ? GCL_INSPECTED_LONG : GCL_INSPECTED_NOTHING;
}

enum gcl_inspected gcl_inspect(const struct gcl_inspect_input *input, struct gcl_marked *marked) {
    assert(input->access < input->program->access_count && input->shares > 0);
    int64_t steps = affordable_steps(input);
    enum gcl_looked looked = gcl_look(input, steps * LOOK_STEPS, marked);
    return looked == GCL_LOOKED_NOT     ? inspect(input, steps, marked)
           : looked == GCL_LOOKED_FOUND ? GCL_INSPECTED_FOUND
                                        : GCL_INSPECTED_LONG;
}

void gcl_inspection_finish(struct gcl_inspection *inspection) {
    for (size_t i = 0; i < inspection->count; i++)
        gcl_region_finish(&inspection->parts[i].bytes);
    free(inspection->parts);
    *inspection = (struct gcl_inspection){.count = 0};
}
