// The text proposes, clang decides: lex each project file for CUDA names and `<<<`, let clang's
// tree confirm or veto them, and settle the rest by the text.
//
// clang gets the host pass's arguments with a few changes. Inside OpenMP regions libclang shows
// nothing, so -fopenmp gives way to its macro. Some of what nvcc accepts and clang refuses by
// default is allowed. Errors never stop it.
//
// For an editor clang keeps a preamble and a record of macros. All sources of preambles are in the
// overlays: a header that an editor has changed makes clang build the preamble anew.
//
// What clang keeps of headers isn't visited with the rest, which would have it load all that they
// declare: longer than the reading itself takes. Headers of the project have to be visited; once
// there is one, all are.
#define _GNU_SOURCE
#include "frontend/parse/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/diagnostic.h"
#include "frontend/collect.h"
#include "frontend/draft.h"
#include "frontend/lint/lint.h"
#include "frontend/lowered.h"
#include "frontend/pragmas.h"
#include "frontend/report.h"
#include "frontend/text/lexer.h"

struct gcl_session {
    char *path;
    char *root;                 // real path, or NULL
    GPtrArray *arguments;       // of libclang
    GPtrArray *quick_arguments; // the same with precompiled headers, or NULL
    bool is_cuda;
    bool stays; // it will be read again
    CXIndex index;
    GHashTable *overlays; // path -> GBytes: what the caller has in place of files
    GPtrArray *names;     // of the files in `buffers`
    GPtrArray *buffers;   // GBytes: what clang reads instead of the file
    GPtrArray *drafts;
    GPtrArray *headers; // struct header *: the project's, of the last reading; NULL: not known
    char *directives;   // of the file, when it was read for `headers`
    CXTranslationUnit translation;
    bool reads_again;      // clang has to
    bool records;          // clang keeps a record of dead text and macros
    bool skips;            // clang skips the bodies of functions in headers
    bool has_preamble;     // what was read last has one
    bool has_own_headers;  // the project's are among what was read last
    bool visits_preambles; // what they declare is visited with the rest
};

static GPtrArray *make_arguments(const char *const *given) {
    static const char *const extra[] = {
        "-ferror-limit=0",
        "-fspell-checking", // libclang turns it off unless told
        "-Wno-c++11-narrowing",
        "-Wno-missing-template-arg-list-after-template-kw",
        "-Wno-register",
        "-Wno-vla-cxx-extension",
        "-Wno-reserved-user-defined-literal",
        "-Wno-implicit-int",
        "-Wno-error=implicit-function-declaration",
        "-Wno-unknown-cuda-version",
        "-Wno-unused-command-line-argument",
    };
    GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
    bool openmp = false;
    for (const char *const *argument = given; argument && *argument; argument++) {
        if (strcmp(*argument, "-fopenmp") == 0 || g_str_has_prefix(*argument, "-fopenmp="))
            openmp = true;
        else
            g_ptr_array_add(arguments, g_strdup(*argument));
    }
    if (openmp) {
        g_ptr_array_add(arguments, g_strdup("-D_OPENMP=201511"));
        g_ptr_array_add(arguments, g_strdup("-Wno-source-uses-openmp"));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(extra); i++)
        g_ptr_array_add(arguments, g_strdup(extra[i]));
    return arguments;
}

static GBytes *find_buffer(const struct gcl_session *session, const char *path) {
    for (guint i = 0; i < session->names->len; i++) {
        if (strcmp(session->names->pdata[i], path) == 0)
            return session->buffers->pdata[i];
    }
    return NULL;
}

static void set_buffer(struct gcl_session *session, const char *path, GBytes *bytes) {
    for (guint i = 0; i < session->names->len; i++) {
        if (strcmp(session->names->pdata[i], path) != 0)
            continue;
        g_bytes_unref(session->buffers->pdata[i]);
        session->buffers->pdata[i] = g_bytes_ref(bytes);
        return;
    }
    g_ptr_array_add(session->names, g_strdup(path));
    g_ptr_array_add(session->buffers, g_bytes_ref(bytes));
}

static void dispose_translation(struct gcl_session *session) {
    if (session->translation)
        clang_disposeTranslationUnit(session->translation);
    session->translation = NULL;
}

// What clang reads in place of files; valid as long as the buffers.
static struct CXUnsavedFile *unsaved_files(const struct gcl_session *session) {
    struct CXUnsavedFile *unsaved = g_new0(struct CXUnsavedFile, session->names->len);
    for (guint i = 0; i < session->names->len; i++) {
        size_t size;
        unsaved[i].Filename = session->names->pdata[i];
        unsaved[i].Contents = g_bytes_get_data(session->buffers->pdata[i], &size);
        unsaved[i].Contents = unsaved[i].Contents ? unsaved[i].Contents : "";
        unsaved[i].Length = size;
    }
    return unsaved;
}

// A preamble takes a third of the first reading, and counts from the second one on: it is made
// then, unless what is skipped by it takes longer.
static bool has_preamble_at_once(const struct gcl_session *session) {
    return session->skips || (session->stays && session->visits_preambles);
}

static unsigned parse_flags(const struct gcl_session *session) {
    unsigned flags = CXTranslationUnit_KeepGoing;
    if (session->records)
        flags |= CXTranslationUnit_DetailedPreprocessingRecord;
    if (session->stays)
        flags |= CXTranslationUnit_PrecompiledPreamble | CXTranslationUnit_CacheCompletionResults |
                 CXTranslationUnit_IncludeBriefCommentsInCodeCompletion;
    if (session->skips)
        flags |= CXTranslationUnit_SkipFunctionBodies |
                 CXTranslationUnit_LimitSkipFunctionBodiesToPreamble;
    if (has_preamble_at_once(session))
        flags |= CXTranslationUnit_CreatePreambleOnFirstParse;
    return flags;
}

static bool has_fatal_error(CXTranslationUnit translation) {
    bool found = false;
    for (unsigned i = 0; !found && i < clang_getNumDiagnostics(translation); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(translation, i);
        found = clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Fatal;
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

static enum CXErrorCode parse_text(struct gcl_session *session, const GPtrArray *arguments) {
    g_autofree struct CXUnsavedFile *unsaved = unsaved_files(session);
    return clang_parseTranslationUnit2(
        session->index, session->path, (const char *const *)arguments->pdata, (int)arguments->len,
        unsaved, session->names->len, parse_flags(session), &session->translation);
}

// Precompiled headers have no records, and clang refuses those that have changed since.
static bool parse_behind_headers(struct gcl_session *session) {
    if (!session->quick_arguments || session->records)
        return false;
    if (parse_text(session, session->quick_arguments) == CXError_Success &&
        !has_fatal_error(session->translation))
        return true;
    dispose_translation(session);
    return false;
}

// Preambles in files would be left behind by a crash.
static CXIndex create_index(bool visits_preambles) {
    CXIndexOptions options = {.Size = sizeof options,
                              .ExcludeDeclarationsFromPCH = !visits_preambles,
                              .StorePreamblesInMemory = 1};
    return clang_createIndexWithOptions(&options);
}

static void visit_preambles(struct gcl_session *session) {
    dispose_translation(session);
    clang_disposeIndex(session->index);
    session->index = create_index(true);
    session->visits_preambles = true;
}

static enum CXErrorCode run_clang(struct gcl_session *session) {
    if (session->stays && session->has_own_headers && !session->visits_preambles)
        visit_preambles(session);
    session->has_preamble =
        (session->stays && session->translation) || has_preamble_at_once(session);
    if (session->stays && session->translation) {
        g_autofree struct CXUnsavedFile *unsaved = unsaved_files(session);
        int code = clang_reparseTranslationUnit(session->translation, session->names->len, unsaved,
                                                clang_defaultReparseOptions(session->translation));
        if (code == CXError_Success)
            return CXError_Success;
    }
    dispose_translation(session);
    if (parse_behind_headers(session))
        return CXError_Success;
    return parse_text(session, session->arguments);
}

static void draft_destroy(gpointer data) {
    gcl_draft_destroy(data);
}

static bool is_below_root(const struct gcl_session *session, const char *path) {
    if (!session->root)
        return true;
    char *real = realpath(path, NULL);
    size_t length = strlen(session->root);
    bool below = real && strncmp(real, session->root, length) == 0 &&
                 (real[length] == '/' || session->root[length - 1] == '/');
    free(real);
    return below;
}

// The text on disk, or in an editor, behind what clang has read. Only where it was mended are the
// two different.
static GBytes *original_of(const struct gcl_session *session, const char *path, const char *content,
                           size_t size) {
    gchar *disk;
    gsize disk_size;
    GBytes *overlay = g_hash_table_lookup(session->overlays, path);
    if (overlay)
        return g_bytes_ref(overlay);
    if (find_buffer(session, path) && g_file_get_contents(path, &disk, &disk_size, NULL))
        return g_bytes_new_take(disk, disk_size);
    return g_bytes_new(content, size);
}

// Makes of a file the text that clang is given: pragmas of gcluster are hidden, and if there are
// any, clang is to record the text that the preprocessor drops.
static void prepare_buffer(struct gcl_session *session, const char *path, GBytes *original) {
    g_autoptr(GBytes) hidden = gcl_pragmas_hide(original);
    g_autoptr(GBytes) prepared = gcl_prepare_for_clang(original);
    bool again = (prepared && !find_buffer(session, path)) || (hidden && !session->records);
    session->reads_again |= again;
    session->records |= hidden != NULL;
    if (prepared)
        set_buffer(session, path, prepared);
}

static struct gcl_source_draft *add_draft(struct gcl_session *session, CXFile file,
                                          const char *path, GBytes *original) {
    g_autoptr(GBytes) prepared = gcl_prepare(original);
    struct gcl_source_draft *draft = gcl_draft_create(path, original, prepared);
    draft->file = file;
    g_ptr_array_add(session->drafts, draft);
    return draft;
}

// Asking clang what a file includes has it load places of all headers, which takes a tenth of a
// reading. As long as the file's directives and the project's headers stay, what is included does.

struct header {
    char *path;
    GBytes *content; // as clang has read it
};

static void header_destroy(gpointer data) {
    struct header *header = data;
    g_bytes_unref(header->content);
    g_free(header->path);
    g_free(header);
}

void gcl_session_forget_headers(struct gcl_session *session) {
    g_clear_pointer(&session->headers, g_ptr_array_unref);
    g_clear_pointer(&session->directives, g_free);
}

// The lines of the preprocessor that count in a draft's text, to be freed.
static char *directives_of(const struct gcl_source_draft *draft) {
    size_t size;
    const char *text = g_bytes_get_data(gcl_unit_file_text(draft->source), &size);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < draft->tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(draft->tokens, struct gcl_token, i);
        size_t end = token->begin;
        if (token->kind != GCL_TOKEN_HASH || token->line == GCL_LINE_TEXT)
            continue;
        while (end < size && (text[end] != '\n' || text[end - 1] == '\\'))
            end++;
        g_string_append_len(out, text + token->begin, (gssize)(end - token->begin));
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

// Remembers what the drafts are of. A file that wasn't found may be there next time.
static void remember_headers(struct gcl_session *session) {
    size_t size;
    gcl_session_forget_headers(session);
    if (!session->stays || has_fatal_error(session->translation))
        return;
    session->headers = g_ptr_array_new_with_free_func(header_destroy);
    for (guint i = 0; i < session->drafts->len; i++) {
        const struct gcl_source_draft *draft = session->drafts->pdata[i];
        if (strcmp(draft->source->path, session->path) == 0) {
            session->directives = directives_of(draft);
            continue;
        }
        const char *content = clang_getFileContents(session->translation, draft->file, &size);
        struct header *header = g_new(struct header, 1);
        *header = (struct header){g_strdup(draft->source->path), g_bytes_new(content, size)};
        g_ptr_array_add(session->headers, header);
    }
}

// Whether clang reads of a header what it read before. Asking clang would load places, too.
static bool is_same(const struct gcl_session *session, const struct header *header) {
    GBytes *buffer = find_buffer(session, header->path);
    gchar *disk;
    gsize size;
    if (buffer)
        return g_bytes_equal(buffer, header->content);
    if (!g_file_get_contents(header->path, &disk, &size, NULL))
        return false;
    g_autoptr(GBytes) bytes = g_bytes_new_take(disk, size);
    return g_bytes_equal(bytes, header->content);
}

static bool add_known(struct gcl_session *session, const struct header *header) {
    size_t size;
    CXFile file = clang_getFile(session->translation, header->path);
    if (!file || !is_same(session, header))
        return false;
    const char *content = g_bytes_get_data(header->content, &size);
    g_autoptr(GBytes) original = original_of(session, header->path, content ? content : "", size);
    add_draft(session, file, header->path, original);
    return true;
}

// Makes drafts of the files that are known to be included. False, with none, if that isn't sure.
static bool collect_known(struct gcl_session *session) {
    size_t size;
    CXFile file = session->directives ? clang_getFile(session->translation, session->path) : NULL;
    const char *content = file ? clang_getFileContents(session->translation, file, &size) : NULL;
    if (!content)
        return false;
    g_autoptr(GBytes) original = original_of(session, session->path, content, size);
    const struct gcl_source_draft *main = add_draft(session, file, session->path, original);
    g_autofree char *directives = directives_of(main);
    bool same = strcmp(directives, session->directives) == 0;
    for (guint i = 0; same && i < session->headers->len; i++)
        same = add_known(session, session->headers->pdata[i]);
    if (!same)
        g_ptr_array_set_size(session->drafts, 0);
    return same;
}

static void see_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct gcl_session *session = data;
    size_t size;
    (void)stack, (void)depth;
    if (gcl_drafts_find(session->drafts, file))
        return;
    CXString name = clang_getFileName(file);
    const char *path = clang_getCString(name);
    bool is_main = path && strcmp(path, session->path) == 0;
    CXSourceLocation start = clang_getLocationForOffset(session->translation, file, 0);
    bool is_foreign = !is_main && clang_Location_isInSystemHeader(start);
    const char *content =
        is_foreign ? NULL : clang_getFileContents(session->translation, file, &size); // reads it
    if (path && content && (is_main || is_below_root(session, path))) {
        g_autoptr(GBytes) original = original_of(session, path, content, size);
        prepare_buffer(session, path, original);
        add_draft(session, file, path, original);
    }
    clang_disposeString(name);
}

static void collect_drafts(struct gcl_session *session) {
    g_ptr_array_set_size(session->drafts, 0);
    session->reads_again = false;
    if (collect_known(session))
        return;
    clang_getInclusions(session->translation, see_inclusion, session);
    session->has_own_headers = session->drafts->len > 1;
    session->reads_again |=
        session->has_own_headers && session->has_preamble && !session->visits_preambles;
    remember_headers(session);
}

// "<" of every `#include`, so that it doesn't look beside the file.
static bool includes_by_path_only(const char *text) {
    for (const char *at = text; (at = strchr(at, '#'));) {
        at++;
        at += strspn(at, " \t");
        if (!g_str_has_prefix(at, "include"))
            continue;
        at += strlen("include");
        if (at[strspn(at, " \t")] != '<')
            return false;
    }
    return true;
}

// Whether all headers are somebody else's, whose bodies only cost time: of the user's own, mistakes
// in them have to be told.
static bool has_foreign_headers_only(const struct gcl_session *session, GBytes *bytes) {
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    g_autofree char *text = g_strndup(data ? data : "", size);
    for (guint i = 0; i < session->arguments->len; i++) {
        const char *word = session->arguments->pdata[i];
        const char *option = i > 1 ? session->arguments->pdata[i - 2] : ""; // -Xclang in between
        if (g_str_has_prefix(word, "-I") || g_str_has_prefix(word, "-iquote") ||
            (strcmp(option, "-include") == 0 && strcmp(word, "cuda_runtime.h") != 0))
            return false;
    }
    return includes_by_path_only(text);
}

static bool load_main(struct gcl_session *session, GPtrArray *diagnostics) {
    GBytes *main_bytes = g_hash_table_lookup(session->overlays, session->path);
    gchar *disk = NULL;
    gsize size = 0;
    GError *error = NULL;
    if (main_bytes) {
        g_bytes_ref(main_bytes);
    } else if (g_file_get_contents(session->path, &disk, &size, &error)) {
        main_bytes = g_bytes_new_take(disk, size);
    } else {
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "%s", error->message);
        g_error_free(error);
        return false;
    }
    bool skips = session->stays && has_foreign_headers_only(session, main_bytes);
    if (skips != session->skips)
        dispose_translation(session);
    session->skips = skips;
    if (disk || !session->records) // else set_overlays has done it
        prepare_buffer(session, session->path, main_bytes);
    g_bytes_unref(main_bytes);
    return true;
}

// A header that had to be mended will have to be again, unless it has changed.
static void mend_again(struct gcl_session *session, const char *path) {
    char *disk;
    gsize size;
    if (g_hash_table_contains(session->overlays, path) ||
        !g_file_get_contents(path, &disk, &size, NULL))
        return;
    g_autoptr(GBytes) bytes = g_bytes_new_take(disk, size);
    g_autoptr(GBytes) prepared = gcl_prepare_for_clang(bytes);
    if (prepared)
        set_buffer(session, path, prepared);
}

static void set_overlays(struct gcl_session *session, const struct gcl_overlay *overlays,
                         size_t count) {
    g_autoptr(GPtrArray) known = session->names;
    g_hash_table_remove_all(session->overlays);
    session->names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_set_size(session->buffers, 0);
    for (size_t i = 0; i < count; i++) {
        g_autoptr(GBytes) prepared = gcl_prepare_for_clang(overlays[i].bytes);
        set_buffer(session, overlays[i].path, prepared ? prepared : overlays[i].bytes);
        g_hash_table_replace(session->overlays, g_strdup(overlays[i].path),
                             g_bytes_ref(overlays[i].bytes));
    }
    for (guint i = 0; i < known->len; i++)
        mend_again(session, known->pdata[i]);
}

static enum CXErrorCode read_twice(struct gcl_session *session) {
    enum CXErrorCode code = run_clang(session);
    if (code != CXError_Success)
        return code;
    collect_drafts(session);
    if (!session->reads_again)
        return code;
    code = run_clang(session);
    if (code == CXError_Success)
        collect_drafts(session);
    return code;
}

bool gcl_session_read(struct gcl_session *session, const struct gcl_overlay *overlays,
                      size_t overlay_count, GPtrArray *diagnostics) {
    set_overlays(session, overlays, overlay_count);
    if (!load_main(session, diagnostics))
        return false;
    enum CXErrorCode code = read_twice(session);
    if (code == CXError_Success)
        return true;
    dispose_translation(session);
    struct gcl_source_location location = {.path = session->path};
    gcl_diagnostics_add(diagnostics, GCL_CODE_PARSE_FAILED, &location,
                        "please report this file; libclang 19 doesn't survive it",
                        code == CXError_Crashed ? "clang crashed while reading this file"
                                                : "clang refused to read this file");
    return false;
}

static bool is_cuda(const struct gcl_parse_options *options) {
    const char *const *argument = options->arguments;
    while (argument && *argument && strcmp(*argument, "cuda") != 0)
        argument++;
    return argument && *argument;
}

struct gcl_source_unit *gcl_session_unit(struct gcl_session *session, GPtrArray *diagnostics) {
    struct gcl_source_unit *unit = gcl_unit_create();
    unit->messages = gcl_diagnostics_create();
    gcl_collect(session->translation, session->drafts, unit->shapes);
    gcl_drafts_settle(session->drafts);
    gcl_report_messages(session->translation, session->drafts, unit, diagnostics);
    gcl_report_launches(session->drafts, diagnostics);
    if (session->is_cuda)
        gcl_lint(&(struct gcl_lint){.unit = session->translation,
                                    .drafts = session->drafts,
                                    .arguments = session->arguments,
                                    .shapes = unit->shapes,
                                    .is_in_editor = session->stays,
                                    .is_broken = unit->has_errors,
                                    .diagnostics = diagnostics});
    if (session->is_cuda) // otherwise clang sees no kernels
        gcl_pragmas_collect(session->translation, session->drafts, unit->pragmas, diagnostics);
    gcl_lowered_collect(session->translation, unit->lowered);
    for (guint i = 0; i < session->drafts->len; i++) {
        struct gcl_source_draft *draft = session->drafts->pdata[i];
        g_ptr_array_add(unit->sources, draft->source);
        draft->source = NULL;
    }
    g_ptr_array_set_size(session->drafts, 0);
    return unit;
}

CXTranslationUnit gcl_session_translation(const struct gcl_session *session) {
    return session->translation;
}

CXCodeCompleteResults *gcl_session_complete(struct gcl_session *session,
                                            const struct gcl_overlay *overlays,
                                            size_t overlay_count, struct gcl_completion at) {
    set_overlays(session, overlays, overlay_count);
    if (!session->translation)
        return NULL;
    g_autofree struct CXUnsavedFile *unsaved = unsaved_files(session);
    unsigned flags = CXCodeComplete_IncludeMacros | CXCodeComplete_IncludeCodePatterns;
    if (at.has_comments)
        flags |= CXCodeComplete_IncludeBriefComments;
    return clang_codeCompleteAt(session->translation, session->path, at.line, at.column, unsaved,
                                session->names->len, flags);
}

struct gcl_session *gcl_session_create(const struct gcl_parse_options *options, bool stays) {
    struct gcl_session *session = g_new(struct gcl_session, 1);
    *session = (struct gcl_session){
        .path = g_strdup(options->path),
        .root = options->root ? realpath(options->root, NULL) : NULL,
        .arguments = make_arguments(options->arguments),
        .quick_arguments =
            options->quick_arguments ? make_arguments(options->quick_arguments) : NULL,
        .is_cuda = is_cuda(options),
        .stays = stays,
        .records = options->records,
        .index = create_index(false),
        .overlays =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref),
        .names = g_ptr_array_new_with_free_func(g_free),
        .buffers = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref),
        .drafts = g_ptr_array_new_with_free_func(draft_destroy),
    };
    return session;
}

void gcl_session_destroy(struct gcl_session *session) {
    if (!session)
        return;
    dispose_translation(session);
    clang_disposeIndex(session->index);
    g_ptr_array_unref(session->arguments);
    g_clear_pointer(&session->quick_arguments, g_ptr_array_unref);
    gcl_session_forget_headers(session);
    g_ptr_array_unref(session->drafts);
    g_ptr_array_unref(session->names);
    g_ptr_array_unref(session->buffers);
    g_hash_table_unref(session->overlays);
    g_free(session->path);
    free(session->root);
    g_free(session);
}
