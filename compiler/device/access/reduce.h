// Reductions that pragmas declare.
#ifndef GCL_DEVICE_ACCESS_REDUCE_H
#define GCL_DEVICE_ACCESS_REDUCE_H

#include "device/access/build.h"

/// Makes reductions of all (struct gcl_access_draft) that change the pointer of a REDUCES, and
/// takes out of `stays` (struct gcl_reason) what keeps the kernel on one node because of them.
void gcl_access_reduce(struct gcl_extraction *x, const struct gcl_pragma *pragma, GArray *drafts,
                       GArray *stays);

#endif
