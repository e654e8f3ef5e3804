// What commands are going to use. Before a command is submitted, its use is: so chunks come while
// commands before it run, and those stay that are needed soon. A command that touches chunks which
// no use names runs as well, but stops at them.
#ifndef GCL_EXEC_RESIDENCY_USE_H
#define GCL_EXEC_RESIDENCY_USE_H

#include "exec/residency/move.h"

struct gcl_use;

/// `kind`: the same for commands that do the same, as far as that can be told. `owner`: as struct
/// gcl_residency_options has it; NULL: nobody wants to know. NULL: no memory.
struct gcl_use *gcl_use_create(struct gcl_residency *residency, uint64_t kind, const void *owner);
/// Adds bytes of device memory that are read, or written. False: no memory.
GCL_MUST_USE bool gcl_use_add(struct gcl_use *use, uintptr_t begin, uintptr_t end, bool is_written);
/// Adds bytes that are all written before any of them is read; what lies in the same chunk should
/// be added ascending.
GCL_MUST_USE bool gcl_use_add_overwritten(struct gcl_use *use, uintptr_t begin, uintptr_t end);
/// All has been added: of what was said about a chunk the most counts. False: no memory.
GCL_MUST_USE bool gcl_use_settle(struct gcl_use *use);
/// Bytes of all chunks that it names.
uint64_t gcl_use_size(const struct gcl_use *use);
/// Bytes that come for it and that have to go later, if nothing of it is there.
uint64_t gcl_use_moves(const struct gcl_use *use);
/// What use number `number`, which was submitted and isn't over, leaves of a chunk that it
/// overwrites; NULL: nothing. The residency's lock is held, and has been since it was known that
/// there is such a use.
const struct gcl_holes *gcl_use_holes(const struct gcl_residency *residency, uint32_t number,
                                      uint32_t chunk);
/// Nothing comes for it: its chunks come as its command touches them. It isn't submitted yet.
void gcl_use_leave(struct gcl_use *use);
/// It has settled: it comes after those that were submitted before.
void gcl_use_submit(struct gcl_use *use);
/// Bytes that a copy takes.
size_t gcl_use_weight(const struct gcl_use *use);
/// A copy of one that has settled and isn't submitted; NULL: no memory.
struct gcl_use *gcl_use_copy(const struct gcl_use *use);
/// Of one that isn't submitted.
void gcl_use_discard(struct gcl_use *use);

/// Whether a command that nothing comes for writes a chunk, as far as is known. The lock is held.
bool gcl_use_writes(const struct gcl_residency *residency, uint32_t chunk);

/// In how many parts chunks come, at least 1.
uint32_t gcl_use_parts(const struct gcl_use *use);
/// Its command is next: has the chunks of one part come. Several threads, each with another part.
void gcl_use_bring(void *use, uint32_t part);
/// Its command is done.
void gcl_use_end(void *use);

/// Starts and ends the thread that has chunks come beforehand. False: no memory.
GCL_MUST_USE bool gcl_uses_start(struct gcl_residency *residency);
void gcl_uses_stop(struct gcl_residency *residency);

#endif
