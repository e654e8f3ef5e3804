// This file finds which lanes go on behind a condition. Bounds of an array let through all lanes of
// all warps but the last; `threadIdx.x == 0` lets through one.
#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/values.h"

enum { DEPTH_LIMIT = 8 };

static bool holds(enum CXBinaryOperatorKind comparison, int64_t difference) {
    switch (comparison) {
    case CXBinaryOperator_LT:
        return difference < 0;
    case CXBinaryOperator_GT:
        return difference > 0;
    case CXBinaryOperator_LE:
        return difference <= 0;
    case CXBinaryOperator_GE:
        return difference >= 0;
    case CXBinaryOperator_EQ:
        return difference == 0;
    default:
        return difference != 0;
    }
}

// One lane may be missing, as with `threadIdx.x != 0`.
static bool most_pass(const struct gcl_lint_values *values, enum CXBinaryOperatorKind comparison,
                      const struct gcl_lanes *difference, bool wanted) {
    int count = gcl_lint_values_lanes(values), passed = 0;
    for (int i = 0; i < count; i++)
        passed += holds(comparison, difference->at[i]) == wanted;
    return passed >= count - 1;
}

// Whether a comparison lets through only what is below a number of fewer than a warp's threads.
static bool keeps_start(enum CXBinaryOperatorKind comparison, const struct gcl_lanes *number,
                        bool wanted) {
    bool is_number = gcl_lanes_are_uniform(number) && number->unit == 0;
    bool is_upper = comparison == CXBinaryOperator_LT || comparison == CXBinaryOperator_LE;
    return is_number && number->at[0] < GCL_LANES && is_upper == wanted;
}

static bool compares(const struct gcl_lint_values *values, CXCursor condition, bool wanted) {
    enum CXBinaryOperatorKind comparison = clang_getCursorBinaryOperatorKind(condition);
    struct gcl_lanes left = gcl_lint_values_find(values, gcl_lint_operand(condition, false));
    struct gcl_lanes right = gcl_lint_values_find(values, gcl_lint_operand(condition, true));
    struct gcl_lanes difference = gcl_lanes_apply(CXBinaryOperator_Sub, &left, &right);
    if (!difference.is_known)
        return false;
    if (difference.unit == 0 || difference.unit % GCL_LANES == 0)
        return most_pass(values, comparison, &difference, wanted);
    if (comparison == CXBinaryOperator_EQ || comparison == CXBinaryOperator_NE)
        return wanted == (comparison == CXBinaryOperator_NE);
    return !keeps_start(comparison, &right, wanted) && !keeps_start(comparison, &left, !wanted);
}

static bool lets_through(const struct gcl_lint_values *values, CXCursor condition, bool wanted,
                         int depth) {
    CXCursor inner = gcl_lint_strip(condition);
    struct gcl_lanes value = gcl_lint_values_find(values, inner);
    if (depth == 0 || gcl_cursor_is_null(inner))
        return false;
    if (gcl_lanes_are_uniform(&value))
        return true; // all lanes of a warp, or none
    if (clang_getCursorKind(inner) == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_LNot)
        return lets_through(values, gcl_lint_operand(inner, true), !wanted, depth - 1);
    if (clang_getCursorKind(inner) != CXCursor_BinaryOperator)
        return false;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return lets_through(values, gcl_lint_operand(inner, false), wanted, depth - 1) &&
               lets_through(values, gcl_lint_operand(inner, true), wanted, depth - 1);
    return kind >= CXBinaryOperator_LT && kind <= CXBinaryOperator_NE &&
           compares(values, inner, wanted);
}

bool gcl_lint_lets_warps_through(const struct gcl_lint_values *values, CXCursor condition,
                                 bool wanted) {
    return lets_through(values, condition, wanted, DEPTH_LIMIT);
}
