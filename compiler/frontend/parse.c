// The text proposes, clang decides: lex each project file for CUDA names and `<<<`, let clang's
// tree confirm or veto them, and settle the rest by the text.
//
// clang gets the host pass's arguments with a few changes. Inside OpenMP regions libclang shows
// nothing, so -fopenmp gives way to its macro. Some of what nvcc accepts and clang refuses by
// default is allowed. Errors never stop it.
#define _GNU_SOURCE
#include "parse.h"

#include <stdlib.h>
#include <string.h>

#include <clang-c/Index.h>

#include "../base/diagnostic.h"
#include "collect.h"
#include "draft.h"
#include "pragmas.h"
#include "report.h"

struct parse {
    const struct gcl_parse_options *options;
    char *root;         // real path, or NULL
    GPtrArray *names;   // of the files in `buffers`
    GPtrArray *buffers; // GBytes: what clang reads instead of the file
    GPtrArray *drafts;
    CXTranslationUnit translation;
    bool mended_header; // clang has to read again
    bool has_pragmas;
};

static GPtrArray *make_arguments(const struct gcl_parse_options *options) {
    static const char *const extra[] = {
        "-ferror-limit=0",
        "-fspell-checking", // libclang turns it off unless told
        "-Wno-c++11-narrowing",
        "-Wno-missing-template-arg-list-after-template-kw",
        "-Wno-register",
        "-Wno-reserved-user-defined-literal",
        "-Wno-implicit-int",
        "-Wno-error=implicit-function-declaration",
        "-Wno-unknown-cuda-version",
        "-Wno-unused-command-line-argument",
    };
    GPtrArray *arguments = g_ptr_array_new();
    bool openmp = false;
    for (const char *const *argument = options->arguments; argument && *argument; argument++) {
        if (strcmp(*argument, "-fopenmp") == 0 || g_str_has_prefix(*argument, "-fopenmp="))
            openmp = true;
        else
            g_ptr_array_add(arguments, (gpointer)*argument);
    }
    if (openmp) {
        g_ptr_array_add(arguments, (gpointer) "-D_OPENMP=201511");
        g_ptr_array_add(arguments, (gpointer) "-Wno-source-uses-openmp");
    }
    for (size_t i = 0; i < G_N_ELEMENTS(extra); i++)
        g_ptr_array_add(arguments, (gpointer)extra[i]);
    return arguments;
}

static GBytes *find_buffer(const struct parse *parse, const char *path) {
    for (guint i = 0; i < parse->names->len; i++) {
        if (strcmp(parse->names->pdata[i], path) == 0)
            return parse->buffers->pdata[i];
    }
    return NULL;
}

static void set_buffer(struct parse *parse, const char *path, GBytes *bytes) {
    for (guint i = 0; i < parse->names->len; i++) {
        if (strcmp(parse->names->pdata[i], path) != 0)
            continue;
        g_bytes_unref(parse->buffers->pdata[i]);
        parse->buffers->pdata[i] = g_bytes_ref(bytes);
        return;
    }
    g_ptr_array_add(parse->names, g_strdup(path));
    g_ptr_array_add(parse->buffers, g_bytes_ref(bytes));
}

static void dispose_translation(struct parse *parse) {
    if (parse->translation)
        clang_disposeTranslationUnit(parse->translation);
    parse->translation = NULL;
}

static enum CXErrorCode run_clang(struct parse *parse, CXIndex index) {
    GPtrArray *arguments = make_arguments(parse->options);
    struct CXUnsavedFile *unsaved = g_new0(struct CXUnsavedFile, parse->names->len);
    for (guint i = 0; i < parse->names->len; i++) {
        size_t size;
        unsaved[i].Filename = parse->names->pdata[i];
        unsaved[i].Contents = g_bytes_get_data(parse->buffers->pdata[i], &size);
        unsaved[i].Contents = unsaved[i].Contents ? unsaved[i].Contents : "";
        unsaved[i].Length = size;
    }
    dispose_translation(parse);
    unsigned flags = CXTranslationUnit_KeepGoing;
    if (parse->has_pragmas)
        flags |= CXTranslationUnit_DetailedPreprocessingRecord;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        index, parse->options->path, (const char *const *)arguments->pdata, (int)arguments->len,
        unsaved, parse->names->len, flags, &parse->translation);
    g_free(unsaved);
    g_ptr_array_unref(arguments);
    return code;
}

static void draft_destroy(gpointer data) {
    gcl_draft_destroy(data);
}

static bool is_below_root(const struct parse *parse, const char *path) {
    if (!parse->root)
        return true;
    char *real = realpath(path, NULL);
    size_t length = strlen(parse->root);
    bool below = real && strncmp(real, parse->root, length) == 0 &&
                 (real[length] == '/' || parse->root[length - 1] == '/');
    free(real);
    return below;
}

static bool has_draft(const struct parse *parse, CXFile file) {
    for (guint i = 0; i < parse->drafts->len; i++) {
        const struct gcl_draft *draft = parse->drafts->pdata[i];
        if (clang_File_isEqual(draft->file, file))
            return true;
    }
    return false;
}

// The text on disk behind what clang has read. Only where it was mended are the two different.
static GBytes *original_of(const struct parse *parse, const char *path, const char *content,
                           size_t size) {
    gchar *disk;
    gsize disk_size;
    bool overlaid = false;
    for (size_t i = 0; i < parse->options->overlay_count; i++)
        overlaid |= strcmp(parse->options->overlays[i].path, path) == 0;
    if (find_buffer(parse, path) && !overlaid && g_file_get_contents(path, &disk, &disk_size, NULL))
        return g_bytes_new_take(disk, disk_size);
    for (size_t i = 0; i < parse->options->overlay_count; i++) {
        if (strcmp(parse->options->overlays[i].path, path) == 0)
            return g_bytes_ref(parse->options->overlays[i].bytes);
    }
    return g_bytes_new(content, size);
}

// Has clang read the file as it can, and with a record of dead text if there are pragmas.
static void prepare_buffer(struct parse *parse, const char *path, GBytes *original) {
    g_autoptr(GBytes) hidden = gcl_pragmas_hide(original);
    g_autoptr(GBytes) prepared = gcl_prepare_for_clang(original);
    bool again = (prepared && !find_buffer(parse, path)) || (hidden && !parse->has_pragmas);
    parse->mended_header |= again;
    parse->has_pragmas |= hidden != NULL;
    if (prepared)
        set_buffer(parse, path, prepared);
}

static void add_draft(struct parse *parse, CXFile file, const char *path, const char *content,
                      size_t size) {
    GBytes *original = original_of(parse, path, content, size);
    GBytes *prepared = gcl_prepare(original);
    prepare_buffer(parse, path, original);
    struct gcl_draft *draft = gcl_draft_create(path, original, prepared);
    draft->file = file;
    g_ptr_array_add(parse->drafts, draft);
    g_bytes_unref(original);
    if (prepared)
        g_bytes_unref(prepared);
}

static void see_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct parse *parse = data;
    size_t size;
    (void)stack;
    const char *content = clang_getFileContents(parse->translation, file, &size);
    CXSourceLocation start = clang_getLocationForOffset(parse->translation, file, 0);
    if (!content || has_draft(parse, file) || (depth > 0 && clang_Location_isInSystemHeader(start)))
        return;
    CXString name = clang_getFileName(file);
    const char *path = clang_getCString(name);
    if (path && (depth == 0 || is_below_root(parse, path)))
        add_draft(parse, file, path, content, size);
    clang_disposeString(name);
}

static void collect_drafts(struct parse *parse) {
    g_ptr_array_set_size(parse->drafts, 0);
    parse->mended_header = false;
    clang_getInclusions(parse->translation, see_inclusion, parse);
}

static bool load_main(struct parse *parse, GPtrArray *diagnostics) {
    const struct gcl_parse_options *options = parse->options;
    for (size_t i = 0; i < options->overlay_count; i++)
        set_buffer(parse, options->overlays[i].path, options->overlays[i].bytes);
    GBytes *main_bytes = find_buffer(parse, options->path);
    gchar *disk = NULL;
    gsize size = 0;
    GError *error = NULL;
    if (main_bytes) {
        g_bytes_ref(main_bytes);
    } else if (g_file_get_contents(options->path, &disk, &size, &error)) {
        main_bytes = g_bytes_new_take(disk, size);
    } else {
        gcl_diagnostics_add(diagnostics, GCL_CODE_FILE, NULL, NULL, "%s", error->message);
        g_error_free(error);
        return false;
    }
    prepare_buffer(parse, options->path, main_bytes);
    g_bytes_unref(main_bytes);
    return true;
}

static bool read_with_clang(struct parse *parse, CXIndex index, GPtrArray *diagnostics) {
    enum CXErrorCode code = run_clang(parse, index);
    if (code == CXError_Success) {
        collect_drafts(parse);
        if (parse->mended_header) {
            code = run_clang(parse, index);
            if (code == CXError_Success)
                collect_drafts(parse);
        }
    }
    if (code == CXError_Success)
        return true;
    struct gcl_place place = {.path = parse->options->path};
    gcl_diagnostics_add(diagnostics, GCL_CODE_PARSE_FAILED, &place,
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

static struct gcl_unit *finish_unit(struct parse *parse, GPtrArray *diagnostics) {
    struct gcl_unit *unit = gcl_unit_create();
    unit->messages = gcl_diagnostics_create();
    gcl_collect(parse->translation, parse->drafts, unit->shapes);
    gcl_drafts_settle(parse->drafts);
    gcl_report_messages(parse->translation, parse->drafts, unit, diagnostics);
    gcl_report_launches(parse->drafts, diagnostics);
    if (is_cuda(parse->options)) // otherwise clang sees no kernels
        gcl_pragmas_collect(parse->drafts, unit->pragmas, diagnostics);
    for (guint i = 0; i < parse->drafts->len; i++) {
        struct gcl_draft *draft = parse->drafts->pdata[i];
        g_ptr_array_add(unit->sources, draft->source);
        draft->source = NULL;
    }
    return unit;
}

struct gcl_unit *gcl_parse(const struct gcl_parse_options *options, GPtrArray *diagnostics) {
    struct parse parse = {
        .options = options,
        .root = options->root ? realpath(options->root, NULL) : NULL,
        .names = g_ptr_array_new_with_free_func(g_free),
        .buffers = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref),
        .drafts = g_ptr_array_new_with_free_func(draft_destroy),
    };
    struct gcl_unit *unit = NULL;
    if (load_main(&parse, diagnostics)) {
        CXIndex index = clang_createIndex(0, 0);
        if (read_with_clang(&parse, index, diagnostics))
            unit = finish_unit(&parse, diagnostics);
        dispose_translation(&parse);
        clang_disposeIndex(index);
    }
    g_ptr_array_unref(parse.drafts);
    g_ptr_array_unref(parse.names);
    g_ptr_array_unref(parse.buffers);
    free(parse.root);
    return unit;
}
