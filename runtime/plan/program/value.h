// What nodes of an access program are over one piece.
#ifndef GCL_PLAN_VALUE_H
#define GCL_PLAN_VALUE_H

#include "plan/region/piece.h"

struct gcl_contents;

/// Nodes that are one number for all threads of a launch, as far as they have been found.
struct gcl_uniform {
    bool *is; ///< they follow from arguments and sizes alone
    bool *known;
    struct gcl_form *forms;
};

/// The evaluation of one program over one piece.
struct gcl_values {
    const struct gcl_program *program;
    const struct gcl_launch_part *launch;
    struct gcl_contents *contents; ///< NULL: not known
    struct gcl_uniform *uniform;   ///< of the launch; NULL: they are found anew
    struct gcl_piece *piece;
    struct gcl_form *forms; ///< one a node, of those that are
    bool *known;
    struct gcl_subdivision request; ///< set when a function answers that the piece has to be cut
    uint16_t why; ///< the node because of which the last condition isn't sure, GCL_NONE: it is
};

/// The form of a node; false: the piece has to be cut first.
bool gcl_value_of(struct gcl_values *values, uint16_t node, struct gcl_form *form);
/// Whether a condition holds all over the piece. Sets `why`.
enum gcl_verdict gcl_value_holds(struct gcl_values *values, uint16_t node);
/// The form whose values lie in the type's range; top where it wraps around too often.
bool gcl_value_normalise(struct gcl_values *values, const struct gcl_form *form, unsigned width,
                         bool is_signed, struct gcl_form *normal);
/// Asks for a piece for each of the form's values, if they aren't too many: answers false then.
bool gcl_value_fix(struct gcl_values *values, const struct gcl_form *form);
/// Forgets all forms: the piece, or an iteration, is another one.
void gcl_value_forget(struct gcl_values *values);

#endif
