// A graph of #includes, from the included to the includer, of all files in the folders that
// somebody has asked about. It is made of text, once; the way from an includer to a file follows
// its edges forwards, always by the first #include that leads there, as the preprocessor goes.
#include "project/inclusion.h"

#include <assert.h>
#include <string.h>

#include "project/reading.h"

enum {
    FILE_SIZE_MAX = 4 << 20,
    FOLDER_SIZE_MAX = 32 << 20, // of all texts of a folder that are read
    FOLDER_FILES_MAX = 1000,
    ANCESTORS_MAX = 1000, // files through which one is included
};

struct include {
    char *name;
    gsize at; // byte where its line begins
};

struct gcl_inclusions {
    char *folder;
    GHashTable *folders;  // paths whose files have been read
    GHashTable *includes; // path -> GArray of struct include: in the order of the text
    GHashTable *users;    // name without folders -> GPtrArray of paths in `includes`
};

// Texts.

static void include_clear(void *data) {
    g_free(((struct include *)data)->name);
}

static GArray *list_create(void) {
    GArray *list = g_array_new(FALSE, FALSE, sizeof(struct include));
    g_array_set_clear_func(list, include_clear);
    return list;
}

// The byte behind a comment that begins at `at`, or `at`.
static const char *skip_comment(const char *at) {
    if (at[0] != '/' || (at[1] != '*' && at[1] != '/'))
        return at;
    if (at[1] == '/')
        return at + strcspn(at, "\n");
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

static const char *skip_blanks(const char *at) {
    const char *before;
    do {
        before = at;
        at += strspn(at, " \t");
        at = skip_comment(at);
    } while (at != before);
    return at;
}

// The byte behind a literal's last quote, or the line's end.
static const char *skip_literal(const char *at) {
    char quote = *at++;
    for (; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return at + (*at == quote);
}

static const char *skip_line(const char *at) {
    while (*at && *at != '\n') {
        const char *behind = skip_comment(at);
        at = behind != at                   ? behind
             : *at == '"'                   ? skip_literal(at)
             : *at == '\\' && at[1] == '\n' ? at + 2
                                            : at + 1;
    }
    return at + (*at == '\n');
}

static bool is_word(const char *at, const char *word) {
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !g_ascii_isalnum(at[length]) && at[length] != '_';
}

// How many conditions a directive opens.
static int opened_by(const char *directive) {
    if (is_word(directive, "if") || is_word(directive, "ifdef") || is_word(directive, "ifndef"))
        return 1;
    return is_word(directive, "endif") ? -1 : 0;
}

/// Called for each #include "name" of a text, with the conditions that are open there. True ends.
typedef bool see_include(const char *name, gsize at, int depth, void *data);

static void visit_includes(const char *text, see_include *see, void *data) {
    int depth = 0;
    bool done = false;
    for (const char *line = text; *line && !done; line = skip_line(line)) {
        const char *at = skip_blanks(line);
        if (*at != '#')
            continue;
        at = skip_blanks(at + 1);
        depth = MAX(0, depth + opened_by(at));
        if (!is_word(at, "include") || *(at = skip_blanks(at + strlen("include"))) != '"')
            continue;
        const char *end = skip_literal(at);
        if (end < at + 3 || end[-1] != '"')
            continue;
        g_autofree char *name = g_strndup(at + 1, (gsize)(end - at) - 2);
        done = see(name, (gsize)(line - text), depth, data);
    }
}

static bool add_include(const char *name, gsize at, int depth, void *data) {
    struct include include = {g_strdup(name), at};
    (void)depth;
    g_array_append_val((GArray *)data, include);
    return false;
}

static const char *last_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Whether `name` in a file leads to a path: from beside the file, or else from a folder of headers,
// which is one that fits.
static bool leads_to(const char *name, const char *from, const char *path) {
    if (strcmp(last_of(name), last_of(path)) != 0)
        return false;
    g_autofree char *folder = g_path_get_dirname(from);
    g_autofree char *beside = g_canonicalize_filename(name, folder);
    if (strcmp(beside, path) == 0)
        return true;
    g_autofree char *end = g_strconcat("/", name, NULL);
    return g_str_has_suffix(path, end) && !g_file_test(beside, G_FILE_TEST_EXISTS);
}

struct head {
    const char *from, *path;
    gsize at;
    int depth;
    bool found;
};

static bool see_head(const char *name, gsize at, int depth, void *data) {
    struct head *head = data;
    head->found = leads_to(name, head->from, head->path);
    head->at = at;
    head->depth = depth;
    return head->found;
}

char *gcl_inclusion_head(const char *text, const char *from, const char *path) {
    struct head head = {.from = from, .path = path};
    visit_includes(text, see_head, &head);
    if (!head.found)
        return NULL;
    GString *out = g_string_new_len(text, (gssize)head.at);
    for (int i = 0; i < head.depth; i++)
        g_string_append(out, "#endif\n");
    return g_string_free(out, FALSE);
}

// The graph.

static bool is_source(const char *name) {
    static const char *const endings[] = {".cu", ".c", ".cc", ".cpp", ".cxx", NULL};
    const char *ending = strrchr(name, '.');
    return ending && g_strv_contains(endings, ending);
}

static bool is_header(const char *name) {
    static const char *const endings[] = {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", NULL};
    const char *ending = strrchr(name, '.');
    return ending && g_strv_contains(endings, ending);
}

static void add_user(struct gcl_inclusions *inclusions, const char *name, const char *path) {
    GPtrArray *users = g_hash_table_lookup(inclusions->users, last_of(name));
    if (!users) {
        users = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(inclusions->users, g_strdup(last_of(name)), users);
    }
    g_ptr_array_add(users, g_strdup(path));
}

static gsize read_file(struct gcl_inclusions *inclusions, const char *path) {
    gsize size = 0;
    g_autofree char *text = gcl_reading_file(path, FILE_SIZE_MAX, &size);
    if (!text)
        return 0;
    GArray *includes = list_create();
    visit_includes(text, add_include, includes);
    for (guint i = 0; i < includes->len; i++)
        add_user(inclusions, g_array_index(includes, struct include, i).name, path);
    g_hash_table_replace(inclusions->includes, g_strdup(path), includes);
    return size;
}

static void read_folder(struct gcl_inclusions *inclusions, const char *folder) {
    if (!g_hash_table_add(inclusions->folders, g_strdup(folder)))
        return;
    GDir *directory = g_dir_open(folder, 0, NULL);
    const char *name;
    gsize size = 0;
    for (guint files = 0; directory && files < FOLDER_FILES_MAX && size < FOLDER_SIZE_MAX &&
                          (name = g_dir_read_name(directory));) {
        if (!is_source(name) && !is_header(name))
            continue;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        size += read_file(inclusions, path);
        files++;
    }
    if (directory)
        g_dir_close(directory);
}

// Reads the folder of a file, and those around it up to the workspace's.
static void read_around(struct gcl_inclusions *inclusions, const char *path) {
    size_t top = strlen(inclusions->folder);
    g_autofree char *folder = g_path_get_dirname(path);
    while (strlen(folder) > top && g_str_has_prefix(folder, inclusions->folder)) {
        read_folder(inclusions, folder);
        char *parent = g_path_get_dirname(folder);
        g_free(folder);
        folder = parent;
    }
    if (strcmp(folder, inclusions->folder) == 0)
        read_folder(inclusions, folder);
}

static bool includes(const struct gcl_inclusions *inclusions, const char *from, const char *path) {
    const GArray *list = g_hash_table_lookup(inclusions->includes, from);
    for (guint i = 0; list && i < list->len; i++) {
        if (leads_to(g_array_index(list, struct include, i).name, from, path))
            return true;
    }
    return false;
}

// All files through which one is included, and the file: path -> itself.
static GHashTable *ancestors_of(struct gcl_inclusions *inclusions, const char *path) {
    GHashTable *found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) queue = g_ptr_array_new();
    char *first = g_strdup(path);
    read_around(inclusions, path);
    g_hash_table_add(found, first);
    g_ptr_array_add(queue, first);
    for (guint i = 0; i < queue->len && i < ANCESTORS_MAX; i++) {
        const GPtrArray *users = g_hash_table_lookup(inclusions->users, last_of(queue->pdata[i]));
        for (guint u = 0; users && u < users->len; u++) {
            if (g_hash_table_contains(found, users->pdata[u]) ||
                !includes(inclusions, users->pdata[u], queue->pdata[i]))
                continue;
            char *user = g_strdup(users->pdata[u]);
            g_hash_table_add(found, user);
            g_ptr_array_add(queue, user);
        }
    }
    return found;
}

static bool has_includer(const struct gcl_inclusions *inclusions, GHashTable *among,
                         const char *path) {
    const GPtrArray *users = g_hash_table_lookup(inclusions->users, last_of(path));
    for (guint u = 0; users && u < users->len; u++) {
        if (strcmp(users->pdata[u], path) != 0 && g_hash_table_contains(among, users->pdata[u]) &&
            includes(inclusions, users->pdata[u], path))
            return true;
    }
    return false;
}

static int compare_paths(const void *left, const void *right, void *folder) {
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    g_autofree char *folder_a = g_path_get_dirname(a), *folder_b = g_path_get_dirname(b);
    int far = (strcmp(folder_a, folder) != 0) - (strcmp(folder_b, folder) != 0);
    return far ? far : strcmp(a, b);
}

GPtrArray *gcl_inclusions_find(struct gcl_inclusions *inclusions, const char *path) {
    g_autoptr(GHashTable) ancestors = ancestors_of(inclusions, path);
    g_autofree char *folder = g_path_get_dirname(path);
    GPtrArray *sources = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter iterator;
    void *key;
    g_hash_table_iter_init(&iterator, ancestors);
    while (g_hash_table_iter_next(&iterator, &key, NULL)) {
        if (strcmp(key, path) != 0 && is_source(key) && !has_includer(inclusions, ancestors, key))
            g_ptr_array_add(sources, g_strdup(key));
    }
    g_ptr_array_sort_with_data(sources, compare_paths, folder);
    return sources;
}

// The first file that `from` includes and that leads to the one whose ancestors are given; a
// pointer into `ancestors`, which it leaves, or NULL.
static const char *next_of(const struct gcl_inclusions *inclusions, const char *from,
                           GHashTable *ancestors) {
    const GArray *list = g_hash_table_lookup(inclusions->includes, from);
    for (guint i = 0; list && i < list->len; i++) {
        GHashTableIter iterator;
        void *key;
        g_hash_table_iter_init(&iterator, ancestors);
        while (g_hash_table_iter_next(&iterator, &key, NULL)) {
            if (leads_to(g_array_index(list, struct include, i).name, from, key))
                return key;
        }
    }
    return NULL;
}

GPtrArray *gcl_inclusions_chain(struct gcl_inclusions *inclusions, const char *includer,
                                const char *path) {
    g_autoptr(GHashTable) ancestors = ancestors_of(inclusions, path);
    GPtrArray *chain = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *at = g_strdup(includer);
    while (at && strcmp(at, path) != 0) {
        g_ptr_array_add(chain, g_strdup(at));
        g_hash_table_remove(ancestors, at);
        const char *next = next_of(inclusions, at, ancestors);
        g_free(at);
        at = g_strdup(next);
    }
    if (!at)
        g_ptr_array_set_size(chain, 0);
    return chain;
}

struct gcl_inclusions *gcl_inclusions_create(const char *folder) {
    struct gcl_inclusions *inclusions = g_new0(struct gcl_inclusions, 1);
    inclusions->folder = g_canonicalize_filename(folder, NULL);
    inclusions->folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    inclusions->includes =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
    inclusions->users =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    return inclusions;
}

void gcl_inclusions_forget(struct gcl_inclusions *inclusions) {
    g_hash_table_remove_all(inclusions->folders);
    g_hash_table_remove_all(inclusions->includes);
    g_hash_table_remove_all(inclusions->users);
}

void gcl_inclusions_destroy(struct gcl_inclusions *inclusions) {
    if (!inclusions)
        return;
    g_hash_table_unref(inclusions->folders);
    g_hash_table_unref(inclusions->includes);
    g_hash_table_unref(inclusions->users);
    g_free(inclusions->folder);
    g_free(inclusions);
}
