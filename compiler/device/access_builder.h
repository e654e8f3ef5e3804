// A kernel's program in the making: what access_draft.c, access_fill.c and access_program.c share.
#ifndef GCL_DEVICE_ACCESS_BUILDER_H
#define GCL_DEVICE_ACCESS_BUILDER_H

#include "access_program.h"

/// Of a record: a pragma has taken its place.
#define GCL_REPLACED 0xfffffffeu

/// A loop and the guard that enters it.
struct gcl_entry {
    int loop;
    uint16_t guard;
    uint16_t access; ///< for which it came into the program
};

struct gcl_builder {
    struct gcl_extraction *x;
    struct gcl_device_program *p;
    GPtrArray *pragmas;  ///< const struct gcl_pragma *
    GArray *drafts;      ///< struct gcl_draft; access i of the program is the i-th
    GArray *stays;       ///< struct gcl_reason by which the kernel stays on one node
    GHashTable *nodes;   ///< node of the graph -> its index in the program + 1
    GHashTable *reasons; ///< the same of reasons
    GHashTable *guards;  ///< block + 1 -> its guard + 1
    GArray *entries;     ///< struct gcl_entry
    guint finished;      ///< of them
    uint16_t access;     ///< that is made at the moment
    uint32_t texels;     ///< what is the place of a texel, GCL_NOTHING until there is one
    bool exits;          ///< threads may end where they are
    bool coarse;         ///< without offsets and guards
};

// Drafts (access_draft.c).

/// All places that the kernel's instructions touch, and why it stays on one node.
void gcl_builder_draft_kernel(struct gcl_builder *b);
/// Makes reductions of what pragmas call so.
void gcl_builder_reduce_drafts(struct gcl_builder *b);
/// What pragmas say is touched.
void gcl_builder_draft_pragmas(struct gcl_builder *b);
/// Returns the number of the draft, that of an equal one if there is one.
uint32_t gcl_builder_add_draft(struct gcl_builder *b, const struct gcl_draft *draft);
bool gcl_builder_same_draft(const struct gcl_draft *d, const struct gcl_draft *e);
/// `code`: why the kernel stays on one node; `access`: because of that draft, GCL_NONE: of none.
void gcl_builder_add_stay(struct gcl_builder *b, uint32_t code, uint32_t access,
                          LLVMValueRef where);
/// Whether a pragma is about a place.
bool gcl_builder_is_about(const struct gcl_builder *b, const struct gcl_pragma *pragma,
                          const struct gcl_device_place *place);
bool gcl_builder_has_pragma(const struct gcl_builder *b, enum gcl_pragma_kind kind,
                            const struct gcl_device_place *place);

// Tables (access_fill.c).

/// Makes the program of the drafts anew.
void gcl_builder_fill(struct gcl_builder *b);
/// Whether an object can hold it.
bool gcl_builder_fits(const struct gcl_device_program *program);

#endif
