// Which bytes of an allocation, or of a block's shared memory, somebody wrote: a bit for each, from
// the first one on. For --sanitize=init.
//
// Copies of different bytes may be noted by several threads at a time.
#ifndef GCL_EXEC_WRITTEN_H
#define GCL_EXEC_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many words hold the bits of `size` bytes.
static inline size_t gcl_written_words(size_t size) {
    return size / 64 + 1;
}

/// Bytes [begin, end) are written.
void gcl_written_set(uint64_t *bits, size_t begin, size_t end);
/// The first of bytes [begin, end) that isn't written, `end` if all are.
size_t gcl_written_missing(const uint64_t *bits, size_t begin, size_t end);
/// Whether all of them are.
static inline bool gcl_written_all(const uint64_t *bits, size_t begin, size_t end) {
    if (begin / 64 != (end - 1) / 64)
        return gcl_written_missing(bits, begin, end) == end;
    uint64_t word = __atomic_load_n(&bits[begin / 64], __ATOMIC_RELAXED) >> begin % 64;
    return (~word & UINT64_MAX >> (64 - (end - begin))) == 0;
}
/// Whether any of them is.
bool gcl_written_any(const uint64_t *bits, size_t begin, size_t end);

struct gcl_space;

/// `size` bytes at `target` become those at `source`; NULL: they are set. If both are in memory
/// whose writes the space notes, those that nobody wrote remain so.
void gcl_written_note_copy(struct gcl_space *space, const void *target, const void *source,
                           size_t size);

#endif
