// What guards leave of a part of a launch: accesses under the same guards needn't each find that
// out.
#ifndef GCL_PLAN_PASSED_H
#define GCL_PLAN_PASSED_H

#include <stddef.h>

#include "plan/program/evaluate.h"
#include "plan/program/needs.h"

enum {
    GCL_PASSED_SETS = 4,       ///< of guards whose pieces are kept
    GCL_PASSED_PIECES = 64,    ///< that are kept of one
    GCL_PASSED_FORMS = 1 << 13 ///< nodes of all pieces of one: a megabyte
};

/// A piece all over which an access' guards hold, and what nodes are over it, as far as that has
/// been found.
struct gcl_passed_piece {
    struct gcl_piece piece;
    enum gcl_certainty certainty;
    uint16_t why;
    struct gcl_form *forms;
    bool *known;
};

/// All such pieces of a part, in their order.
struct gcl_passed {
    bool is_complete;
    uint16_t guard; ///< the innermost one, or GCL_NONE
    const struct gcl_needs *needs;
    struct gcl_passed_piece pieces[GCL_PASSED_PIECES];
    unsigned count;
};

struct gcl_passed_sets {
    struct gcl_passed *sets; ///< GCL_PASSED_SETS of them, made when the first one is asked for
    unsigned count;
};

void gcl_passed_finish(struct gcl_passed_sets *sets);
/// Forgets all, for another part; the room stays.
void gcl_passed_forget(struct gcl_passed_sets *sets);
/// The set of accesses with these guards and needs, which is new if it isn't complete; NULL: there
/// is no room.
struct gcl_passed *gcl_passed_find(struct gcl_passed_sets *sets, uint16_t guard,
                                   const struct gcl_needs *needs);
/// The complete set of the most guards around `guard`, of accesses with the same needs; NULL: there
/// is none.
const struct gcl_passed *gcl_passed_outer(const struct gcl_passed_sets *sets,
                                          const struct gcl_guard *guards, uint16_t guard,
                                          const struct gcl_needs *needs);
/// Room for the next piece of a set, which counts once `count` does; NULL: there is none.
struct gcl_passed_piece *gcl_passed_room(struct gcl_passed *passed, size_t node_count);

#endif
