// FNV-1a, eight bytes at a time, by which nodes of a job tell whether they have the same. Not for
// what somebody may want to be mistaken.
#ifndef GCL_BASE_HASH_H
#define GCL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GCL_HASH_START UINT64_C(0xcbf29ce484222325)

/// Goes on with `hash`: what is added in two parts is told from the same bytes in one.
static inline uint64_t gcl_hash_add(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    hash ^= size;
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, b + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

static inline uint64_t gcl_hash(const void *bytes, size_t size) {
    return gcl_hash_add(GCL_HASH_START, bytes, size);
}

#endif
