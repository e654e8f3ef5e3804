// A look finds offsets, a batch at a time; they are marked here. Of each load it has one window:
// where what is known of an array is no single run, or the launch changes some of it, the access
// program is gone through instead, and so it is where a look comes upon something that isn't in a
// window.
#include "plan/inspect/look.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/processor.h"
#include "plan/inspect/base.h"

/// A look that runs; the first member is what it sees.
struct looker {
    struct gcl_look look;
    const struct gcl_inspect_input *input;
    const struct gcl_look_code *code;
    struct gcl_contents_window *windows; ///< by load
    struct gcl_span allocation;          ///< that is touched
    uint64_t base;                       ///< where the access' pointer leads
    struct gcl_marked *marked;
};

static const struct gcl_look_code *find_code(const struct gcl_inspect_input *input) {
    const uint32_t level = gcl_processor_level();
    for (uint16_t i = 0; i < input->program->look_count; i++) {
        const struct gcl_look_code *code = &input->program->looks[i];
        if (code->access == input->access && code->level <= level)
            return code;
    }
    return NULL;
}

// Reading.

static bool is_looked_up(const struct gcl_origins *origins, uint16_t access) {
    uint16_t i = 0;
    while (i < origins->load_count && origins->loads[i] != access)
        i++;
    return i < origins->load_count;
}

/// What isn't looked up isn't known. False: there is no window for what is.
static bool open_window(struct looker *s, uint16_t load) {
    const struct gcl_inspect_input *in = s->input;
    struct gcl_look_window *window = &s->look.windows[load];
    struct gcl_contents_window *found = &s->windows[load];
    uint64_t base;
    *window = (struct gcl_look_window){.bytes = NULL};
    if (!is_looked_up(in->origins, s->code->loads[load]))
        return true;
    const struct gcl_access *access = &in->program->accesses[s->code->loads[load]];
    if (!gcl_base_address(in->program, in->launch, access->base, &base) ||
        !gcl_contents_find_window(in->contents, base, found))
        return false;
    window->bytes = found->bytes;
    window->size = found->size;
    window->shift = base - found->begin;
    return true;
}

static void note_readings(struct looker *s) {
    for (uint16_t i = 0; i < s->code->load_count; i++) {
        const struct gcl_look_window *window = &s->look.windows[i];
        const struct gcl_access *access = &s->input->program->accesses[s->code->loads[i]];
        uint64_t end = window->greatest + access->size;
        if (window->size > 0 && window->least <= window->greatest)
            gcl_contents_note(s->input->contents, &s->windows[i], window->least,
                              end < window->size ? end : window->size);
    }
}

// Marking.

/// Drops those that are nowhere. Returns how many remain.
static uint64_t drop_nowhere(int64_t *offsets, uint64_t count) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        offsets[kept] = offsets[i];
        kept += offsets[i] != GCL_LOOK_NOWHERE;
    }
    return kept;
}

/// Whether an offset from the pointer leads to another allocation than that.
static bool leads_elsewhere(const struct looker *s, int64_t offset) {
    const struct gcl_memory *memory = s->input->contents->memory;
    uint64_t address = s->base + (uint64_t)s->code->shift + (uint64_t)offset;
    struct gcl_span other;
    return ((int64_t)address < s->allocation.begin || (int64_t)address >= s->allocation.end) &&
           memory->find(memory->context, address, &other);
}

/// Whether the least or the greatest offset does, which is enough to take a closer look at all.
static bool lead_elsewhere(const struct looker *s, const int64_t *offsets, size_t count) {
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        least = offsets[i] < least ? offsets[i] : least;
        greatest = offsets[i] > greatest ? offsets[i] : greatest;
    }
    return leads_elsewhere(s, least) || leads_elsewhere(s, greatest);
}

/// Marks bytes at offsets from the pointer, moved as the access is. False: some are too far away,
/// or in another allocation, or no memory.
static bool mark(struct looker *s, const int64_t *offsets, size_t count) {
    const uint32_t size = s->input->program->accesses[s->input->access].size;
    const struct gcl_marks_each each = {
        (const uint64_t *)offsets, count,
        s->base + (uint64_t)s->code->shift - (uint64_t)s->allocation.begin, size};
    if (lead_elsewhere(s, offsets, count))
        return false;
    if (s->marked->count == 0 && !gcl_marked_add(s->marked, &s->allocation, size))
        return false;
    return gcl_marks_set_each(&s->marked->parts[0].marks, &each);
}

static uint32_t take(struct gcl_look *look, int64_t *offsets, uint64_t count, uint32_t is_sparse) {
    struct looker *s = (struct looker *)look;
    static_assert(offsetof(struct looker, look) == 0, "one is the other");
    assert(count <= GCL_LOOK_ROOM);
    note_readings(s);
    if (is_sparse)
        count = drop_nowhere(offsets, count);
    return count == 0 || mark(s, offsets, count);
}

// All of it.

static void begin(struct looker *s, int64_t steps, struct gcl_look_window *windows) {
    const struct gcl_launch_part *launch = s->input->launch;
    s->look.arguments = launch->arguments;
    s->look.windows = windows;
    s->look.take = take;
    s->look.steps = steps;
    for (unsigned axis = 0; axis < 3; axis++) {
        s->look.block[axis] = launch->geometry.block[axis];
        s->look.grid[axis] = launch->geometry.grid[axis];
        s->look.begin[axis] = launch->begin[axis];
        s->look.end[axis] = launch->end[axis];
    }
}

static enum gcl_looked run(struct looker *s) {
    const struct gcl_memory *memory = s->input->contents->memory;
    uint16_t base = s->input->program->accesses[s->input->access].base;
    int64_t offsets[GCL_LOOK_ROOM];
    if (!gcl_base_address(s->input->program, s->input->launch, base, &s->base) ||
        !memory->find(memory->context, s->base, &s->allocation))
        return GCL_LOOKED_NOT;
    for (uint16_t i = 0; i < s->code->load_count; i++) {
        if (!open_window(s, i))
            return GCL_LOOKED_NOT;
    }
    switch ((enum gcl_look_end)s->code->function(&s->look, offsets)) {
    case GCL_LOOK_FOUND:
        s->marked->is_doubtful = s->look.is_doubtful != 0;
        return GCL_LOOKED_FOUND;
    case GCL_LOOK_LONG:
        return GCL_LOOKED_LONG;
    default:
        return GCL_LOOKED_NOT;
    }
}

enum gcl_looked gcl_look(const struct gcl_inspect_input *input, int64_t steps,
                         struct gcl_marked *marked) {
    struct looker s = {.input = input, .code = find_code(input), .marked = marked};
    *marked = (struct gcl_marked){.count = 0};
    if (!s.code)
        return GCL_LOOKED_NOT;
    struct gcl_look_window *windows = calloc(s.code->load_count + 1u, sizeof *windows);
    s.windows = calloc(s.code->load_count + 1u, sizeof *s.windows);
    enum gcl_looked looked = GCL_LOOKED_NOT;
    begin(&s, steps, windows);
    if (windows && s.windows)
        looked = run(&s);
    if (looked != GCL_LOOKED_FOUND)
        gcl_marked_finish(marked);
    free(windows);
    free(s.windows);
    return looked;
}
