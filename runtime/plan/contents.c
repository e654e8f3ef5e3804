#include "contents.h"

#include <stdlib.h>
#include <string.h>

static void find_changed(const struct gcl_footprint *changes, struct gcl_content *content) {
    for (size_t i = 0; i < changes->count; i++) {
        const struct gcl_use *use = &changes->uses[i];
        const struct gcl_region *regions[] = {&use->written, &use->touched, &use->reduced,
                                              &use->claimed};
        for (unsigned r = 0; r < 4 && use->allocation.begin == content->allocation.begin; r++) {
            // or more than what is changed: that is right, too
            bool is_exact = gcl_region_unite(&content->changed, regions[r], &content->changed);
            (void)is_exact;
        }
    }
}

static bool holds(const struct gcl_content *content, uint64_t address) {
    return (int64_t)address >= content->allocation.begin &&
           (int64_t)address < content->allocation.end;
}

static struct gcl_content *add(struct gcl_contents *c, uint64_t address) {
    struct gcl_content content = {.bytes = NULL};
    if (!c->memory->find(c->memory->context, address, &content.allocation))
        return NULL;
    struct gcl_content *list = realloc(c->list, (c->count + 1) * sizeof *list);
    if (!list)
        return NULL;
    c->list = list;
    content.bytes = c->memory->contents(c->memory->context, &content.allocation, &content.version);
    if (content.bytes)
        find_changed(&c->changes, &content);
    list[c->count] = content;
    c->last = c->count;
    return &list[c->count++];
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
    return add(c, address);
}

static bool is_changed(const struct gcl_content *content, int64_t offset, unsigned size) {
    if (gcl_region_is_empty(&content->changed))
        return false;
    for (unsigned i = 0; i < size; i++) {
        if (gcl_region_contains_byte(&content->changed, offset + i))
            return true;
    }
    return false;
}

bool gcl_contents_read(struct gcl_contents *c, uint64_t address, unsigned size, uint64_t *value) {
    const struct gcl_content *content = c->may_read ? find(c, address) : NULL;
    if (!content || !content->bytes)
        return false;
    int64_t offset = (int64_t)address - content->allocation.begin;
    if (content->allocation.end - (int64_t)address < (int64_t)size ||
        is_changed(content, offset, size))
        return false;
    *value = 0;
    memcpy(value, content->bytes + offset, size); // little-endian
    return true;
}

static bool loads(const struct gcl_program *program) {
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
    if (!memory->contents || !loads(gcl_evaluator_program(evaluator)))
        return true;
    memset(whole.begin, 0, sizeof whole.begin);
    memcpy(whole.end, whole.grid_size, sizeof whole.end);
    if (!gcl_footprint_changes(evaluator, &whole, memory, &c->changes))
        return false;
    c->may_read = !c->changes.writes_escaped;
    return true;
}

void gcl_contents_finish(struct gcl_contents *c) {
    gcl_footprint_finish(&c->changes);
    for (size_t i = 0; i < c->count; i++)
        gcl_region_finish(&c->list[i].changed);
    free(c->list);
    *c = (struct gcl_contents){.count = 0};
}
