// Rest: while other nodes can't make the program faster, node 0 does all by itself that the program
// asks for, as a job of one does. The others are told nothing; they know of no memory.
//
// A spread that rests keeps what it will have to tell when it wakes up: which memory there is and
// where the variables of device code lie. Then all bytes are node 0's, and from there on operations
// are spread, until it lies down again: all bytes come home, and the others forget them. So a job
// that never wakes up costs what a job of one costs.
#ifndef GCL_EXEC_SPREAD_REST_H
#define GCL_EXEC_SPREAD_REST_H

#include "exec/spread/core.h"

/// Node 0, before anything is allocated: begins to rest. False: no memory.
bool gcl_rest_begin(struct gcl_spread *spread);
/// Whether it rests; the lock is held.
bool gcl_rest_is_on(const struct gcl_spread *spread);
/// Has node 0 do a command by itself, unless it is time to wake up. False: the spread is awake. The
/// lock isn't held.
bool gcl_rest_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                     struct gcl_command *command, struct gcl_fence *fence);
/// The program has waited for what it submitted, and nobody else has to. False: that others have
/// done is to be asked now.
bool gcl_rest_waited(struct gcl_spread *spread);
/// Steps that planning a run may take (plan/schedule/schedule.h); 0: any number.
uint32_t gcl_rest_planning(const struct gcl_spread *spread, const struct gcl_run *run);
/// A launch has been spread, by a spread that rests at times.
void gcl_rest_note(struct gcl_spread *spread, struct gcl_fence fence);

// For those who tell other nodes; the lock is held. False: they are to be told now.

bool gcl_rest_keep_memory(struct gcl_spread *spread, const struct gcl_allocation *allocation);
bool gcl_rest_drop_memory(struct gcl_spread *spread, uintptr_t begin);
bool gcl_rest_keep_code(struct gcl_spread *spread, const struct gcl_operation *code,
                        const struct gcl_library *library);
/// An object's variables are gone, of which others may not have been told.
void gcl_rest_drop_code(struct gcl_spread *spread, const char *id);

/// Bytes that are allocated while it rests; 0: it is awake.
uint64_t gcl_rest_held(const struct gcl_spread *spread);

#endif
