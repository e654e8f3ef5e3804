// One kernel while its access program is made (access.c): what the files access_*.c share.
//
// Values become nodes on demand, and are remembered. While the recurrence of a loop is looked for
// (access_loop.c), nodes may hold an OPEN one; those are remembered apart, and forgotten when it is
// found.
#ifndef GCL_DEVICE_ACCESS_BUILD_H
#define GCL_DEVICE_ACCESS_BUILD_H

#include <glib.h>
#include <llvm-c/Core.h>

#include "access_graph.h"
#include "cfg.h"
#include "gcluster/reasons.h"
#include "module.h"

/// Where a pointer may lead.
enum gcl_place_kind {
    GCL_PLACE_ARGUMENT, ///< `index`: byte of the packed arguments
    GCL_PLACE_VARIABLE, ///< `variable`
    GCL_PLACE_LOADED,   ///< `index`: record
    GCL_PLACE_ANY,      ///< `index`: reason
    GCL_PLACE_LOCAL,    ///< no other block sees it; `index`: enum gcl_reason_code for what it holds
    GCL_PLACE_PARAMETER, ///< into a parameter passed by value, at its byte `index`
    GCL_PLACE_OPEN,      ///< where the phi of depth `index` leads
};

struct gcl_device_place {
    enum gcl_place_kind kind;
    uint32_t index;
    const struct gcl_device_variable *variable;
    uint32_t offset;    ///< node of 64 bits
    uint32_t condition; ///< node of 1 bit for which it leads there, GCL_NOTHING: always
    uint64_t loops;     ///< in whose iterations the base may differ
};

/// None of them: an undefined pointer.
enum { GCL_PLACES = 8 };
struct gcl_places {
    unsigned count;
    uint64_t open;
    struct gcl_device_place list[GCL_PLACES];
};

/// Part of the name of the function of our headers that fetches from a texture.
#define GCL_TEXTURE_FUNCTION "__gcl_sample_level"

/// A place in memory that an instruction reads or writes.
enum gcl_record_role {
    GCL_ROLE_WHOLE,  ///< what a load or store or atomic operation is about, or is written
    GCL_ROLE_SOURCE, ///< what is copied
    GCL_ROLE_TEXELS, ///< texels of a level that is passed to GCL_TEXTURE_FUNCTION
    GCL_ROLE_LANE,   ///< an element of a vector that is loaded, `lane`
};

struct gcl_record {
    LLVMValueRef instruction;
    enum gcl_record_role role;
    uint32_t lane;
    uint32_t first; ///< its access in the program, once that exists
};

struct gcl_extraction {
    struct gcl_module *m; ///< a copy, of which only the analysis knows
    struct gcl_device_kernel *kernel;
    LLVMValueRef function;
    struct gcl_cfg *cfg;
    int *up; ///< block -> the one from which its guard goes on (access_guard.c)
    struct gcl_graph graph;
    GHashTable *values, *open_values; ///< LLVMValueRef, or block: its condition -> node + 1
    GHashTable *places, *open_places; ///< LLVMValueRef -> struct gcl_places
    GHashTable *open_phis, *open_phi_places;
    GPtrArray *kept;  ///< all struct gcl_places
    unsigned depth;   ///< OPEN nodes at the moment
    unsigned nesting; ///< of calls that follow operands
    GArray *records;  ///< struct gcl_record
    GHashTable *record_index;
    GArray *reasons;  ///< struct gcl_reason
    GPtrArray *files; ///< names
};

// Values (access_value.c).
uint32_t gcl_access_value(struct gcl_extraction *x, LLVMValueRef value);
/// An integer of `value`'s width, or of `width` bits, that isn't known because of `where`.
uint32_t gcl_access_unknown(struct gcl_extraction *x, enum gcl_reason_code code, unsigned width,
                            LLVMValueRef where);
/// What can't be said before nodes are no longer open.
uint32_t gcl_access_pending(struct gcl_extraction *x, unsigned width, uint64_t open);
uint32_t gcl_access_reason(struct gcl_extraction *x, enum gcl_reason_code code, LLVMValueRef where);
uint32_t gcl_access_reason_at(struct gcl_extraction *x, enum gcl_reason_code code,
                              const struct gcl_source_place *place);
/// The number of a file among those of the kernel.
uint16_t gcl_access_file(struct gcl_extraction *x, const char *name);
/// Where an instruction stands in the user's source.
struct gcl_source_place gcl_access_source(struct gcl_extraction *x, LLVMValueRef instruction);
/// Whether it is part of what our headers do to fetch from a texture.
bool gcl_access_is_texture(LLVMValueRef instruction);
/// Remembers a node, by the value or block whose it is.
uint32_t gcl_access_remember(struct gcl_extraction *x, void *key, uint32_t node);
bool gcl_access_recall(const struct gcl_extraction *x, void *key, uint32_t *node);
uint32_t gcl_access_record(struct gcl_extraction *x, LLVMValueRef instruction,
                           enum gcl_record_role role, uint32_t lane);
int gcl_access_block(const struct gcl_extraction *x, LLVMValueRef instruction);

// Pointers (access_place.c).
const struct gcl_places *gcl_access_places(struct gcl_extraction *x, LLVMValueRef pointer);
const struct gcl_places *gcl_access_remember_places(struct gcl_extraction *x, LLVMValueRef value,
                                                    const struct gcl_places *places);
/// What a load gives: `width` bits, `extra` bytes behind where it begins.
uint32_t gcl_access_loaded(struct gcl_extraction *x, LLVMValueRef load, unsigned width,
                           enum gcl_record_role role, uint32_t lane, uint32_t extra);
/// `a` where the condition holds, else `b`.
struct gcl_places gcl_places_select(struct gcl_extraction *x, uint32_t condition,
                                    const struct gcl_places *a, const struct gcl_places *b);
void gcl_places_add(struct gcl_extraction *x, struct gcl_places *places,
                    struct gcl_device_place place);
struct gcl_places gcl_places_shift(struct gcl_extraction *x, const struct gcl_places *places,
                                   uint32_t offset);
struct gcl_places gcl_places_any(struct gcl_extraction *x, enum gcl_reason_code code,
                                 LLVMValueRef where);

// Loops (access_loop.c): phis of a loop's header.
uint32_t gcl_access_recurrence(struct gcl_extraction *x, LLVMValueRef phi, int loop);
struct gcl_places gcl_access_pointer_recurrence(struct gcl_extraction *x, LLVMValueRef phi,
                                                int loop);
/// The loop that begins with a block, GCL_NOWHERE if none does.
int gcl_access_loop_at(const struct gcl_extraction *x, int block);
uint64_t gcl_access_loop_bit(int loop);
/// The loops around a block, those around both it and `other` left out.
uint64_t gcl_access_loops(const struct gcl_extraction *x, int block, int other);
/// `node`, a value of block `from`, in block `to`: if a loop ends between them, it is that of the
/// last iteration.
uint32_t gcl_access_leave(struct gcl_extraction *x, uint32_t node, int from, int to,
                          LLVMValueRef where);
/// A value of an iteration of `loop` for its next one. There the ends of loops inside are others,
/// and not known.
uint32_t gcl_access_repeated(struct gcl_extraction *x, uint32_t node, int loop, LLVMValueRef where);
/// The number of an iteration.
uint32_t gcl_access_iteration(struct gcl_extraction *x, int loop, unsigned width);

// Guards (access_guard.c).
void gcl_access_find_ups(struct gcl_extraction *x);
/// The condition under which control gets to `block` from the start of the iteration, or from
/// x->up of the block.
uint32_t gcl_access_reach(struct gcl_extraction *x, int block);
/// The condition under which control takes the edge into `block`, from x->up of that.
uint32_t gcl_access_edge(struct gcl_extraction *x, int from, int block);
/// Whether it was this edge that led to the block: of values that meet there, which one it is.
uint32_t gcl_access_choice(struct gcl_extraction *x, int from, int block);
/// The condition under which the loop goes on.
uint32_t gcl_access_repeats(struct gcl_extraction *x, int loop);

#endif
