// Expressions of the pragma language in the making: equal ones are one, sums come out without what
// cancels.
#ifndef GCL_EXPLAIN_EXPRESSION_H
#define GCL_EXPLAIN_EXPRESSION_H

#include "base/pragma.h"
#include "gcluster/access.h"

/// An expression is an index into `nodes`; GCL_NONE: it isn't known, and all that is made of it
/// isn't either. Nor are those that are too long to read.
struct gcl_expressions {
    GArray *nodes; ///< struct gcl_pragma_node
    GArray *sizes; ///< uint16_t: how many nodes each is made of
};

void gcl_expressions_init(struct gcl_expressions *e);
void gcl_expressions_finish(struct gcl_expressions *e);

/// Larger constants, or smaller than -that, aren't known: products of two fit in 64 bits.
#define GCL_EXPRESSION_MAX (INT64_C(1) << 30)
uint16_t gcl_expression_constant(struct gcl_expressions *e, int64_t value);
bool gcl_expression_is_constant(const struct gcl_expressions *e, uint16_t node, int64_t *value);
/// `blockIdx.x` and so on.
uint16_t gcl_expression_index(struct gcl_expressions *e, enum gcl_pragma_node_kind kind,
                              unsigned axis);
/// A parameter, or a field of one.
uint16_t gcl_expression_object(struct gcl_expressions *e, const char *name);
/// An operator with two operands.
uint16_t gcl_expression_binary(struct gcl_expressions *e, enum gcl_pragma_node_kind kind,
                               uint16_t a, uint16_t b);
uint16_t gcl_expression_select(struct gcl_expressions *e, uint16_t condition, uint16_t a,
                               uint16_t b);
/// Whether an expression is made of an index of the kind.
bool gcl_expression_names(const struct gcl_expressions *e, uint16_t node,
                          enum gcl_pragma_node_kind kind);
/// Whether an expression is a sum with a constant.
bool gcl_expression_has_constant(const struct gcl_expressions *e, uint16_t node);
/// Whether an expression depends on threads or blocks.
bool gcl_expression_moves(const struct gcl_expressions *e, uint16_t node);
/// n, if the expression is `x * n` where x depends on threads or blocks and n doesn't, or a sum of
/// such with the same n; else GCL_NONE.
uint16_t gcl_expression_stride(const struct gcl_expressions *e, uint16_t node);
/// The text of a pragma's region, "in[first : count]", to be freed.
char *gcl_expression_region(const struct gcl_expressions *e, const char *object, uint16_t first,
                            uint16_t count);

#endif
