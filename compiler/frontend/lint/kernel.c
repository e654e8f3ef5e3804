// Launches whose configuration is known, and barriers in kernels that some threads can't reach.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/draft.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/mistakes.h"
#include "frontend/shapes.h"
#include "frontend/text/lexer.h"

enum { BLOCK_LIMIT = 1024, BLOCK_DEPTH_LIMIT = 64, WARP = 32, DEPTH_LIMIT = 8 };

// Launches.

static bool is_division_of_integers(CXCursor expression) {
    CXType type = clang_getCanonicalType(clang_getCursorType(expression));
    return clang_getCursorKind(expression) == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(expression) == CXBinaryOperator_Div &&
           type.kind >= CXType_UShort && type.kind <= CXType_Int128;
}

struct ceiling {
    const struct gcl_lint *lint;
};

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
        gcl_lint_add(((struct ceiling *)data)->lint, argument, GCL_CODE_ROUNDED_DOWN,
                     "write (n + threads - 1) / threads",
                     "quotient of integers is rounded down before %s() sees it", name);
    return CXChildVisit_Continue;
}

// The value of a local variable that a configuration names, or the expression itself.
static void see_rounding(const struct gcl_lint *lint, CXCursor expression) {
    struct ceiling ceiling = {lint};
    CXCursor variable = gcl_shapes_variable(expression);
    CXCursor parent = clang_getCursorSemanticParent(variable);
    if (clang_getCursorKind(variable) == CXCursor_VarDecl &&
        gcl_cursor_is_function(clang_getCursorKind(parent)) && gcl_shapes_keeps_value(variable)) {
        CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
        if (!gcl_cursor_is_null(value))
            clang_visitChildren(value, see_ceil, &ceiling);
        return;
    }
    clang_visitChildren(expression, see_ceil, &ceiling);
}

static bool known_extent(CXCursor expression, uint32_t extent[3]) {
    return gcl_lint_is_local(expression, DEPTH_LIMIT) &&
           gcl_shapes_extent(expression, NULL, extent);
}

void gcl_lint_launch(const struct gcl_lint *lint, CXCursor configuration, CXCursor launch) {
    uint32_t size[3];
    CXCursor grid = clang_Cursor_getArgument(configuration, 0);
    CXCursor block = clang_Cursor_getArgument(configuration, 1);
    (void)launch;
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
    see_rounding(lint, grid);
}

// Barriers.

/// A way down to a barrier.
struct search {
    const struct gcl_lint *lint;
    CXCursor condition; ///< that lets only some threads through
};

static bool is_thread_index(CXCursor expression, int depth) {
    CXCursor inner = gcl_lint_strip(expression);
    g_autofree char *text = gcl_lint_text(inner);
    if (strcmp(text, "threadIdx . x") == 0)
        return true;
    CXCursor variable = clang_getCursorReferenced(inner);
    if (depth == 0 || clang_getCursorKind(inner) != CXCursor_DeclRefExpr ||
        clang_getCursorKind(variable) != CXCursor_VarDecl || !gcl_shapes_keeps_value(variable))
        return false;
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    return !gcl_cursor_is_null(value) && is_thread_index(value, depth - 1);
}

// A block may well have as many threads as a power of two says, and then all fulfil the condition.
static bool is_odd_count(int64_t threads) {
    return threads > 0 && threads < WARP && (threads & (threads - 1)) != 0;
}

// Whether some threads of a warp fulfil a condition and some don't, in all blocks of a usual size.
static bool parts_warps(CXCursor condition) {
    CXCursor inner = gcl_lint_strip(condition);
    int64_t value;
    if (clang_getCursorKind(inner) != CXCursor_BinaryOperator ||
        !is_thread_index(gcl_lint_operand(inner, false), DEPTH_LIMIT) ||
        !gcl_lint_is_local(gcl_lint_operand(inner, true), DEPTH_LIMIT) ||
        !gcl_shapes_number(gcl_lint_operand(inner, true), NULL, &value))
        return false;
    switch (clang_getCursorBinaryOperatorKind(inner)) {
    case CXBinaryOperator_EQ:
        return value >= 0 && value < WARP;
    case CXBinaryOperator_LT:
    case CXBinaryOperator_GE:
        return is_odd_count(value);
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GT:
        return is_odd_count(value + 1);
    default:
        return false;
    }
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
    if (strcmp(name, "__syncthreads") == 0 && clang_Cursor_getNumArguments(cursor) == 0) {
        g_autofree char *condition = gcl_lint_source(search->lint, search->condition);
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

// What the device pass will refuse, said before there is one: in editors alone, since the pass
// knows better what a program may do.

static enum CXChildVisitResult find_attribute(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(bool *)data |= clang_isAttribute(clang_getCursorKind(cursor)) != 0;
    return CXChildVisit_Continue;
}

// Texture and surface references, alone or in arrays, are read by their functions.
static bool is_reference(CXType type) {
    while (type.kind == CXType_ConstantArray)
        type = clang_getArrayElementType(type);
    g_autofree char *name = gcl_cursor_name(clang_getTypeDeclaration(type));
    return strcmp(name, "texture") == 0 || strcmp(name, "surface") == 0;
}

// A global variable of the program that is neither constant nor marked in any way.
static bool is_of_host(CXCursor variable) {
    bool is_marked = false;
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    if (clang_getCursorKind(variable) != CXCursor_VarDecl || clang_isConstQualifiedType(type) ||
        type.kind == CXType_LValueReference || is_reference(type) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(variable)) ||
        gcl_cursor_is_function(clang_getCursorKind(clang_getCursorSemanticParent(variable))))
        return false;
    clang_visitChildren(variable, find_attribute, &is_marked);
    return !is_marked;
}

// Whether a `#if` that stands at token `i` asks which side is compiled.
static bool asks_for_side(const struct gcl_source_draft *draft, guint i, const char *text) {
    for (const struct gcl_token *token; (token = gcl_draft_token(draft, i)); i++) {
        if (token->line == GCL_LINE_TEXT || token->kind == GCL_TOKEN_HASH)
            return false;
        if (gcl_token_is(token, text, "__CUDA_ARCH__"))
            return true;
    }
    return false;
}

// Whether a place is in a condition on __CUDA_ARCH__, whose device side isn't read here, or in a
// macro, which may have another text there.
static bool may_be_for_host(const struct gcl_lint *lint, CXCursor cursor) {
    CXSourceLocation location = clang_getCursorLocation(cursor);
    CXFile file = NULL;
    unsigned offset = 0, spelled = 0;
    uint64_t asks = 0; // a bit for each open #if
    clang_getFileLocation(location, &file, NULL, NULL, &offset);
    clang_getSpellingLocation(location, NULL, NULL, NULL, &spelled);
    const struct gcl_source_draft *draft = gcl_drafts_find(lint->drafts, file);
    if (!draft || spelled != offset)
        return true;
    const char *text = g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
    for (guint i = 0; i + 1 < draft->tokens->len; i++) {
        const struct gcl_token *token = gcl_draft_token(draft, i);
        if (token->begin >= offset)
            break;
        if (token->kind != GCL_TOKEN_HASH || token->line == GCL_LINE_TEXT)
            continue;
        if (g_str_has_prefix(text + token[1].begin, "if"))
            asks = asks << 1 | asks_for_side(draft, i + 1, text);
        else if (g_str_has_prefix(text + token[1].begin, "endif"))
            asks >>= 1;
        else if (g_str_has_prefix(text + token[1].begin, "elif"))
            asks |= asks_for_side(draft, i + 1, text);
    }
    return asks != 0;
}

static enum CXChildVisitResult see_use(CXCursor cursor, CXCursor parent, CXClientData data) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_UnaryExpr || kind == CXCursor_LambdaExpr || kind == CXCursor_TypeRef)
        return CXChildVisit_Continue; // what isn't computed, or may be computed elsewhere
    if (kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) == CX_SC_None &&
        clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_VariableArray &&
        !may_be_for_host(data, cursor))
        gcl_lint_error(data, cursor, GCL_CODE_VARIABLE_LENGTH, GCL_VARIABLE_LENGTH_HELP,
                       GCL_VARIABLE_LENGTH);
    if (kind == CXCursor_DeclRefExpr && is_of_host(clang_getCursorReferenced(cursor)) &&
        !may_be_for_host(data, cursor)) {
        g_autofree char *name = gcl_cursor_name(cursor);
        g_autofree char *message = g_strdup_printf(GCL_HOST_VARIABLE, name);
        gcl_lint_error(data, cursor, GCL_CODE_HOST_VARIABLE, GCL_HOST_VARIABLE_HELP, message);
    }
    return CXChildVisit_Recurse;
}

void gcl_lint_kernel(const struct gcl_lint *lint, CXCursor kernel) {
    clang_visitChildren(kernel, see_statement, (void *)lint);
    // clang may never make device code of others, and then has nothing against them.
    if (lint->is_in_editor && clang_getCursorKind(kernel) == CXCursor_FunctionDecl &&
        clang_getCursorLinkage(kernel) == CXLinkage_External)
        clang_visitChildren(kernel, see_use, (void *)lint);
}
