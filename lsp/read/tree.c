// clang's locations are turned into bytes of the view's file here; those in other files or in
// macros are dealt with once for all features.
#include "lsp/read/tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/text/lexer.h"

#include "lsp/base/json.h"
#include "lsp/base/uri.h"

CXTranslationUnit gcl_tree_unit(const struct gcl_view *view) {
    assert(view->session);
    return gcl_session_translation(view->session);
}

static CXFile file_of(const struct gcl_view *view) {
    return clang_getFile(gcl_tree_unit(view), view->path);
}

static CXSourceLocation location_at(const struct gcl_view *view, uint32_t offset) {
    return clang_getLocationForOffset(gcl_tree_unit(view), file_of(view), offset);
}

CXCursor gcl_tree_cursor(const struct gcl_view *view, uint32_t offset) {
    return clang_getCursor(gcl_tree_unit(view), location_at(view, offset));
}

bool gcl_tree_offset(const struct gcl_view *view, CXSourceLocation location, uint32_t *offset) {
    CXFile file = NULL;
    unsigned at = 0;
    clang_getFileLocation(location, &file, NULL, NULL, &at);
    *offset = at;
    return file && clang_File_isEqual(file, file_of(view));
}

bool gcl_tree_extent(const struct gcl_view *view, CXSourceRange range, uint32_t *begin,
                     uint32_t *end) {
    return gcl_tree_offset(view, clang_getRangeStart(range), begin) &&
           gcl_tree_offset(view, clang_getRangeEnd(range), end) && *begin <= *end;
}

bool gcl_tree_name(const struct gcl_view *view, CXCursor cursor, uint32_t *begin, uint32_t *end) {
    return gcl_tree_extent(view, clang_Cursor_getSpellingNameRange(cursor, 0, 0), begin, end);
}

bool gcl_tree_is_written(CXCursor cursor) {
    CXSourceLocation location = clang_getCursorLocation(cursor);
    CXFile used, spelled;
    unsigned use, spelling;
    clang_getFileLocation(location, &used, NULL, NULL, &use);
    clang_getSpellingLocation(location, &spelled, NULL, NULL, &spelling);
    return use == spelling && clang_File_isEqual(used, spelled);
}

// The declaration at the top that holds a cursor; null if it is in none.
static CXCursor top_of(CXCursor cursor) {
    CXCursor parent = clang_getCursorLexicalParent(cursor);
    while (!clang_Cursor_isNull(parent) && clang_isDeclaration(clang_getCursorKind(parent))) {
        cursor = parent;
        parent = clang_getCursorLexicalParent(cursor);
    }
    bool is_top = clang_getCursorKind(parent) == CXCursor_TranslationUnit &&
                  clang_isDeclaration(clang_getCursorKind(cursor));
    return is_top ? cursor : clang_getNullCursor();
}

// The declaration around a byte; attributes and macros lead to none, the words behind them do.
static CXCursor top_at(const struct gcl_view *view, uint32_t offset) {
    CXCursor cursor = gcl_tree_cursor(view, offset);
    if (!clang_isDeclaration(clang_getCursorKind(cursor))) {
        CXCursor parent = clang_getCursorSemanticParent(cursor);
        if (clang_Cursor_isNull(parent))
            return parent;
        cursor = parent;
    }
    return top_of(cursor);
}

void gcl_tree_visit(const struct gcl_view *view, CXCursorVisitor visitor, void *data) {
    size_t size;
    const char *bytes = gcl_line_table_data(view->text, &size);
    g_autoptr(GArray) tokens = gcl_lexer_read(bytes, size);
    CXCursor unit = clang_getTranslationUnitCursor(gcl_tree_unit(view)),
             last = clang_getNullCursor();
    uint32_t done = 0;
    for (guint i = 0; i < tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, i);
        uint32_t begin, end;
        if (token->begin < done || token->line != GCL_LINE_TEXT ||
            token->kind == GCL_TOKEN_SEMICOLON)
            continue;
        CXCursor top = top_at(view, token->begin);
        if (clang_Cursor_isNull(top) || clang_equalCursors(top, last) ||
            !gcl_tree_extent(view, clang_getCursorExtent(top), &begin, &end))
            continue;
        done = MAX(end, token->end);
        assert(begin <= end && token->begin < done);
        last = top;
        enum CXChildVisitResult result = visitor(top, unit, data);
        if (result == CXChildVisit_Break)
            return;
        if (result == CXChildVisit_Recurse)
            clang_visitChildren(top, visitor, data);
    }
}

// Links in the workspace stay as the editor knows them. Where compilers lie there are links before
// "..", which only the file system can follow.
char *gcl_tree_path(const struct gcl_view *view, CXFile file) {
    g_autofree char *name = gcl_cursor_take_text(clang_getFileName(file));
    char *real = strstr(name, "/../") ? realpath(name, NULL) : NULL;
    char *path = g_canonicalize_filename(real ? real : name, view->directory);
    free(real);
    return path;
}

// URI of a file, as the editor spells it if it has it open.
static char *uri_of(const struct gcl_worker *worker, const char *path) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct gcl_view *view = data;
        if (g_strcmp0(view->path, path) == 0)
            return g_strdup(view->uri);
    }
    return gcl_uri_of(path);
}

// LSP's position in any file: clang's column counts bytes.
static json_t *position(const struct gcl_query *query, CXSourceLocation location) {
    CXFile file = NULL;
    unsigned line = 1, column = 1, offset = 0;
    size_t size = 0;
    clang_getFileLocation(location, &file, &line, &column, &offset);
    const char *text = clang_getFileContents(gcl_tree_unit(query->view), file, &size);
    uint32_t units = column - 1;
    if (text && offset <= size && column - 1 <= offset) {
        g_autoptr(GBytes) bytes = g_bytes_new(text + offset - (column - 1), column - 1);
        struct gcl_line_table *part = gcl_line_table_create(bytes, query->worker->encoding);
        units = gcl_line_table_units(part, 0, column - 1);
        gcl_line_table_destroy(part);
    }
    return json_pack("{s:i, s:i}", "line", (int)line - 1, "character", (int)units);
}

json_t *gcl_tree_location(const struct gcl_query *query, CXSourceRange range) {
    CXFile file = NULL;
    CXSourceLocation begin = clang_getRangeStart(range), end = clang_getRangeEnd(range);
    clang_getFileLocation(begin, &file, NULL, NULL, NULL);
    if (!file)
        return NULL;
    g_autofree char *path = gcl_tree_path(query->view, file);
    g_autofree char *uri = uri_of(query->worker, path);
    return json_pack("{s:s, s:{s:o, s:o}}", "uri", uri, "range", "start", position(query, begin),
                     "end", position(query, end));
}

json_t *gcl_tree_location_of(const struct gcl_query *query, CXCursor cursor) {
    CXSourceRange name = clang_Cursor_getSpellingNameRange(cursor, 0, 0);
    CXSourceRange range = clang_Range_isNull(name) ? clang_getCursorExtent(cursor) : name;
    return gcl_tree_location(query, range);
}

static enum CXChildVisitResult see_kernel(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    *(bool *)data |= clang_getCursorKind(cursor) == CXCursor_CUDAGlobalAttr;
    return CXChildVisit_Continue;
}

bool gcl_tree_is_class(enum CXCursorKind kind) {
    return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
           kind == CXCursor_UnionDecl || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization;
}

CXCursor gcl_tree_class(CXCursor cursor) {
    CXCursor class = cursor;
    if (!gcl_tree_is_class(clang_getCursorKind(cursor)))
        class = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(cursor)));
    CXCursor template = clang_getSpecializedCursorTemplate(class);
    if (!clang_Cursor_isNull(template))
        class = template;
    return gcl_tree_is_class(clang_getCursorKind(class)) ? clang_getCanonicalCursor(class)
                                                         : clang_getNullCursor();
}

bool gcl_tree_is_member(CXCursor declaration) {
    return gcl_tree_is_class(clang_getCursorKind(clang_getCursorSemanticParent(declaration)));
}

bool gcl_tree_is_local(CXCursor target) {
    CXCursor parent = clang_getCursorSemanticParent(target);
    return gcl_cursor_is_function(clang_getCursorKind(parent)) ||
           clang_getCursorKind(target) == CXCursor_ParmDecl;
}

bool gcl_tree_is_kernel(CXCursor function) {
    bool is_kernel = false;
    if (gcl_cursor_is_function(clang_getCursorKind(function)))
        clang_visitChildren(function, see_kernel, &is_kernel);
    return is_kernel;
}

static enum CXChildVisitResult see_qualifier(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CUDAGlobalAttr:
        g_string_append(data, "__global__ ");
        break;
    case CXCursor_CUDAHostAttr:
        g_string_append(data, "__host__ ");
        break;
    case CXCursor_CUDADeviceAttr:
        g_string_append(data, "__device__ ");
        break;
    case CXCursor_CUDASharedAttr:
        g_string_append(data, "__shared__ ");
        break;
    case CXCursor_CUDAConstantAttr:
        g_string_append(data, "__constant__ ");
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

char *gcl_tree_qualifiers(CXCursor declaration) {
    GString *words = g_string_new(NULL);
    clang_visitChildren(declaration, see_qualifier, words);
    return g_string_free(words, FALSE);
}

json_t *gcl_tree_markdown(const char *text) {
    return json_pack("{s:s, s:o}", "kind", "markdown", "value", gcl_json_text(text));
}
