// What numbers in a program are at least and at most, as expressions of the pragma language: over
// arguments, threads and blocks, without anything that memory holds.
#ifndef GCL_EXPLAIN_BOUNDS_H
#define GCL_EXPLAIN_BOUNDS_H

#include "explain.h"
#include "expression.h"

/// An interval of numbers with both its ends, which are expressions: twice the same one if there is
/// one number, GCL_NONE where nobody knows.
struct gcl_interval {
    uint16_t low, high;
};

/// Finds the bounds around one access after the other.
struct gcl_bounds {
    const struct gcl_explained_kernel *kernel;
    bool per_block;                  ///< bounds of all threads of a block, else of one thread
    const struct gcl_access *access; ///< the one whose conditions hold
    struct gcl_expressions expressions;
    struct gcl_interval *ranges; ///< of the program's nodes, for this access
    bool *is_known;              ///< per node, whether its range is found, or being found
    /// There may be steps between the bounds that aren't taken, or they hold only if what is
    /// multiplied with isn't negative.
    bool is_loose;
    unsigned depth; ///< operations in each other that the search is in
};

void gcl_bounds_init(struct gcl_bounds *b, const struct gcl_explained_kernel *kernel,
                     bool per_block);
void gcl_bounds_finish(struct gcl_bounds *b);
/// Makes `b` find the bounds around this access from now on.
void gcl_bounds_enter(struct gcl_bounds *b, const struct gcl_access *access);

bool gcl_interval_is_exact(struct gcl_interval range);
struct gcl_interval gcl_bounds_of(struct gcl_bounds *b, uint16_t node);
struct gcl_interval gcl_bounds_add(struct gcl_bounds *b, struct gcl_interval x,
                                   struct gcl_interval y);
struct gcl_interval gcl_bounds_scale(struct gcl_bounds *b, struct gcl_interval x, int64_t factor);

/// A number as a sum of nodes, each times a constant.
struct gcl_term {
    uint16_t node;
    int64_t factor;
};
enum { GCL_TERMS = 16 };
struct gcl_terms {
    int64_t constant;
    struct gcl_term list[GCL_TERMS];
    unsigned count; ///< more than GCL_TERMS: they don't fit
    unsigned steps; ///< of adding them up
};
/// Adds `factor` times a node. `is_deep`: numbers that were extended are sums as well.
void gcl_terms_add(const struct gcl_program *program, uint16_t node, int64_t factor, bool is_deep,
                   struct gcl_terms *terms);

/// Where a block's threads go on side by side until a bound, `for (i = threadIdx.x; i < n; i +=
/// blockDim.x)`: takes the terms out of which `i` is made, and says from where to where it goes and
/// what it is multiplied by. For blocks.
bool gcl_bounds_sweep(struct gcl_bounds *b, struct gcl_terms *terms, struct gcl_interval *range,
                      int64_t *factor);

#endif
