// A finding becomes a diagnostic if the command line asks for its kind.
#include "frontend/lint/finding.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lint/expression.h"
#include "frontend/report.h"

static const struct {
    enum gcl_diagnostic_code code;
    const char *name;
    enum { ALWAYS, IN_EDITORS, IF_ASKED } said; // without an option
} names[] = {
    {GCL_CODE_LAUNCH_SIZE, "launch-size", ALWAYS},
    {GCL_CODE_HOST_POINTER, "host-pointer", ALWAYS},
    {GCL_CODE_DEVICE_POINTER, "device-pointer", ALWAYS},
    {GCL_CODE_COPY_KIND, "copy-kind", ALWAYS},
    {GCL_CODE_COPY_SIZE, "copy-size", ALWAYS},
    {GCL_CODE_DIVERGENT, "divergent-barrier", ALWAYS},
    {GCL_CODE_ROUNDED_DOWN, "rounded-down", ALWAYS},
    {GCL_CODE_SYMBOL_NAME, "symbol-name", ALWAYS},
    {GCL_CODE_DEVICE_VARIABLE, "device-variable", ALWAYS},
    {GCL_CODE_LANES, "lanes", ALWAYS},
    {GCL_CODE_SHARED_RACE, "shared-race", ALWAYS},
    {GCL_CODE_DOUBLE_LITERAL, "double-literal", IN_EDITORS},
    {GCL_CODE_FREED_IN_USE, "freed-in-use", ALWAYS},
    {GCL_CODE_SHARED_SIZE, "shared-size", ALWAYS},
    {GCL_CODE_CONSTANT_SET, "constant-set", ALWAYS},
    {GCL_CODE_UNCOALESCED, "uncoalesced", IN_EDITORS},
    {GCL_CODE_BANK_CONFLICT, "bank-conflict", IN_EDITORS},
    {GCL_CODE_UNCHECKED, "unchecked", IF_ASKED},
};

bool gcl_lint_wants(const struct gcl_lint *lint, enum gcl_diagnostic_code code) {
    size_t kind = 0;
    while (kind + 1 < G_N_ELEMENTS(names) && names[kind].code != code)
        kind++;
    const char *name = names[kind].name;
    bool wanted = !lint->is_broken && (names[kind].said == ALWAYS ||
                                       (names[kind].said == IN_EDITORS && lint->is_in_editor));
    for (guint i = 0; i < lint->arguments->len && lint->arguments->pdata[i]; i++) {
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

// Whether a function that several kernels call, or a header, has that finding already.
static bool is_known(const struct gcl_lint *lint, const struct gcl_unit_file *source,
                     uint32_t offset, enum gcl_diagnostic_code code) {
    uint32_t line, column;
    gcl_unit_file_locate(source, offset, &line, &column);
    for (guint i = 0; i < lint->diagnostics->len; i++) {
        const struct gcl_diagnostic *known = lint->diagnostics->pdata[i];
        if (known->code == code && known->line == line && known->column == column &&
            g_strcmp0(known->path, source->path) == 0)
            return true;
    }
    return false;
}

struct gcl_diagnostic *gcl_lint_add(const struct gcl_lint *lint, CXCursor at,
                                    enum gcl_diagnostic_code code, const char *help,
                                    const char *format, ...) {
    struct gcl_source_range range;
    const struct gcl_source_draft *draft = locate(lint, at, &range);
    if (!draft || !gcl_lint_wants(lint, code) || is_known(lint, draft->source, range.begin, code))
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    struct gcl_diagnostic *added =
        gcl_report_error(lint->diagnostics, draft->source, range, code, help, message);
    if (added->severity == GCL_SEVERITY_WARNING && makes_errors(lint))
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

char *gcl_lint_name(const struct gcl_lint *lint, CXCursor expression) {
    CXSourceLocation place = clang_getCursorLocation(expression);
    CXCursor inner = gcl_lint_strip(expression);
    unsigned spelt = 0, expanded = 0;
    if (clang_getCursorKind(inner) == CXCursor_DeclRefExpr)
        return gcl_cursor_name(clang_getCursorReferenced(inner));
    clang_getSpellingLocation(place, NULL, NULL, NULL, &spelt);
    clang_getExpansionLocation(place, NULL, NULL, NULL, &expanded);
    if (spelt != expanded)
        return NULL;
    g_autofree char *text = gcl_lint_source(lint, inner);
    return clang_getCursorKind(inner) == CXCursor_MemberRefExpr ? g_steal_pointer(&text)
                                                                : g_strdup_printf("(%s)", text);
}
