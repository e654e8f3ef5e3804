// Footprints that have been found before: launches that differ in nothing that offsets depend on
// have the same.
#ifndef GCL_PLAN_MEMO_H
#define GCL_PLAN_MEMO_H

#include "plan/footprint.h"

/// For one program; used by one thread at a time.
struct gcl_memo;
/// NULL: no memory.
struct gcl_memo *gcl_memo_create(const struct gcl_program *program);
void gcl_memo_destroy(struct gcl_memo *memo);

/// As gcl_footprint_find, from memory where that is possible; the footprint belongs to the memo and
/// is valid until the next call. NULL: no memory.
const struct gcl_footprint *gcl_memo_find(struct gcl_memo *memo,
                                          const struct gcl_launch_part *launch,
                                          const struct gcl_memory *memory);

#endif
