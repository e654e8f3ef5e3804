// What somebody asks the reader of sources, while it waits for its turn or its answer.
//
// Symbols and colours come from tree-sitter (read/glance.h) if the reader's answer takes too long:
// a question answered "at a glance" stays, so that the file is read, and nobody waits for it.
#ifndef GCL_LSP_QUESTION_H
#define GCL_LSP_QUESTION_H

#include "lsp/server/folder.h"

struct gcl_question {
    struct gcl_folder *folder;
    struct gcl_file *file; ///< NULL: it is about no open file
    json_t *id;            ///< the editor's or an object of requests.c; NULL: nobody waits for it
    char *method;
    json_t *params;
    gint64 asked_us; ///< g_get_monotonic_time
};

/// References to `id`, which may be NULL, and `params` are kept. The caller sets the rest.
struct gcl_question *gcl_question_create(struct gcl_folder *folder, json_t *id, const char *method,
                                         json_t *params);
void gcl_question_destroy(struct gcl_question *question);

/// Gives the folder's handler an answer, once: then nobody waits for the question any more. One of
/// `result`, which isn't taken, and `mistake` is NULL.
void gcl_question_answer(struct gcl_question *question, json_t *result, enum gcl_rpc_error code,
                         const char *mistake);
/// Answers by tree-sitter. False if somebody waits for the question's answer all the same.
bool gcl_question_glance(struct gcl_question *question);
/// Answers by tree-sitter, as far as that can, what the reader is still expected to answer; colours
/// only if the editor can be told to ask for them again.
void gcl_question_answer_meanwhile(struct gcl_question *question);

/// Whether the question is the server's own (GCL_METHOD_DIAGNOSE).
bool gcl_question_is_diagnosis(const struct gcl_question *question);
/// Whether answering takes more than texts.
bool gcl_question_wants_reading(const struct gcl_question *question);
/// Whether answering takes all open files, which may have to be read.
bool gcl_question_is_about_all(const struct gcl_question *question);
/// Whether somebody has waited for long enough to be told why.
bool gcl_question_waits_long(const struct gcl_question *question);
/// Whether the editor knows the question by that number.
bool gcl_question_is_asked_as(const struct gcl_question *question, const json_t *id);

/// "heat.cu", to be freed.
char *gcl_question_name(const struct gcl_question *question);
/// "reading heat.cu", "at textDocument/rename in heat.cu", to be freed.
char *gcl_question_describe(const struct gcl_question *question);

#endif
