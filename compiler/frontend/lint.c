// Functions are looked at one by one, each by itself: what happens to a variable elsewhere isn't
// known, so no variable that something else could change says anything.
#include "frontend/lint.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/report.h"

enum { DEPTH_LIMIT = 16 };

static const struct {
    enum gcl_diagnostic_code code;
    const char *name;
} names[] = {
    {GCL_CODE_LAUNCH_SIZE, "launch-size"},
    {GCL_CODE_HOST_POINTER, "host-pointer"},
    {GCL_CODE_DEVICE_POINTER, "device-pointer"},
    {GCL_CODE_COPY_KIND, "copy-kind"},
    {GCL_CODE_COPY_SIZE, "copy-size"},
    {GCL_CODE_DIVERGENT, "divergent-barrier"},
    {GCL_CODE_ROUNDED_DOWN, "rounded-down"},
    {GCL_CODE_SYMBOL_NAME, "symbol-name"},
    {GCL_CODE_DEVICE_VARIABLE, "device-variable"},
};

static const char *name_of(enum gcl_diagnostic_code code) {
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (names[i].code == code)
            return names[i].name;
    }
    return NULL;
}

static bool is_wanted(const struct gcl_lint *lint, enum gcl_diagnostic_code code) {
    const char *name = name_of(code);
    bool wanted = name && !lint->is_broken;
    for (guint i = 0; name && i < lint->arguments->len && lint->arguments->pdata[i]; i++) {
        const char *word = lint->arguments->pdata[i];
        if (strcmp(word, "-w") == 0)
            return false;
        if (strcmp(word, "-Wno-gcluster") == 0)
            wanted = false;
        else if (g_str_has_prefix(word, "-Wno-gcluster-") && strcmp(word + 14, name) == 0)
            wanted = false;
        else if (g_str_has_prefix(word, "-Wgcluster-") && strcmp(word + 11, name) == 0)
            wanted = !lint->is_broken;
    }
    return wanted;
}

static bool makes_errors(const struct gcl_lint *lint) {
    for (guint i = 0; i < lint->arguments->len && lint->arguments->pdata[i]; i++) {
        if (strcmp(lint->arguments->pdata[i], "-Werror") == 0)
            return true;
    }
    return false;
}

// Where a cursor stands in the program's text; NULL: elsewhere.
static const struct gcl_source_draft *locate(const struct gcl_lint *lint, CXCursor cursor,
                                             struct gcl_source_range *range) {
    CXSourceRange extent = clang_getCursorExtent(cursor);
    CXFile file = NULL;
    clang_getFileLocation(clang_getRangeStart(extent), &file, NULL, NULL, &range->begin);
    clang_getFileLocation(clang_getRangeEnd(extent), NULL, NULL, NULL, &range->end);
    range->end = MAX(range->end, range->begin + 1);
    return gcl_drafts_find(lint->drafts, file);
}

struct gcl_diagnostic *gcl_lint_add(const struct gcl_lint *lint, CXCursor at,
                                    enum gcl_diagnostic_code code, const char *help,
                                    const char *format, ...) {
    struct gcl_source_range range;
    const struct gcl_source_draft *draft = locate(lint, at, &range);
    if (!draft || !is_wanted(lint, code))
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    struct gcl_diagnostic *added =
        gcl_report_error(lint->diagnostics, draft->source, range, code, help, message);
    if (makes_errors(lint))
        added->severity = GCL_SEVERITY_ERROR;
    return added;
}

void gcl_lint_error(const struct gcl_lint *lint, CXCursor at, enum gcl_diagnostic_code code,
                    const char *help, const char *message) {
    struct gcl_source_range range;
    const struct gcl_source_draft *draft = locate(lint, at, &range);
    if (draft)
        gcl_report_error(lint->diagnostics, draft->source, range, code, help, message);
}

char *gcl_lint_source(const struct gcl_lint *lint, CXCursor cursor) {
    struct gcl_source_range range;
    const struct gcl_source_draft *draft = locate(lint, cursor, &range);
    gsize size = 0;
    const char *text = draft ? g_bytes_get_data(gcl_unit_file_text(draft->source), &size) : "";
    char *line = range.end <= size ? g_strndup(text + range.begin, range.end - range.begin)
                                   : gcl_lint_text(cursor);
    return g_strdelimit(line, "\n\r\t", ' ');
}

// Expressions.

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

// Functions.

enum side { SIDE_HOST = 0, SIDE_DEVICE = 1, SIDE_BOTH = 2, SIDE_KERNEL = 4 };

static enum CXChildVisitResult see_side(CXCursor cursor, CXCursor parent, CXClientData data) {
    unsigned *side = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CUDAGlobalAttr:
        *side |= SIDE_KERNEL;
        break;
    case CXCursor_CUDADeviceAttr:
        *side |= SIDE_DEVICE;
        break;
    case CXCursor_CUDAHostAttr:
        *side |= SIDE_BOTH;
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_launch(CXCursor cursor, CXCursor parent, CXClientData data) {
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        g_autofree char *name = gcl_lint_callee(cursor);
        if (strcmp(name, "__cudaPushCallConfiguration") == 0)
            gcl_lint_launch(data, cursor, parent);
    }
    return CXChildVisit_Recurse;
}

static void see_function(const struct gcl_lint *lint, CXCursor function) {
    unsigned side = SIDE_HOST;
    clang_visitChildren(function, see_side, &side);
    if (side & SIDE_KERNEL)
        gcl_lint_kernel(lint, function);
    if (side & (SIDE_KERNEL | SIDE_DEVICE))
        return;
    clang_visitChildren(function, see_launch, (void *)lint);
    gcl_lint_memory(lint, function);
}

static enum CXChildVisitResult see_declaration(CXCursor cursor, CXCursor parent,
                                               CXClientData data) {
    const struct gcl_lint *lint = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXFile file = NULL;
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (!gcl_cursor_is_function(kind))
        return clang_isDeclaration(kind) ? CXChildVisit_Recurse : CXChildVisit_Continue;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    if (clang_isCursorDefinition(cursor) && gcl_drafts_find(lint->drafts, file))
        see_function(lint, cursor);
    return CXChildVisit_Continue;
}

static bool mentions(const struct gcl_lint *lint, const char *word) {
    for (guint i = 0; i < lint->drafts->len; i++) {
        const struct gcl_source_draft *draft = lint->drafts->pdata[i];
        gsize size;
        const char *text = g_bytes_get_data(draft->source->bytes, &size);
        if (g_strstr_len(text ? text : "", (gssize)size, word))
            return true;
    }
    return false;
}

static int compare(const void *left, const void *right) {
    const struct gcl_diagnostic *a = *(void *const *)left, *b = *(void *const *)right;
    int files = g_strcmp0(a->path, b->path);
    return files                ? files
           : a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                                : (a->column > b->column) - (a->column < b->column);
}

void gcl_lint(const struct gcl_lint *task) {
    struct gcl_lint lint = *task;
    guint known = lint.diagnostics->len;
    lint.has_new = mentions(&lint, "operator new");
    // What is registered somewhere in the program, or on machines whose devices see all memory.
    lint.shares_memory = mentions(&lint, "HostRegister") ||
                         mentions(&lint, "ageableMemoryAccess") || mentions(&lint, "PAGEABLE_MEM");
    clang_visitChildren(clang_getTranslationUnitCursor(lint.unit), see_declaration, &lint);
    if (lint.diagnostics->len > known)
        qsort(lint.diagnostics->pdata + known, lint.diagnostics->len - known, sizeof(void *),
              compare);
}
