// `x * 0.5` with a float x is computed in double, which most GPUs do at a small part of their
// speed. If the result becomes a float, 0.5f was most likely meant.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/mend.h"

/// An expression in double.
struct sum {
    GArray *literals; ///< CXCursor
    bool has_float;   ///< a float is converted in it
    bool is_simple;   ///< it has nothing else
};

static enum CXTypeKind kind_of(CXCursor cursor) {
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind;
}

static bool is_arithmetic(CXCursor cursor) {
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    return clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
           (kind == CXBinaryOperator_Add || kind == CXBinaryOperator_Sub ||
            kind == CXBinaryOperator_Mul || kind == CXBinaryOperator_Div);
}

static void see_term(struct sum *sum, CXCursor term) {
    enum CXCursorKind kind = clang_getCursorKind(term);
    CXCursor inner = gcl_lint_operand(term, true);
    if (is_arithmetic(term) && kind_of(term) == CXType_Double) {
        see_term(sum, gcl_lint_operand(term, false));
        see_term(sum, inner);
    } else if (kind == CXCursor_FloatingLiteral) {
        g_array_append_val(sum->literals, term);
    } else if (kind == CXCursor_ParenExpr && kind_of(term) == CXType_Double) {
        see_term(sum, inner);
    } else if (kind == CXCursor_UnexposedExpr && !gcl_cursor_is_null(inner) &&
               kind_of(inner) == CXType_Float) {
        sum->has_float = true;
    } else {
        sum->is_simple = false;
    }
}

static void mend(const struct gcl_lint *lint, struct gcl_diagnostic *diagnostic,
                 const GArray *literals) {
    for (guint i = 0; i < literals->len; i++) {
        unsigned end = 0;
        CXFile file = NULL;
        clang_getFileLocation(
            clang_getRangeEnd(clang_getCursorExtent(g_array_index(literals, CXCursor, i))), &file,
            NULL, NULL, &end);
        const struct gcl_source_draft *draft = gcl_drafts_find(lint->drafts, file);
        if (draft)
            gcl_mend_insert(diagnostic, draft->source, end, "f");
    }
}

static bool are_written_here(const struct gcl_lint *lint, const GArray *literals) {
    for (guint i = 0; i < literals->len; i++) {
        g_autofree char *text = gcl_lint_source(lint, g_array_index(literals, CXCursor, i));
        if ((!g_ascii_isdigit(*text) && *text != '.') || strpbrk(text, "xXlL"))
            return false;
    }
    return literals->len > 0;
}

// Says that an expression in double consists of floats and literals.
static void check(const struct gcl_lint *lint, CXCursor expression, bool has_float) {
    struct sum sum = {g_array_new(FALSE, FALSE, sizeof(CXCursor)), has_float, true};
    see_term(&sum, expression);
    if (sum.has_float && sum.is_simple && are_written_here(lint, sum.literals)) {
        CXCursor literal = g_array_index(sum.literals, CXCursor, 0);
        g_autofree char *text = gcl_lint_source(lint, literal);
        struct gcl_diagnostic *added =
            gcl_lint_add(lint, literal, GCL_CODE_DOUBLE_LITERAL, "write an f behind it",
                         "%s is a double, in which floats are computed here", text);
        if (added)
            mend(lint, added, sum.literals);
    }
    g_array_unref(sum.literals);
}

// What becomes a float: by a conversion, or by `x *= …`.
static enum CXChildVisitResult see_result(CXCursor cursor, CXCursor parent, CXClientData data) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if ((kind != CXCursor_CompoundAssignOperator && kind != CXCursor_UnexposedExpr) ||
        kind_of(cursor) != CXType_Float)
        return CXChildVisit_Recurse;
    CXCursor inner = gcl_lint_operand(cursor, true);
    if (gcl_cursor_is_null(inner) || kind_of(inner) != CXType_Double)
        return CXChildVisit_Recurse;
    CXCursor bare = inner;
    while (clang_getCursorKind(bare) == CXCursor_ParenExpr)
        bare = gcl_lint_operand(bare, true);
    if (kind == CXCursor_CompoundAssignOperator)
        check(data, inner, true);
    else if (kind == CXCursor_UnexposedExpr && is_arithmetic(bare))
        check(data, bare, false);
    return CXChildVisit_Recurse;
}

void gcl_lint_literals(const struct gcl_lint *lint, CXCursor function) {
    clang_visitChildren(function, see_result, (void *)lint);
}
