// An edit is made only where the text leaves no doubt: a function that is declared once, in a file
// of the program, and not by a macro.
#include "frontend/mend.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/draft.h"
#include "frontend/text/lexer.h"

void gcl_mend_replace(struct gcl_diagnostic *diagnostic, const struct gcl_unit_file *source,
                      struct gcl_source_range range, const char *text) {
    struct gcl_fix fix = {.path = source->path, .text = (char *)text};
    gcl_unit_file_locate(source, range.begin, &fix.line, &fix.column);
    gcl_unit_file_locate(source, range.end, &fix.end_line, &fix.end_column);
    gcl_diagnostic_add_fix(diagnostic, &fix);
}

void gcl_mend_insert(struct gcl_diagnostic *diagnostic, const struct gcl_unit_file *source,
                     uint32_t offset, const char *text) {
    gcl_mend_replace(diagnostic, source, (struct gcl_source_range){offset, offset}, text);
}

static const char *text_of(const struct gcl_source_draft *draft) {
    return g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
}

// Headers.

void gcl_mend_header(struct gcl_diagnostic *diagnostic, const struct gcl_source_draft *draft,
                     const char *header) {
    g_autofree char *line = g_strdup_printf("#include <%s>\n", header);
    const char *text = text_of(draft);
    uint32_t behind = 0;
    for (guint i = 0; i < draft->tokens->len; i++) {
        const struct gcl_token *token = gcl_draft_token(draft, i);
        if (token->line == GCL_LINE_TEXT)
            break;
        if (token->line == GCL_LINE_INCLUDE)
            behind = token->begin;
        else if (token->kind == GCL_TOKEN_IDENTIFIER && gcl_token_is(token, text, "if"))
            break; // what stands there may be left out
    }
    const char *end = behind ? strchr(text + behind, '\n') : NULL;
    gcl_mend_insert(diagnostic, draft->source, end ? (uint32_t)(end + 1 - text) : 0, line);
}

// Functions.

struct search {
    const char *name;
    CXCursor found;
    unsigned count;
};

static enum CXChildVisitResult see_function(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (gcl_cursor_is_function(kind)) {
        g_autofree char *name = gcl_cursor_name(cursor);
        if (strcmp(name, search->name) == 0) {
            search->found = cursor;
            search->count++;
        }
        return CXChildVisit_Continue;
    }
    return kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ? CXChildVisit_Recurse
                                                                      : CXChildVisit_Continue;
}

// Behind `template <…>`, if that stands at a token.
static guint skip_template(const struct gcl_source_draft *draft, guint i) {
    const struct gcl_token *token = gcl_draft_token(draft, i);
    int depth = 0;
    if (!token || !gcl_token_is(token, text_of(draft), "template"))
        return i;
    while ((token = gcl_draft_token(draft, ++i))) {
        depth += token->kind == GCL_TOKEN_LESS;
        depth -= token->kind == GCL_TOKEN_GREATER;
        if (token->kind == GCL_TOKEN_SHIFT_RIGHT)
            depth -= 2;
        if (depth <= 0)
            return i + 1;
    }
    return i;
}

// Puts attributes before a function, if its one declaration is its definition.
static void add_attributes(struct gcl_diagnostic *diagnostic, const GPtrArray *drafts,
                           CXCursor function, const char *attributes) {
    CXFile file = NULL;
    unsigned offset = 0;
    if (gcl_cursor_is_null(function) || !gcl_cursor_is_function(clang_getCursorKind(function)) ||
        !clang_isCursorDefinition(function) ||
        !clang_equalCursors(function, clang_getCanonicalCursor(function)))
        return;
    clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(function)), &file, NULL, NULL,
                          &offset);
    const struct gcl_source_draft *draft = gcl_drafts_find(drafts, file);
    guint i = draft ? skip_template(draft, gcl_token_at(draft->tokens, offset)) : 0;
    const struct gcl_token *token = draft ? gcl_draft_token(draft, i) : NULL;
    if (token && token->line == GCL_LINE_TEXT)
        gcl_mend_insert(diagnostic, draft->source, token->begin, attributes);
}

// The one candidate that clang's notes call a function of the other side.
static CXCursor find_candidate(CXDiagnostic message, CXTranslationUnit unit) {
    CXDiagnosticSet notes = clang_getChildDiagnostics(message);
    CXCursor found = clang_getNullCursor();
    unsigned count = 0;
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        g_autofree char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(note));
        if (strstr(text, "call to __")) {
            found = clang_getCursor(unit, clang_getDiagnosticLocation(note));
            count++;
        }
        clang_disposeDiagnostic(note);
    }
    clang_disposeDiagnosticSet(notes);
    return count == 1 ? found : clang_getNullCursor();
}

static void make_kernel(struct gcl_diagnostic *diagnostic, CXTranslationUnit unit,
                        const GPtrArray *drafts, const char *name) {
    struct search search = {.name = name};
    gcl_cursor_visit_tops(unit, see_function, &search);
    if (search.count == 1)
        add_attributes(diagnostic, drafts, search.found, "__global__ ");
}

// The name in quotes with which a message of ours begins, to be freed.
static char *quoted(const char *message) {
    const char *end = *message == '\'' ? strchr(message + 1, '\'') : NULL;
    return end ? g_strndup(message + 1, (gsize)(end - message - 1)) : g_strdup("");
}

// Launches and arguments.

// The token at which an argument begins, in the call whose `(` is token `i`; NULL: there is none.
static const struct gcl_token *find_argument(const struct gcl_source_draft *draft, guint i,
                                             uint32_t argument) {
    const struct gcl_token *token = gcl_draft_token(draft, i);
    int depth = 0;
    if (!token || token->kind != GCL_TOKEN_ROUND_OPEN)
        return NULL;
    for (uint32_t at = 1; at < argument; i++) {
        if (!(token = gcl_draft_token(draft, i + 1)) || token->kind == GCL_TOKEN_SEMICOLON)
            return NULL;
        depth += token->kind == GCL_TOKEN_ROUND_OPEN;
        depth -= token->kind == GCL_TOKEN_ROUND_CLOSE;
        at += depth == 0 && token->kind == GCL_TOKEN_COMMA;
    }
    return gcl_draft_token(draft, i + 1);
}

static void add_address(struct gcl_diagnostic *diagnostic, const struct gcl_source_draft *draft,
                        uint32_t offset, uint32_t argument) {
    guint i = gcl_token_at(draft->tokens, offset);
    const struct gcl_token *found = find_argument(draft, i + 1, argument);
    if (found && found->kind == GCL_TOKEN_IDENTIFIER)
        gcl_mend_insert(diagnostic, draft->source, found->begin, "&");
}

void gcl_mend(struct gcl_diagnostic *diagnostic, const struct gcl_mend_place *place,
              uint32_t address) {
    const struct gcl_source_draft *draft = place->draft;
    const GPtrArray *drafts = place->drafts;
    CXTranslationUnit unit = place->unit;
    CXDiagnostic message = place->message;
    uint32_t offset = place->offset;
    guint i = gcl_token_at(draft->tokens, offset);
    const struct gcl_token *token = gcl_draft_token(draft, i);
    g_autofree char *name = quoted(diagnostic->message);
    switch (diagnostic->code) {
    case GCL_CODE_NOT_LAUNCHED:
        if (token && token->begin == offset && token->kind == GCL_TOKEN_ROUND_OPEN)
            gcl_mend_insert(diagnostic, draft->source, offset, "<<<1, 1>>>");
        break;
    case GCL_CODE_POINTER_ITSELF:
        add_address(diagnostic, draft, offset, address);
        break;
    case GCL_CODE_DEVICE_IN_HOST:
        add_attributes(diagnostic, drafts, find_candidate(message, unit), "__host__ ");
        break;
    case GCL_CODE_HOST_IN_DEVICE:
        add_attributes(diagnostic, drafts, find_candidate(message, unit), "__host__ __device__ ");
        break;
    case GCL_CODE_NOT_A_KERNEL:
        make_kernel(diagnostic, unit, drafts, name);
        break;
    default:
        break;
    }
}
