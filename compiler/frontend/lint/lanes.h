// What an integer of a kernel is in the lanes of one warp, as far as it is known: for each lane a
// number, and a part that all lanes have alike and nobody knows.
#ifndef GCL_FRONTEND_LINT_LANES_H
#define GCL_FRONTEND_LINT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <clang-c/Index.h>

enum { GCL_LANES = 32, GCL_FACTORS = 2 };

/// A value in each lane: `at[lane]`, plus a multiple of `unit` that is the same in all lanes and
/// isn't known; 0: there is no such part.
///
/// With factors, which are the same in all lanes and not known, it is `at[lane]` times these, plus
/// something that is the same in all lanes.
struct gcl_lanes {
    bool is_known; ///< false: the lanes' differences aren't known either, or have factors
    int64_t unit;
    int64_t at[GCL_LANES];
    int factor_count;
    CXCursor factors[GCL_FACTORS]; ///< expressions
};

/// A constant.
struct gcl_lanes gcl_lanes_number(int64_t number);
/// A value that is the same in all lanes, and not known.
struct gcl_lanes gcl_lanes_uniform(void);
/// Whether all lanes have the same value, known or not.
bool gcl_lanes_are_uniform(const struct gcl_lanes *lanes);
/// Whether the distances between lanes are known, but for factors.
bool gcl_lanes_have_distance(const struct gcl_lanes *lanes);
/// What an arithmetic operator makes of two values; not known where that depends on more than what
/// is known of them.
struct gcl_lanes gcl_lanes_apply(enum CXBinaryOperatorKind operation, const struct gcl_lanes *left,
                                 const struct gcl_lanes *right);
/// `lanes` times a constant.
struct gcl_lanes gcl_lanes_scale(const struct gcl_lanes *lanes, int64_t factor);
/// `lanes` times the value of an expression that is the same in all lanes and not known.
struct gcl_lanes gcl_lanes_multiply(const struct gcl_lanes *lanes, CXCursor factor);

#endif
