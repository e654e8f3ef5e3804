// What an expression is, seen through what clang puts around it.
#include "frontend/lint/expression.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/report.h"
#include "frontend/shapes.h"

enum { DEPTH_LIMIT = 16 };

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (!clang_isExpression(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_isExpression(clang_getCursorKind(cursor)))
        *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

CXCursor gcl_lint_operand(CXCursor expression, bool last) {
    CXCursor found = clang_getNullCursor();
    clang_visitChildren(expression, last ? take_last : take_first, &found);
    return found;
}

CXCursor gcl_lint_strip(CXCursor expression) {
    for (int i = 0; i < DEPTH_LIMIT; i++) {
        switch (clang_getCursorKind(expression)) {
        case CXCursor_UnexposedExpr:
        case CXCursor_ParenExpr:
        case CXCursor_CStyleCastExpr:
        case CXCursor_CXXStaticCastExpr:
        case CXCursor_CXXReinterpretCastExpr:
        case CXCursor_CXXConstCastExpr: {
            CXCursor inner = gcl_lint_operand(expression, true);
            if (clang_Cursor_isNull(inner))
                return expression;
            expression = inner;
            break;
        }
        default:
            return expression;
        }
    }
    return expression;
}

char *gcl_lint_callee(CXCursor call) {
    CXCursor function = clang_getCursorReferenced(call);
    if (gcl_cursor_is_null(function) || !gcl_cursor_is_function(clang_getCursorKind(function)))
        return g_strdup("");
    return gcl_report_in_cuda_words(gcl_cursor_name(function));
}

char *gcl_lint_text(CXCursor cursor) {
    CXTranslationUnit unit = clang_Cursor_getTranslationUnit(cursor);
    CXToken *tokens = NULL;
    unsigned count = 0;
    GString *text = g_string_new(NULL);
    clang_tokenize(unit, clang_getCursorExtent(cursor), &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        g_autofree char *token = gcl_cursor_take_text(clang_getTokenSpelling(unit, tokens[i]));
        g_string_append_printf(text, "%s%s", i ? " " : "", token);
    }
    clang_disposeTokens(unit, tokens, count);
    return g_string_free(text, FALSE);
}

CXCursor gcl_lint_initial(CXCursor expression, int depth) {
    CXCursor inner = gcl_lint_strip(expression);
    CXCursor variable = clang_getCursorReferenced(inner);
    if (depth == 0 || clang_getCursorKind(inner) != CXCursor_DeclRefExpr ||
        clang_getCursorKind(variable) != CXCursor_VarDecl || !gcl_shapes_keeps_value(variable))
        return inner;
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    return gcl_cursor_is_null(value) ? inner : gcl_lint_initial(value, depth - 1);
}

char gcl_lint_thread_index(CXCursor expression, int depth) {
    g_autofree char *text = gcl_lint_text(gcl_lint_initial(expression, depth));
    bool is_index = strlen(text) == strlen("threadIdx . x") &&
                    g_str_has_prefix(text, "threadIdx . ") && strchr("xyz", text[12]);
    return is_index ? text[12] : '\0';
}

struct locality {
    bool is_local;
    int depth;
};

static bool is_local_variable(CXCursor variable, int depth) {
    if (clang_isConstQualifiedType(clang_getCursorType(variable)))
        return true;
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    return gcl_cursor_is_function(clang_getCursorKind(clang_getCursorSemanticParent(variable))) &&
           clang_Cursor_getStorageClass(variable) != CX_SC_Static && !gcl_cursor_is_null(value) &&
           gcl_lint_is_local(value, depth - 1);
}

static enum CXChildVisitResult see_part(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct locality *locality = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr) {
        CXCursor target = clang_getCursorReferenced(cursor);
        enum CXCursorKind kind = clang_getCursorKind(target);
        locality->is_local &=
            kind == CXCursor_EnumConstantDecl || gcl_cursor_is_function(kind) ||
            (kind == CXCursor_VarDecl && is_local_variable(target, locality->depth));
    }
    return locality->is_local ? CXChildVisit_Recurse : CXChildVisit_Break;
}

bool gcl_lint_is_local(CXCursor expression, int depth) {
    struct locality locality = {depth > 0, depth};
    see_part(expression, expression, &locality);
    if (locality.is_local)
        clang_visitChildren(expression, see_part, &locality);
    return locality.is_local;
}

struct attribute_search {
    enum CXCursorKind kind;
    bool is_there;
};

static enum CXChildVisitResult seek_attribute(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct attribute_search *search = data;
    (void)parent;
    search->is_there |= clang_getCursorKind(cursor) == search->kind;
    return CXChildVisit_Continue;
}

bool gcl_lint_has_attribute(CXCursor variable, enum CXCursorKind attribute) {
    struct attribute_search search = {attribute, false};
    clang_visitChildren(variable, seek_attribute, &search);
    return search.is_there;
}

static enum CXChildVisitResult see_attribute(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(bool *)data |= clang_isAttribute(clang_getCursorKind(cursor)) != 0;
    return CXChildVisit_Continue;
}

bool gcl_lint_is_own(CXCursor variable) {
    bool has_attribute = false;
    if (clang_getCursorKind(variable) != CXCursor_VarDecl ||
        !gcl_cursor_is_function(clang_getCursorKind(clang_getCursorSemanticParent(variable))) ||
        clang_Cursor_getStorageClass(variable) == CX_SC_Static ||
        clang_Cursor_getStorageClass(variable) == CX_SC_Extern)
        return false;
    clang_visitChildren(variable, see_attribute, &has_attribute);
    return !has_attribute;
}

// Whether an object is a std::vector with the library's allocator.
static bool is_vector(CXCursor object) {
    CXType type = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(object)));
    g_autofree char *name = gcl_cursor_take_text(clang_getTypeSpelling(type));
    const char *allocator = strstr(name, ", ");
    return g_str_has_prefix(name, "std::vector<") &&
           (!allocator || g_str_has_prefix(allocator, ", std::allocator<"));
}

CXCursor gcl_lint_vector_of(CXCursor call, const char *function) {
    g_autofree char *name = gcl_lint_callee(call);
    bool is_part = strcmp(name, function) == 0;
    CXCursor object = is_part ? gcl_lint_operand(call, false) : clang_getNullCursor();
    if (!gcl_cursor_is_null(object) && clang_getCursorKind(object) == CXCursor_MemberRefExpr)
        object = gcl_lint_operand(object, false);
    object = gcl_cursor_is_null(object) ? object : gcl_lint_strip(object);
    bool is_own = !gcl_cursor_is_null(object) &&
                  clang_getCursorKind(object) == CXCursor_DeclRefExpr &&
                  gcl_lint_is_own(clang_getCursorReferenced(object)) && is_vector(object);
    return is_own ? clang_getCanonicalCursor(clang_getCursorReferenced(object))
                  : clang_getNullCursor();
}

unsigned gcl_lint_begin(CXCursor cursor) {
    unsigned offset = 0;
    clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), NULL, NULL, NULL,
                          &offset);
    return offset;
}

unsigned gcl_lint_end(CXCursor cursor) {
    unsigned offset = 0;
    clang_getFileLocation(clang_getRangeEnd(clang_getCursorExtent(cursor)), NULL, NULL, NULL,
                          &offset);
    return offset;
}
