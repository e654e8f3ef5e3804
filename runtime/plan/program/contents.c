// Contents are asked for when an evaluation first needs them and kept for the rest of the launch.
// What the launch itself may change isn't read: blocks would find other values there.
#include "plan/program/contents.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void gcl_contents_changed(const struct gcl_contents *c, const struct gcl_span *allocation,
                          struct gcl_region *changed) {
    for (size_t i = 0; i < c->changes.count; i++) {
        const struct gcl_allocation_use *use = &c->changes.uses[i];
        const struct gcl_region *regions[] = {&use->written, &use->touched, &use->reduced,
                                              &use->claimed};
        for (unsigned r = 0; r < 4 && use->allocation.begin == allocation->begin; r++) {
            // or more than what is changed: that is right, too
            bool is_exact = gcl_region_unite(changed, regions[r], changed);
            (void)is_exact;
        }
    }
}

// Allocations.

static bool holds(const struct gcl_content *content, uint64_t address) {
    return (int64_t)address >= content->allocation.begin &&
           (int64_t)address < content->allocation.end;
}

/// NULL: no memory.
static struct gcl_content *add(struct gcl_contents *c, const struct gcl_span *allocation) {
    struct gcl_content *list = realloc(c->list, (c->count + 1) * sizeof *list);
    if (!list)
        return NULL;
    c->list = list;
    c->last = c->count++;
    list[c->last] = (struct gcl_content){.allocation = *allocation};
    gcl_contents_changed(c, allocation, &list[c->last].changed);
    return &list[c->last];
}

static struct gcl_content *find(struct gcl_contents *c, uint64_t address) {
    if (c->last < c->count && holds(&c->list[c->last], address))
        return &c->list[c->last];
    for (size_t i = 0; i < c->count; i++) {
        if (!holds(&c->list[i], address))
            continue;
        c->last = i;
        return &c->list[i];
    }
    return NULL;
}

bool gcl_contents_give(struct gcl_contents *c, const struct gcl_span *allocation,
                       const unsigned char *bytes, const struct gcl_region *here) {
    struct gcl_content *content = find(c, (uint64_t)allocation->begin);
    content = content ? content : add(c, allocation);
    if (!content)
        return false;
    content->bytes = bytes;
    content->run = (struct gcl_span){0, 0};
    return gcl_region_copy(here, &content->here);
}

// Bytes.

/// Whether all bytes of a run are known.
static bool is_here(struct gcl_content *content, struct gcl_span run) {
    assert(run.begin < run.end);
    if (run.begin >= content->run.begin && run.end <= content->run.end)
        return true;
    return gcl_region_run_at(&content->here, run.begin, &content->run) &&
           run.end <= content->run.end;
}

/// Asks for bytes of an allocation. False: they aren't known.
static bool ask(struct gcl_contents *c, struct gcl_content *content, struct gcl_span wanted) {
    if (c->is_given)
        return false;
    assert(c->memory->contents);
    struct gcl_span found = wanted;
    content->bytes =
        c->memory->contents(c->memory->context, &content->allocation, &found, &content->version);
    struct gcl_region run = gcl_region_run(found.begin, found.end);
    bool is_exact = content->bytes && gcl_region_unite(&content->here, &run, &content->here);
    content->is_refused = !is_exact;
    if (!is_exact)
        content->bytes = NULL;
    return is_exact;
}

static bool is_changed(const struct gcl_content *content, struct gcl_span run) {
    struct gcl_span last = {.end = run.begin}; // that begins before the end of `run`
    assert(run.begin < run.end);
    return gcl_region_run_at(&content->changed, run.end - 1, &last) || last.end > run.begin;
}

static struct gcl_content *find_or_add(struct gcl_contents *c, uint64_t address) {
    struct gcl_content *content = find(c, address);
    struct gcl_span allocation;
    if (content || c->is_given || !c->memory->find(c->memory->context, address, &allocation))
        return content;
    return add(c, &allocation);
}

bool gcl_contents_read(struct gcl_contents *c, uint64_t address, unsigned size, uint64_t *value) {
    assert(size > 0 && size <= sizeof *value);
    struct gcl_content *content = c->may_read ? find_or_add(c, address) : NULL;
    if (!content)
        return false;
    int64_t offset = (int64_t)address - content->allocation.begin;
    const struct gcl_span run = {offset, offset + size};
    if (content->allocation.end - (int64_t)address < (int64_t)size || is_changed(content, run) ||
        content->is_refused || (!is_here(content, run) && !ask(c, content, run)))
        return false;
    *value = 0;
    memcpy(value, content->bytes + offset, size); // little-endian
    return true;
}

/// Bytes of an allocation of which all are known, or none, as long as nobody else asks for any.
struct window {
    uint64_t begin;             ///< its address
    uint64_t size;              ///< 0: nothing is known of any
    const unsigned char *bytes; ///< the first one; NULL: they aren't known
};

/// What lies around a number that was read last.
static struct window known_around(const struct gcl_contents *c) {
    const struct gcl_content *content = &c->list[c->last];
    assert(c->last < c->count);
    if (!gcl_region_is_empty(&content->changed))
        return (struct window){0};
    return (struct window){(uint64_t)(content->allocation.begin + content->run.begin),
                           (uint64_t)(content->run.end - content->run.begin),
                           content->bytes + content->run.begin};
}

/// What the launch may change around an address.
static struct window changed_around(struct gcl_contents *c, uint64_t address) {
    const struct gcl_content *content = find(c, address);
    struct gcl_span run;
    if (!content ||
        !gcl_region_run_at(&content->changed, (int64_t)address - content->allocation.begin, &run))
        return (struct window){0};
    return (struct window){(uint64_t)(content->allocation.begin + run.begin),
                           (uint64_t)(run.end - run.begin), NULL};
}

void gcl_contents_read_lanes(struct gcl_contents *c, unsigned size, unsigned count,
                             struct gcl_lanes *lanes) {
    struct window window = {0};
    bool are_known = true;
    assert(size > 0 && size <= sizeof *lanes->values);
    for (unsigned i = 0; i < count; i++) {
        bool is_known = gcl_lanes_is_known(lanes, i);
        uint64_t offset = lanes->values[i] - window.begin, value = 0;
        if (is_known && offset < window.size && window.size - offset >= size) {
            is_known = window.bytes != NULL;
            if (is_known && size == sizeof(uint32_t))
                memcpy(&value, window.bytes + offset, sizeof(uint32_t));
            else if (is_known)
                memcpy(&value, window.bytes + offset, size);
        } else if (is_known) {
            is_known = gcl_contents_read(c, lanes->values[i], size, &value);
            window = is_known ? known_around(c) : changed_around(c, lanes->values[i]);
        }
        lanes->values[i] = value;
        lanes->known[i] = is_known;
        are_known = are_known && is_known;
    }
    lanes->all_known = are_known;
}

// Life.

/// Whether a program has something to look up.
static bool has_loads(const struct gcl_program *program) {
    for (uint16_t i = 0; i < program->node_count; i++) {
        if (program->nodes[i].kind == GCL_NODE_LOAD)
            return true;
    }
    for (uint16_t i = 0; i < program->base_count; i++) {
        if (program->bases[i].kind == GCL_BASE_LOADED)
            return true;
    }
    return false;
}

bool gcl_contents_init(struct gcl_contents *c, struct gcl_evaluator *evaluator,
                       const struct gcl_launch_part *launch, const struct gcl_memory *memory) {
    struct gcl_launch_part whole = *launch;
    *c = (struct gcl_contents){.memory = memory};
    if (!memory->contents || !has_loads(gcl_evaluator_program(evaluator)))
        return true;
    memset(whole.begin, 0, sizeof whole.begin);
    memcpy(whole.end, whole.geometry.grid, sizeof whole.end);
    if (!gcl_footprint_changes(evaluator, &whole, memory, &c->changes))
        return false;
    c->may_read = !c->changes.writes_escaped;
    return true;
}

bool gcl_contents_lend(const struct gcl_contents *c, struct gcl_contents *copy) {
    assert(c->is_given); // nothing is added to it
    *copy = *c;
    copy->list = malloc((c->count + 1) * sizeof *copy->list);
    if (copy->list && c->count > 0)
        memcpy(copy->list, c->list, c->count * sizeof *copy->list);
    return copy->list != NULL;
}

void gcl_contents_return(struct gcl_contents *copy) {
    free(copy->list);
    *copy = (struct gcl_contents){.count = 0};
}

void gcl_contents_finish(struct gcl_contents *c) {
    gcl_footprint_finish(&c->changes);
    for (size_t i = 0; i < c->count; i++) {
        gcl_region_finish(&c->list[i].here);
        gcl_region_finish(&c->list[i].changed);
    }
    free(c->list);
    *c = (struct gcl_contents){.count = 0};
}
