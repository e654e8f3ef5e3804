// Which chunk goes when another one comes: of those that no command uses at the moment, the one
// that is needed last (ahead.h). What a command in use has had come stays, and so does what threads
// have just stopped at: one that walks over a chunk's end touches two by turns.
//
// The lock is held.
#ifndef GCL_EXEC_RESIDENCY_CHOICE_H
#define GCL_EXEC_RESIDENCY_CHOICE_H

#include "exec/residency/ahead.h"
#include "exec/residency/state.h"

/// Before any chunk is here. False: no memory.
GCL_MUST_USE bool gcl_choice_open(struct gcl_residency *residency);
/// Use number `use`, of ranges of chunks (NULL: no memory for them), is submitted; `kind` as in
/// struct gcl_ahead_command.
void gcl_choice_announce(struct gcl_residency *residency, uint32_t use,
                         const struct gcl_chunk_range *ranges, size_t count, uint64_t kind);
/// A use that was announced begins; it counts as the oldest one that hasn't.
void gcl_choice_begin(struct gcl_residency *residency, uint32_t use);

/// A chunk is here, for use `use`; 0: a thread has stopped at it.
void gcl_choice_add(struct gcl_residency *residency, uint32_t number, uint32_t use);
/// A use of the chunk begins: where it is here it stays, and nobody gives it up.
void gcl_choice_hold(struct gcl_residency *residency, uint32_t number, uint32_t use);
/// The chunk isn't here any more.
void gcl_choice_remove(struct gcl_residency *residency, uint32_t number);
/// A use of the chunk is over.
void gcl_choice_release(struct gcl_residency *residency, uint32_t number);
/// The chunk has no memory any more.
void gcl_choice_forget(struct gcl_residency *residency, uint32_t number);

/// The chunk that goes; if all are in use, one of those, or without pressing need none. 0: there is
/// none.
uint32_t gcl_choice_victim(const struct gcl_residency *residency, bool is_pressing);
/// Whether a chunk may go with one that goes: it is here, no sooner needed, and in use only if that
/// one is, too.
bool gcl_choice_goes_with(const struct gcl_residency *residency, uint32_t number, uint32_t victim);
/// The use that is the next one of a chunk which is here, and overwrites it; 0: none does, or it
/// isn't sure. Nothing that was announced uses the chunk before.
uint32_t gcl_choice_overwritten_by(const struct gcl_residency *residency, uint32_t number);
/// Whether there is one that is needed later than by use `use`.
bool gcl_choice_has_later(const struct gcl_residency *residency, uint32_t use);

#endif
