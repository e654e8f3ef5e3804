// Allocations lie in an array sorted by address, so that the one that holds an address is found by
// bisection; programs have few, and add them seldom.
//
// Invariant: allocations don't overlap, and each byte of one is valid on a node or filled, as its
// layout says. The hash of the directory is the sum of its entries' hashes, so that a change of one
// allocation costs no walk over the others; nodes compare it to find out that they disagree.
// Versions grow over all allocations together: whoever remembers a version and finds it again knows
// that it is the same allocation, with the same bytes. Who remembers the latest of all versions can
// ask which bytes of any allocation have changed since.
#include "plan/directory/directory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct gcl_directory {
    struct gcl_layouts *layouts;
    uint32_t node_count;
    struct gcl_directory_entry *entries; ///< by address
    size_t count, capacity;
    uint64_t hash; ///< sum of those of all entries
    uint64_t generation;
    uint64_t last_version;
    bool has_host_escaped; ///< memory outside of all allocations has
    bool *allowed;         ///< by node * node_count + home; NULL: nothing is
    uint64_t rights;
};

struct gcl_directory *gcl_directory_create(uint32_t node_count) {
    struct gcl_directory *directory = calloc(1, sizeof *directory);
    if (!directory)
        return NULL;
    directory->node_count = node_count;
    directory->layouts = gcl_layouts_create(node_count);
    if (directory->layouts)
        return directory;
    free(directory);
    return NULL;
}

static void drop_changes(struct gcl_directory_entry *entry) {
    if (entry->changes)
        gcl_changes_finish(entry->changes);
    free(entry->changes);
    entry->changes = NULL;
}

void gcl_directory_destroy(struct gcl_directory *directory) {
    if (!directory)
        return;
    for (size_t i = 0; i < directory->count; i++)
        drop_changes(&directory->entries[i]);
    gcl_layouts_destroy(directory->layouts);
    free(directory->allowed);
    free(directory->entries);
    free(directory);
}

uint32_t gcl_directory_node_count(const struct gcl_directory *directory) {
    return directory->node_count;
}

struct gcl_layouts *gcl_directory_layouts(struct gcl_directory *directory) {
    return directory->layouts;
}

size_t gcl_directory_memory(const struct gcl_directory *directory) {
    size_t size = sizeof *directory + directory->capacity * sizeof *directory->entries +
                  gcl_layouts_memory(directory->layouts);
    for (size_t i = 0; i < directory->count; i++) {
        const struct gcl_changes *changes = directory->entries[i].changes;
        size += changes ? sizeof *changes + gcl_changes_memory(changes) : 0;
    }
    return size;
}

uint64_t gcl_directory_size(const struct gcl_directory *directory) {
    uint64_t size = 0;
    for (size_t i = 0; i < directory->count; i++)
        size += directory->entries[i].size;
    return size;
}

static uint64_t hash_of(const struct gcl_directory_entry *entry) {
    uint64_t hash = (entry->begin ^ UINT64_C(14695981039346656037)) * UINT64_C(1099511628211);
    hash = (hash ^ hash >> 32 ^ entry->size) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32 ^ entry->layout->hash) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

/// How many allocations begin at or before `address`.
static size_t count_until(const struct gcl_directory *directory, uint64_t address) {
    size_t low = 0, high = directory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (directory->entries[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool reserve(struct gcl_directory *directory) {
    if (directory->count < directory->capacity)
        return true;
    size_t capacity = directory->capacity ? 2 * directory->capacity : 64;
    struct gcl_directory_entry *entries = realloc(directory->entries, capacity * sizeof *entries);
    if (!entries)
        return false;
    directory->entries = entries;
    directory->capacity = capacity;
    return true;
}

bool gcl_directory_is_free(const struct gcl_directory *directory, uint64_t begin, uint64_t size) {
    size_t i = count_until(directory, begin + size - 1);
    return i == 0 || directory->entries[i - 1].begin + directory->entries[i - 1].size <= begin;
}

bool gcl_directory_add(struct gcl_directory *directory, uint64_t begin, uint64_t size,
                       enum gcl_host_use use) {
    const struct gcl_layout *layout =
        use ? gcl_layouts_home(directory->layouts, (int64_t)size)
            : gcl_layouts_everywhere(directory->layouts, (int64_t)size);
    if (!layout || !reserve(directory))
        return false;
    size_t i = count_until(directory, begin);
    struct gcl_directory_entry *at = &directory->entries[i];
    assert(gcl_directory_is_free(directory, begin, size));
    assert(gcl_layout_is_complete(layout, (int64_t)size));
    memmove(at + 1, at, (directory->count - i) * sizeof *at);
    *at = (struct gcl_directory_entry){.begin = begin,
                                       .size = size,
                                       .use = use,
                                       .home = GCL_NOBODY,
                                       .version = ++directory->last_version,
                                       .known_version = directory->last_version,
                                       .layout = gcl_layout_hold(layout)};
    directory->count++;
    directory->hash += hash_of(at);
    directory->generation++;
    return true;
}

void gcl_directory_set_home(struct gcl_directory *directory, uint64_t begin, uint32_t home) {
    gcl_directory_find(directory, begin)->home = home;
}

bool gcl_directory_allow(struct gcl_directory *directory, uint32_t node, uint32_t home,
                         bool is_allowed) {
    size_t count = directory->node_count;
    if (!directory->allowed)
        directory->allowed = calloc(count * count, sizeof *directory->allowed);
    if (!directory->allowed)
        return false;
    assert(node < count && home < count);
    directory->allowed[node * count + home] = is_allowed;
    directory->rights++;
    return true;
}

uint64_t gcl_directory_rights(const struct gcl_directory *directory) {
    return directory->rights;
}

bool gcl_directory_allows(const struct gcl_directory *directory, uint32_t node,
                          const struct gcl_directory_entry *entry) {
    if (node == GCL_NOBODY || entry->home == GCL_NOBODY || entry->home == node)
        return true;
    return directory->allowed &&
           directory->allowed[node * (size_t)directory->node_count + entry->home];
}

bool gcl_directory_remove(struct gcl_directory *directory, uint64_t begin) {
    size_t i = count_until(directory, begin);
    if (i == 0 || directory->entries[i - 1].begin != begin)
        return false;
    struct gcl_directory_entry *at = &directory->entries[i - 1];
    assert(at->version <= directory->last_version);
    directory->hash -= hash_of(at);
    directory->generation++;
    gcl_layout_release(at->layout);
    drop_changes(at);
    memmove(at, at + 1, (directory->count - i) * sizeof *at);
    directory->count--;
    assert(directory->count > 0 || directory->hash == 0); // a sum of nothing
    return true;
}

struct gcl_directory_entry *gcl_directory_find(struct gcl_directory *directory, uint64_t address) {
    size_t i = count_until(directory, address);
    if (i == 0 || address - directory->entries[i - 1].begin >= directory->entries[i - 1].size)
        return NULL;
    return &directory->entries[i - 1];
}

struct gcl_directory_entry *gcl_directory_entries(struct gcl_directory *directory, size_t *count) {
    *count = directory->count;
    return directory->entries;
}

/// Notes which bytes have changed with an allocation's version.
static void note_change(struct gcl_directory_entry *entry, const struct gcl_region *changed) {
    if (!entry->changes)
        entry->changes = calloc(1, sizeof *entry->changes);
    if (entry->changes)
        gcl_changes_add(entry->changes, entry->version, changed);
    else
        entry->known_version = entry->version;
}

void gcl_directory_update(struct gcl_directory *directory, uint64_t begin,
                          const struct gcl_layout *layout, const struct gcl_region *changed) {
    struct gcl_directory_entry *entry = gcl_directory_find(directory, begin);
    assert(entry && entry->begin == begin && entry->version <= directory->last_version);
    assert(gcl_layout_is_complete(layout, (int64_t)entry->size));
    directory->hash -= hash_of(entry);
    gcl_layout_hold(layout);
    gcl_layout_release(entry->layout);
    entry->layout = layout;
    if (changed) {
        entry->version = ++directory->last_version;
        note_change(entry, changed);
    }
    directory->hash += hash_of(entry);
}

uint64_t gcl_directory_version(const struct gcl_directory *directory) {
    return directory->last_version;
}

void gcl_directory_changed_since(const struct gcl_directory_entry *entry, uint64_t version,
                                 struct gcl_region *changed) {
    const struct gcl_region all = gcl_region_run(0, (int64_t)entry->size);
    if (version < entry->known_version) {
        bool is_exact = gcl_region_copy(&all, changed); // a run needs no memory
        (void)is_exact;
    } else if (version < entry->version && entry->changes) {
        gcl_changes_since(entry->changes, version, changed);
    }
}

static bool *escape_of(struct gcl_directory *directory, uint64_t begin) {
    struct gcl_directory_entry *entry = gcl_directory_find(directory, begin);
    return entry ? &entry->has_escaped : &directory->has_host_escaped;
}

void gcl_directory_escape(struct gcl_directory *directory, uint64_t begin) {
    bool *has_escaped = escape_of(directory, begin);
    directory->generation += !*has_escaped;
    *has_escaped = true;
}

bool gcl_directory_has_escaped(struct gcl_directory *directory, uint64_t begin) {
    return *escape_of(directory, begin);
}

uint64_t gcl_directory_hash(const struct gcl_directory *directory) {
    return directory->hash;
}

uint64_t gcl_directory_generation(const struct gcl_directory *directory) {
    return directory->generation;
}

/// Takes from `region` what `other` has, too.
static bool remove_part(struct gcl_region *region, const struct gcl_region *other) {
    struct gcl_region rest = {.count = 0};
    if (!gcl_region_subtract(region, other, &rest))
        return false;
    gcl_region_finish(region);
    *region = rest;
    return true;
}

static int64_t size_held_alone(const struct gcl_layout *layout, uint32_t node) {
    struct gcl_region alone = {.count = 0};
    assert(node < layout->node_count); // entry node_count is what is filled
    bool ok = gcl_region_copy(&layout->held[node], &alone);
    for (uint32_t i = 0; ok && i <= layout->node_count && !gcl_region_is_empty(&alone); i++)
        ok = i == node || remove_part(&alone, &layout->held[i]);
    int64_t size = ok ? gcl_region_size(&alone) : 0;
    gcl_region_finish(&alone);
    return size;
}

struct gcl_directory_share gcl_directory_share_of(const struct gcl_directory *directory,
                                                  uint32_t node) {
    struct gcl_directory_share share = {.size = 0};
    for (size_t i = 0; i < directory->count; i++) {
        int64_t size = size_held_alone(directory->entries[i].layout, node);
        share.size += (uint64_t)size;
        share.allocation_count += size > 0;
    }
    return share;
}
