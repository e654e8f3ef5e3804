// Two states count: whether there is a child (`worker`), and whether it is asked something
// (`current`, only with a child; `patience` looks at it then). Everything that ends a question or a
// child ends in start_next, which makes the next step.
#include "lsp/server/folder.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/features/features.h"
#include "lsp/server/command.h"
#include "lsp/server/question.h"

enum {
    PATIENCE_MS = 2000,        // with a child that doesn't run; processor time of one that does
    FIRST_PATIENCE_MS = 20000, // likewise, to read all headers for the first time, or all files
    LOOK_MS = 250,             // between two looks at the child
    CRASHES_MAX = 2,
    UNTOLD_MAX = 100, // changes of a text; from there on the whole is shorter
    FAILURES_MAX = 4,
};

static void start_next(struct gcl_folder *folder);

static void set_diagnosis(struct gcl_file *file, json_t *diagnosis) {
    json_incref(diagnosis);
    json_decref(file->diagnosis);
    file->diagnosis = diagnosis;
    file->folder->handlers.diagnosed(file, file->folder->handlers.context);
}

// Some editors show what goes on in the background, the others have a log.
static void say_to_editor(struct gcl_folder *folder, const char *what) {
    g_autofree char *token = g_strconcat("reader of ", folder->path, NULL);
    g_autofree char *text = g_strdup_printf("the reader of sources is still %s", what);
    if (!folder->editor->can.shows_progress && what)
        gcl_editor_log(folder->editor, GCL_LOG_INFO, text);
    else if (what)
        gcl_editor_begin_progress(folder->editor, token,
                                  json_pack("{s:s, s:s, s:o}", "kind", "begin", "title", "CUDA",
                                            "message", gcl_json_text(what)));
    else if (folder->editor->can.shows_progress)
        gcl_editor_end_progress(folder->editor, token);
}

// Says what questions wait for, if that is new; NULL: for nothing.
static void say(struct gcl_folder *folder, const char *what) {
    if (g_strcmp0(folder->said, what) == 0)
        return;
    if (folder->said)
        say_to_editor(folder, NULL);
    g_free(folder->said);
    folder->said = g_strdup(what);
    if (what)
        say_to_editor(folder, what);
}

static void stop_waiting(struct gcl_folder *folder) {
    if (folder->patience)
        g_source_remove(folder->patience);
    folder->patience = 0;
    say(folder, NULL);
}

// The question that has been answered, and what that says about the child and the file.
static struct gcl_question *take_current(struct gcl_folder *folder) {
    struct gcl_question *question = g_steal_pointer(&folder->current);
    struct gcl_file *file = question ? question->file : NULL;
    assert(folder->worker);
    folder->failures = 0;
    if (!file)
        return question;
    gint64 used = gcl_peer_cpu_ms(folder->worker) - folder->cpu_ms;
    if (!gcl_question_is_about_all(question))
        file->slowest_ms = MAX(file->slowest_ms, used);
    file->was_read |= gcl_question_wants_reading(question);
    file->crashes = 0;
    return question;
}

static void recolour(struct gcl_file *file) {
    struct gcl_editor *editor = file->folder->editor;
    if (!file->has_makeshift || !editor->can.refreshes_colours)
        return;
    file->has_makeshift = false;
    file->is_recoloured = true;
    gcl_editor_refresh_colours(editor);
}

static void finish(struct gcl_folder *folder, struct gcl_question *question) {
    if (question->file)
        recolour(question->file);
    gcl_question_destroy(question);
    start_next(folder);
}

static void answered(json_t *result, json_t *error, void *context) {
    struct gcl_folder *folder = context;
    struct gcl_question *question = take_current(folder);
    const json_t *code = json_object_get(error, "code"), *text = json_object_get(error, "message");
    if (!question)
        return;
    if (question->file && gcl_question_is_diagnosis(question) && result)
        set_diagnosis(question->file, result);
    gcl_question_answer(question, result, (enum gcl_rpc_error)json_integer_value(code),
                        json_string_value(text));
    finish(folder, question);
}

static void relayed(GBytes *text, void *context) {
    struct gcl_folder *folder = context;
    struct gcl_question *question = take_current(folder);
    if (!question)
        return;
    if (question->id) // it hasn't been cancelled, or answered at a glance
        gcl_editor_pass(folder->editor, text);
    finish(folder, question);
}

// The end of a child.

static void forget_child(struct gcl_folder *folder) {
    assert(!folder->current && !folder->patience);
    gcl_peer_destroy(folder->worker);
    folder->worker = NULL;
    for (guint i = 0; i < folder->files->len; i++) {
        struct gcl_file *file = folder->files->pdata[i];
        file->is_known = file->was_read = file->is_recoloured = false;
        g_clear_pointer(&file->untold, json_decref);
    }
}

// Tells who asked, and has the next child read the text again, unless that has brought down
// several.
static void blame(struct gcl_folder *folder, struct gcl_question *question, const char *how) {
    assert(question != folder->current);
    struct gcl_file *file = question->file;
    g_autofree char *name = gcl_question_name(question);
    g_autofree char *text = g_strdup_printf("the reader of sources %s on %s (%s); started again",
                                            how, name, question->method);
    gcl_editor_log(folder->editor, GCL_LOG_WARNING, text);
    if (!gcl_question_glance(question))
        gcl_question_answer(question, NULL, GCL_RPC_INTERNAL_ERROR, text);
    if (!file)
        return;
    file->crashes++;
    if (file->crashes < CRASHES_MAX)
        gcl_folder_diagnose(file);
    else
        set_diagnosis(file, NULL);
}

static void lose_child(struct gcl_folder *folder, const char *how) {
    struct gcl_question *question = g_steal_pointer(&folder->current);
    stop_waiting(folder);
    forget_child(folder);
    folder->failures++;
    if (question) {
        blame(folder, question, how);
        gcl_question_destroy(question);
    } else {
        g_autofree char *text = g_strdup_printf("the reader of sources %s", how);
        gcl_editor_log(folder->editor, GCL_LOG_WARNING, text);
    }
    start_next(folder);
}

static void child_ended(const char *how, void *context) {
    lose_child(context, how);
}

// How much processor time a child may take for an answer; on a busy machine that lasts long.
static gint64 patience_with(const struct gcl_question *question) {
    const struct gcl_file *file = question->file;
    return gcl_question_is_about_all(question) || !file->was_read
               ? FIRST_PATIENCE_MS
               : MAX(PATIENCE_MS, 4 * file->slowest_ms);
}

// Gives questions that have waited until now what tree-sitter knows, and says what the others wait
// for.
static void look_at_questions(struct gcl_folder *folder) {
    g_autofree char *what = gcl_question_describe(folder->current);
    gcl_question_answer_meanwhile(folder->current);
    bool any = gcl_question_waits_long(folder->current);
    for (GList *link = folder->questions.head; link; link = link->next) {
        gcl_question_answer_meanwhile(link->data);
        any |= gcl_question_waits_long(link->data);
    }
    say(folder, any ? what : NULL);
}

static gboolean look(void *data) {
    struct gcl_folder *folder = data;
    assert(folder->worker && folder->current);
    gint64 used = gcl_peer_cpu_ms(folder->worker) - folder->cpu_ms;
    folder->idle_ms = gcl_peer_is_running(folder->worker) ? 0 : folder->idle_ms + LOOK_MS;
    look_at_questions(folder);
    if (folder->idle_ms < PATIENCE_MS && used < patience_with(folder->current))
        return G_SOURCE_CONTINUE;
    folder->patience = 0;
    lose_child(folder, "didn't answer in time");
    return G_SOURCE_REMOVE;
}

// Questions.

static void tell_settings(struct gcl_folder *folder) {
    gcl_peer_tell(folder->worker, "configure",
                  json_pack("{s:s, s:b, s:b, s:b, s:O?, s:O?}", "encoding",
                            gcl_encoding_name(folder->editor->can.encoding), "confirms",
                            folder->editor->can.confirms, "snippets",
                            folder->editor->can.inserts_snippets, "refusals",
                            folder->editor->can.explains_refusals, "settings", folder->settings,
                            "trace", folder->trace));
}

void gcl_folder_start(struct gcl_folder *folder) {
    struct gcl_peer_handlers handlers = {answered, relayed, child_ended, folder};
    if (folder->worker || folder->failures >= FAILURES_MAX)
        return;
    folder->worker = gcl_peer_start("--worker", &handlers);
    if (folder->worker)
        tell_settings(folder);
    if (folder->worker)
        folder->handlers.started(folder, folder->handlers.context);
    else
        folder->failures = FAILURES_MAX;
    if (folder->failures >= FAILURES_MAX)
        gcl_editor_log(folder->editor, GCL_LOG_ERROR, "the reader of sources can't be started");
}

// Tells the child a text, by its changes where there is an older one: to write and read all of a
// long text as JSON takes longer than many an answer.
static void tell_text(struct gcl_file *file) {
    const struct gcl_document *document = file->document;
    size_t size;
    assert(!file->is_known && file->folder->worker);
    const char *text = gcl_line_table_data(document->text, &size);
    json_t *update = gcl_command_of(file->folder, document->path);
    json_object_set_new(update, "uri", json_string(document->uri));
    json_object_set_new(update, "version", json_integer(document->version));
    if (file->untold)
        json_object_set_new(update, "changes", file->untold);
    else
        json_object_set_new(update, "text", json_stringn(text, size));
    file->untold = json_array();
    gcl_peer_tell(file->folder->worker, "update", update);
    if (file->kernels)
        gcl_folder_explain(file, file->kernels);
    file->is_known = true;
}

static void tell_texts(struct gcl_folder *folder) {
    for (guint i = 0; i < folder->files->len; i++) {
        struct gcl_file *file = folder->files->pdata[i];
        if (!file->is_known)
            tell_text(file);
    }
}

static void ask(struct gcl_folder *folder, struct gcl_question *question) {
    assert(folder->worker && !folder->current);
    folder->current = question;
    folder->cpu_ms = gcl_peer_cpu_ms(folder->worker);
    folder->idle_ms = 0;
    if (!folder->patience)
        folder->patience = g_timeout_add(LOOK_MS, look, folder);
    json_t *params = json_incref(question->params);
    if (question->id && !json_is_object(question->id)) // the editor's own
        gcl_peer_relay(folder->worker, question->id, question->method, params);
    else
        gcl_peer_ask(folder->worker, question->method, params);
}

static void refuse(struct gcl_question *question, const char *why) {
    if (!gcl_question_glance(question))
        gcl_question_answer(question, NULL, GCL_RPC_REQUEST_FAILED, why);
    gcl_question_destroy(question);
}

// Takes the next question from the queue: quick ones go before those that have a file read for the
// first time.
static struct gcl_question *take_next(struct gcl_folder *folder) {
    for (GList *link = folder->questions.head; link; link = link->next) {
        struct gcl_question *question = link->data;
        if (gcl_question_is_diagnosis(question))
            break;
        if (question->file && !question->file->was_read && gcl_question_wants_reading(question))
            continue;
        g_queue_delete_link(&folder->questions, link);
        return question;
    }
    return g_queue_pop_head(&folder->questions);
}

static void start_next(struct gcl_folder *folder) {
    struct gcl_question *question;
    while (!folder->current && (question = take_next(folder))) {
        gcl_folder_start(folder);
        if (!folder->worker) {
            refuse(question, "the reader of sources can't be started");
        } else if (question->file && question->file->crashes >= CRASHES_MAX) {
            refuse(question, "clang crashes on this text");
        } else {
            tell_texts(folder);
            ask(folder, question);
        }
    }
    if (!folder->current)
        stop_waiting(folder);
    assert(!folder->current == !folder->patience);
    assert(!folder->current || folder->worker);
}

// Queues a question: diagnoses, which nobody waits for, come after what the editor asks.
static void put(struct gcl_folder *folder, struct gcl_question *question) {
    bool is_ours = gcl_question_is_diagnosis(question);
    guint position = folder->questions.length;
    for (GList *link = folder->questions.tail; !is_ours && link; link = link->prev) {
        if (!gcl_question_is_diagnosis(link->data))
            break;
        position--;
    }
    g_queue_push_nth(&folder->questions, question, (gint)position);
    start_next(folder);
}

void gcl_folder_ask(struct gcl_file *file, json_t *id, const char *method, json_t *params) {
    struct gcl_question *question = gcl_question_create(file->folder, id, method, params);
    question->file = file;
    if (!file->was_read)
        gcl_question_answer_meanwhile(question);
    put(file->folder, question);
}

void gcl_folder_ask_all(struct gcl_folder *folder, json_t *id, const char *method, json_t *params) {
    put(folder, gcl_question_create(folder, id, method, params));
}

void gcl_folder_ask_closed(struct gcl_folder *folder, const char *path, json_t *id,
                           const char *method, json_t *params) {
    json_t *all = json_copy(params);
    json_object_set_new(all, "closed", gcl_command_of(folder, path));
    gcl_folder_ask_all(folder, id, method, all);
    json_decref(all);
}

static void withdraw(struct gcl_folder *folder, const struct gcl_file *file, bool ours) {
    for (GList *link = folder->questions.head, *next; link; link = next) {
        struct gcl_question *question = link->data;
        next = link->next;
        if (question->file != file || gcl_question_is_diagnosis(question) != ours)
            continue;
        g_queue_delete_link(&folder->questions, link);
        gcl_question_answer(question, NULL, GCL_RPC_CONTENT_MODIFIED, "the text has changed");
        gcl_question_destroy(question);
    }
}

void gcl_folder_diagnose(struct gcl_file *file) {
    json_t *params = json_pack("{s:{s:s}}", "textDocument", "uri", file->document->uri);
    struct gcl_question *question =
        gcl_question_create(file->folder, NULL, GCL_METHOD_DIAGNOSE, params);
    json_decref(params);
    question->file = file;
    withdraw(file->folder, file, true);
    put(file->folder, question);
}

bool gcl_folder_cancel(struct gcl_folder *folder, const json_t *id) {
    for (GList *link = folder->questions.head; link; link = link->next) {
        struct gcl_question *question = link->data;
        if (!gcl_question_is_asked_as(question, id))
            continue;
        g_queue_delete_link(&folder->questions, link);
        gcl_question_answer(question, NULL, GCL_RPC_CANCELLED, "cancelled");
        gcl_question_destroy(question);
        return true;
    }
    struct gcl_question *current = folder->current;
    if (!current || !gcl_question_is_asked_as(current, id))
        return false;
    gcl_question_answer(current, NULL, GCL_RPC_CANCELLED, "cancelled");
    return true;
}

// Files.

struct gcl_file *gcl_folder_add(struct gcl_folder *folder, struct gcl_document *document) {
    struct gcl_file *file = g_new0(struct gcl_file, 1);
    assert(document->path);
    file->document = document;
    file->folder = folder;
    g_ptr_array_add(folder->files, file);
    return file;
}

// Gives the document back.
static struct gcl_document *file_free(struct gcl_file *file) {
    struct gcl_document *document = file->document;
    if (file->timer)
        g_source_remove(file->timer);
    file->folder->handlers.removes(file, file->folder->handlers.context);
    json_decref(file->diagnosis);
    json_decref(file->kernels);
    json_decref(file->untold);
    g_free(file);
    return document;
}

struct gcl_document *gcl_folder_remove(struct gcl_file *file) {
    struct gcl_folder *folder = file->folder;
    withdraw(folder, file, false);
    withdraw(folder, file, true);
    if (folder->current && folder->current->file == file)
        folder->current->file = NULL;
    if (folder->worker) // it may have an older text
        gcl_peer_tell(folder->worker, "close", json_pack("{s:s}", "uri", file->document->uri));
    g_ptr_array_remove(folder->files, file);
    return file_free(file);
}

void gcl_folder_changed(struct gcl_file *file, json_t *changes) {
    file->is_known = false;
    if (changes && json_array_size(file->untold) < UNTOLD_MAX)
        json_array_extend(file->untold, changes);
    else
        g_clear_pointer(&file->untold, json_decref);
    file->is_recoloured = false;
    file->crashes = 0;
    file->folder->failures = 0;
    g_clear_pointer(&file->kernels, json_decref); // the child knows where they were
    withdraw(file->folder, file, false);
}

void gcl_folder_index(struct gcl_folder *folder, const char *path, json_t *entry) {
    if (folder->worker)
        gcl_peer_tell(folder->worker, "indexed",
                      json_pack("{s:o, s:O, s:O}", "path", gcl_json_text(path), "symbols",
                                json_object_get(entry, "symbols"), "unknown",
                                json_object_get(entry, "unknown")));
}

void gcl_folder_explain(struct gcl_file *file, json_t *kernels) {
    json_incref(kernels);
    json_decref(file->kernels);
    file->kernels = kernels;
    if (file->folder->worker)
        gcl_peer_tell(file->folder->worker, "explained",
                      json_pack("{s:s, s:O}", "uri", file->document->uri, "kernels", kernels));
}

// Folders.

// Has all files read again, by other words.
static void read_anew(struct gcl_folder *folder) {
    for (guint i = 0; i < folder->files->len; i++) {
        struct gcl_file *file = folder->files->pdata[i];
        gcl_folder_changed(file, NULL);
        file->was_read = file->is_explained = file->is_tidied = false;
        gcl_folder_diagnose(file);
    }
}

void gcl_folder_configure(struct gcl_folder *folder, json_t *settings) {
    json_t *flags = json_incref(json_object_get(folder->settings, "flags"));
    json_incref(settings);
    json_decref(folder->settings);
    folder->settings = settings;
    if (folder->worker)
        tell_settings(folder);
    const json_t *now = json_object_get(settings, "flags");
    if (flags != now && !json_equal(flags, now))
        read_anew(folder);
    json_decref(flags);
}

void gcl_folder_trace(struct gcl_folder *folder, json_t *kernels) {
    json_incref(kernels);
    json_decref(folder->trace);
    folder->trace = kernels;
    if (folder->worker)
        tell_settings(folder);
}

void gcl_folder_reload(struct gcl_folder *folder) {
    g_autoptr(GPtrArray) complaints = g_ptr_array_new_with_free_func(g_free);
    gcl_project_destroy(folder->project);
    folder->project = gcl_project_create(folder->path, complaints);
    gcl_inclusions_forget(folder->inclusions);
    for (guint i = 0; i < complaints->len; i++)
        gcl_editor_log(folder->editor, GCL_LOG_ERROR, complaints->pdata[i]);
    for (guint i = 0; i < folder->files->len; i++) {
        struct gcl_file *file = folder->files->pdata[i];
        gcl_folder_changed(file, NULL);
        file->was_read = false;
    }
}

struct gcl_folder *gcl_folder_create(const char *path, struct gcl_editor *editor,
                                     const char *scratch,
                                     const struct gcl_folder_handlers *handlers) {
    struct gcl_folder *folder = g_new0(struct gcl_folder, 1);
    folder->path = g_canonicalize_filename(path, NULL);
    folder->files = g_ptr_array_new();
    folder->editor = editor;
    folder->scratch = g_strdup(scratch);
    folder->handlers = *handlers;
    folder->glance = gcl_glance_create();
    folder->inclusions = gcl_inclusions_create(folder->path);
    folder->includers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_queue_init(&folder->questions);
    gcl_folder_reload(folder);
    return folder;
}

void gcl_folder_destroy(struct gcl_folder *folder) {
    struct gcl_question *question;
    if (!folder)
        return;
    stop_waiting(folder);
    if (folder->current)
        g_queue_push_head(&folder->questions, folder->current);
    while ((question = g_queue_pop_head(&folder->questions))) {
        gcl_question_answer(question, NULL, GCL_RPC_CANCELLED, "the folder has been removed");
        gcl_question_destroy(question);
    }
    for (guint i = 0; i < folder->files->len; i++)
        gcl_document_destroy(file_free(folder->files->pdata[i]));
    g_ptr_array_unref(folder->files);
    gcl_peer_destroy(folder->worker);
    gcl_glance_destroy(folder->glance);
    gcl_project_destroy(folder->project);
    gcl_inclusions_destroy(folder->inclusions);
    g_hash_table_unref(folder->includers);
    json_decref(folder->settings);
    json_decref(folder->trace);
    g_free(folder->scratch);
    g_free(folder->path);
    g_free(folder);
}
