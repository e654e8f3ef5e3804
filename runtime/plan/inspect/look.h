// Inspections by the compiler's looks (gcluster/look.h).
#ifndef GCL_PLAN_LOOK_H
#define GCL_PLAN_LOOK_H

#include "plan/inspect/inspect.h"

enum gcl_looked {
    GCL_LOOKED_FOUND,
    GCL_LOOKED_NOT,  ///< there is no look for it, or it can't tell: the program has to be gone
                     ///< through
    GCL_LOOKED_LONG, ///< it would take more than so many steps
};
/// Does what gcl_inspect does, if there is a look for it that can. Unless it was found, nothing is
/// marked.
GCL_MUST_USE enum gcl_looked gcl_look(const struct gcl_inspect_input *input, int64_t steps,
                                      struct gcl_marked *marked);

#endif
