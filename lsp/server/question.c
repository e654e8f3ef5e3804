// A question is answered once: the number goes with the answer.
#include "lsp/server/question.h"

#include <assert.h>
#include <string.h>

#include "lsp/features/features.h"

enum { SAY_MS = 1000 }; // that somebody waits until it is said what for

struct gcl_question *gcl_question_create(struct gcl_folder *folder, json_t *id, const char *method,
                                         json_t *params) {
    assert(folder && method);
    struct gcl_question *question = g_new(struct gcl_question, 1);
    *question = (struct gcl_question){.folder = folder,
                                      .id = json_incref(id),
                                      .method = g_strdup(method),
                                      .params = json_incref(params),
                                      .asked_us = g_get_monotonic_time()};
    return question;
}

void gcl_question_destroy(struct gcl_question *question) {
    if (!question)
        return;
    json_decref(question->id);
    json_decref(question->params);
    g_free(question->method);
    g_free(question);
}

// Answers.

void gcl_question_answer(struct gcl_question *question, json_t *result, enum gcl_rpc_error code,
                         const char *mistake) {
    const struct gcl_folder_handlers *handlers = &question->folder->handlers;
    assert(!result || !mistake);
    json_t *id = g_steal_pointer(&question->id); // nobody is answered twice
    if (id)
        handlers->answered(id, result, code, mistake, handlers->context);
    json_decref(id);
}

static bool is_about_colours(const struct gcl_question *question) {
    return g_str_has_prefix(question->method, "textDocument/semanticTokens/");
}

static json_t *colours(const struct gcl_question *question) {
    const struct gcl_line_table *text = question->file->document->text;
    const json_t *range = json_object_get(question->params, "range");
    uint32_t begin = 0, end = UINT32_MAX;
    if (range && !gcl_line_table_range_of(text, range, &begin, &end))
        return NULL;
    return gcl_glance_colours(question->folder->glance, text, begin, end);
}

bool gcl_question_glance(struct gcl_question *question) {
    struct gcl_file *file = question->file;
    json_t *result = NULL;
    if (!question->id || !file)
        return false;
    if (is_about_colours(question))
        result = colours(question);
    else if (strcmp(question->method, "textDocument/documentSymbol") == 0)
        result = gcl_glance_symbols(file->folder->glance, file->document->text);
    if (!result)
        return false;
    file->has_makeshift |= is_about_colours(question);
    gcl_question_answer(question, result, 0, NULL);
    json_decref(result);
    return true;
}

void gcl_question_answer_meanwhile(struct gcl_question *question) {
    const struct gcl_file *file = question->file;
    if (!file || !is_about_colours(question) ||
        (file->folder->editor->can.refreshes_colours && !file->is_recoloured))
        gcl_question_glance(question);
}

// What a question is about.

bool gcl_question_is_diagnosis(const struct gcl_question *question) {
    return strcmp(question->method, GCL_METHOD_DIAGNOSE) == 0;
}

bool gcl_question_wants_reading(const struct gcl_question *question) {
    return gcl_question_is_diagnosis(question) ||
           gcl_features_need(question->method) != GCL_NEEDS_TEXT;
}

bool gcl_question_is_about_all(const struct gcl_question *question) {
    enum gcl_need need = gcl_features_need(question->method);
    return !question->file || need == GCL_NEEDS_TREES || need == GCL_NEEDS_FOLDER;
}

bool gcl_question_waits_long(const struct gcl_question *question) {
    return question->id && (g_get_monotonic_time() - question->asked_us) / 1000 >= SAY_MS;
}

// The number may stand in an object that says what is done with the answer (requests.c).
bool gcl_question_is_asked_as(const struct gcl_question *question, const json_t *id) {
    return question->id &&
           (json_equal(question->id, id) || json_equal(json_object_get(question->id, "shown"), id));
}

char *gcl_question_name(const struct gcl_question *question) {
    return question->file ? g_path_get_basename(question->file->document->path)
                          : g_strdup("a closed file");
}

char *gcl_question_describe(const struct gcl_question *question) {
    g_autofree char *name = gcl_question_name(question);
    bool reads =
        gcl_question_is_diagnosis(question) || (question->file && !question->file->was_read);
    return reads ? g_strdup_printf("reading %s", name)
                 : g_strdup_printf("at %s in %s", question->method, name);
}
