// Chunks come and go. Whoever needs a chunk has it come himself, and others go for that; several
// threads do so at once, each with chunks of its own.
#ifndef GCL_EXEC_RESIDENCY_MOVE_H
#define GCL_EXEC_RESIDENCY_MOVE_H

#include "exec/residency/state.h"

enum { GCL_MOVE_MOST = 64 }; ///< chunks that one thread moves at once

/// What is going to be done with chunks.
enum gcl_chunk_purpose {
    GCL_CHUNK_READ,
    GCL_CHUNK_WRITE,     ///< some of its bytes
    GCL_CHUNK_PATCH,     ///< all but a few, before any of those is read
    GCL_CHUNK_OVERWRITE, ///< all of them, before any is read
};

/// What chunks are wanted for.
struct gcl_chunk_want {
    enum gcl_chunk_purpose purpose;
    uint32_t use;    ///< number of the use that wants them; 0: none does
    bool is_waiting; ///< its turn hasn't come: what is given up before that stays so
};

/// Has chunks [begin, end) come, `most_moved` at most, those that have memory; when it returns all
/// of them have been here. Returns what came from the store, of no owner.
struct gcl_residency_came gcl_chunks_bring(struct gcl_residency *residency, uint32_t begin,
                                           uint32_t end, struct gcl_chunk_want want);
/// A thread has stopped at a page.
enum gcl_guard_answer gcl_chunks_touched(void *residency, uintptr_t page, bool is_written,
                                         pid_t thread);
/// Chunks [begin, end) have lost their memory. The lock is held, and is let go meanwhile.
void gcl_chunks_forget(struct gcl_residency *residency, uint32_t begin, uint32_t end);
/// A chunk is here, for a use; 0: for none. The lock is held.
void gcl_chunks_add(struct gcl_residency *residency, uint32_t number, uint32_t use);

#endif
