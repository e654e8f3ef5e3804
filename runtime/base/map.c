// Open addressing with linear probing, at most half full.
#include "map.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static struct gcl_map_entry *find(const struct gcl_map *map, const void *key) {
    assert(map->count < map->capacity && (map->capacity & (map->capacity - 1)) == 0);
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (map->capacity - 1);
    while (map->entries[i].key && map->entries[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    return &map->entries[i];
}

static bool grow(struct gcl_map *map) {
    struct gcl_map grown = {.capacity = map->capacity ? 2 * map->capacity : 64};
    grown.entries = calloc(grown.capacity, sizeof grown.entries[0]);
    if (!grown.entries)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        if (!map->entries[i].value)
            continue;
        *find(&grown, map->entries[i].key) = map->entries[i];
        grown.count++;
    }
    assert(grown.count <= map->count);
    free(map->entries);
    *map = grown;
    return true;
}

void *gcl_map_get(const struct gcl_map *map, const void *key) {
    return map->capacity ? find(map, key)->value : NULL;
}

bool gcl_map_set(struct gcl_map *map, const void *key, void *value) {
    assert(key);
    if (2 * map->count >= map->capacity && !grow(map))
        return false;
    struct gcl_map_entry *entry = find(map, key);
    if (!entry->key) {
        if (!value)
            return true;
        entry->key = key;
        map->count++;
        assert(2 * map->count <= map->capacity);
    }
    entry->value = value;
    return true;
}

void gcl_map_finish(struct gcl_map *map) {
    free(map->entries);
    *map = (struct gcl_map){.count = 0};
}
