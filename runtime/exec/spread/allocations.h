// Which memory there is, as all nodes know it.
#ifndef GCL_EXEC_SPREAD_ALLOCATIONS_H
#define GCL_EXEC_SPREAD_ALLOCATIONS_H

#include "exec/spread/core.h"

/// What the host does with memory of a kind (a sum of enum gcl_space_kind).
enum gcl_host_use gcl_spread_use_of(uint32_t kind);
/// False: no memory.
bool gcl_spread_create_late(struct gcl_spread *spread);
/// Tells of changes that came while a launch was being planned; nobody plans any more.
void gcl_spread_tell_late(struct gcl_spread *spread);
void gcl_spread_add_memory(struct gcl_spread *spread, const struct gcl_operation *o);
/// Node 0: tells of memory of which one node alone has all bytes (`holder`, which is 0), or of new
/// memory (GCL_NOBODY).
void gcl_spread_tell_memory(struct gcl_spread *spread, const struct gcl_allocation *allocation,
                            uint32_t holder);
/// Node 0: tells where an object's variables lie, of one in a library after that is told.
void gcl_spread_tell_code(struct gcl_spread *spread, const struct gcl_operation *code,
                          const struct gcl_library *library);
/// Node 0: has the others forget memory, which stays here.
void gcl_spread_forget_memory(struct gcl_spread *spread, uint64_t begin);
/// Node 0: as gcl_spread_forget_memory, before the space gives the memory back, when commands
/// submitted up to here have been done.
void gcl_spread_retire(struct gcl_spread *spread, uint64_t begin);
/// False: no allocation begins there.
bool gcl_spread_remove_memory(struct gcl_spread *spread, uint64_t begin);

#endif
