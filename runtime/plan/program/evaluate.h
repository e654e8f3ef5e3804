// Which bytes an access touches in a launch, or in some of its blocks.
#ifndef GCL_PLAN_EVALUATE_H
#define GCL_PLAN_EVALUATE_H

#include "plan/region/piece.h"

/// How well bytes are known.
enum gcl_certainty {
    GCL_CERTAINTY_EXACT,   ///< these and no others
    GCL_CERTAINTY_BOUNDED, ///< at most these: it would take too many parts to say it exactly
    GCL_CERTAINTY_DATA,    ///< at most these: data decides
};

/// `length` bytes at `offset` from the access' base, repeated along each dimension. Several pieces
/// of one access may overlap.
struct gcl_bytes {
    int64_t offset;
    int64_t length;
    unsigned dimensions;
    int64_t stride[GCL_VARIABLES]; ///< bytes, not 0
    int64_t count[GCL_VARIABLES];  ///< at least 2
    bool everywhere;               ///< anywhere in the allocation: the rest means nothing
    enum gcl_certainty certainty;
    uint16_t why;    ///< index of the node because of which it isn't exact
    double accesses; ///< how often they are accessed; values that stand for data count as one
    const struct gcl_piece *piece; ///< whose image they are, during the visit; NULL: of anything
    const struct gcl_form *form;   ///< that maps it to `offset` and on, unless they are everywhere
};

typedef void gcl_bytes_visit(void *context, const struct gcl_bytes *bytes);

/// Sets where bytes lie: those that `offset` has over the box. `length` and the rest stay.
void gcl_bytes_place(const struct gcl_form *offset, const struct gcl_box *box,
                     struct gcl_bytes *bytes);
/// The variables of a piece that stand for data, a bit for each.
unsigned gcl_bytes_data(const struct gcl_piece *piece);
/// Sets how often bytes are accessed: once for each point of the box, but for variables in `data`.
void gcl_bytes_count(const struct gcl_box *box, unsigned data, struct gcl_bytes *bytes);

/// Room for evaluating one program; NULL without memory.
struct gcl_evaluator;
struct gcl_evaluator *gcl_evaluator_create(const struct gcl_program *program);
void gcl_evaluator_destroy(struct gcl_evaluator *evaluator);
/// Lets evaluations of one launch know what memory holds, as far as that is the same for all
/// threads; NULL: they don't.
struct gcl_contents;
void gcl_evaluator_inspect(struct gcl_evaluator *evaluator, struct gcl_contents *contents);
/// Begins with another part of a launch, for which all is as gcl_evaluator_inspect says: until
/// gcl_evaluator_end its blocks are those of each evaluation, so that what guards leave of them is
/// found once.
void gcl_evaluator_begin(struct gcl_evaluator *evaluator, struct gcl_contents *contents);
void gcl_evaluator_end(struct gcl_evaluator *evaluator);
struct gcl_contents *gcl_evaluator_contents(const struct gcl_evaluator *evaluator);
const struct gcl_program *gcl_evaluator_program(const struct gcl_evaluator *evaluator);
/// From here on evaluation takes at most so many steps, each about a microsecond, and then finds
/// that accesses are everywhere.
void gcl_evaluator_limit(struct gcl_evaluator *evaluator, int64_t steps);
/// Takes steps for what is made of what has been evaluated.
void gcl_evaluator_spend(struct gcl_evaluator *evaluator, int64_t steps);
/// Whether more steps were wanted than there were.
bool gcl_evaluator_is_spent(const struct gcl_evaluator *evaluator);
/// Until the next call parts of one launch are evaluated: an access that has too many pieces in one
/// of them is everywhere in the others, which saves the time to find that out again.
void gcl_evaluator_take_parts(struct gcl_evaluator *evaluator);

/// Calls `visit` for every piece of what `access` touches; not at all if it never happens. If
/// there are too many, one that is everywhere stands for the rest.
void gcl_evaluate(struct gcl_evaluator *evaluator, uint16_t access,
                  const struct gcl_launch_part *launch, gcl_bytes_visit *visit, void *context);
/// Whether gcl_evaluate would visit a piece of `access`: takes no longer than to the first one.
bool gcl_evaluate_happens(struct gcl_evaluator *evaluator, uint16_t access,
                          const struct gcl_launch_part *launch);

#endif
