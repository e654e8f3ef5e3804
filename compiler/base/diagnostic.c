// Collecting and printing messages. The form on the terminal is clang's, so that editors which jump
// to compiler errors need not learn anything.
#include "diagnostic.h"

#include <assert.h>
#include <string.h>

static void destroy(gpointer data) {
    struct gcl_diagnostic *diagnostic = data;
    g_free(diagnostic->path);
    g_free(diagnostic->message);
    g_free(diagnostic->source);
    g_free(diagnostic->help);
    if (diagnostic->fixes)
        g_array_unref(diagnostic->fixes);
    g_free(diagnostic);
}

static void clear_fix(void *data) {
    struct gcl_fix *fix = data;
    g_free(fix->path);
    g_free(fix->text);
}

GPtrArray *gcl_diagnostics_create(void) {
    return g_ptr_array_new_with_free_func(destroy);
}

static enum gcl_severity severity_of(enum gcl_diagnostic_code code) {
    switch (code) {
#define GCL_CODE(name, number, severity, title)                                                    \
    case number:                                                                                   \
        return GCL_SEVERITY_##severity;
#include "codes.h"
#undef GCL_CODE
    default:
        return GCL_SEVERITY_ERROR;
    }
}

const char *gcl_diagnostic_title(int code) {
    switch (code) {
#define GCL_CODE(name, number, severity, title)                                                    \
    case number:                                                                                   \
        return title;
#include "codes.h"
#undef GCL_CODE
    default:
        return NULL;
    }
}

struct gcl_diagnostic *gcl_diagnostics_add(GPtrArray *diagnostics, enum gcl_diagnostic_code code,
                                           const struct gcl_source_location *location,
                                           const char *help, const char *format, ...) {
    struct gcl_diagnostic *diagnostic = g_new0(struct gcl_diagnostic, 1);
    va_list arguments;
    va_start(arguments, format);
    diagnostic->message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    diagnostic->severity = severity_of(code);
    diagnostic->code = code;
    diagnostic->help = g_strdup(help);
    if (location) {
        diagnostic->path = g_strdup(location->path);
        diagnostic->line = location->line;
        diagnostic->column = location->column;
        diagnostic->length = location->length;
    }
    g_ptr_array_add(diagnostics, diagnostic);
    return diagnostic;
}

void gcl_diagnostic_add_fix(struct gcl_diagnostic *diagnostic, const struct gcl_fix *fix) {
    struct gcl_fix copy = *fix;
    copy.path = g_strdup(fix->path);
    copy.text = g_strdup(fix->text);
    if (!diagnostic->fixes) {
        diagnostic->fixes = g_array_new(FALSE, FALSE, sizeof(struct gcl_fix));
        g_array_set_clear_func(diagnostic->fixes, clear_fix);
    }
    g_array_append_val(diagnostic->fixes, copy);
}

bool gcl_diagnostics_have_error(const GPtrArray *diagnostics) {
    for (guint i = 0; i < diagnostics->len; i++) {
        const struct gcl_diagnostic *diagnostic = diagnostics->pdata[i];
        if (diagnostic->severity == GCL_SEVERITY_ERROR)
            return true;
    }
    return false;
}

static void print_place(const struct gcl_diagnostic *diagnostic, FILE *out) {
    if (!diagnostic->path) {
        fprintf(out, "%s: ", g_get_prgname() ? g_get_prgname() : "gcluster-cc");
        return;
    }
    fprintf(out, "%s:", diagnostic->path);
    if (diagnostic->line)
        fprintf(out, "%u:%u:", diagnostic->line, diagnostic->column);
    fputc(' ', out);
}

// The caret line repeats the tabs of the source line, so that it lines up at any tab width.
static void print_source(const struct gcl_diagnostic *diagnostic, FILE *out, const char *on,
                         const char *off) {
    const char *source = diagnostic->source;
    assert(source && diagnostic->line > 0);
    size_t size = strlen(source), caret = diagnostic->column ? diagnostic->column - 1 : 0;
    fprintf(out, "%5u | %s\n      | %s", diagnostic->line, source, on);
    for (size_t i = 0; i < caret && i < size; i++) {
        if (((unsigned char)source[i] & 0xc0) != 0x80) // one space for a UTF-8 sequence
            fputc(source[i] == '\t' ? '\t' : ' ', out);
    }
    fputc('^', out);
    for (size_t i = caret + 1; i < caret + diagnostic->length && i < size; i++)
        fputc('~', out);
    fprintf(out, "%s\n", off);
}

// What would be inserted into the line that is shown, below its place, as clang does.
static void print_fixes(const struct gcl_diagnostic *diagnostic, FILE *out) {
    uint32_t column = 1;
    for (guint i = 0; diagnostic->fixes && i < diagnostic->fixes->len; i++) {
        const struct gcl_fix *fix = &g_array_index(diagnostic->fixes, struct gcl_fix, i);
        bool is_shown = fix->line == diagnostic->line && fix->column >= column &&
                        !strchr(fix->text, '\n') && strcmp(fix->path, diagnostic->path) == 0;
        if (!is_shown)
            continue;
        fprintf(out, "%s%*s%s", column == 1 ? "      | " : "", (int)(fix->column - column), "",
                fix->text);
        column = fix->column + (uint32_t)strlen(fix->text);
    }
    if (column > 1)
        fputc('\n', out);
}

void gcl_diagnostic_print(const struct gcl_diagnostic *diagnostic, FILE *out, bool colour) {
    static const struct {
        const char *text;
        const char *colour;
    } severity[] = {
        [GCL_SEVERITY_NOTE] = {"note", "\033[1;36m"},
        [GCL_SEVERITY_REMARK] = {"remark", "\033[1;34m"},
        [GCL_SEVERITY_WARNING] = {"warning", "\033[1;35m"},
        [GCL_SEVERITY_ERROR] = {"error", "\033[1;31m"},
    };
    const char *bold = colour ? "\033[1m" : "", *off = colour ? "\033[0m" : "";
    assert(diagnostic->severity < G_N_ELEMENTS(severity));
    const char *on = colour ? severity[diagnostic->severity].colour : "";
    fputs(bold, out);
    print_place(diagnostic, out);
    fprintf(out, "%s%s: %s%s%s", on, severity[diagnostic->severity].text, off, bold,
            diagnostic->message);
    if (diagnostic->code != GCL_CODE_CLANG)
        fprintf(out, " [GCL%d]", diagnostic->code);
    fprintf(out, "%s\n", off);
    if (diagnostic->source && diagnostic->line) {
        print_source(diagnostic, out, colour ? "\033[1;32m" : "", off);
        print_fixes(diagnostic, out);
    }
    if (diagnostic->help)
        fprintf(out, "  help: %s\n", diagnostic->help);
}

void gcl_diagnostics_print(const GPtrArray *diagnostics, FILE *out, bool colour) {
    for (guint i = 0; i < diagnostics->len; i++)
        gcl_diagnostic_print(diagnostics->pdata[i], out, colour);
}
