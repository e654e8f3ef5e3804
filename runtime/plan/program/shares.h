// The shares of single blocks, or of parts, in what some blocks of a launch touch: evaluated once
// for all of them, then taken apart. That gives as much as an evaluation of each block or part, or
// more where that one isn't exact, in a fraction of the time.
#ifndef GCL_PLAN_SHARES_H
#define GCL_PLAN_SHARES_H

#include "plan/program/footprint.h"

struct gcl_share;
struct gcl_share_taken;

/// What a block touches by one access, compared with what the leading one does.
struct gcl_share_move {
    size_t pieces;
    int64_t shift;         ///< bytes by which it lies further
    struct gcl_span bytes; ///< from the first to the last, from the base on; empty: none, or all
};

/// Ascending by access.
struct gcl_share_list {
    struct gcl_share *shares;
    size_t count, capacity;
};

/// Reads and writes of one kernel that touch the same bytes, as `a[i] += b` does: they are
/// evaluated once.
struct gcl_share_alike {
    uint16_t first; ///< the first such access; the rest is that one's
    uint16_t count; ///< accesses that are alike, with the first one
    uint8_t kinds;  ///< a bit for each enum gcl_access_kind of them
};

/// Zeroed it is empty. Borrows the launch's arguments and the program.
struct gcl_shares {
    const struct gcl_program *program;
    struct gcl_launch_part launch;           ///< the blocks
    struct gcl_contents *contents;           ///< the evaluator's
    struct gcl_share_list own;               ///< pieces of which blocks have different parts
    struct gcl_share_list common;            ///< those that each block has as they are
    struct gcl_share_move *kept;             ///< by access: how it moves, as far as it is common
    struct gcl_share_taken *leader, *latest; ///< those of the two blocks
    size_t leader_count, latest_count, taken_capacity;
    bool is_of_exact; ///< only accesses that aren't vague have shares, and of alike ones the first
    struct gcl_share_alike *alike; ///< by access; of gcl_shares_find_exact
    bool *is_vague; ///< by access: pieces have more than what is touched, or there are many
    bool gave_up; ///< some accesses have too many pieces for these blocks: each may touch any byte
};

/// Evaluates all accesses for the blocks of `launch`. False: no memory; there are no shares then.
GCL_MUST_USE bool gcl_shares_find(struct gcl_evaluator *evaluator,
                                  const struct gcl_launch_part *launch, struct gcl_shares *shares);
/// Like gcl_shares_find, without accesses that aren't exact or have very many pieces, in this
/// launch or in one before it: to be asked for what gcl_shares_visit_part visits.
GCL_MUST_USE bool gcl_shares_find_exact(struct gcl_evaluator *evaluator,
                                        const struct gcl_launch_part *launch,
                                        struct gcl_shares *shares);
void gcl_shares_finish(struct gcl_shares *shares);
/// Bytes that they take.
size_t gcl_shares_memory(const struct gcl_shares *shares);

/// Calls `visit` for what an access touches in `block`, one of the launch's; NULL: in all of them.
void gcl_shares_visit(const struct gcl_shares *shares, uint16_t access, const uint32_t *block,
                      gcl_bytes_visit *visit, void *context);
/// Whether it is known for each byte that an access touches which blocks do; of
/// gcl_shares_find_exact. False of accesses that are like one before them.
bool gcl_shares_are_exact(const struct gcl_shares *shares, uint16_t access);
/// Calls `visit` for what such an access touches in `part`, some of the launch's blocks.
void gcl_shares_visit_part(const struct gcl_shares *shares, uint16_t access,
                           const struct gcl_launch_part *part, gcl_bytes_visit *visit,
                           void *context);
/// The footprint of what gcl_shares_visit visits. False: no memory; the footprint is empty then.
GCL_MUST_USE bool gcl_shares_footprint(const struct gcl_shares *shares, const uint32_t *block,
                                       const struct gcl_memory *memory,
                                       struct gcl_footprint *footprint);

/// Compares `block` with the leading one. True: each access touches the same, moved as `moves`
/// says, one an access. False: it doesn't, or there is no memory; `moves` says only where its bytes
/// are.
bool gcl_shares_follow(struct gcl_shares *shares, const uint32_t *block,
                       struct gcl_share_move *moves);
/// Makes the block that was compared last the leading one.
void gcl_shares_lead(struct gcl_shares *shares);

#endif
