// What numbers in a program are at least and at most, as expressions of the pragma language: over
// arguments, threads and blocks, without anything that memory holds.
#ifndef GCL_EXPLAIN_BOUNDS_H
#define GCL_EXPLAIN_BOUNDS_H

#include "explain.h"
#include "expression.h"

/// Both are in it. The same expression twice: that is the number. GCL_NONE: nobody knows.
struct gcl_range {
    uint16_t low, high;
};

/// Finds the bounds around one access after the other.
struct gcl_bounds {
    const struct gcl_explained_kernel *kernel;
    bool per_block;                  ///< of all threads of a block, else of one thread
    const struct gcl_access *access; ///< whose conditions hold
    struct gcl_expressions expressions;
    struct gcl_range *ranges; ///< of the program's nodes, for this access
    bool *is_known;           ///< for which of them, or being found
    /// There may be steps between the bounds that aren't taken, or they hold only if what is
    /// multiplied with isn't negative.
    bool is_loose;
    unsigned depth; ///< of the search
};

void gcl_bounds_init(struct gcl_bounds *b, const struct gcl_explained_kernel *kernel,
                     bool per_block);
void gcl_bounds_finish(struct gcl_bounds *b);
/// From now on it is about this access.
void gcl_bounds_enter(struct gcl_bounds *b, const struct gcl_access *access);

bool gcl_range_is_exact(struct gcl_range range);
struct gcl_range gcl_bounds_of(struct gcl_bounds *b, uint16_t node);
struct gcl_range gcl_bounds_add(struct gcl_bounds *b, struct gcl_range x, struct gcl_range y);
struct gcl_range gcl_bounds_scale(struct gcl_bounds *b, struct gcl_range x, int64_t factor);

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
bool gcl_bounds_sweep(struct gcl_bounds *b, struct gcl_terms *terms, struct gcl_range *range,
                      int64_t *factor);

#endif
