// Accesses of more than one register, for instruction selection.
#ifndef GCL_DEVICE_LOWER_PIECES_H
#define GCL_DEVICE_LOWER_PIECES_H

#include "device/ir/module.h"

/// Splits accesses of vectors that fill several registers, lowest address first. For optimised
/// code.
void gcl_pieces_split(struct gcl_module *m);

#endif
