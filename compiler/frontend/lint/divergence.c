// Barriers, of a block's threads or a warp's lanes, that some of them can't reach.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/shapes.h"

enum { WARP = 32, DEPTH_LIMIT = 8 };

/// A way down to a barrier.
struct search {
    const struct gcl_lint *lint;
    CXCursor condition; ///< that lets only some threads through
};

// Whether an expression is the thread's place in its warp: `threadIdx.x % 32`, `threadIdx.x & 31`.
static bool is_lane(CXCursor expression) {
    CXCursor inner = gcl_lint_initial(expression, DEPTH_LIMIT);
    int64_t value;
    if (clang_getCursorKind(inner) != CXCursor_BinaryOperator ||
        gcl_lint_thread_index(gcl_lint_operand(inner, false), DEPTH_LIMIT) != 'x' ||
        !gcl_shapes_number(gcl_lint_operand(inner, true), NULL, &value))
        return false;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);
    return (kind == CXBinaryOperator_Rem && value == WARP) ||
           (kind == CXBinaryOperator_And && value == WARP - 1);
}

// A block may well have as many threads as a power of two says, and then all fulfil the condition.
static bool is_odd_count(int64_t threads, bool of_lanes) {
    return threads > 0 && threads < WARP && (of_lanes || (threads & (threads - 1)) != 0);
}

// Whether some threads of a warp fulfil a condition and some don't, in all blocks of a usual size.
static bool parts_warps(CXCursor condition) {
    CXCursor inner = gcl_lint_strip(condition);
    int64_t value;
    if (clang_getCursorKind(inner) != CXCursor_BinaryOperator)
        return false;
    bool of_lanes = is_lane(gcl_lint_operand(inner, false));
    if ((!of_lanes && gcl_lint_thread_index(gcl_lint_operand(inner, false), DEPTH_LIMIT) != 'x') ||
        !gcl_lint_is_local(gcl_lint_operand(inner, true), DEPTH_LIMIT) ||
        !gcl_shapes_number(gcl_lint_operand(inner, true), NULL, &value))
        return false;
    switch (clang_getCursorBinaryOperatorKind(inner)) {
    case CXBinaryOperator_EQ:
        return value >= 0 && value < WARP;
    case CXBinaryOperator_LT:
    case CXBinaryOperator_GE:
        return is_odd_count(value, of_lanes);
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
        return is_odd_count(value + 1, of_lanes);
    default:
        return false;
    }
}

// Whether a call of one of a warp's functions waits for all lanes.
static bool waits_for_all_lanes(CXCursor call, const char *name) {
    CXCursor mask = clang_Cursor_getArgument(call, 0);
    g_autofree char *text = gcl_lint_text(call);
    int64_t value;
    if (strcmp(name, "__syncwarp") == 0 && g_str_has_suffix(text, "( )"))
        return true;
    return g_str_has_prefix(name, "__") &&
           (g_str_has_suffix(name, "_sync") || strcmp(name, "__syncwarp") == 0) &&
           !gcl_cursor_is_null(mask) && gcl_lint_is_local(mask, DEPTH_LIMIT) &&
           gcl_shapes_number(mask, NULL, &value) && (uint32_t)value == UINT32_MAX;
}

static enum CXChildVisitResult find_barrier(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_LambdaExpr)
        return CXChildVisit_Continue;
    if (kind != CXCursor_CallExpr)
        return CXChildVisit_Recurse;
    g_autofree char *name = gcl_lint_callee(cursor);
    g_autofree char *condition = gcl_lint_source(search->lint, search->condition);
    if (waits_for_all_lanes(cursor, name))
        gcl_lint_add(search->lint, cursor, GCL_CODE_LANES,
                     "name the lanes that come, or call it where all come to",
                     "%s() waits for all lanes, and only those with %s come to", name, condition);
    if (strcmp(name, "__syncthreads") == 0 && clang_Cursor_getNumArguments(cursor) == 0) {
        gcl_lint_add(search->lint, cursor, GCL_CODE_DIVERGENT,
                     "call it where all threads of the block come to",
                     "__syncthreads() where only threads with %s come to", condition);
    }
    return CXChildVisit_Recurse;
}

struct branches {
    CXCursor parts[3]; // condition, then, else
    int count;
};

static enum CXChildVisitResult take_branch(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct branches *branches = data;
    (void)parent;
    if (branches->count < 3)
        branches->parts[branches->count] = cursor;
    branches->count++;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_statement(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_IfStmt)
        return CXChildVisit_Recurse;
    struct branches branches = {.count = 0};
    clang_visitChildren(cursor, take_branch, &branches);
    if (branches.count == 2 && parts_warps(branches.parts[0])) {
        struct search search = {data, branches.parts[0]};
        find_barrier(branches.parts[1], cursor, &search);
        clang_visitChildren(branches.parts[1], find_barrier, &search);
        return CXChildVisit_Continue;
    }
    return CXChildVisit_Recurse;
}

void gcl_lint_divergence(const struct gcl_lint *lint, CXCursor kernel) {
    clang_visitChildren(kernel, see_statement, (void *)lint);
}
