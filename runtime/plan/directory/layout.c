// Layouts are interned: a hash table has one object for each set of regions, so that comparing two
// layouts is comparing two pointers, and a repeated launch finds its schedule by them. What nobody
// holds stays in the table until room is needed, because the next iteration of a program's loop
// mostly brings it back.
#include "plan/directory/layout.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

struct gcl_layouts {
    uint32_t node_count;
    struct gcl_layout **table; ///< open addressing by hash
    size_t capacity, count;    ///< capacity is a power of two
};

struct gcl_layouts *gcl_layouts_create(uint32_t node_count) {
    struct gcl_layouts *layouts = calloc(1, sizeof *layouts);
    if (!layouts)
        return NULL;
    layouts->node_count = node_count;
    layouts->capacity = SMALLEST;
    layouts->table = calloc(SMALLEST, sizeof(struct gcl_layout *));
    if (layouts->table)
        return layouts;
    free(layouts);
    return NULL;
}

static void destroy_layout(struct gcl_layout *layout) {
    for (uint32_t i = 0; layout && i <= layout->node_count; i++)
        gcl_region_finish(&layout->held[i]);
    free(layout);
}

void gcl_layouts_destroy(struct gcl_layouts *layouts) {
    if (!layouts)
        return;
    for (size_t i = 0; i < layouts->capacity; i++)
        destroy_layout(layouts->table[i]);
    free(layouts->table);
    free(layouts);
}

/// Bytes of a layout of so many nodes, without what its regions take.
static size_t room_of(uint32_t node_count) {
    return sizeof(struct gcl_layout) +
           (node_count + (size_t)1) * (sizeof(struct gcl_region) + sizeof(uint64_t));
}

static size_t memory_of(const struct gcl_layout *layout) {
    size_t size = room_of(layout->node_count);
    for (uint32_t i = 0; i <= layout->node_count; i++)
        size += gcl_region_memory(&layout->held[i]);
    return size;
}

size_t gcl_layouts_memory(const struct gcl_layouts *layouts) {
    size_t size = sizeof *layouts + layouts->capacity * sizeof(struct gcl_layout *);
    for (size_t i = 0; i < layouts->capacity; i++)
        size += layouts->table[i] ? memory_of(layouts->table[i]) : 0;
    return size;
}

// Holding. Only the one who makes layouts destroys them, so that others just count.

static atomic_size_t *holders_of(const struct gcl_layout *layout) {
    return &((struct gcl_layout *)(uintptr_t)layout)->holders;
}

const struct gcl_layout *gcl_layout_hold(const struct gcl_layout *layout) {
    atomic_fetch_add(holders_of(layout), 1);
    return layout;
}

void gcl_layout_release(const struct gcl_layout *layout) {
    atomic_fetch_sub(holders_of(layout), 1);
}

bool gcl_layout_is_complete(const struct gcl_layout *layout, int64_t size) {
    struct gcl_region missing = gcl_region_run(0, size);
    bool is_inside = true, is_exact = true;
    for (uint32_t i = 0; i <= layout->node_count; i++) {
        struct gcl_span bounds = gcl_region_bounds(&layout->held[i]);
        is_inside = is_inside && bounds.begin >= 0 && bounds.end <= size;
        is_exact = is_exact && gcl_region_subtract(&missing, &layout->held[i], &missing);
    }
    bool is_complete = is_inside && (!is_exact || gcl_region_is_empty(&missing));
    gcl_region_finish(&missing);
    return is_complete;
}

// The table.

static uint64_t hash_of(const struct gcl_layout *layout) {
    uint64_t hash = layout->fill + UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i <= layout->node_count; i++) {
        hash = (hash ^ layout->hashes[i]) * UINT64_C(1099511628211);
        hash ^= hash >> 32;
    }
    return hash;
}

static bool are_equal(const struct gcl_layout *a, const struct gcl_layout *b) {
    if (a->hash != b->hash || a->fill != b->fill)
        return false;
    for (uint32_t i = 0; i <= a->node_count; i++) {
        if (!gcl_region_equal(&a->held[i], &b->held[i]))
            return false;
    }
    return true;
}

static struct gcl_layout **find_slot(struct gcl_layout **table, size_t capacity,
                                     const struct gcl_layout *layout) {
    size_t i = layout->hash & (capacity - 1);
    while (table[i] && !are_equal(table[i], layout))
        i = (i + 1) & (capacity - 1);
    return &table[i];
}

/// Whether anybody holds a layout. Other threads may let go of it meanwhile, but nobody takes hold
/// of a layout that isn't held.
static bool is_held_by_anybody(const struct gcl_layout *layout) {
    return layout && atomic_load(&layout->holders) > 0;
}

/// Destroys what nobody holds, and makes room for as many again as are left, at least.
static bool make_room(struct gcl_layouts *layouts) {
    size_t capacity = layouts->capacity, held = 0;
    for (size_t i = 0; i < layouts->capacity; i++)
        held += is_held_by_anybody(layouts->table[i]);
    while (4 * held > capacity)
        capacity *= 2;
    struct gcl_layout **table = calloc(capacity, sizeof *table);
    if (!table)
        return false;
    layouts->count = 0;
    for (size_t i = 0; i < layouts->capacity; i++) {
        struct gcl_layout *layout = layouts->table[i];
        bool is_kept = is_held_by_anybody(layout);
        layouts->count += is_kept;
        if (is_kept)
            *find_slot(table, capacity, layout) = layout;
        else
            destroy_layout(layout);
    }
    free(layouts->table);
    layouts->table = table;
    layouts->capacity = capacity;
    return true;
}

/// Takes the draft, and gives the one object that equals it.
static const struct gcl_layout *intern(struct gcl_layouts *layouts, struct gcl_layout *draft) {
    if (2 * layouts->count >= layouts->capacity && !make_room(layouts)) {
        destroy_layout(draft);
        return NULL;
    }
    if (gcl_region_is_empty(&draft->held[draft->node_count]))
        draft->fill = 0;
    draft->hash = hash_of(draft);
    struct gcl_layout **slot = find_slot(layouts->table, layouts->capacity, draft);
    if (*slot) {
        destroy_layout(draft);
    } else {
        *slot = draft;
        layouts->count++;
    }
    return *slot;
}

// Drafts.

static struct gcl_layout *make_draft(const struct gcl_layouts *layouts) {
    struct gcl_layout *draft = calloc(1, room_of(layouts->node_count));
    if (!draft)
        return NULL;
    draft->node_count = layouts->node_count;
    draft->hashes = (uint64_t *)(draft->held + layouts->node_count + 1);
    return draft;
}

/// Notes the hash of a region that is most like the one in another layout.
static void note_hash(struct gcl_layout *draft, const struct gcl_layout *other, uint32_t index) {
    draft->hashes[index] =
        gcl_region_hash_like(&draft->held[index], &other->held[index], other->hashes[index]);
}

/// The first `count` nodes have all bytes.
static const struct gcl_layout *whole(struct gcl_layouts *layouts, uint32_t count, int64_t size) {
    struct gcl_layout *draft = make_draft(layouts);
    if (!draft)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        draft->held[i] = gcl_region_run(0, size);
        draft->hashes[i] = gcl_region_hash(&draft->held[i]);
    }
    return intern(layouts, draft);
}

const struct gcl_layout *gcl_layouts_everywhere(struct gcl_layouts *layouts, int64_t size) {
    return whole(layouts, layouts->node_count, size);
}

const struct gcl_layout *gcl_layouts_home(struct gcl_layouts *layouts, int64_t size) {
    return whole(layouts, 1, size);
}

/// All that a change makes invalid where it isn't written.
static bool find_changed(const struct gcl_layouts *layouts, const struct gcl_layout_change *change,
                         struct gcl_region *changed) {
    bool exact = true;
    if (change->filled)
        exact = gcl_region_copy(change->filled, changed);
    if (change->all_written)
        return exact && gcl_region_unite(changed, change->all_written, changed);
    for (uint32_t i = 0; change->written && exact && i < layouts->node_count; i++)
        exact = gcl_region_unite(changed, &change->written[i], changed);
    return exact;
}

static bool change_node(const struct gcl_region *before, const struct gcl_layout_change *change,
                        const struct gcl_region *changed, uint32_t node, struct gcl_region *after) {
    bool receives = change->received && !gcl_region_is_empty(&change->received[node]);
    bool exact = !receives || gcl_region_unite(before, &change->received[node], after);
    exact = exact && gcl_region_subtract(receives ? after : before, changed, after);
    if (exact && change->written)
        exact = gcl_region_unite(after, &change->written[node], after);
    return exact;
}

static bool are_empty(const struct gcl_region *regions, uint32_t count) {
    bool are = true;
    for (uint32_t i = 0; regions && i < count && are; i++)
        are = gcl_region_is_empty(&regions[i]);
    return are;
}

/// Whether nodes have all of `bytes`, which is used up.
static bool is_held(const struct gcl_layout *layout, struct gcl_region *bytes) {
    for (uint32_t i = 0; i < layout->node_count && !gcl_region_is_empty(bytes); i++) {
        if (!gcl_region_subtract(bytes, &layout->held[i], bytes))
            return false;
    }
    return gcl_region_is_empty(bytes);
}

/// What each node can make itself, once the other regions of `after` are known.
static bool change_fill(const struct gcl_layout *before, const struct gcl_layout_change *change,
                        const struct gcl_region *changed, struct gcl_layout *after) {
    struct gcl_region *rest = &after->held[after->node_count];
    after->fill = before->fill;
    if (!gcl_region_subtract(&before->held[before->node_count], changed, rest))
        return false;
    if (!change->filled)
        return true;
    if (before->fill != change->fill && !is_held(after, rest))
        return false;
    after->fill = change->fill;
    return gcl_region_unite(rest, change->filled, rest);
}

/// Whether what nodes have and lack are few boxes. Between and in the boxes of a region there are
/// at most as many as GAPS for each, so mostly what they lack needn't be found.
static bool is_simple(const struct gcl_layout *layout) {
    enum { GAPS = GCL_STRIDED_LEVELS + 1 };
    struct gcl_region lacked = {.count = 0};
    int64_t size = 0;
    bool is = true;
    for (uint32_t i = 0; i <= layout->node_count; i++) {
        struct gcl_span bounds = gcl_region_bounds(&layout->held[i]);
        size = bounds.end > size ? bounds.end : size;
    }
    const struct gcl_region all = gcl_region_run(0, size);
    for (uint32_t i = 0; is && i <= layout->node_count; i++) {
        size_t weight = gcl_region_weight(&layout->held[i]);
        if (GAPS * weight < GCL_LAYOUT_MOST_BOXES)
            continue;
        is = weight <= GCL_LAYOUT_MOST_BOXES &&
             gcl_region_subtract(&all, &layout->held[i], &lacked) &&
             gcl_region_weight(&lacked) <= GCL_LAYOUT_MOST_BOXES;
    }
    gcl_region_finish(&lacked);
    return is;
}

const struct gcl_layout *gcl_layouts_change(struct gcl_layouts *layouts,
                                            const struct gcl_layout *before,
                                            const struct gcl_layout_change *change) {
    struct gcl_region changed = {.count = 0};
    if (!change->filled && are_empty(change->received, layouts->node_count) &&
        are_empty(change->written, layouts->node_count))
        return before;
    struct gcl_layout *after = make_draft(layouts);
    bool exact = after && find_changed(layouts, change, &changed);
    for (uint32_t i = 0; exact && i < layouts->node_count; i++)
        exact = change_node(&before->held[i], change, &changed, i, &after->held[i]);
    exact = exact && change_fill(before, change, &changed, after);
    for (uint32_t i = 0; exact && i <= layouts->node_count; i++)
        note_hash(after, before, i);
    gcl_region_finish(&changed);
    exact = exact && is_simple(after);
    if (exact)
        return intern(layouts, after);
    destroy_layout(after);
    return NULL;
}
