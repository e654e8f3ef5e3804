// Boxes of bytes, as copies and sets name them.
#ifndef GCL_EXEC_EXCHANGE_BOX_H
#define GCL_EXEC_EXCHANGE_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "cluster/communicator/operation.h"
#include "exec/device/device.h"
#include "plan/directory/directory.h"

/// The source or the target of a copy: `begin`, with rows `pitch` bytes and slices `slice` bytes
/// apart.
struct gcl_operation_box gcl_box_of_copy(const void *begin, size_t pitch, size_t slice,
                                         const struct gcl_box_copy *copy);
/// The bytes of a box in the allocation that it is in. False: they can't be said exactly. `region`
/// is to be finished either way.
bool gcl_box_region(const struct gcl_directory_entry *entry, const struct gcl_operation_box *box,
                    struct gcl_region *region);

#endif
