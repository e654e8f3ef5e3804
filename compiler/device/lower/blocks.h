// Long basic blocks are cut into pieces, as instruction selection, scheduling and what follows them
// take time with the square of a block's length.
//
// Before: the optimised module, with its pieces (lower/pieces.h). After: what the code generator is
// for. A piece that goes on into the next one has no jump at its end.
#ifndef GCL_DEVICE_BLOCKS_H
#define GCL_DEVICE_BLOCKS_H

#include "device/ir/module.h"

void gcl_blocks_split(struct gcl_module *m);

#endif
