// Launches whose configuration is known where they stand.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/shapes.h"

enum { BLOCK_LIMIT = 1024, BLOCK_DEPTH_LIMIT = 64, DEPTH_LIMIT = 8 };

static bool is_division_of_integers(CXCursor expression) {
    CXType type = clang_getCanonicalType(clang_getCursorType(expression));
    return clang_getCursorKind(expression) == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(expression) == CXBinaryOperator_Div &&
           type.kind >= CXType_UShort && type.kind <= CXType_Int128;
}

// ceil(n / 256) has nothing left to round up.
static enum CXChildVisitResult see_ceil(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr ||
        clang_Cursor_getNumArguments(cursor) != 1)
        return CXChildVisit_Recurse;
    g_autofree char *name = gcl_lint_callee(cursor);
    CXCursor argument = gcl_lint_strip(clang_Cursor_getArgument(cursor, 0));
    int64_t left, right;
    if ((strcmp(name, "ceil") != 0 && strcmp(name, "ceilf") != 0) ||
        !is_division_of_integers(argument))
        return CXChildVisit_Recurse;
    bool is_whole = gcl_shapes_number(gcl_lint_operand(argument, false), NULL, &left) &&
                    gcl_shapes_number(gcl_lint_operand(argument, true), NULL, &right) &&
                    right > 0 && left % right == 0;
    if (!is_whole)
        gcl_lint_add(data, argument, GCL_CODE_ROUNDED_DOWN, "write (n + threads - 1) / threads",
                     "quotient of integers is rounded down before %s() sees it", name);
    return CXChildVisit_Continue;
}

// The value of a local variable that a configuration names, or the expression itself.
static void see_rounding(const struct gcl_lint *lint, CXCursor expression) {
    CXCursor variable = gcl_shapes_variable(expression);
    CXCursor parent = clang_getCursorSemanticParent(variable);
    if (clang_getCursorKind(variable) == CXCursor_VarDecl &&
        gcl_cursor_is_function(clang_getCursorKind(parent)) && gcl_shapes_keeps_value(variable)) {
        CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
        if (!gcl_cursor_is_null(value))
            clang_visitChildren(value, see_ceil, (void *)lint);
        return;
    }
    clang_visitChildren(expression, see_ceil, (void *)lint);
}

static bool known_extent(CXCursor expression, uint32_t extent[3]) {
    return gcl_lint_is_local(expression, DEPTH_LIMIT) &&
           gcl_shapes_extent(expression, NULL, extent);
}

// Said once, at the first launch.
static void see_checks(const struct gcl_lint *lint, CXCursor launch) {
    for (guint i = 0; i < lint->diagnostics->len; i++) {
        if (((struct gcl_diagnostic *)lint->diagnostics->pdata[i])->code == GCL_CODE_UNCHECKED)
            return;
    }
    if (lint->is_unchecked)
        gcl_lint_add(lint, launch, GCL_CODE_UNCHECKED,
                     "ask cudaGetLastError() behind launches, and cudaDeviceSynchronize() for what "
                     "kernels do wrong",
                     "the program never looks whether a launch has failed");
}

void gcl_lint_launch(const struct gcl_lint *lint, CXCursor configuration, CXCursor launch) {
    uint32_t size[3];
    CXCursor grid = clang_Cursor_getArgument(configuration, 0);
    CXCursor block = clang_Cursor_getArgument(configuration, 1);
    see_checks(lint, launch);
    if (known_extent(grid, size) && (size[0] == 0 || size[1] == 0 || size[2] == 0))
        gcl_lint_add(lint, grid, GCL_CODE_LAUNCH_SIZE, "a grid has one block at least",
                     "launch of no blocks: %u x %u x %u", size[0], size[1], size[2]);
    if (known_extent(block, size)) {
        uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
        if (threads == 0 || threads > BLOCK_LIMIT || size[2] > BLOCK_DEPTH_LIMIT)
            gcl_lint_add(lint, block, GCL_CODE_LAUNCH_SIZE,
                         "a block has 1 to 1024 threads, and at most 64 of them in z",
                         "launch with blocks of %u x %u x %u threads", size[0], size[1], size[2]);
    }
    if (lint->has_ceil)
        see_rounding(lint, grid);
}
