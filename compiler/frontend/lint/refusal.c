// What the device pass will refuse, said before there is one: in editors alone, since the pass
// knows better what a program may do.
// Kernels with `...` are refused here alone.
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/draft.h"
#include "frontend/lint/expression.h"
#include "frontend/lint/finding.h"
#include "frontend/lint/lints.h"
#include "frontend/mistakes.h"
#include "frontend/text/lexer.h"

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

// The device pass allows functions with `...`, as nvcc does, and doesn't tell kernels from them.
void gcl_lint_refusals(const struct gcl_lint *lint, CXCursor kernel) {
    if (clang_isFunctionTypeVariadic(clang_getCursorType(kernel)))
        gcl_lint_error(lint, kernel, GCL_CODE_NOT_A_KERNEL, "pass what it needs as parameters",
                       "kernel takes any number of arguments");
    // clang may never make device code of others, and then has nothing against them.
    if (lint->is_in_editor && clang_getCursorKind(kernel) == CXCursor_FunctionDecl &&
        clang_getCursorLinkage(kernel) == CXLinkage_External)
        clang_visitChildren(kernel, see_use, (void *)lint);
}
