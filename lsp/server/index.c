// One file is read at a time, by a child with low priority; CUDA sources come first. What is known
// is told to the child that answers questions at once, and what lies on disk is not kept in memory.
#include "lsp/server/index.h"

#include <assert.h>
#include <glib/gstdio.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/stamp.h"
#include "lsp/server/command.h"

#define FORMAT "5" // of entries: raised when they have more in them

enum {
    FILES_MAX = 5000,
    DEPTH_MAX = 20,       // of folders
    SEARCH_MS = 1000,     // for sources
    PATIENCE_MS = 120000, // processor time for one file
    LOOK_MS = 5000,
};

struct gcl_index {
    struct gcl_folder *folder;
    struct gcl_index_handlers handlers;
    char *cache;         // a folder
    GHashTable *entries; // path -> json_t *: as read/entry.h has them
    GHashTable *lost;    // paths that can't be read
    GQueue paths;        // char *: to be read
    char *current;       // path that is being read, or NULL
    struct gcl_peer *reader;
    gint64 cpu_ms; // processor time of the reader when it was asked `current`
    guint pause;   // before the first question, 0: it is over
    guint looks;   // at the reader, 0: none
    guint rest;    // after which an idle reader is ended
    guint done, count;
};

static void read_next(struct gcl_index *index);

// The cache.

static char *words_of(const struct gcl_index *index, const char *path) {
    json_t *command = gcl_command_of(index->folder, path), *word;
    GString *words = g_string_new(gcl_json_member(command, "directory"));
    size_t i;
    json_array_foreach(json_object_get(command, "words"), i, word)
        g_string_append_printf(words, "\n%s", json_string_value(word));
    json_decref(command);
    return g_string_free(words, FALSE);
}

static char *cache_path(const struct gcl_index *index, const char *path) {
    g_autofree char *key = g_strconcat(
        path, "\n", gcl_encoding_name(index->folder->editor->can.encoding), "\n" FORMAT, NULL);
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
    g_autofree char *name = g_strconcat(sum, ".json", NULL);
    return g_build_filename(index->cache, name, NULL);
}

// What the cache has of a file, if that is as it was; a new reference.
static json_t *load(const struct gcl_index *index, const char *path) {
    g_autofree char *file = cache_path(index, path), *words = words_of(index, path);
    json_t *entry = json_load_file(file, 0, NULL);
    const char *known = json_string_value(json_object_get(entry, "words"));
    if (g_strcmp0(known, words) == 0 && gcl_stamp_holds(json_object_get(entry, "files")))
        return entry;
    json_decref(entry);
    return NULL;
}

static bool save(const struct gcl_index *index, const char *path, json_t *entry) {
    g_autofree char *file = cache_path(index, path), *words = words_of(index, path);
    json_object_set_new(entry, "words", gcl_json_text(words));
    g_autofree char *text = json_dumps(entry, JSON_COMPACT);
    return text && g_mkdir_with_parents(index->cache, 0700) == 0 &&
           g_file_set_contents(file, text, -1, NULL);
}

// Tells the folder an entry. Of one that is kept on disk, memory needs the stamps alone.
static void set_entry(struct gcl_index *index, const char *path, json_t *entry, bool is_kept) {
    g_hash_table_replace(index->entries, g_strdup(path), entry);
    index->handlers.found(index->folder, path, entry);
    if (is_kept) {
        json_object_del(entry, "symbols");
        json_object_del(entry, "unknown");
    }
}

// Reading.

static void count_one(struct gcl_index *index) {
    g_clear_pointer(&index->current, g_free);
    index->done++;
    assert(index->done + index->paths.length == index->count);
    index->handlers.progress(index->folder, index->done, index->count);
    read_next(index);
}

// Leaves the file that is being read out, and says so unless that is known.
static void lose_current(struct gcl_index *index, const char *why) {
    assert(index->current);
    g_autofree char *text = g_strdup_printf("the index lacks %s: %s", index->current, why);
    if (g_hash_table_add(index->lost, g_strdup(index->current)))
        gcl_editor_log(index->folder->editor, GCL_LOG_WARNING, text);
    count_one(index);
}

static void answered(json_t *result, json_t *error, void *context) {
    struct gcl_index *index = context;
    (void)error;
    if (!index->current)
        return;
    if (!json_is_object(result)) {
        lose_current(index, "it can't be read");
        return;
    }
    bool is_kept = save(index, index->current, result);
    set_entry(index, index->current, json_incref(result), is_kept);
    g_hash_table_remove(index->lost, index->current);
    count_one(index);
}

// A file that brings the reader down, or to a halt, is left out.
static void ended(const char *how, void *context) {
    struct gcl_index *index = context;
    gcl_peer_destroy(g_steal_pointer(&index->reader));
    if (!index->current)
        return;
    g_autofree char *why = g_strdup_printf("its reader %s", how);
    lose_current(index, why);
}

static gboolean look(void *data) {
    struct gcl_index *index = data;
    if (!index->current) {
        index->looks = 0;
        return G_SOURCE_REMOVE;
    }
    assert(index->reader);
    if (gcl_peer_cpu_ms(index->reader) - index->cpu_ms > PATIENCE_MS)
        ended("took too long", index);
    else if (gcl_peer_is_stuck(index->reader))
        ended("waits for a file that doesn't end", index);
    return G_SOURCE_CONTINUE;
}

static bool start_reader(struct gcl_index *index) {
    struct gcl_peer_handlers handlers = {.answered = answered, .ended = ended, .context = index};
    if (index->reader)
        return true;
    index->reader = gcl_peer_start("--index", &handlers);
    if (!index->reader)
        return false;
    gcl_peer_tell(
        index->reader, "configure",
        json_pack("{s:s}", "encoding", gcl_encoding_name(index->folder->editor->can.encoding)));
    return true;
}

static gboolean rest(void *data) {
    struct gcl_index *index = data;
    index->rest = 0;
    if (!index->current)
        gcl_peer_destroy(g_steal_pointer(&index->reader));
    return G_SOURCE_REMOVE;
}

static void read_next(struct gcl_index *index) {
    if (index->current || index->pause)
        return;
    if (g_queue_is_empty(&index->paths)) {
        if (!index->rest)
            index->rest = g_timeout_add(LOOK_MS, rest, index);
        return;
    }
    if (!start_reader(index))
        return;
    index->current = g_queue_pop_head(&index->paths);
    index->cpu_ms = gcl_peer_cpu_ms(index->reader);
    if (!index->looks)
        index->looks = g_timeout_add(LOOK_MS, look, index);
    gcl_peer_ask(index->reader, "index", gcl_command_of(index->folder, index->current));
}

static gboolean begin(void *data) {
    struct gcl_index *index = data;
    index->pause = 0;
    read_next(index);
    return G_SOURCE_REMOVE;
}

static bool is_cuda(const char *name) {
    return g_str_has_suffix(name, ".cu") || g_str_has_suffix(name, ".cuh");
}

// Names of CUDA sources stand in headers and in the rest of the program, too.
static bool is_source(const char *name) {
    static const char *const endings[] = {".h",  ".hh",  ".hpp", ".hxx", ".c",
                                          ".cc", ".cpp", ".cxx", NULL};
    const char *ending = strrchr(name, '.');
    return is_cuda(name) || (ending && g_strv_contains(endings, ending));
}

static void enqueue(struct gcl_index *index, const char *path) {
    if (g_queue_find_custom(&index->paths, path, (GCompareFunc)strcmp))
        return;
    if (is_cuda(path))
        g_queue_push_head(&index->paths, g_strdup(path));
    else
        g_queue_push_tail(&index->paths, g_strdup(path));
    index->count++;
}

guint gcl_index_unread(const struct gcl_index *index) {
    return index->paths.length + (index->current ? 1 : 0) + g_hash_table_size(index->lost);
}

// Files.

static bool is_over(const struct gcl_index *index, gint64 deadline) {
    return index->count >= FILES_MAX || g_get_monotonic_time() > deadline;
}

static void find_sources(struct gcl_index *index, const char *folder, int depth, gint64 deadline) {
    GDir *directory = depth < DEPTH_MAX ? g_dir_open(folder, 0, NULL) : NULL;
    const char *name;
    while (directory && !is_over(index, deadline) && (name = g_dir_read_name(directory))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        bool is_link = g_file_test(path, G_FILE_TEST_IS_SYMLINK);
        if (name[0] == '.' || is_link)
            continue;
        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            find_sources(index, path, depth + 1, deadline);
            continue;
        }
        json_t *entry = is_source(name) ? load(index, path) : NULL;
        if (entry)
            set_entry(index, path, entry, true);
        else if (is_source(name))
            enqueue(index, path);
    }
    if (directory)
        g_dir_close(directory);
}

void gcl_index_update(struct gcl_index *index, const char *path) {
    GHashTableIter iterator;
    void *key, *entry;
    g_hash_table_iter_init(&iterator, index->entries);
    while (g_hash_table_iter_next(&iterator, &key, &entry)) {
        if (json_object_get(json_object_get(entry, "files"), path))
            enqueue(index, key);
    }
    if (is_source(path) && g_file_test(path, G_FILE_TEST_EXISTS))
        enqueue(index, path);
    read_next(index);
}

static void tell(const struct gcl_index *index, const char *path, json_t *entry) {
    json_t *whole = json_object_get(entry, "symbols") ? json_incref(entry) : load(index, path);
    if (whole)
        index->handlers.found(index->folder, path, whole);
    json_decref(whole);
}

void gcl_index_tell(struct gcl_index *index) {
    GHashTableIter iterator;
    void *path, *entry;
    g_hash_table_iter_init(&iterator, index->entries);
    while (g_hash_table_iter_next(&iterator, &path, &entry))
        tell(index, path, entry);
}

static void entry_free(void *entry) {
    json_decref(entry);
}

struct gcl_index *gcl_index_create(struct gcl_folder *folder,
                                   const struct gcl_index_handlers *handlers) {
    struct gcl_index *index = g_new0(struct gcl_index, 1);
    index->folder = folder;
    index->handlers = *handlers;
    index->cache = g_build_filename(g_get_user_cache_dir(), "gcluster-lsp", NULL);
    index->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    index->lost = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_queue_init(&index->paths);
    gint64 deadline = g_get_monotonic_time() + SEARCH_MS * G_TIME_SPAN_MILLISECOND;
    find_sources(index, folder->path, 0, deadline);
    if (is_over(index, deadline))
        gcl_editor_log(folder->editor, GCL_LOG_WARNING,
                       "the folder is large: not all of its sources are in the index");
    index->pause = g_timeout_add(1000, begin, index); // what the editor opens comes first
    return index;
}

void gcl_index_destroy(struct gcl_index *index) {
    if (!index)
        return;
    if (index->pause)
        g_source_remove(index->pause);
    if (index->looks)
        g_source_remove(index->looks);
    if (index->rest)
        g_source_remove(index->rest);
    gcl_peer_destroy(index->reader);
    g_queue_clear_full(&index->paths, g_free);
    g_hash_table_unref(index->entries);
    g_hash_table_unref(index->lost);
    g_free(index->current);
    g_free(index->cache);
    g_free(index);
}
