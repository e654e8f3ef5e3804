// A sorted array: there are few free ranges, because neighbours grow together.
#include "exec/memory/extent.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct gcl_extents *extents) {
    if (extents->count < extents->capacity)
        return true;
    size_t capacity = extents->capacity ? 2 * extents->capacity : 16;
    struct gcl_extent *items = realloc(extents->items, capacity * sizeof items[0]);
    if (!items)
        return false;
    extents->items = items;
    extents->capacity = capacity;
    return true;
}

static bool insert(struct gcl_extents *extents, size_t at, uintptr_t begin, uintptr_t end) {
    if (!reserve(extents))
        return false;
    struct gcl_extent *item = extents->items + at;
    memmove(item + 1, item, (extents->count - at) * sizeof *item);
    *item = (struct gcl_extent){begin, end};
    extents->count++;
    return true;
}

static void erase(struct gcl_extents *extents, size_t at) {
    struct gcl_extent *item = extents->items + at;
    assert(at < extents->count);
    extents->count--;
    memmove(item, item + 1, (extents->count - at) * sizeof *item);
}

// Index of the first range that begins at or behind `address`.
static size_t search(const struct gcl_extents *extents, uintptr_t address) {
    size_t low = 0, high = extents->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (extents->items[middle].begin < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool gcl_extents_add(struct gcl_extents *extents, uintptr_t begin, uintptr_t end) {
    size_t at = search(extents, begin);
    struct gcl_extent *items = extents->items;
    bool joins_left = at > 0 && items[at - 1].end == begin;
    bool joins_right = at < extents->count && items[at].begin == end;

    assert(begin < end);
    assert(at == 0 || items[at - 1].end <= begin);
    assert(at == extents->count || end <= items[at].begin);
    if (joins_left && joins_right) {
        items[at - 1].end = items[at].end;
        erase(extents, at);
    } else if (joins_left) {
        items[at - 1].end = end;
    } else if (joins_right) {
        items[at].begin = begin;
    } else {
        return insert(extents, at, begin, end);
    }
    return true;
}

uintptr_t gcl_extents_take(struct gcl_extents *extents, size_t size, size_t alignment) {
    assert(size > 0 && alignment > 0 && (alignment & (alignment - 1)) == 0);
    for (size_t i = 0; i < extents->count; i++) {
        struct gcl_extent *item = &extents->items[i];
        uintptr_t begin = (item->begin + alignment - 1) & ~(uintptr_t)(alignment - 1);
        if (begin < item->begin || begin > item->end || item->end - begin < size)
            continue;
        // What lies before the aligned address stays; what lies behind needs an entry of its own.
        uintptr_t end = begin + size;
        if (begin == item->begin && end == item->end)
            erase(extents, i);
        else if (begin == item->begin)
            item->begin = end;
        else if (end == item->end)
            item->end = begin;
        else if (insert(extents, i + 1, end, item->end))
            extents->items[i].end = begin;
        else
            return 0;
        return begin;
    }
    return 0;
}

void gcl_extents_finish(struct gcl_extents *extents) {
    free(extents->items);
    *extents = (struct gcl_extents){.count = 0};
}
