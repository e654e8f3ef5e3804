// What a module is made of in memory: an arena that ends with the module, arrays that grow, and
// names that are found again.
#ifndef PTX_READ_ARENA_H
#define PTX_READ_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct ptx_chunk;

/// Memory that is freed all at once. Zeroed to begin with.
struct ptx_arena {
    struct ptx_chunk *chunks;
};

/// `size` zeroed bytes, aligned to 64. Ends the process if there are none.
void *ptx_arena_allocate(struct ptx_arena *arena, size_t size);
/// A copy of the text [text, text + length), ended by a 0.
char *ptx_arena_text(struct ptx_arena *arena, const char *text, size_t length);
void ptx_arena_finish(struct ptx_arena *arena);

/// Room for one more element in a heap array that grows by doubling: `*capacity` elements of `size`
/// bytes, `count` of them in use. Returns the array, which may have moved.
void *ptx_grow(void *array, size_t count, size_t *capacity, size_t size);

/// Values by name. Zeroed to begin with; names are borrowed.
struct ptx_names {
    struct ptx_name {
        const char *text;
        size_t length;
        void *value;
    } *slots;
    size_t capacity, count;
};

/// The place of a name's value; a new one is NULL. Valid until the next call.
void **ptx_names_at(struct ptx_names *names, const char *text, size_t length);
/// The name's value, or NULL.
void *ptx_names_find(const struct ptx_names *names, const char *text, size_t length);
void ptx_names_finish(struct ptx_names *names);

#endif
