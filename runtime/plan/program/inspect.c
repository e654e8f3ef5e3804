// Threads and iterations are gone through as a nest of levels, blocks outside, then threads, then
// the loops around the access. A node is computed at the level of the innermost thing that it
// depends on, and kept for those inside; what nothing depends on is no level. So the time is that
// of what the access does, not of all threads. Where the innermost one takes equal steps through
// memory, they are taken as one. A value that isn't known makes unknown what it is
// used for: where that is a guard, the access may happen; where it is an address or a loop's
// condition, there is no result.
#include "plan/program/inspect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/region/marks.h"
#include "plan/region/progression.h"
#include "plan/region/scalar.h"

enum {
    LEVELS = 1 + 6 + GCL_PIECE_LOOPS,
    GUARDS = 64,
    MOST_VAGUE_BOXES = 1 << 10, ///< of what isn't certainly written, told one by one
    STEPS = 1 << 25,            ///< nodes that are computed for one access, a fraction of a second
    // Nodes that are computed for a small array, and for each byte of one, which takes some hundred
    // times as long as to take all of it: what is found has to serve for many launches.
    FEW_STEPS = 1 << 16,
    STEPS_A_BYTE = 16
};

enum level_kind { LEVEL_ONCE, LEVEL_BLOCK, LEVEL_THREAD, LEVEL_GLOBAL, LEVEL_LOOP };

/// Something that counts.
struct level {
    enum level_kind kind;
    uint16_t index; ///< the axis, or the guard of a loop
    uint64_t begin, end;
    uint64_t value;
    uint16_t first_node, node_end;   ///< in `order`
    uint16_t first_guard, guard_end; ///< in `guards`
};

struct inspector {
    const struct gcl_program *program;
    const struct gcl_launch_part *launch;
    struct gcl_contents *contents;
    const struct gcl_access *access;
    struct gcl_inspection *result;
    struct gcl_marks *marks; ///< one a part of the result
    struct level levels[LEVELS];
    unsigned level_count;
    uint16_t guards[GUARDS]; ///< conditions around the access, by level
    const struct gcl_origins *origins;
    uint16_t *by_level; ///< nodes, operands first
    uint8_t *level_of;  ///< of each node
    uint64_t *values;
    struct gcl_progression *progressions; ///< of nodes at the innermost level
    bool *known;
    bool counts[3][LEVEL_GLOBAL + 1]; ///< of each axis, what nodes count
    bool is_doubtful;                 ///< guards weren't known
    int64_t steps;
    size_t last; ///< part
};

// Levels.

static bool add_level(struct inspector *s, enum level_kind kind, uint16_t index, uint64_t begin,
                      uint64_t end) {
    if (s->level_count == LEVELS)
        return false;
    s->levels[s->level_count++] =
        (struct level){.kind = kind, .index = index, .begin = begin, .end = end};
    return true;
}

static unsigned find_level(const struct inspector *s, enum level_kind kind, uint16_t index) {
    for (unsigned l = 0; l < s->level_count; l++) {
        if (s->levels[l].kind == kind && s->levels[l].index == index)
            return l;
    }
    return LEVELS;
}

static bool add_loops(struct inspector *s, uint16_t guard) {
    if (guard == GCL_NONE)
        return true;
    const struct gcl_guard *g = &s->program->guards[guard];
    if (!add_loops(s, g->outer))
        return false;
    if (g->kind != GCL_GUARD_LOOP)
        return true;
    return g->node != GCL_NONE && add_level(s, LEVEL_LOOP, guard, 0, UINT64_MAX);
}

/// Notes which numbers of blocks and threads count.
static void find_counts(struct inspector *s) {
    for (uint16_t i = 0; i < s->origins->node_count; i++) {
        const struct gcl_node *node = &s->program->nodes[s->origins->nodes[i]];
        if (node->kind == GCL_NODE_THREAD_INDEX)
            s->counts[node->a][LEVEL_THREAD] = true;
        if (node->kind == GCL_NODE_BLOCK_INDEX)
            s->counts[node->a][LEVEL_BLOCK] = true;
        if (node->kind == GCL_NODE_GLOBAL_INDEX)
            s->counts[node->a][LEVEL_GLOBAL] = true;
    }
}

static bool add_levels(struct inspector *s) {
    const struct gcl_launch_part *l = s->launch;
    bool is_single[3];
    add_level(s, LEVEL_ONCE, 0, 0, 1);
    for (unsigned axis = 3; axis-- > 0;) {
        bool *counts = s->counts[axis];
        is_single[axis] = counts[LEVEL_BLOCK] || counts[LEVEL_THREAD];
        if (counts[LEVEL_GLOBAL] && !is_single[axis])
            add_level(s, LEVEL_GLOBAL, (uint16_t)axis,
                      (uint64_t)l->begin[axis] * l->geometry.block[axis],
                      (uint64_t)l->end[axis] * l->geometry.block[axis]);
        else if (counts[LEVEL_GLOBAL] || counts[LEVEL_BLOCK])
            add_level(s, LEVEL_BLOCK, (uint16_t)axis, l->begin[axis], l->end[axis]);
    }
    for (unsigned axis = 3; axis-- > 0;) {
        bool *counts = s->counts[axis];
        if (counts[LEVEL_THREAD] || (counts[LEVEL_GLOBAL] && is_single[axis]))
            add_level(s, LEVEL_THREAD, (uint16_t)axis, 0, l->geometry.block[axis]);
    }
    return add_loops(s, s->access->guard);
}

static unsigned higher(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static unsigned level_of_address(const struct inspector *s, const struct gcl_access *access,
                                 unsigned depth) {
    const struct gcl_base *base = &s->program->bases[access->base];
    unsigned level = access->offset != GCL_NONE ? s->level_of[access->offset] : 0;
    if (base->kind == GCL_BASE_LOADED && depth < GCL_ORIGINS_DEEPEST)
        level = higher(level, level_of_address(s, &s->program->accesses[base->index], depth + 1));
    return level;
}

// At LEVELS: it counts something that isn't around the access.
static unsigned level_of(const struct inspector *s, const struct gcl_node *node) {
    const uint16_t operands[] = {node->a, node->b, node->c};
    unsigned level = 0;
    switch (node->kind) {
    case GCL_NODE_THREAD_INDEX:
        return find_level(s, LEVEL_THREAD, node->a);
    case GCL_NODE_BLOCK_INDEX:
        return find_level(s, LEVEL_BLOCK, node->a);
    case GCL_NODE_GLOBAL_INDEX:
        level = find_level(s, LEVEL_GLOBAL, node->a);
        return level < LEVELS ? level : find_level(s, LEVEL_THREAD, node->a);
    case GCL_NODE_ITERATION:
        return find_level(s, LEVEL_LOOP, node->a);
    case GCL_NODE_LOAD:
        return level_of_address(s, &s->program->accesses[node->a], 0);
    default:
        for (unsigned i = 0; i < gcl_origins_operand_count(node); i++)
            level = higher(level, s->level_of[operands[i]]);
        return level;
    }
}

// Nodes by the level at which they are computed.
static bool sort_nodes(struct inspector *s) {
    const struct gcl_origins *o = s->origins;
    for (uint16_t i = 0; i < o->node_count; i++) {
        unsigned level = level_of(s, &s->program->nodes[o->nodes[i]]);
        if (level == LEVELS)
            return false;
        s->level_of[o->nodes[i]] = (uint8_t)level;
    }
    uint16_t at = 0;
    for (unsigned l = 0; l < s->level_count; l++) {
        s->levels[l].first_node = at;
        for (uint16_t i = 0; i < o->node_count; i++) {
            if (s->level_of[o->nodes[i]] == l)
                s->by_level[at++] = o->nodes[i];
        }
        s->levels[l].node_end = at;
    }
    return true;
}

static bool sort_guards(struct inspector *s) {
    uint16_t at = 0;
    for (unsigned l = 0; l < s->level_count; l++) {
        s->levels[l].first_guard = at;
        for (uint16_t g = s->access->guard; g != GCL_NONE; g = s->program->guards[g].outer) {
            const struct gcl_guard *guard = &s->program->guards[g];
            if (guard->kind == GCL_GUARD_LOOP || s->level_of[guard->node] != l)
                continue;
            if (at == GUARDS)
                return false;
            s->guards[at++] = g;
        }
        s->levels[l].guard_end = at;
    }
    return true;
}

// Computing.

static bool find_address(struct inspector *s, const struct gcl_access *access, unsigned depth,
                         uint64_t *address) {
    const struct gcl_base *base = &s->program->bases[access->base];
    uint64_t start = 0;
    if (depth == GCL_ORIGINS_DEEPEST || access->offset == GCL_NONE || !s->known[access->offset])
        return false;
    if (base->kind == GCL_BASE_LOADED) {
        uint64_t pointer;
        if (!find_address(s, &s->program->accesses[base->index], depth + 1, &pointer) ||
            !gcl_contents_read(s->contents, pointer, sizeof start, &start))
            return false;
    } else if (!gcl_footprint_base(s->program, s->launch, access->base, &start)) {
        return false;
    }
    *address = start + s->values[access->offset];
    return true;
}

static bool load(struct inspector *s, const struct gcl_node *node, uint64_t *value) {
    const struct gcl_access *access = &s->program->accesses[node->a];
    unsigned size = (node->width + 7u) / 8;
    uint64_t address;
    return access->size >= size && find_address(s, access, 0, &address) &&
           gcl_contents_read(s->contents, address, size, value);
}

static bool leaf(struct inspector *s, uint16_t index, uint64_t *value) {
    const struct gcl_node *node = &s->program->nodes[index];
    const struct gcl_launch_part *l = s->launch;
    const struct level *level = &s->levels[s->level_of[index]];
    switch (node->kind) {
    case GCL_NODE_THREAD_INDEX:
    case GCL_NODE_BLOCK_INDEX:
    case GCL_NODE_ITERATION:
        *value = level->value;
        return true;
    case GCL_NODE_GLOBAL_INDEX:
        *value = level->value;
        if (level->kind == LEVEL_THREAD) {
            unsigned block = find_level(s, LEVEL_BLOCK, node->a);
            assert(block < s->level_count);
            *value += s->levels[block].value * l->geometry.block[node->a];
        }
        return true;
    case GCL_NODE_LOAD:
        return load(s, node, value);
    default:
        return gcl_scalar_given(s->program, l, node, value);
    }
}

// 0 for one operand of `and`, 1 for one of `or` are enough.
static bool decides(const struct inspector *s, const struct gcl_node *node, uint16_t operand) {
    return s->known[operand] &&
           ((node->kind == GCL_NODE_AND && s->values[operand] == 0) ||
            (node->kind == GCL_NODE_OR && node->width == 1 && s->values[operand] == 1));
}

static bool operate(const struct inspector *s, const struct gcl_node *node, uint64_t *value) {
    unsigned width = s->program->nodes[node->a].width;
    if (node->kind == GCL_NODE_SELECT) {
        uint16_t chosen = s->values[node->a] ? node->b : node->c;
        *value = s->values[chosen];
        return s->known[node->a] && s->known[chosen];
    }
    bool is_pair = node->kind < GCL_NODE_SELECT;
    uint64_t b = is_pair ? s->values[node->b] : 0;
    *value = gcl_scalar_compute(node->kind, s->values[node->a], b, width);
    return (s->known[node->a] && (!is_pair || s->known[node->b])) || decides(s, node, node->a) ||
           (is_pair && decides(s, node, node->b));
}

static void compute(struct inspector *s, const struct level *level) {
    for (uint16_t i = level->first_node; i < level->node_end; i++) {
        uint16_t index = s->by_level[i];
        const struct gcl_node *node = &s->program->nodes[index];
        uint64_t value = 0;
        s->known[index] =
            node->kind < GCL_NODE_ADD ? leaf(s, index, &value) : operate(s, node, &value);
        s->values[index] = gcl_scalar_truncate(value, node->width);
    }
    s->steps -= level->node_end - level->first_node + 1;
}

// Whether the guards of a level let through what is inside.
static bool passes(struct inspector *s, const struct level *level) {
    bool is_sure = true;
    for (uint16_t i = level->first_guard; i < level->guard_end; i++) {
        const struct gcl_guard *guard = &s->program->guards[s->guards[i]];
        bool holds = s->values[guard->node] != 0;
        if (s->known[guard->node] && holds != (guard->kind == GCL_GUARD_HOLDS))
            return false;
        is_sure = is_sure && s->known[guard->node];
    }
    s->is_doubtful |= !is_sure;
    return true;
}

// Bytes.

static bool is_in(const struct gcl_span *allocation, uint64_t address) {
    return (int64_t)address >= allocation->begin && (int64_t)address < allocation->end;
}

static bool add_part(struct inspector *s, const struct gcl_span *allocation) {
    struct gcl_inspection *r = s->result;
    struct gcl_inspected_part *parts = realloc(r->parts, (r->count + 1) * sizeof *parts);
    if (!parts)
        return false;
    r->parts = parts;
    struct gcl_marks *marks = realloc(s->marks, (r->count + 1) * sizeof *marks);
    if (!marks)
        return false;
    s->marks = marks;
    if (!gcl_marks_init(&marks[r->count], allocation->end - allocation->begin, s->access->size))
        return false;
    parts[r->count] = (struct gcl_inspected_part){.allocation = *allocation};
    s->last = r->count++;
    return true;
}

static bool find_allocation(const struct inspector *s, uint64_t address,
                            struct gcl_span *allocation) {
    const struct gcl_memory *memory = s->contents->memory;
    uint64_t base;
    bool has_base = gcl_footprint_base(s->program, s->launch, s->access->base, &base);
    return (has_base && memory->find(memory->context, base, allocation)) ||
           memory->find(memory->context, address, allocation);
}

// The allocation is that of the base, else that of what is touched first, as in footprint.c; of a
// pointer from memory it is that of what is touched. True, and a part that there isn't: none.
static bool find_part(struct inspector *s, uint64_t address) {
    struct gcl_inspection *r = s->result;
    struct gcl_span allocation;
    bool is_fixed = s->program->bases[s->access->base].kind != GCL_BASE_LOADED;
    if (s->last < r->count && (is_fixed || is_in(&r->parts[s->last].allocation, address)))
        return true;
    for (s->last = 0; s->last < r->count; s->last++) {
        if (is_in(&r->parts[s->last].allocation, address))
            return true;
    }
    if (find_allocation(s, address, &allocation))
        return add_part(s, &allocation);
    r->outside = true;
    return true;
}

static bool find_length(const struct inspector *s, uint64_t *length) {
    const struct gcl_access *access = s->access;
    *length = access->size;
    if (access->size > 0)
        return true;
    if (access->length == GCL_NONE || !s->known[access->length])
        return false;
    *length = s->values[access->length];
    return *length < (uint64_t)GCL_OFFSET_LIMIT;
}

static bool touch(struct inspector *s) {
    uint64_t address, length;
    if (!find_address(s, s->access, 0, &address) || !find_length(s, &length) ||
        !find_part(s, address))
        return false;
    if (length == 0 || s->last == s->result->count)
        return true;
    int64_t offset = (int64_t)(address - (uint64_t)s->result->parts[s->last].allocation.begin);
    if (offset < -GCL_OFFSET_LIMIT || offset > GCL_OFFSET_LIMIT)
        return false;
    gcl_marks_set(&s->marks[s->last], offset, (int64_t)length);
    s->steps -= (int64_t)(length >> 12);
    return true;
}

/// How many steps the innermost level takes after the first, and how long one is. False: they
/// aren't equal, or that isn't known.
static bool find_steps(struct inspector *s, const struct level *level, int64_t *step,
                       uint64_t *count) {
    assert(level->begin < level->end);
    uint16_t offset = s->access->offset;
    const struct gcl_progressions progressions = {s->program, s->values, s->progressions};
    if (level->first_guard != level->guard_end || s->access->size == 0 || offset == GCL_NONE ||
        s->program->bases[s->access->base].kind == GCL_BASE_LOADED)
        return false;
    gcl_progressions_find(&progressions, s->by_level + level->first_node,
                          (uint16_t)(level->node_end - level->first_node));
    *count = level->end - level->begin - 1;
    if (level->kind == LEVEL_LOOP) {
        uint16_t condition = s->program->guards[level->index].node;
        if (!s->known[condition] || !gcl_progressions_end(&progressions, condition, count))
            return false;
    }
    unsigned width = s->program->nodes[offset].width;
    struct gcl_progression found = s->progressions[offset];
    *step = gcl_scalar_extend(found.step, width);
    return *count <= found.last &&
           (width == 64 ||
            *count <= gcl_progression_reach(s->values[offset], found.step, width, false));
}

/// Touches all that the innermost level does, whose first nodes are computed. False: it has to be
/// gone through.
static bool touch_progression(struct inspector *s, const struct level *level) {
    int64_t step, offset, length, way;
    uint64_t count, address;
    if (!find_steps(s, level, &step, &count) || !find_address(s, s->access, 0, &address) ||
        !find_part(s, address) || s->last == s->result->count ||
        count >= (uint64_t)GCL_OFFSET_LIMIT)
        return false;
    offset = (int64_t)(address - (uint64_t)s->result->parts[s->last].allocation.begin);
    if (offset < -GCL_OFFSET_LIMIT || offset > GCL_OFFSET_LIMIT ||
        __builtin_mul_overflow(step, (int64_t)count, &way) || way < -GCL_OFFSET_LIMIT - offset ||
        way > GCL_OFFSET_LIMIT - offset)
        return false;
    length = (int64_t)s->access->size;
    if (step == length) {
        length += way;
        count = 0;
    } else if (step == 0) {
        count = 0;
    }
    if ((int64_t)count > s->steps)
        return false;
    for (uint64_t i = 0; i <= count; i++, offset += step)
        gcl_marks_set(&s->marks[s->last], offset, length);
    s->steps -= (int64_t)count + (length >> 12);
    return true;
}

/// Where a level ends for which a guard once doesn't hold, and then never again: `i < n`.
static uint64_t guarded_end(struct inspector *s, const struct level *level) {
    assert(level->begin < level->end);
    const struct gcl_progressions progressions = {s->program, s->values, s->progressions};
    uint16_t count = (uint16_t)(level->node_end - level->first_node);
    uint64_t steps = level->end - level->begin - 1, end = level->end, last;
    if (level->kind == LEVEL_LOOP || level->first_guard == level->guard_end || steps == 0)
        return end;
    gcl_progressions_find(&progressions, s->by_level + level->first_node, count);
    for (uint16_t i = level->first_guard; i < level->guard_end; i++) {
        const struct gcl_guard *guard = &s->program->guards[s->guards[i]];
        if (guard->kind == GCL_GUARD_HOLDS && s->known[guard->node] &&
            gcl_progressions_less(&progressions, guard->node, steps, &last) &&
            level->begin + last < end)
            end = level->begin + last;
    }
    for (uint16_t i = level->first_node; i < level->node_end; i++)
        s->progressions[s->by_level[i]] = GCL_PROGRESSION_CONSTANT; // for the levels inside
    return end;
}

// Goes through a level and those inside of it. False: there is no result.
static bool run(struct inspector *s, unsigned index) {
    assert(index <= s->level_count);
    if (index == s->level_count)
        return touch(s);
    struct level *level = &s->levels[index];
    uint64_t end = level->end;
    for (level->value = level->begin; level->value < end; level->value++) {
        compute(s, level);
        if (level->value == level->begin)
            end = guarded_end(s, level);
        if (index + 1 == s->level_count && level->value == level->begin &&
            touch_progression(s, level))
            return true;
        if (s->steps < 0 || (passes(s, level) && !run(s, index + 1)))
            return false;
        if (level->kind != LEVEL_LOOP)
            continue;
        uint16_t condition = s->program->guards[level->index].node;
        if (!s->known[condition])
            return false;
        if (!s->values[condition])
            return true;
    }
    return true;
}

// All of it.

/// How many nodes it is worth to compute: what is read may as well be taken whole.
static int64_t affordable_steps(const struct inspector *s) {
    const struct gcl_memory *memory = s->contents->memory;
    struct gcl_span allocation;
    uint64_t base;
    if (s->access->kind != GCL_ACCESS_READ ||
        !gcl_footprint_base(s->program, s->launch, s->access->base, &base) ||
        !memory->find(memory->context, base, &allocation) ||
        allocation.end - allocation.begin > STEPS / STEPS_A_BYTE)
        return STEPS;
    return FEW_STEPS + STEPS_A_BYTE * (allocation.end - allocation.begin);
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
    struct gcl_inspection *r = s->result;
    // Bytes in vain cost less than many boxes, but among those that are certainly written.
    bool is_sure = s->access->kind == GCL_ACCESS_WRITE && !s->is_doubtful;
    size_t most = is_sure ? GCL_MARKS_MOST_BOXES : MOST_VAGUE_BOXES;
    for (size_t i = 0; i < r->count; i++) {
        if (ok)
            r->parts[i].exact =
                gcl_marks_region(&s->marks[i], most, &r->parts[i].bytes) && !s->is_doubtful;
        gcl_marks_finish(&s->marks[i]);
    }
    free(s->marks);
    free(s->by_level);
    free(s->level_of);
    free(s->values);
    free(s->progressions);
    free(s->known);
    if (!ok)
        gcl_inspection_finish(r);
}

enum gcl_inspected gcl_inspect(const struct gcl_program *program, uint16_t access,
                               const struct gcl_launch_part *launch, struct gcl_contents *contents,
                               const struct gcl_origins *origins,
                               struct gcl_inspection *inspection) {
    assert(access < program->access_count);
    size_t room = program->node_count + 1u;
    struct inspector s = {.program = program,
                          .launch = launch,
                          .contents = contents,
                          .access = &program->accesses[access],
                          .result = inspection,
                          .origins = origins,
                          .by_level = malloc(room * sizeof *s.by_level),
                          .level_of = calloc(room, sizeof *s.level_of),
                          .values = malloc(room * sizeof *s.values),
                          .progressions = malloc(room * sizeof *s.progressions),
                          .known = calloc(room, sizeof *s.known)};
    s.steps = affordable_steps(&s);
    *inspection = (struct gcl_inspection){.count = 0};
    find_counts(&s);
    bool ok = s.by_level && s.level_of && s.values && s.progressions && s.known;
    for (size_t i = 0; ok && i < room; i++)
        s.progressions[i] = GCL_PROGRESSION_CONSTANT;
    ok = ok && add_levels(&s) && sort_nodes(&s) && sort_guards(&s) && run(&s, 0);
    finish(&s, ok);
    return ok ? GCL_INSPECTED_FOUND : s.steps < 0 ? GCL_INSPECTED_LONG : GCL_INSPECTED_NOTHING;
}

void gcl_inspection_finish(struct gcl_inspection *inspection) {
    for (size_t i = 0; i < inspection->count; i++)
        gcl_region_finish(&inspection->parts[i].bytes);
    free(inspection->parts);
    *inspection = (struct gcl_inspection){.count = 0};
}
