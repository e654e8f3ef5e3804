// Who accessed what in a launch: a word for every four bytes of memory, by which races between
// blocks are found. See shadow.c for how one word is enough.
//
// A shadow is for one thread at a time.
#ifndef GCL_EXEC_SHADOW_H
#define GCL_EXEC_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "gcluster/sanitize.h"

/// Four bytes, the granule at an address that is a multiple of it.
enum { GCL_GRANULE = 4, GCL_GRANULE_ALL = 0xf };

/// An access, as it is remembered: who (31 bits, grows from block to block), GCL_MARK_RESULT, its
/// site (23 bits), which bytes of the granule (4 bits), and an enum gcl_race_kind (3 bits, and one
/// of our own).
typedef uint64_t gcl_mark;

/// Of an atomic operation whose result is used; it stays when accesses of a block are joined.
#define GCL_MARK_RESULT ((gcl_mark)1 << 31)

static inline uint64_t gcl_mark_who(gcl_mark mark) {
    return mark >> 32;
}
static inline uint32_t gcl_mark_site(gcl_mark mark) {
    return (uint32_t)mark << 1 >> 9;
}
static inline uint32_t gcl_mark_bytes(gcl_mark mark) {
    return mark >> 4 & GCL_GRANULE_ALL;
}
static inline uint32_t gcl_mark_kinds(gcl_mark mark) {
    return mark & 7;
}
/// Of an access to all bytes of granules.
static inline gcl_mark gcl_mark_make(uint64_t who, uint32_t site, uint32_t kinds) {
    return who << 32 | (uint64_t)site << 8 | GCL_GRANULE_ALL << 4 | kinds;
}

/// True if it tells at first sight that a whole granule was written by `from` or who came later.
static inline bool gcl_mark_tells_write(gcl_mark mark, uint64_t from) {
    gcl_mark is_written = GCL_GRANULE_ALL << 4 | GCL_RACE_WRITE;
    return (mark & (is_written | 8)) == is_written && gcl_mark_who(mark) >= from;
}

/// The words of an allocation.
struct gcl_shadow_extent {
    uint64_t begin, end; ///< addresses
    uint64_t launch;     ///< the latest in which it was looked up
    gcl_mark *words;     ///< for the granule of `begin` and so on; NULL: no memory
    // The caller's.
    uint64_t *written; ///< which bytes are (written.h); NULL: all of them
    const char *file;  ///< where it was allocated; NULL: not known
    uint32_t line;
};

/// Starts zeroed.
struct gcl_shadow {
    struct gcl_shadow_extent *extents; ///< ascending
    size_t extent_count, extent_capacity;
    gcl_mark (*parts)[GCL_GRANULE]; ///< granules whose bytes differ
    size_t part_count, part_capacity;
    uint64_t first; ///< who came first in this launch
    uint64_t next;  ///< who comes next
    uint64_t launch;
};

/// Forgets the accesses of the launch before. `count` blocks will come, less than 2^31 - 1:
/// gcl_shadow.next, + 1, and so on.
void gcl_shadow_start(struct gcl_shadow *shadow, uint64_t count);
void gcl_shadow_finish(struct gcl_shadow *shadow);

/// The extent that holds `address` and was added in this launch, NULL if none does.
struct gcl_shadow_extent *gcl_shadow_find(const struct gcl_shadow *shadow, uint64_t address);
/// Adds one for the allocation [begin, end), or finds that of an earlier launch. Moves the others.
/// NULL: no memory.
struct gcl_shadow_extent *gcl_shadow_add(struct gcl_shadow *shadow, uint64_t begin, uint64_t end);
/// Where the word for address 0 would be; 0 if the extent has none.
uint64_t gcl_shadow_base(const struct gcl_shadow_extent *extent);

/// An access to some bytes of a granule. Returns an earlier one by another block with which it is a
/// race, 0 if there is none.
gcl_mark gcl_shadow_access(struct gcl_shadow *shadow, gcl_mark *word, gcl_mark mark);

/// What becomes of a word with an access to its whole granule, for all granules with such a word.
/// False: it has to be asked for each of them, as gcl_shadow_access does.
bool gcl_shadow_join(const struct gcl_shadow *shadow, gcl_mark *word, gcl_mark mark);

/// Whether each of `bytes` of a granule was written by `from` or who came later, or atomically.
bool gcl_shadow_is_written(const struct gcl_shadow *shadow, gcl_mark word, uint32_t bytes,
                           uint64_t from);

#endif
