// Integers as nodes of the graph, and what else is remembered of a kernel while its program is
// made: records of its accesses, reasons, places in the source.
#ifndef GCL_DEVICE_ACCESS_VALUE_H
#define GCL_DEVICE_ACCESS_VALUE_H

#include "device/access/build.h"

/// The node of an integer, made when it is first asked for.
uint32_t gcl_access_value(struct gcl_extraction *x, LLVMValueRef value);
/// An integer of `value`'s width, or of `width` bits, that isn't known because of `where`.
uint32_t gcl_access_unknown(struct gcl_extraction *x, enum gcl_reason_code code, unsigned width,
                            LLVMValueRef where);
/// A stand-in for a value that can't be said before the nodes `open` are no longer open.
uint32_t gcl_access_pending(struct gcl_extraction *x, unsigned width, uint64_t open);
/// The number of a reason of `x`, at the place of `where` or at a given one; equal ones are one.
uint32_t gcl_access_reason(struct gcl_extraction *x, enum gcl_reason_code code, LLVMValueRef where);
uint32_t gcl_access_reason_at(struct gcl_extraction *x, enum gcl_reason_code code,
                              const struct gcl_source_position *place);
/// The number of a file among those of the kernel.
uint16_t gcl_access_file(struct gcl_extraction *x, const char *name);
/// Where an instruction stands in the user's source.
struct gcl_source_position gcl_access_source(struct gcl_extraction *x, LLVMValueRef instruction);
/// Remembers a node by the value or block whose node it is, and finds it again.
uint32_t gcl_access_remember(struct gcl_extraction *x, void *key, uint32_t node);
bool gcl_access_recall(const struct gcl_extraction *x, void *key, uint32_t *node);
/// The number of the record of what `instruction` accesses in `role`.
uint32_t gcl_access_record(struct gcl_extraction *x, LLVMValueRef instruction,
                           enum gcl_record_role role, uint32_t lane);
/// The number of the block of an instruction in x->cfg.
int gcl_access_block(const struct gcl_extraction *x, LLVMValueRef instruction);

#endif
