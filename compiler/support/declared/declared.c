// Run while gcluster is built: writes which names our CUDA headers declare, as clang reads them.
//
//   declared OUTPUT SOURCE... -- ARGUMENT...
//
// SOURCEs include the headers, each those that can stand beside each other; ARGUMENTs are clang's.
// What several declare counts as the first one has it.
//
// The output has GCL_DECLARED(name, "kind", "header") for each, ascending in bytes, and
// GCL_HEADER("header") for each header that programs include. A name counts if a header
// below a folder of an -isystem argument declares it outside classes, or in a named namespace, in
// the host's or the device's code; the header is the one that programs include, not the part of
// ours that it includes for that. Left out are names of our own, and what guards headers.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <clang-c/Index.h>
#include <glib.h>

struct reader {
    char **folders;      // of -isystem
    GHashTable *headers; // path -> header that programs include; of the current unit
    GHashTable *public;  // headers that programs include
    GHashTable *rows;    // name -> what follows it in its row
};

// The path below one of our folders, or NULL.
static const char *path_below(const struct reader *reader, const char *path) {
    for (char **folder = reader->folders; *folder; folder++) {
        size_t length = strlen(*folder);
        if (strncmp(path, *folder, length) == 0 && path[length] == '/')
            return path + length + 1;
    }
    return NULL;
}

static char *take_text(CXString string) {
    const char *text = clang_getCString(string);
    char *copy = g_strdup(text ? text : "");
    clang_disposeString(string);
    return copy;
}

static char *path_at(CXSourceLocation location) {
    CXFile file = NULL;
    clang_getExpansionLocation(location, &file, NULL, NULL, NULL);
    return file ? take_text(clang_getFileName(file)) : NULL;
}

// Whether CUDA programs don't include it by its name: gcluster.h, gcluster_math.h.
static bool is_part(const char *path) {
    return g_str_has_prefix(path, "gcluster") || strstr(path, "/gcluster_");
}

// Notes for which header of programs a file was read first.
static void note_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, void *data) {
    const struct reader *reader = data;
    g_autofree char *path = take_text(clang_getFileName(file));
    if (!path_below(reader, path) || g_hash_table_contains(reader->headers, path))
        return;
    g_autofree char *plain = g_canonicalize_filename(path, NULL);
    g_autofree char *header = g_strdup(path_below(reader, plain));
    if (!is_part(header))
        g_hash_table_add(reader->public, g_strdup(header));
    for (unsigned i = 0; i < depth && is_part(header); i++) {
        g_autofree char *includer = path_at(stack[i]);
        g_autofree char *plain_includer = includer ? g_canonicalize_filename(includer, NULL) : NULL;
        const char *below = plain_includer ? path_below(reader, plain_includer) : NULL;
        if (below) {
            g_free(header);
            header = g_strdup(below);
        }
    }
    g_hash_table_insert(reader->headers, g_strdup(path), g_steal_pointer(&header));
}

static const char *kind_of(enum CXCursorKind kind) {
    switch (kind) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
        return "function";
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_ClassDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        return "type";
    case CXCursor_EnumConstantDecl:
        return "enumerator";
    case CXCursor_VarDecl:
        return "variable";
    case CXCursor_MacroDefinition:
        return "macro";
    default:
        return NULL;
    }
}

static bool is_own(const char *name) {
    static const char *const beginnings[] = {"gcl",   "GCL",      "make_gcl", "__gcl",
                                             "__GCL", "operator", "__nvtx"};
    for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
        if (g_str_has_prefix(name, beginnings[i]))
            return true;
    }
    return strstr(name, "_gcl_") != NULL;
}

static bool is_guard(const char *name) {
    static const char *const endings[] = {"_H", "_H_", "_H__", "_h__", "_HPP"};
    for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
        if (g_str_has_suffix(name, endings[i]))
            return true;
    }
    return false;
}

// "cooperative_groups::" for what is declared in that namespace; NULL for what isn't for programs.
static char *qualifier_of(CXCursor cursor) {
    g_autoptr(GString) text = g_string_new(NULL);
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    while (!clang_Cursor_isNull(parent) &&
           clang_getCursorKind(parent) != CXCursor_TranslationUnit) {
        enum CXCursorKind kind = clang_getCursorKind(parent);
        g_autofree char *name = take_text(clang_getCursorSpelling(parent));
        if (kind == CXCursor_Namespace &&
            (g_str_has_prefix(name, "__") || strcmp(name, "std") == 0))
            return NULL;
        if (kind == CXCursor_Namespace && *name && !clang_Cursor_isInlineNamespace(parent)) {
            g_string_prepend(text, "::");
            g_string_prepend(text, name);
        }
        parent = clang_getCursorSemanticParent(parent);
    }
    return g_strdup(text->str);
}

static void add_row(const struct reader *reader, CXCursor cursor, const char *kind) {
    g_autofree char *path = path_at(clang_getCursorLocation(cursor));
    const char *header = path ? g_hash_table_lookup(reader->headers, path) : NULL;
    g_autofree char *name = take_text(clang_getCursorSpelling(cursor));
    bool is_macro = clang_getCursorKind(cursor) == CXCursor_MacroDefinition;
    if (!header || !*name || strchr(name, ' ') || is_own(name) || (is_macro && is_guard(name)))
        return;
    g_autofree char *qualifier = is_macro ? g_strdup("") : qualifier_of(cursor);
    if (!qualifier || (*qualifier && g_str_has_prefix(name, "__")))
        return;
    char *full = g_strconcat(qualifier, name, NULL);
    // A declaration says more than a macro that gives it another name.
    char *known = g_hash_table_lookup(reader->rows, full);
    if (known && (is_macro || !g_str_has_prefix(known, "\"macro"))) {
        g_free(full);
        return;
    }
    g_hash_table_insert(reader->rows, full, g_strdup_printf("\"%s\", \"%s\"", kind, header));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    enum CXCursorKind cursor_kind = clang_getCursorKind(cursor);
    if (cursor_kind == CXCursor_Namespace || cursor_kind == CXCursor_LinkageSpec ||
        cursor_kind == CXCursor_UnexposedDecl)
        return CXChildVisit_Recurse;
    const char *kind = kind_of(cursor_kind);
    if (kind)
        add_row(data, cursor, kind);
    return cursor_kind == CXCursor_EnumDecl ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

// Reads SOURCE for the host or for the device; clang's errors go to standard error.
static bool read_unit(struct reader *reader, const char *source, char **arguments, int count,
                      const char *side) {
    g_autofree const char **all = g_new0(const char *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        all[i] = arguments[i];
    all[count] = side;
    CXIndex index = clang_createIndex(1, 1);
    CXTranslationUnit unit = NULL;
    bool good = clang_parseTranslationUnit2(index, source, all, count + 1, NULL, 0,
                                            CXTranslationUnit_DetailedPreprocessingRecord |
                                                CXTranslationUnit_SkipFunctionBodies,
                                            &unit) == CXError_Success;
    for (unsigned i = 0; good && i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            good = false;
        clang_disposeDiagnostic(diagnostic);
    }
    if (good) {
        reader->headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        clang_getInclusions(unit, note_inclusion, reader);
        clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, reader);
        g_hash_table_unref(reader->headers);
    }
    clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    return good;
}

static int compare(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// The keys in ascending order. Freed by the caller.
static gpointer *sorted_keys(GHashTable *table, guint *count) {
    gpointer *keys = g_hash_table_get_keys_as_array(table, count);
    qsort(keys, *count, sizeof *keys, compare);
    return keys;
}

static bool write_rows(const struct reader *reader, const char *path) {
    guint count, header_count;
    g_autofree gpointer *names = sorted_keys(reader->rows, &count);
    g_autofree gpointer *headers = sorted_keys(reader->public, &header_count);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < count; i++)
        g_string_append_printf(text, "GCL_DECLARED(%s, %s)\n", (char *)names[i],
                               (char *)g_hash_table_lookup(reader->rows, names[i]));
    for (guint i = 0; i < header_count; i++)
        g_string_append_printf(text, "GCL_HEADER(\"%s\")\n", (char *)headers[i]);
    return g_file_set_contents(path, text->str, (gssize)text->len, NULL);
}

// The folders of "-isystem FOLDER".
static char **find_folders(char **arguments, int count) {
    GPtrArray *folders = g_ptr_array_new();
    for (int i = 0; i + 1 < count; i++) {
        if (strcmp(arguments[i], "-isystem") == 0)
            g_ptr_array_add(folders, g_strdup(arguments[i + 1]));
    }
    g_ptr_array_add(folders, NULL);
    return (char **)g_ptr_array_free(folders, FALSE);
}

int main(int argc, char **argv) {
    int end = 2; // of the sources
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    if (end == 2 || end >= argc)
        return 2;
    char **arguments = argv + end + 1;
    int count = argc - end - 1;
    struct reader reader = {
        .folders = find_folders(arguments, count),
        .public = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
    };
    bool good = true;
    for (int i = 2; i < end && good; i++)
        good = read_unit(&reader, argv[i], arguments, count, "--cuda-host-only") &&
               read_unit(&reader, argv[i], arguments, count, "--cuda-device-only");
    good = good && write_rows(&reader, argv[1]);
    g_hash_table_unref(reader.public);
    g_hash_table_unref(reader.rows);
    g_strfreev(reader.folders);
    return good ? 0 : 1;
}
