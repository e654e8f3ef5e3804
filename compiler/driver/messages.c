// A message is a block of lines: "In file included from" lines, the line with the severity, then
// source text, carets and notes up to the next such start.
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "frontend/mistakes.h"
#include "frontend/report.h"

static char *strip_colour(const char *line) {
    GString *plain = g_string_new(NULL);
    for (const char *c = line; *c; c++) {
        if (c[0] == '\033' && c[1] == '[')
            c += strcspn(c, "mK");
        else
            g_string_append_c(plain, *c);
        if (!*c)
            break;
    }
    return g_string_free(plain, FALSE);
}

static bool has_severity(const char *line) {
    static const char *const severities[] = {"error: ", "warning: ", "remark: "};
    for (size_t i = 0; i < G_N_ELEMENTS(severities); i++) {
        const char *found = strstr(line, severities[i]);
        if (found && (found == line || found[-1] == ' '))
            return true;
    }
    return false;
}

static bool is_prelude(const char *line) {
    return g_str_has_prefix(line, "In file included from ") ||
           g_str_has_prefix(line, "                 from ");
}

static bool is_summary(const char *line) {
    return g_ascii_isdigit(line[0]) && strstr(line, " generated") != NULL &&
           (strstr(line, "warning") != NULL || strstr(line, "error") != NULL);
}

// The first line of a message without the name of the option or code at its end. libclang's errors
// are never fatal.
static char *make_key(const char *line) {
    const char *bracket = strrchr(line, '[');
    bool named = bracket && bracket > line && bracket[-1] == ' ' && g_str_has_suffix(line, "]");
    g_autoptr(GString) key = g_string_new_len(line, named ? bracket - line : -1);
    g_string_replace(key, ": fatal error: ", ": error: ", 1);
    return g_strchomp(gcl_report_in_cuda_words(g_strdup(key->str)));
}

/// Two logs on their way to one text.
struct join {
    GString *out;
    GHashTable *seen;      ///< keys of messages that have been told
    GHashTable *lines;     ///< "path:line" of errors with a code of ours
    bool *is_in_instance;  ///< the last error was one of those below
    GHashTable *instances; ///< "path:line:column" of the host pass's errors
    bool *lacks_header;    ///< the host pass has said which header of CUDA's isn't included
    bool colour;
};

/// A message with all that belongs to it.
struct block {
    GString *prelude;
    GString *text;  ///< as in the log
    GString *plain; ///< without colours
};

static void clear(struct block *block) {
    g_string_truncate(block->prelude, 0);
    g_string_truncate(block->text, 0);
    g_string_truncate(block->plain, 0);
}

// An error, or the one warning of clang's that is about CUDA.
static GMatchInfo *match_error(const char *plain) {
    static GRegex *regex;
    GMatchInfo *match = NULL;
    if (!regex)
        regex = g_regex_new("^(.*):([0-9]+):([0-9]+): "
                            "(?:(?:fatal )?error: |warning: (?=capture host side class ))(.*)$",
                            G_REGEX_OPTIMIZE | G_REGEX_MULTILINE, 0, NULL);
    if (regex)
        g_regex_match(regex, plain, G_REGEX_MATCH_ANCHORED, &match);
    return match;
}

static char *line_of(const GMatchInfo *match) {
    g_autofree char *path = g_match_info_fetch(match, 1), *line = g_match_info_fetch(match, 2);
    return g_strconcat(path, ":", line, NULL);
}

// Remembers the line of an error that we have said.
static void note_line(const struct join *join, const char *plain) {
    g_autoptr(GMatchInfo) match = match_error(plain);
    const char *end = strchr(plain, '\n'), *code = strstr(plain, " [GCL");
    if (!match || !g_match_info_matches(match))
        return;
    const char *error = strstr(plain, ": error: ");
    if (error)
        g_hash_table_add(join->instances, g_strndup(plain, (gsize)(error - plain)));
    if (code && (!end || code < end)) {
        g_hash_table_add(join->lines, line_of(match));
        *join->lacks_header |= strstr(plain, " [GCL146]") != NULL;
    }
}

// Both passes find what isn't declared; the host's says one name for each header.
static bool follows_header(const struct join *join, const char *text) {
    return *join->lacks_header && (g_str_has_prefix(text, "use of undeclared identifier '") ||
                                   g_str_has_prefix(text, "unknown type name '") ||
                                   g_str_has_prefix(text, "no template named '"));
}

// What a diagnostic shows of the source: "    3 | text".
static char *source_of(const char *plain) {
    const char *second = strchr(plain, '\n'), *bar = second ? strstr(second, " | ") : NULL;
    const char *end = second ? strchr(second + 1, '\n') : NULL;
    return bar && end && bar < end ? g_strndup(bar + 3, (gsize)(end - bar - 3)) : g_strdup("");
}

static void append_mistake(const struct join *join, const GMatchInfo *match, const char *source,
                           const struct gcl_mistake *mistake, bool is_error) {
    g_autofree char *path = g_match_info_fetch(match, 1), *line = g_match_info_fetch(match, 2);
    struct gcl_source_location location = {path, (uint32_t)g_ascii_strtoull(line, NULL, 10),
                                           mistake->column, mistake->length};
    g_autoptr(GPtrArray) diagnostics = gcl_diagnostics_create();
    struct gcl_diagnostic *added = gcl_diagnostics_add(diagnostics, mistake->code, &location,
                                                       mistake->help, "%s", mistake->message);
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return;
    added->source = *source ? g_strdup(source) : NULL;
    if (is_error)
        added->severity = GCL_SEVERITY_ERROR;
    gcl_diagnostics_print(diagnostics, file, join->colour);
    fclose(file);
    if (g_hash_table_add(join->seen, g_strdup_printf("%s:%s: %s", path, line, mistake->message)))
        g_string_append(join->out, text);
    free(text);
}

// Whether an error of a template in a header is said where the program asks for the instance: those
// of the host pass are (frontend/report.c), and both passes find them.
static bool is_of_told_instance(const struct join *join, const char *plain) {
    g_auto(GStrv) lines = g_strsplit(plain, "\n", -1);
    bool is_asked = false, is_told = false;
    for (char **line = lines; *line; line++) {
        const char *end = strstr(*line, ": note: in instantiation of ");
        g_autofree char *place = end ? g_strndup(*line, (gsize)(end - *line)) : NULL;
        is_asked |= place != NULL;
        is_told |= place && g_hash_table_contains(join->instances, place);
    }
    // clang says who asks for an instance once for all errors in a row.
    bool is_in_library = g_str_has_prefix(plain, "/usr/") || strstr(lines[0], "/include/c++/");
    *join->is_in_instance = is_told || (*join->is_in_instance && !is_asked && is_in_library);
    return *join->is_in_instance;
}

// Says an error of the device pass in CUDA's words. False: there are no others than clang's.
static bool retell(const struct join *join, const struct block *block) {
    g_autoptr(GMatchInfo) match = match_error(block->plain->str);
    if (!match || !g_match_info_matches(match))
        return false;
    g_autofree char *place = line_of(match), *text = g_match_info_fetch(match, 4);
    g_autofree char *column = g_match_info_fetch(match, 3), *source = source_of(block->plain->str);
    struct gcl_mistake mistake = {.message = NULL};
    const struct gcl_mistake_said said = {text, block->plain->str, source,
                                          (uint32_t)g_ascii_strtoull(column, NULL, 10)};
    if (g_hash_table_contains(join->lines, place) || follows_header(join, text) ||
        is_of_told_instance(join, block->plain->str))
        return true;
    enum gcl_mistake_kind kind = gcl_mistake_find(&said, &mistake);
    // What is no kernel the host's pass has said, once for a kernel.
    if (kind == GCL_MISTAKE_KNOWN && mistake.code != GCL_CODE_NOT_A_KERNEL)
        append_mistake(join, match, source, &mistake, strstr(block->plain->str, "error: ") != NULL);
    gcl_mistake_clear(&mistake);
    return kind != GCL_MISTAKE_OTHER;
}

static void append_block(const struct join *join, struct block *block, bool is_host) {
    if (has_severity(block->plain->str)) {
        g_autofree char *first = g_strndup(block->plain->str, strcspn(block->plain->str, "\n"));
        if (is_host)
            note_line(join, block->plain->str);
        if (g_hash_table_add(join->seen, make_key(first)) && (is_host || !retell(join, block)))
            g_string_append_printf(join->out, "%s%s", block->prelude->str, block->text->str);
    } else {
        g_string_append(join->out, block->text->str);
    }
    clear(block);
}

// A block begins with its prelude, or else with the line that has the severity.
static void append_log(const struct join *join, const char *log, bool is_host) {
    g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
    struct block block = {g_string_new(NULL), g_string_new(NULL), g_string_new(NULL)};
    bool is_inside = false; // in a note about our headers
    for (char **line = lines; *line && (line[1] || **line); line++) {
        g_autofree char *plain = strip_colour(*line);
        if (is_summary(plain))
            continue;
        if (strstr(plain, ": note: ") || has_severity(plain) || is_prelude(plain))
            is_inside = gcl_mistake_is_internal(plain);
        if (block.text->len && (is_prelude(plain) || has_severity(plain)))
            append_block(join, &block, is_host);
        if (is_prelude(plain)) {
            g_string_append_printf(block.prelude, "%s\n", *line);
            continue;
        }
        if (!is_inside)
            g_string_append_printf(block.text, "%s\n", *line);
        g_string_append_printf(block.plain, "%s\n", plain);
    }
    append_block(join, &block, is_host);
    g_string_free(block.prelude, TRUE);
    g_string_free(block.text, TRUE);
    g_string_free(block.plain, TRUE);
}

char *gcl_messages_join(const char *host, const char *device, bool colour) {
    bool is_in_instance = false, lacks_header = false;
    struct join join = {.is_in_instance = &is_in_instance,
                        .lacks_header = &lacks_header,
                        .out = g_string_new(NULL),
                        .seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                        .lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                        .instances = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                        .colour = colour};
    if (host)
        append_log(&join, host, true);
    if (device)
        append_log(&join, device, false);
    g_hash_table_unref(join.seen);
    g_hash_table_unref(join.lines);
    g_hash_table_unref(join.instances);
    return g_string_free(join.out, FALSE);
}
