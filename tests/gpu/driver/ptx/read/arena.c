#include "arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64, CHUNK_SIZE = 1 << 16 };

struct ptx_chunk {
    struct ptx_chunk *next;
    size_t used, size;
    alignas(ALIGNMENT) unsigned char bytes[];
};

static void *require(void *memory) {
    if (memory)
        return memory;
    fputs("test driver: out of host memory\n", stderr);
    abort();
}

void *ptx_arena_allocate(struct ptx_arena *arena, size_t size) {
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct ptx_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < rounded) {
        size_t bytes = rounded > CHUNK_SIZE ? rounded : CHUNK_SIZE;
        chunk = require(aligned_alloc(ALIGNMENT, sizeof *chunk + bytes));
        memset(chunk->bytes, 0, bytes);
        chunk->next = arena->chunks;
        chunk->used = 0;
        chunk->size = bytes;
        arena->chunks = chunk;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return memory;
}

char *ptx_arena_text(struct ptx_arena *arena, const char *text, size_t length) {
    char *copy = ptx_arena_allocate(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void ptx_arena_finish(struct ptx_arena *arena) {
    while (arena->chunks) {
        struct ptx_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

void *ptx_grow(void *array, size_t count, size_t *capacity, size_t size) {
    assert(count <= *capacity);
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    return require(realloc(array, *capacity * size));
}

static uint64_t hash(const char *text, size_t length) {
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return sum ^ sum >> 29;
}

/// The slot of the name, or the empty one that it would get.
static struct ptx_name *slot_of(const struct ptx_names *names, const char *text, size_t length) {
    size_t at = (size_t)hash(text, length) & (names->capacity - 1);
    while (names->slots[at].text &&
           (names->slots[at].length != length || memcmp(names->slots[at].text, text, length) != 0))
        at = (at + 1) & (names->capacity - 1);
    return &names->slots[at];
}

static void rehash(struct ptx_names *names) {
    struct ptx_names larger = {.capacity = names->capacity ? 2 * names->capacity : 64,
                               .count = names->count};
    larger.slots = require(calloc(larger.capacity, sizeof *larger.slots));
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i].text)
            *slot_of(&larger, names->slots[i].text, names->slots[i].length) = names->slots[i];
    free(names->slots);
    *names = larger;
}

void **ptx_names_at(struct ptx_names *names, const char *text, size_t length) {
    if (2 * names->count >= names->capacity)
        rehash(names);
    struct ptx_name *slot = slot_of(names, text, length);
    if (!slot->text) {
        *slot = (struct ptx_name){.text = text, .length = length};
        names->count++;
    }
    return &slot->value;
}

void *ptx_names_find(const struct ptx_names *names, const char *text, size_t length) {
    return names->capacity ? slot_of(names, text, length)->value : NULL;
}

void ptx_names_finish(struct ptx_names *names) {
    free(names->slots);
    *names = (struct ptx_names){.count = 0};
}
