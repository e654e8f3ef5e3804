// Pages of chunks, which need not all be allocated. Each call of the system costs microseconds, as
// all processors have to know of it: so it is made for what lies side by side.
#ifndef GCL_EXEC_RESIDENCY_PIECES_H
#define GCL_EXEC_RESIDENCY_PIECES_H

#include "exec/residency/state.h"

/// A chunk, and where bytes for it are or go to; NULL: none are needed.
struct gcl_piece {
    uint32_t number;
    const unsigned char *bytes;
};

// What guard.h does, with the allocated pages of chunks that are MOVING.

enum gcl_status gcl_pieces_protect(struct gcl_residency *residency, const struct gcl_piece *pieces,
                                   size_t count);
enum gcl_status gcl_pieces_open(struct gcl_residency *residency, const struct gcl_piece *pieces,
                                size_t count);
/// Makes pages that nobody has touched zeros.
enum gcl_status gcl_pieces_clear(struct gcl_residency *residency, const struct gcl_piece *pieces,
                                 size_t count);
enum gcl_status gcl_pieces_fill(struct gcl_residency *residency, const struct gcl_piece *pieces,
                                size_t count, bool is_open);
/// Moves pages to where the pieces' bytes go to, or from where they are.
enum gcl_status gcl_pieces_move_out(struct gcl_residency *residency, const struct gcl_piece *pieces,
                                    size_t count);
enum gcl_status gcl_pieces_move_in(struct gcl_residency *residency, const struct gcl_piece *pieces,
                                   size_t count);
/// Copies the bytes of pages that are there to where the pieces' go to.
void gcl_pieces_copy_out(struct gcl_residency *residency, const struct gcl_piece *pieces,
                         size_t count);
/// Drops chunks, GCL_MOVE_MOST at most, also where nothing is allocated.
enum gcl_status gcl_pieces_drop(struct gcl_residency *residency, const uint32_t *chunks,
                                size_t count);

#endif
