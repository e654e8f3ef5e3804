// clang finds what isn't declared, and only in live code; the table in unsupported.c says what it
// would have been. So a program's own function named like a CUDA one, or code under `#if 0`, is
// never reported.
#define _GNU_SOURCE // memmem
#include "frontend/report.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/mend.h"
#include "frontend/mistakes.h"
#include "frontend/spot.h"
#include "frontend/text/lexer.h"
#include "support/unsupported.h"

struct reader {
    CXTranslationUnit translation;
    const GPtrArray *drafts;
    struct gcl_source_unit *unit;
    GPtrArray *diagnostics;
    GHashTable *reported; // names and parts of CUDA that have their error
    bool *is_in_instance; // the last error was one of a library's template
    bool speaks_cuda;     // no file of the program mentions a gcl name
};

// Where a message is, as `locate` has it. NULL: in no draft.
static const struct gcl_source_draft *find_place(const struct reader *reader, CXDiagnostic message,
                                                 gcl_cursor_locate *locate, unsigned *offset) {
    CXFile file = NULL;
    locate(clang_getDiagnosticLocation(message), &file, NULL, NULL, offset);
    return gcl_drafts_find(reader->drafts, file);
}

static enum gcl_severity severity_of(CXDiagnostic message) {
    switch (clang_getDiagnosticSeverity(message)) {
    case CXDiagnostic_Warning:
        return GCL_SEVERITY_WARNING;
    case CXDiagnostic_Error:
    case CXDiagnostic_Fatal:
        return GCL_SEVERITY_ERROR;
    default:
        return GCL_SEVERITY_NOTE;
    }
}

static bool is_word_byte(char c) {
    return g_ascii_isalnum(c) || c == '_';
}

// The length of a name of ours at the beginning of a text, and what CUDA's is; 0: there is none.
static size_t name_of_ours(const char *text, const char **name) {
    static const struct {
        const char *ours, *name;
    } names[] = {{"__gcl_tid_t", "threadIdx"},
                 {"__gcl_ctaid_t", "blockIdx"},
                 {"__gcl_ntid_t", "blockDim"},
                 {"__gcl_nctaid_t", "gridDim"},
                 {"__gcl_syncthreads", "__syncthreads"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        size_t size = strlen(names[i].ours);
        if (strncmp(text, names[i].ours, size) == 0 && !is_word_byte(text[size])) {
            *name = names[i].name;
            return size;
        }
    }
    *name = "cuda";
    return strncmp(text, "gcl", 3) == 0 && g_ascii_isupper(text[3]) ? 3 : 0;
}

// Our headers define CUDA's names by ours; a program that knows only CUDA's shall read those.
char *gcl_report_in_cuda_words(char *text) {
    if (!strstr(text, "gcl"))
        return text;
    GString *out = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        const char *name;
        bool start = at == text || !is_word_byte(at[-1]);
        size_t size = start ? name_of_ours(at, &name) : 0;
        if (size > 0) {
            g_string_append(out, name);
            at += size - 1;
        } else {
            g_string_append_c(out, *at);
        }
    }
    g_free(text);
    return g_string_free(out, FALSE);
}

static void add_fixes(const struct reader *reader, CXDiagnostic message,
                      struct gcl_diagnostic *diagnostic) {
    for (unsigned i = 0; i < clang_getDiagnosticNumFixIts(message); i++) {
        CXSourceRange range;
        CXFile file = NULL;
        struct gcl_fix fix;
        char *text = gcl_cursor_take_text(clang_getDiagnosticFixIt(message, i, &range));
        clang_getFileLocation(clang_getRangeStart(range), &file, &fix.line, &fix.column, NULL);
        clang_getFileLocation(clang_getRangeEnd(range), NULL, &fix.end_line, &fix.end_column, NULL);
        fix.path = file ? gcl_cursor_take_text(clang_getFileName(file)) : NULL;
        fix.text = text = reader->speaks_cuda ? gcl_report_in_cuda_words(text) : text;
        if (file)
            gcl_diagnostic_add_fix(diagnostic, &fix);
        g_free(fix.path);
        g_free(text);
    }
}

static void add_message(const struct reader *reader, CXDiagnostic message) {
    CXFile file = NULL;
    unsigned line = 0, column = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(message), &file, &line, &column, NULL);
    char *path = file ? gcl_cursor_take_text(clang_getFileName(file)) : NULL;
    char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(message));
    if (reader->speaks_cuda)
        text = gcl_report_in_cuda_words(text);
    char *option = gcl_cursor_take_text(clang_getDiagnosticOption(message, NULL));
    struct gcl_source_location location = {path, line, column, 1};
    struct gcl_diagnostic *added =
        gcl_diagnostics_add(reader->unit->messages, GCL_CODE_CLANG, path ? &location : NULL, NULL,
                            *option ? "%s [%s]" : "%s%s", text, option);
    added->severity = severity_of(message);
    add_fixes(reader, message, added);
    const struct gcl_source_draft *draft = gcl_drafts_find(reader->drafts, file);
    if (draft)
        added->source = gcl_unit_file_line(draft->source, line);
    g_free(path);
    g_free(text);
    g_free(option);
}

// The word, or the name of the header in an #include, that a message points at.
static struct gcl_source_range word_at(const struct gcl_source_draft *draft, uint32_t offset) {
    size_t size;
    const char *bytes = g_bytes_get_data(gcl_unit_file_text(draft->source), &size);
    uint32_t begin = offset, end = offset;
    if (offset < size && (bytes[offset] == '<' || bytes[offset] == '"')) {
        begin = end = offset + 1;
        while (end < size && !strchr(">\"\r\n", bytes[end]))
            end++;
        return (struct gcl_source_range){begin, end};
    }
    while (end < size && (g_ascii_isalnum(bytes[end]) || bytes[end] == '_'))
        end++;
    return (struct gcl_source_range){begin, end};
}

struct gcl_diagnostic *gcl_report_error(GPtrArray *diagnostics, const struct gcl_unit_file *source,
                                        struct gcl_source_range range,
                                        enum gcl_diagnostic_code code, const char *help,
                                        const char *message) {
    struct gcl_source_location location = {.path = source->path, .length = range.end - range.begin};
    gcl_unit_file_locate(source, range.begin, &location.line, &location.column);
    struct gcl_diagnostic *added =
        gcl_diagnostics_add(diagnostics, code, &location, help, "%s", message);
    added->source = gcl_unit_file_line(source, location.line);
    return added;
}

static bool says_undeclared(const char *text) {
    static const char *const phrases[] = {
        "undeclared",      "unknown type name",       "no template named", "no type named",
        "no member named", "expected namespace name", "is not a class",    "does not name a"};
    for (size_t i = 0; i < G_N_ELEMENTS(phrases); i++) {
        if (strstr(text, phrases[i]))
            return true;
    }
    return false;
}

// A library is reported once, by its header or the first of its names; the runtime by each name.
static bool is_first(const struct reader *reader, const struct gcl_unsupported *entry,
                     const char *name) {
    const char *key = entry->code == GCL_CODE_UNSUPPORTED_CALL ? name : entry->part;
    if (g_hash_table_contains(reader->reported, entry->part))
        return false;
    return g_hash_table_add(reader->reported, g_strdup(key));
}

static const struct gcl_unsupported *find_unsupported(const char *name, const char *text,
                                                      bool is_header) {
    if (is_header)
        return gcl_unsupported_find_header(name, strlen(name));
    return says_undeclared(text) ? gcl_unsupported_find(name, strlen(name)) : NULL;
}

static bool report_unsupported(const struct reader *reader, const struct gcl_source_draft *draft,
                               struct gcl_source_range word, const char *text) {
    const char *bytes = g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
    bool is_header = gcl_unit_lacks_file(text);
    char *name = g_strndup(bytes + word.begin, word.end - word.begin);
    const struct gcl_unsupported *entry = find_unsupported(name, text, is_header);
    bool vague = entry && gcl_unsupported_is_vague(entry) && strstr(text, "did you mean");
    if (entry && !vague && is_first(reader, entry, name)) {
        char *message = g_strdup_printf("%s'%s' is not supported (%s)", is_header ? "header " : "",
                                        name, entry->part);
        gcl_report_error(reader->diagnostics, draft->source, word, entry->code, entry->help,
                         message);
        g_free(message);
    }
    if (entry && is_header)
        g_hash_table_add(reader->reported, g_strdup(entry->part));
    g_free(name);
    return entry && !vague;
}

// A note as it stands in a log, to be freed. clang's own text of it has no place where a macro has
// put a name together.
static char *line_of_note(CXDiagnostic note) {
    CXFile file = NULL;
    unsigned line = 0, column = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(note), &file, &line, &column, NULL);
    g_autofree char *path = file ? gcl_cursor_take_text(clang_getFileName(file)) : g_strdup("");
    g_autofree char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(note));
    return g_strdup_printf("%s:%u:%u: note: %s", path, line, column, text);
}

static char *notes_of(CXDiagnostic message) {
    GString *text = g_string_new(NULL);
    CXDiagnosticSet notes = clang_getChildDiagnostics(message);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        g_autofree char *line = line_of_note(note);
        g_string_append_printf(text, "%s\n", line);
        clang_disposeDiagnostic(note);
    }
    clang_disposeDiagnosticSet(notes);
    return g_string_free(text, FALSE);
}

// The name before the parameters of the function whose declaration goes on at an offset.
static char *declared_name(const struct gcl_source_draft *draft, uint32_t offset) {
    const char *bytes = g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
    for (guint i = gcl_token_at(draft->tokens, offset); i + 1 < draft->tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(draft->tokens, struct gcl_token, i);
        if (token[1].kind == GCL_TOKEN_ROUND_OPEN)
            return g_strndup(bytes + token->begin, token->end - token->begin);
    }
    return g_strdup("");
}

// A kernel that is none because of its type or place is none in its launches either.
static bool is_first_of_kernel(const struct reader *reader, const struct gcl_mend_place *place,
                               const char *text) {
    const char *name = g_str_has_prefix(text, "kernel call to ") ? strchr(text, '\'') : NULL;
    g_autofree char *key = name ? g_strndup(name + 1, strcspn(name + 1, "'"))
                                : declared_name(place->draft, place->offset);
    return g_hash_table_add(reader->reported, g_strconcat("kernel:", key, NULL));
}

// What clang says of a mistake in CUDA, in CUDA's words, with what mends it.
static bool report_mistake(const struct reader *reader, CXDiagnostic message,
                           const struct gcl_mend_place *place, const char *text) {
    const struct gcl_unit_file *source = place->draft->source;
    g_autofree char *notes = notes_of(message);
    struct gcl_source_location location = {.path = source->path};
    gcl_unit_file_locate(source, place->offset, &location.line, &location.column);
    g_autofree char *line = gcl_unit_file_line(source, location.line);
    const struct gcl_mistake_said said = {text, notes, line ? line : "", location.column};
    struct gcl_mistake mistake;
    enum gcl_mistake_kind kind = gcl_mistake_find(&said, &mistake);
    if (kind != GCL_MISTAKE_KNOWN)
        return kind == GCL_MISTAKE_FOLLOWS;
    bool is_of_samples = mistake.code == GCL_CODE_HEADER_NOT_INCLUDED;
    if ((mistake.code == GCL_CODE_NOT_A_KERNEL && !is_first_of_kernel(reader, place, text)) ||
        (is_of_samples && !g_hash_table_add(reader->reported, g_strdup("header:samples")))) {
        gcl_mistake_clear(&mistake);
        return true;
    }
    location.column = mistake.column;
    location.length = mistake.length;
    struct gcl_diagnostic *added = gcl_diagnostics_add(reader->diagnostics, mistake.code, &location,
                                                       mistake.help, "%s", mistake.message);
    added->source = g_steal_pointer(&line);
    add_fixes(reader, message, added);
    if (!added->fixes)
        gcl_mend(added, place, mistake.address);
    gcl_mistake_clear(&mistake);
    return true;
}

static bool report(const struct reader *reader, CXDiagnostic message) {
    unsigned offset = 0;
    const struct gcl_source_draft *draft =
        find_place(reader, message, clang_getSpellingLocation, &offset);
    if (!draft) // in a macro of our headers
        draft = find_place(reader, message, clang_getFileLocation, &offset);
    if (!draft)
        return false;
    char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(message));
    struct gcl_source_range word = word_at(draft, offset);
    const struct gcl_mend_place place = {reader->translation, message, reader->drafts, draft,
                                         offset};
    const struct gcl_spot spot = {draft, offset, text};
    bool is_error = severity_of(message) == GCL_SEVERITY_ERROR;
    bool reported = (is_error && gcl_spot_report(&spot, reader->reported, reader->diagnostics)) ||
                    report_unsupported(reader, draft, word, text) ||
                    (is_error && report_mistake(reader, message, &place, text));
    g_free(text);
    return reported;
}

// Where a macro of our headers comes from is of no interest to anybody, nor what else they hold.
static bool is_internal(CXDiagnostic note) {
    CXSourceLocation location = clang_getDiagnosticLocation(note);
    CXFile file = NULL;
    clang_getFileLocation(location, &file, NULL, NULL, NULL);
    char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(note));
    g_autofree char *line = line_of_note(note);
    bool internal =
        !file || g_str_has_prefix(text, "in file included from") || gcl_mistake_is_internal(line) ||
        (clang_Location_isInSystemHeader(location) && g_str_has_prefix(text, "expanded from"));
    g_free(text);
    return internal;
}

static void read_notes(const struct reader *reader, CXDiagnostic message) {
    CXDiagnosticSet notes = clang_getChildDiagnostics(message);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        if (!is_internal(note))
            add_message(reader, note);
        clang_disposeDiagnostic(note);
    }
    clang_disposeDiagnosticSet(notes);
}

// Names of gcluster's API; its pragma is no sign that somebody knows them.
static bool has_api_name(const char *bytes, gsize size) {
    const char *end = size > 0 ? bytes + size : bytes;
    while (size > 0 && (bytes = memmem(bytes, (gsize)(end - bytes), "gcl", 3)) != NULL) {
        bytes += 3;
        if (bytes < end && g_ascii_isupper(*bytes))
            return true;
    }
    return false;
}

static bool mentions_gcluster(const GPtrArray *drafts) {
    for (guint i = 0; i < drafts->len; i++) {
        const struct gcl_source_draft *draft = drafts->pdata[i];
        gsize size;
        const char *bytes = g_bytes_get_data(draft->source->bytes, &size);
        if (has_api_name(bytes, size))
            return true;
    }
    return false;
}

static bool lacks_header(CXDiagnostic message) {
    g_autofree char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(message));
    return gcl_unit_lacks_file(text);
}

static bool is_of_launch(const char *text) {
    return g_str_has_prefix(text, "reference to __global__ function") ||
           g_str_has_prefix(text, "no matching function for call to") ||
           g_str_has_prefix(text, "reference to __host__ function '__cudaPushCallConfiguration'");
}

/// The launch from device code that clang refuses with a message, NULL if it is about something
/// else.
static const struct gcl_source_launch *find_child(const struct gcl_source_draft *draft,
                                                  uint32_t offset) {
    for (guint i = 0; i < draft->source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(draft->source->launches, struct gcl_source_launch, i);
        bool is_child = launch->keep == GCL_KEEP_CHILD || launch->keep == GCL_KEEP_IN_KERNEL;
        if (is_child && offset >= launch->kernel.begin && offset < launch->close.end)
            return launch;
    }
    return NULL;
}

static void refuse_child(GPtrArray *diagnostics, const struct gcl_source_draft *draft,
                         const struct gcl_source_launch *launch) {
    gcl_report_error(diagnostics, draft->source, launch->chevrons, GCL_CODE_LAUNCH_IN_KERNEL,
                     "name one kernel there, with the arguments of its template, or launch it from "
                     "the host",
                     "kernel launched from device code in a form that is not supported");
}

// clang refuses launches from device code; in the device pass it gets another text of those that we
// understand, and says then what else is the matter with them.
static bool is_of_child(const struct reader *reader, CXDiagnostic message) {
    unsigned offset = 0;
    const struct gcl_source_draft *draft =
        find_place(reader, message, clang_getFileLocation, &offset);
    g_autofree char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(message));
    if (!draft || !is_of_launch(text))
        return false;
    const struct gcl_source_launch *launch = find_child(draft, offset);
    if (!launch)
        return false;
    bool is_told = launch->evidence == GCL_EVIDENCE_TREE; // by gcl_report_launches
    g_autofree char *key = g_strdup_printf("%s:%u", draft->source->path, launch->chevrons.begin);
    if (launch->keep == GCL_KEEP_IN_KERNEL && !is_told &&
        g_hash_table_add(reader->reported, g_steal_pointer(&key)))
        refuse_child(reader->diagnostics, draft, launch);
    reader->unit->has_errors |= launch->keep == GCL_KEEP_IN_KERNEL;
    return true;
}

static bool is_member(const struct gcl_token *token) {
    return token->kind == GCL_TOKEN_SCOPE || token->kind == GCL_TOKEN_DOT ||
           token->kind == GCL_TOKEN_ARROW;
}

static void note_template(GArray *templates, uint32_t offset) {
    for (guint i = 0; i < templates->len; i++) { // each use of a template says so
        if (g_array_index(templates, uint32_t, i) == offset)
            return;
    }
    g_array_append_val(templates, offset);
}

// The name that a message means, in quotes at its end. NULL: it is no message of that kind; "": it
// doesn't say which.
static char *lacking_template(const char *text) {
    static const char named[] = "missing 'template' keyword prior to dependent template name '";
    size_t size = strlen(text);
    if (g_str_has_prefix(text, named) && g_str_has_suffix(text, "'"))
        return g_strndup(text + strlen(named), size - strlen(named) - 1);
    // What is compared is a function.
    if (g_str_has_prefix(text, "reference to overloaded function could not be resolved"))
        return g_strdup("");
    return NULL;
}

// Notes where the name stands before `<` as a member, in the statement that goes on at `offset`:
// clang tells the first place alone. Of names that aren't known it is the first. False: nowhere, as
// where a macro puts it together.
static bool note_templates(const struct gcl_source_draft *draft, uint32_t offset,
                           const char *name) {
    const char *bytes = g_bytes_get_data(gcl_unit_file_text(draft->source), NULL);
    bool found = false, knows = *name != '\0';
    for (guint i = MAX(1, gcl_token_at(draft->tokens, offset));
         i + 1 < draft->tokens->len && (knows || !found); i++) {
        const struct gcl_token *token = &g_array_index(draft->tokens, struct gcl_token, i);
        if (token->kind == GCL_TOKEN_SEMICOLON)
            break;
        if (!is_member(token - 1) || token[1].kind != GCL_TOKEN_LESS ||
            (knows && !gcl_token_is(token, bytes, name)))
            continue;
        note_template(draft->source->templates, token->begin);
        found = true;
    }
    return found;
}

// nvcc takes a name before `<` for a template's where its class depends on arguments; clang takes a
// comparison, and is given another text.
static bool lacks_template(const struct reader *reader, CXDiagnostic message) {
    unsigned offset = 0;
    const struct gcl_source_draft *draft =
        find_place(reader, message, clang_getSpellingLocation, &offset);
    g_autofree char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(message));
    g_autofree char *name = lacking_template(text);
    return draft && name && severity_of(message) == GCL_SEVERITY_ERROR &&
           note_templates(draft, offset, name);
}

// Says an error of a library's template at the place in the program that asks for the instance,
// once for each place. False: it isn't in a library, or nobody asks for it.
static bool add_instance(const struct reader *reader, CXDiagnostic message) {
    CXFile file = NULL;
    unsigned line = 0, asked = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(message), &file, &line, NULL, NULL);
    CXDiagnosticSet notes = clang_getChildDiagnostics(message);
    bool is_foreign = file && !gcl_drafts_find(reader->drafts, file);
    unsigned count = is_foreign ? clang_getNumDiagnosticsInSet(notes) : 0;
    for (unsigned i = 0, offset; i < count; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        const struct gcl_source_draft *draft =
            find_place(reader, note, clang_getFileLocation, &offset);
        g_autofree char *text = gcl_cursor_take_text(clang_getDiagnosticSpelling(message));
        g_autofree char *why = gcl_cursor_take_text(clang_getDiagnosticSpelling(note));
        g_autofree char *path = gcl_cursor_take_text(clang_getFileName(file));
        g_autofree char *said = draft ? gcl_mistake_in_instance(text, why, path, line) : NULL;
        if (said && asked++ > 0)
            add_message(reader, note);
        else if (said &&
                 g_hash_table_add(reader->reported,
                                  g_strdup_printf("instance:%s:%u", draft->source->path, offset)))
            gcl_report_error(reader->unit->messages, draft->source,
                             (struct gcl_source_range){offset, offset + 1}, GCL_CODE_CLANG, NULL,
                             said);
        else if (said)
            i = count;
        clang_disposeDiagnostic(note);
    }
    clang_disposeDiagnosticSet(notes);
    // clang says who asks for an instance once for all errors in a row.
    *reader->is_in_instance = asked > 0 || (*reader->is_in_instance && is_foreign);
    return *reader->is_in_instance;
}

static void read_message(const struct reader *reader, CXDiagnostic message) {
    enum gcl_severity severity = severity_of(message);
    if (is_of_child(reader, message) || lacks_template(reader, message))
        return;
    reader->unit->has_errors |= severity == GCL_SEVERITY_ERROR;
    reader->unit->lacks_header |= lacks_header(message);
    if (severity == GCL_SEVERITY_ERROR && add_instance(reader, message))
        return;
    if (severity >= GCL_SEVERITY_WARNING && !report(reader, message)) {
        add_message(reader, message);
        read_notes(reader, message);
    }
}

void gcl_report_messages(CXTranslationUnit translation, const GPtrArray *drafts,
                         struct gcl_source_unit *unit, GPtrArray *diagnostics) {
    bool is_in_instance = false;
    struct reader reader = {
        .is_in_instance = &is_in_instance,
        .translation = translation,
        .drafts = drafts,
        .unit = unit,
        .diagnostics = diagnostics,
        .reported = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .speaks_cuda = !mentions_gcluster(drafts),
    };
    unsigned count = clang_getNumDiagnostics(translation);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic message = clang_getDiagnostic(translation, i);
        read_message(&reader, message);
        clang_disposeDiagnostic(message);
    }
    g_hash_table_unref(reader.reported);
}

void gcl_report_launches(const GPtrArray *drafts, GPtrArray *diagnostics) {
    for (guint d = 0; d < drafts->len; d++) {
        const struct gcl_source_draft *draft = drafts->pdata[d];
        for (guint i = 0; i < draft->source->launches->len; i++) {
            const struct gcl_source_launch *launch =
                &g_array_index(draft->source->launches, struct gcl_source_launch, i);
            bool is_template = false;
            if (launch->keep != GCL_KEEP_IN_KERNEL || launch->evidence != GCL_EVIDENCE_TREE ||
                !gcl_collect_is_device_only(draft, launch->chevrons.begin, &is_template) ||
                is_template)
                continue;
            refuse_child(diagnostics, draft, launch);
        }
    }
}
