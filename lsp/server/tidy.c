// A file is in one of these states: its timer runs, it waits for others, it is the current one, or
// none of them; gcl_tidy_stop leads back to the last from each.
#include "lsp/server/tidy.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/scratch.h"
#include "lsp/server/command.h"

enum { QUIET_MS = 1000, LOOK_MS = 2000 };

/// A check under way, owned by its peer's handlers until it ends or is stopped.
struct check {
    struct gcl_tidying *tidying;
    struct gcl_file *file;
    char *folder; ///< for files of clang-tidy's
    json_t *remarks;
    char *why;
    guint timer; ///< of looks at the process
};

static void start_next(struct gcl_tidying *tidying);

static void check_free(struct check *check) {
    if (check->timer)
        g_source_remove(check->timer);
    gcl_scratch_remove(check->folder);
    json_decref(check->remarks);
    g_free(check->folder);
    g_free(check->why);
    g_free(check);
}

// Ends the current check, and returns it.
static struct check *take_current(struct gcl_tidying *tidying) {
    struct gcl_file *file = g_steal_pointer(&tidying->current);
    struct check *check = gcl_peer_context(file->tidy);
    gcl_peer_destroy(g_steal_pointer(&file->tidy));
    return check;
}

// Says why there are no remarks, once for each reason in turn.
static void say(struct gcl_tidying *tidying, const struct gcl_file *file, const char *why) {
    if (g_strcmp0(tidying->said, why) == 0)
        return;
    g_free(tidying->said);
    tidying->said = g_strdup(why);
    g_autofree char *text =
        g_strdup_printf("no checks of clang-tidy for %s: %s", file->document->path, why);
    gcl_editor_log(file->folder->editor, GCL_LOG_INFO, text);
}

// Takes what was found in headers, NULL: nothing; tells of those too in which there was something.
static void set_elsewhere(struct gcl_tidying *tidying, struct gcl_file *file, json_t *elsewhere) {
    json_t *old = file->elsewhere, *value;
    const char *path;
    file->elsewhere = elsewhere;
    json_object_foreach(old, path, value) {
        if (!json_object_get(elsewhere, path))
            tidying->elsewhere(path, tidying->context);
    }
    json_object_foreach(elsewhere, path, value) {
        if (!json_equal(value, json_object_get(old, path)))
            tidying->elsewhere(path, tidying->context);
    }
    json_decref(old);
}

static void forget_remarks(struct gcl_file *file) {
    g_clear_pointer(&file->remarks, json_decref);
    g_clear_pointer(&file->remarked, gcl_line_table_destroy);
}

// Takes over what has been found.
static void remember(struct gcl_tidying *tidying, struct gcl_file *file, json_t *found) {
    const struct gcl_line_table *text = file->document->text;
    json_t *elsewhere = json_copy(found);
    json_object_del(elsewhere, file->document->path);
    file->remarks = json_incref(json_object_get(found, file->document->path));
    file->remarked = gcl_line_table_create(text->bytes, text->encoding);
    tidying->found(file, tidying->context);
    set_elsewhere(tidying, file, elsewhere);
}

static void answered(json_t *result, json_t *error, void *context) {
    struct check *check = context;
    assert(!check->remarks && !check->why);
    check->remarks = json_incref(result);
    check->why = g_strdup(json_string_value(json_object_get(error, "message")));
}

static void ended(const char *how, void *context) {
    struct check *check = context;
    struct gcl_tidying *tidying = check->tidying;
    struct gcl_file *file = check->file;
    assert(tidying->current == file && gcl_peer_context(file->tidy) == check);
    take_current(tidying);
    forget_remarks(file);
    if (check->remarks) {
        remember(tidying, file, check->remarks);
    } else {
        say(tidying, file, check->why ? check->why : how);
    }
    check_free(check);
    start_next(tidying);
}

static gboolean look(void *data) {
    struct check *check = data;
    if (!gcl_peer_is_stuck(check->file->tidy))
        return G_SOURCE_CONTINUE;
    check->timer = 0;
    ended("clang-tidy waits for a file that doesn't end", check);
    return G_SOURCE_REMOVE;
}

// Starts a check; false if it can't be started.
static bool start(struct gcl_tidying *tidying, struct gcl_file *file) {
    g_autofree char *pattern = g_build_filename(file->folder->scratch, "tidy-XXXXXX", NULL);
    assert(!tidying->current && !file->tidy);
    if (!g_mkdtemp(pattern))
        return false;
    struct check *check = g_new(struct check, 1);
    *check = (struct check){.tidying = tidying, .file = file, .folder = g_strdup(pattern)};
    struct gcl_peer_handlers handlers = {.answered = answered, .ended = ended, .context = check};
    file->tidy = gcl_peer_start("--tidy", &handlers);
    if (!file->tidy) {
        check_free(check);
        return false;
    }
    tidying->current = file;
    json_t *params = gcl_command_of(file->folder, file->document->path);
    json_object_set_new(params, "folder", gcl_json_text(check->folder));
    json_object_set_new(params, "project", gcl_json_text(file->folder->path));
    json_object_set_new(params, "texts", gcl_command_texts(file));
    json_object_set_new(params, "encoding",
                        json_string(gcl_encoding_name(file->folder->editor->can.encoding)));
    gcl_peer_ask(file->tidy, "check", params);
    check->timer = g_timeout_add(LOOK_MS, look, check);
    return true;
}

static void start_next(struct gcl_tidying *tidying) {
    struct gcl_file *file;
    while (!tidying->current && (file = g_queue_pop_head(&tidying->waiting))) {
        if (!start(tidying, file))
            say(tidying, file, "it can't be started");
    }
}

/// What a timer needs to know.
struct due {
    struct gcl_tidying *tidying;
    struct gcl_file *file;
};

static gboolean come_due(void *data) {
    const struct due *due = data;
    due->file->tidy_timer = 0;
    g_queue_push_tail(&due->tidying->waiting, due->file);
    start_next(due->tidying);
    return G_SOURCE_REMOVE;
}

static void set_timer(struct gcl_tidying *tidying, struct gcl_file *file) {
    struct due *due = g_new(struct due, 1);
    *due = (struct due){tidying, file};
    if (file->tidy_timer)
        g_source_remove(file->tidy_timer);
    file->tidy_timer = g_timeout_add_full(G_PRIORITY_DEFAULT, file->is_settled ? 0 : QUIET_MS,
                                          come_due, due, g_free);
}

// Whether there is a .clang-tidy in the file's folder or one around it.
static bool is_asked_for(const char *path) {
    g_autofree char *folder = g_path_get_dirname(path);
    for (;;) {
        g_autofree char *config = g_build_filename(folder, ".clang-tidy", NULL);
        if (g_file_test(config, G_FILE_TEST_IS_REGULAR))
            return true;
        char *outer = g_path_get_dirname(folder);
        bool is_outermost = strcmp(outer, folder) == 0;
        g_free(folder);
        folder = outer;
        if (is_outermost)
            return false;
    }
}

void gcl_tidy_await(struct gcl_tidying *tidying, struct gcl_file *file) {
    if (file->is_tidied || !is_asked_for(file->document->path))
        return;
    bool is_settled = file->is_settled;
    gcl_tidy_stop(tidying, file); // words may have changed, and not the text
    file->is_settled = is_settled;
    file->is_tidied = true;
    set_timer(tidying, file);
}

void gcl_tidy_settle(struct gcl_tidying *tidying, struct gcl_file *file) {
    file->is_settled = true;
    if (file->tidy_timer)
        set_timer(tidying, file);
}

void gcl_tidy_stop(struct gcl_tidying *tidying, struct gcl_file *file) {
    struct check *check = tidying->current == file ? take_current(tidying) : NULL;
    file->is_tidied = file->is_settled = false;
    if (file->tidy_timer)
        g_source_remove(file->tidy_timer);
    file->tidy_timer = 0;
    g_queue_remove(&tidying->waiting, file);
    if (check)
        check_free(check);
    start_next(tidying);
}

void gcl_tidy_forget(struct gcl_tidying *tidying, struct gcl_file *file) {
    gcl_tidy_stop(tidying, file);
    forget_remarks(file);
    set_elsewhere(tidying, file, NULL);
}

static json_int_t line_of(const json_t *range, const char *end) {
    return json_integer_value(json_object_get(json_object_get(range, end), "line"));
}

// A remark of older text, so many lines further on; a new reference.
static json_t *move(const json_t *remark, json_int_t lines) {
    static const char *const ends[] = {"start", "end"};
    json_t *moved = json_deep_copy(remark), *range = json_object_get(moved, "range");
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        json_object_set_new(json_object_get(range, ends[i]), "line",
                            json_integer(line_of(range, ends[i]) + lines));
    json_object_del(moved, "data");
    json_object_del(moved, "relatedInformation");
    return moved;
}

json_t *gcl_tidy_remarks(const struct gcl_file *file) {
    const struct gcl_line_table *text = file->document->text, *old = file->remarked;
    json_t *list = json_array(), *remark;
    uint32_t before, behind;
    size_t i;
    if (!old)
        return list;
    if (g_bytes_equal(old->bytes, text->bytes)) {
        json_array_extend(list, file->remarks);
        return list;
    }
    gcl_line_table_compare(old, text, &before, &behind);
    json_int_t grown = (json_int_t)text->begins->len - (json_int_t)old->begins->len;
    json_array_foreach(file->remarks, i, remark) {
        const json_t *range = json_object_get(remark, "range");
        if (line_of(range, "end") < (json_int_t)before)
            json_array_append_new(list, move(remark, 0));
        else if (line_of(range, "start") >= (json_int_t)(old->begins->len - behind))
            json_array_append_new(list, move(remark, grown));
    }
    return list;
}

static void add_new(json_t *list, json_t *remarks) {
    json_t *remark, *known;
    size_t i, k;
    json_array_foreach(remarks, i, remark) {
        bool is_new = true;
        json_array_foreach(list, k, known) is_new &= !json_equal(known, remark);
        if (is_new)
            json_array_append(list, remark);
    }
}

json_t *gcl_tidy_remarks_elsewhere(GHashTable *files, const char *path) {
    json_t *list = json_array();
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, files);
    while (g_hash_table_iter_next(&iterator, NULL, &data))
        add_new(list, json_object_get(((const struct gcl_file *)data)->elsewhere, path));
    return list;
}

bool gcl_tidy_depends_on(const char *path) {
    g_autofree char *name = g_path_get_basename(path);
    return strcmp(name, ".clang-tidy") == 0;
}
