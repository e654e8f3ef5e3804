// What a command leaves of a chunk that it overwrites, as a border of a plane that nobody writes: a
// few bytes, which are kept while the chunk itself is nowhere.
#ifndef GCL_EXEC_PATCH_H
#define GCL_EXEC_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/residency/chunk.h"

enum {
    GCL_HOLES_MOST = 16,                   ///< of a chunk
    GCL_HOLES_BYTES = GCL_CHUNK_SIZE / 16, ///< of them together, at most
};

/// Bytes of a chunk, by their places there.
struct gcl_hole {
    uint32_t begin, end;
};

/// Holes of one chunk, ascending.
struct gcl_holes {
    uint32_t chunk, count;
    struct gcl_hole items[GCL_HOLES_MOST];
};

/// What is known of a chunk some of which is overwritten, while that is gone through ascending.
/// Zeroed at the beginning.
struct gcl_cover {
    struct gcl_holes holes; ///< so far
    uint32_t end;           ///< bytes up to here are overwritten or in holes
    uint32_t left;          ///< bytes of holes
    bool is_wrong;          ///< there are more, or it didn't go ascending
};

/// Bytes [begin, end) of the chunk are overwritten.
void gcl_cover_add(struct gcl_cover *cover, uint32_t begin, uint32_t end);
/// No more is. False: so much is left that the chunk can't do without its bytes.
bool gcl_cover_end(struct gcl_cover *cover);

struct gcl_patch;

/// Room for the bytes of holes. NULL: no memory.
struct gcl_patch *gcl_patch_create(const struct gcl_holes *holes);
/// Takes NULL.
void gcl_patch_destroy(struct gcl_patch *patch);
/// Whether it has some of the chunk's bytes [begin, end).
bool gcl_patch_has(const struct gcl_patch *patch, uint32_t begin, uint32_t end);
/// Keeps the bytes of a chunk, and puts them into one again.
void gcl_patch_take(struct gcl_patch *patch, const unsigned char *chunk);
void gcl_patch_put(const struct gcl_patch *patch, unsigned char *chunk);

#endif
