// Drafts: the places that a kernel touches, before they are in tables.
#ifndef GCL_DEVICE_ACCESS_DRAFT_H
#define GCL_DEVICE_ACCESS_DRAFT_H

#include "device/access/build.h"
#include "device/access/builder.h"

/// All places that the kernel's instructions touch, and why it stays on one node.
void gcl_builder_draft_kernel(struct gcl_builder *b);
/// Makes reductions of what pragmas call so.
void gcl_builder_reduce_drafts(struct gcl_builder *b);
/// What pragmas say is touched.
void gcl_builder_draft_pragmas(struct gcl_builder *b);
/// Returns the number of the draft, that of an equal one if there is one.
uint32_t gcl_builder_add_draft(struct gcl_builder *b, const struct gcl_access_draft *draft);
bool gcl_builder_same_draft(const struct gcl_access_draft *d, const struct gcl_access_draft *e);
/// `code`: why the kernel stays on one node; `access`: because of that draft, GCL_NONE: of none.
void gcl_builder_add_stay(struct gcl_builder *b, uint32_t code, uint32_t access,
                          LLVMValueRef where);
/// Whether a pragma is about a place.
bool gcl_builder_is_about(const struct gcl_builder *b, const struct gcl_pragma *pragma,
                          const struct gcl_access_target *place);
bool gcl_builder_has_pragma(const struct gcl_builder *b, enum gcl_pragma_kind kind,
                            const struct gcl_access_target *place);

#endif
