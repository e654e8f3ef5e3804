// compile_commands.json may have thousands of entries, and is read once; a file that it doesn't
// name has the words of the source that lies nearest, and without such a file its folder says or
// guesses.
#include "project/project.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>

#include "project/makefile.h"
#include "project/reading.h"

enum { DATABASE_SIZE_MAX = 256 << 20, FLAGS_SIZE_MAX = 4 << 20 };

struct entry {
    char *directory;
    GPtrArray *words;
};

struct gcl_project {
    char *folder;
    char *source;        // path of compile_commands.json, or NULL
    GHashTable *files;   // path -> struct entry *: of compile_commands.json
    GHashTable *folders; // path -> struct entry *: what holds for the rest in it
};

static void entry_destroy(void *data) {
    struct entry *entry = data;
    g_ptr_array_unref(entry->words);
    g_free(entry->directory);
    g_free(entry);
}

static struct entry *entry_create(const char *directory) {
    struct entry *entry = g_new(struct entry, 1);
    entry->directory = g_strdup(directory);
    entry->words = g_ptr_array_new_with_free_func(g_free);
    return entry;
}

static void add_words(struct entry *entry, const char *const *words) {
    assert(entry->words->len == 0);
    g_autoptr(GPtrArray) needed = gcl_reading_words(words, entry->directory);
    for (guint i = 0; i < needed->len; i++)
        g_ptr_array_add(entry->words, g_strdup(needed->pdata[i]));
}

// compile_commands.json.

// The words of a command, to be freed; NULL if there are none.
static char **command_words(const json_t *command) {
    const json_t *list = json_object_get(command, "arguments");
    const char *text = json_string_value(json_object_get(command, "command"));
    char **words = NULL;
    if (text) {
        g_shell_parse_argv(text, NULL, &words, NULL);
        return words;
    }
    if (json_array_size(list) == 0)
        return NULL;
    words = g_new0(char *, json_array_size(list) + 1);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        words[i] = g_strdup(word ? word : "");
    }
    return words;
}

static void add_command(struct gcl_project *project, const json_t *command) {
    const char *file = json_string_value(json_object_get(command, "file"));
    const char *directory = json_string_value(json_object_get(command, "directory"));
    g_auto(GStrv) words = command_words(command);
    if (!file || !words || !words[0])
        return;
    g_autofree char *base = g_canonicalize_filename(directory ? directory : ".", project->folder);
    char *path = g_canonicalize_filename(file, base);
    struct entry *entry = entry_create(base);
    add_words(entry, (const char *const *)words + 1);
    g_hash_table_replace(project->files, path, entry);
}

// The database in the folder, or in one of its folders for builds. NULL if there is none.
static char *find_database(const char *folder) {
    char *path = g_build_filename(folder, "compile_commands.json", NULL);
    GDir *directory = NULL;
    const char *name;
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_clear_pointer(&path, g_free);
        directory = g_dir_open(folder, 0, NULL);
    }
    while (!path && directory && (name = g_dir_read_name(directory))) {
        if (!g_str_has_prefix(name, "build") && strcmp(name, "out") != 0)
            continue;
        path = g_build_filename(folder, name, "compile_commands.json", NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS))
            g_clear_pointer(&path, g_free);
    }
    if (directory)
        g_dir_close(directory);
    return path;
}

static void read_database(struct gcl_project *project, GPtrArray *complaints) {
    json_error_t error;
    json_t *command;
    size_t i;
    project->source = find_database(project->folder);
    if (!project->source)
        return;
    gsize size = 0;
    g_autofree char *text = gcl_reading_file(project->source, DATABASE_SIZE_MAX, &size);
    if (!text) {
        g_ptr_array_add(complaints,
                        g_strdup_printf("%s: no regular file of 256 MiB at most", project->source));
        return;
    }
    json_t *database = json_loadb(text, size, 0, &error);
    if (!json_is_array(database))
        g_ptr_array_add(complaints,
                        g_strdup_printf("%s:%d: can't be read: %s", project->source, error.line,
                                        database ? "not a list" : error.text));
    json_array_foreach(database, i, command) add_command(project, command);
    json_decref(database);
}

// Folders.

// One word, or two with a space, a line.
static bool read_flags(struct entry *entry, const char *folder) {
    g_autofree char *path = g_build_filename(folder, "compile_flags.txt", NULL), *text = NULL;
    if (!(text = gcl_reading_file(path, FLAGS_SIZE_MAX, NULL)))
        return false;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (char **line = lines; *line; line++) {
        if (*g_strstrip(*line) && **line != '#')
            g_ptr_array_add(words, *line);
    }
    g_ptr_array_add(words, NULL);
    add_words(entry, (const char *const *)words->pdata);
    return true;
}

static bool read_makefile(struct entry *entry, const char *folder) {
    static const char *const names[] = {"GNUmakefile", "makefile", "Makefile"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL), *text = NULL;
        if (!(text = gcl_reading_file(path, FLAGS_SIZE_MAX, NULL)))
            continue;
        g_auto(GStrv) words = gcl_makefile_nvcc(text);
        if (!words)
            return false;
        add_words(entry, (const char *const *)words);
        return true;
    }
    return false;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return g_str_has_prefix(path, folder) && (path[length] == '/' || path[length] == '\0');
}

// What holds in a folder, from itself or from those around it.
static struct entry *find_folder(struct gcl_project *project, const char *folder) {
    struct entry *entry = g_hash_table_lookup(project->folders, folder);
    if (entry)
        return entry;
    g_autofree char *parent = g_path_get_dirname(folder);
    entry = entry_create(folder);
    bool found = read_flags(entry, folder) || read_makefile(entry, folder);
    if (!found && strcmp(folder, project->folder) != 0 && is_below(parent, project->folder)) {
        const struct entry *outer = find_folder(project, parent);
        g_free(entry->directory);
        entry->directory = g_strdup(outer->directory);
        for (guint i = 0; i < outer->words->len; i++)
            g_ptr_array_add(entry->words, g_strdup(outer->words->pdata[i]));
    }
    g_hash_table_insert(project->folders, g_strdup(folder), entry);
    return entry;
}

static size_t common_length(const char *a, const char *b) {
    size_t length = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++) {
        if (a[i] == '/')
            length = i + 1;
    }
    return length;
}

// The command for the file that lies nearest to one that has none; CUDA before others, and the
// first in the alphabet of several.
static const struct entry *nearest(const struct gcl_project *project, const char *path) {
    GHashTableIter iterator;
    void *key, *value;
    const char *best = NULL;
    const struct entry *entry = NULL;
    size_t best_score = 0;
    g_hash_table_iter_init(&iterator, project->files);
    while (g_hash_table_iter_next(&iterator, &key, &value)) {
        size_t score = 2 * common_length(path, key) + (g_str_has_suffix(key, ".cu") ? 1 : 0);
        if (best && (score < best_score || (score == best_score && strcmp(key, best) > 0)))
            continue;
        best = key;
        best_score = score;
        entry = value;
    }
    return entry;
}

struct gcl_command_line gcl_project_find(struct gcl_project *project, const char *path) {
    const struct entry *entry = g_hash_table_lookup(project->files, path);
    if (!entry)
        entry = nearest(project, path);
    if (!entry) {
        g_autofree char *folder = g_path_get_dirname(path);
        entry = find_folder(project, folder);
    }
    assert(entry->directory && entry->words);
    return (struct gcl_command_line){entry->directory, entry->words};
}

bool gcl_project_names(const struct gcl_project *project, const char *path) {
    return g_hash_table_contains(project->files, path);
}

static int compare_paths(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

GPtrArray *gcl_project_files(const struct gcl_project *project) {
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter iterator;
    void *key;
    g_hash_table_iter_init(&iterator, project->files);
    while (g_hash_table_iter_next(&iterator, &key, NULL))
        g_ptr_array_add(paths, g_strdup(key));
    g_ptr_array_sort(paths, compare_paths);
    return paths;
}

struct gcl_project *gcl_project_create(const char *folder, GPtrArray *complaints) {
    struct gcl_project *project = g_new0(struct gcl_project, 1);
    project->folder = g_canonicalize_filename(folder, NULL);
    project->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_destroy);
    project->folders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_destroy);
    read_database(project, complaints);
    return project;
}

void gcl_project_destroy(struct gcl_project *project) {
    if (!project)
        return;
    g_hash_table_unref(project->files);
    g_hash_table_unref(project->folders);
    g_free(project->source);
    g_free(project->folder);
    g_free(project);
}

bool gcl_project_depends_on(const char *path) {
    static const char *const names[] = {
        "compile_commands.json", "compile_flags.txt", "GNUmakefile", "makefile", "Makefile", NULL};
    g_autofree char *name = g_path_get_basename(path);
    return g_strv_contains(names, name);
}
