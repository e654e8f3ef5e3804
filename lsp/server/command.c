// An includer's text is given to the reader under its own path, cut at the #include: so what stands
// there has its places in the includer, and clang keeps it apart from the file that is edited.
#include "lsp/server/command.h"

#include <string.h>

#include "lsp/base/json.h"
#include "project/reading.h"

enum { TEXT_SIZE_MAX = 4 << 20 };

// The editor's text of a file, or the one on disk; to be freed, NULL if there is none.
static char *text_of(const struct gcl_folder *folder, const char *path) {
    for (guint i = 0; i < folder->files->len; i++) {
        const struct gcl_document *document =
            ((const struct gcl_file *)folder->files->pdata[i])->document;
        size_t size;
        if (strcmp(document->path, path) != 0)
            continue;
        const char *text = gcl_line_table_data(document->text, &size);
        return g_strndup(text ? text : "", size);
    }
    return gcl_reading_file(path, TEXT_SIZE_MAX, NULL);
}

// What clang says of a whole source only, and not of what one includes.
static void add_silence(json_t *words) {
    static const char *const silent[] = {
        "-Wno-pragma-once-outside-header",
        "-Wno-undefined-inline",
        "-Wno-undefined-internal",
        "-Wno-unneeded-internal-declaration",
        "-Wno-unused-const-variable",
        "-Wno-unused-function",
        "-Wno-unused-member-function",
        "-Wno-unused-template",
        "-Wno-unused-variable",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(silent); i++)
        json_array_append_new(words, json_string(silent[i]));
}

// Texts and words of what stands in front of a file; false, with nothing added, if the includer's
// text no longer includes it.
static bool add_before(const struct gcl_folder *folder, const GPtrArray *chain, const char *path,
                       json_t *before, json_t *words) {
    for (guint i = 0; i < chain->len; i++) {
        const char *next = i + 1 < chain->len ? chain->pdata[i + 1] : path;
        g_autofree char *text = text_of(folder, chain->pdata[i]);
        g_autofree char *head = text ? gcl_inclusion_head(text, chain->pdata[i], next) : NULL;
        if (!head) {
            json_object_clear(before);
            return false;
        }
        json_object_set_new(before, chain->pdata[i], gcl_json_text(head));
    }
    json_array_append_new(words, json_string("-include"));
    json_array_append_new(words, json_string("cuda_runtime.h")); // else it would come after these
    for (guint i = 0; i < chain->len; i++) {
        json_array_append_new(words, json_string("-include"));
        json_array_append_new(words, gcl_json_text(chain->pdata[i]));
    }
    add_silence(words);
    return true;
}

// The includer that the user has chosen, else the first; NULL: the file is read by itself.
static const char *chosen(const struct gcl_folder *folder, const char *path,
                          const GPtrArray *sources) {
    const char *choice = g_hash_table_lookup(folder->includers, path);
    for (guint i = 0; choice && i < sources->len; i++) {
        if (strcmp(sources->pdata[i], choice) == 0)
            return choice;
    }
    if (sources->len == 0 || (choice && !*choice))
        return NULL;
    return sources->pdata[0];
}

static json_t *list_of(const GPtrArray *texts) {
    json_t *list = json_array();
    for (guint i = 0; i < texts->len; i++)
        json_array_append_new(list, gcl_json_text(texts->pdata[i]));
    return list;
}

// The setting `flags` may be the folder's own, so that what isn't harmless is left out of it.
static void add_flags(const struct gcl_folder *folder, const char *directory, json_t *words) {
    const json_t *flags = json_object_get(folder->settings, "flags");
    g_autoptr(GPtrArray) given = g_ptr_array_new();
    for (size_t i = 0; i < json_array_size(flags); i++) {
        const char *flag = json_string_value(json_array_get(flags, i));
        if (flag)
            g_ptr_array_add(given, (char *)flag);
    }
    g_ptr_array_add(given, NULL);
    g_autoptr(GPtrArray) needed = gcl_reading_words((const char *const *)given->pdata, directory);
    for (guint i = 0; i < needed->len; i++)
        json_array_append_new(words, gcl_json_text(needed->pdata[i]));
}

static json_t *words_for(const struct gcl_folder *folder, const char *path, const char **where) {
    struct gcl_command_line line = gcl_project_find(folder->project, path);
    json_t *words = list_of(line.words);
    *where = line.directory;
    add_flags(folder, line.directory, words);
    return words;
}

static void add_includer(const struct gcl_folder *folder, const char *path, json_t *command) {
    g_autoptr(GPtrArray) sources = gcl_inclusions_find(folder->inclusions, path);
    const char *includer = chosen(folder, path, sources), *directory;
    if (sources->len > 0)
        json_object_set_new(command, "includers", list_of(sources));
    if (!includer)
        return;
    g_autoptr(GPtrArray) chain = gcl_inclusions_chain(folder->inclusions, includer, path);
    json_t *words = words_for(folder, includer, &directory), *before = json_object();
    if (chain->len > 0 && add_before(folder, chain, path, before, words)) {
        json_object_set(command, "words", words);
        json_object_set_new(command, "directory", gcl_json_text(directory));
        json_object_set(command, "before", before);
        json_object_set_new(command, "includer", gcl_json_text(includer));
    }
    json_decref(before);
    json_decref(words);
}

json_t *gcl_command_of(const struct gcl_folder *folder, const char *path) {
    const char *directory;
    json_t *words = words_for(folder, path, &directory);
    json_t *command = json_pack("{s:o, s:o, s:o}", "path", gcl_json_text(path), "directory",
                                gcl_json_text(directory), "words", words);
    if (!gcl_project_names(folder->project, path))
        add_includer(folder, path, command);
    return command;
}

json_t *gcl_command_texts(const struct gcl_file *file) {
    json_t *texts = json_object(), *path;
    size_t i, size;
    json_array_foreach(json_object_get(file->diagnosis, "files"), i, path) {
        for (guint f = 0; f < file->folder->files->len; f++) {
            const struct gcl_file *other = file->folder->files->pdata[f];
            if (g_strcmp0(other->document->path, json_string_value(path)) != 0)
                continue;
            const char *text = gcl_line_table_data(other->document->text, &size);
            json_object_set_new(texts, other->document->path, json_stringn(text, size));
        }
    }
    return texts;
}
