// A source as the reader of sources knows it: an editor's text, or a file on disk, with what clang
// makes of it. Whatever a feature needs to know it finds in a view, or in the worker that has it.
//
// This header is the front of the room `read`, which says what stands in sources:
//
//     node outline glance           a text by tree-sitter: at once, in whatever state it is
//     view tree symbol pattern      a text by clang: sessions, cursors, places of declarations
//     occurrences meaning places    the names in it, and where else each of them stands
//     entry                         what the index of a folder keeps of one source
//     builtin                       CUDA's own names
//     worker                        the process that all of this but glance runs in, one request
//                                   after the other; features/features.h says who
//                                   answers them
#ifndef GCL_LSP_VIEW_H
#define GCL_LSP_VIEW_H

#include <clang-c/Index.h>

#include "driver/options/installation.h"
#include "frontend/parse/session.h"
#include "lsp/base/line_table.h"
#include "lsp/base/rpc.h"
#include "lsp/read/glance.h"

/// clang's answer to a completion: it is about the text up to a word, so it stays the same while
/// that is typed.
struct gcl_completed {
    CXCodeCompleteResults *results;
    GBytes *text;
    uint32_t begin, end; ///< the word
};

/// A document as the worker knows it.
struct gcl_view {
    char *uri;
    char *path;
    char *directory;    ///< where the command line was meant
    GPtrArray *words;   ///< nvcc's, without the file
    char *includer;     ///< path of the source that the file is read as a part of, NULL: none
    json_t *includers;  ///< paths of all that could be, NULL: no source includes the file
    GHashTable *before; ///< path -> GBytes: what `words` include first instead of the files
    json_int_t version;
    struct gcl_line_table *text;
    struct gcl_session *session;     ///< NULL until it is read
    bool is_closed;                  ///< the file isn't open: it is read once, from disk
    bool is_current;                 ///< the session has read `text`
    bool is_warm;                    ///< the session has read a text more than once
    bool has_new_files;              ///< files that `text` includes may have changed since
    struct gcl_source_unit *unit;    ///< facts of the last reading, NULL: none
    GPtrArray *messages;             ///< struct gcl_diagnostic *: gcluster's own
    GArray *occurrences;             ///< names in the text (occurrences.h), NULL: not asked for
    GArray *unknown_names;           ///< names that may refer to anything, likewise
    json_t *symbols;                 ///< the outline of what was read, NULL: not asked for
    json_t *tokens;                  ///< the colours that were asked for last, NULL: never
    unsigned tokens_id;              ///< of `tokens`
    json_t *kernels;                 ///< explanations of `analysed`, NULL: none yet
    struct gcl_line_table *analysed; ///< the text that `kernels` are about
    uint32_t kept_before;            ///< lines that `text` begins with as `analysed` does
    uint32_t kept_behind;            ///< lines that it ends with as that does, besides those
    json_t *spreads;                 ///< what was measured of launches (kernel/measure.h), or NULL
    struct gcl_completed *completed; ///< the last completion, or NULL
};

/// What the process that reads sources knows.
struct gcl_worker {
    enum gcl_encoding encoding;
    bool confirms;          ///< the editor asks the user about edits that are marked as doubtful
    bool snippets;          ///< the editor takes texts with places to fill in
    bool explains_refusals; ///< the editor shows actions that can't be taken, and why
    json_t *settings;
    json_t *trace; ///< kernels of a run (kernel/trace.h) that launches shall show, or NULL
    struct gcl_installation installation;
    struct gcl_glance *glance;
    GHashTable *views; ///< URI -> struct gcl_view *
    GHashTable *index; ///< path -> json_t *: entries (entry.h) of sources that may not be open
};

/// What a feature is asked.
struct gcl_query {
    struct gcl_worker *worker;
    struct gcl_view *view;
    const json_t *params;
    uint32_t offset;          ///< of params.position, if there is one
    char **mistake;           ///< set to a text, to be freed, if there is no answer for a reason
    enum gcl_rpc_error *code; ///< of `mistake`; GCL_RPC_REQUEST_FAILED unless the feature sets it
};

/// Takes over the text of a document, or what has changed of it, as the message `update` has it
/// (worker.h). False, with the view as it was, if the changes can't be understood.
bool gcl_view_update(struct gcl_worker *worker, const json_t *params);

/// A view of a source as it lies on disk, of none of the worker's documents: `params` are {path,
/// directory, words}. NULL if it can't be read; freed with gcl_view_destroy.
struct gcl_view *gcl_view_open_closed(const struct gcl_worker *worker, const char *uri,
                                      const json_t *params);
void gcl_view_destroy(struct gcl_view *view);

/// Notes what the device analysis has found about the view's text as it is now. A reference to
/// `kernels` is kept.
void gcl_view_explain(struct gcl_view *view, json_t *kernels);

/// Has clang read a view's text if it isn't the one that was read last. False if clang can't.
bool gcl_view_read(struct gcl_worker *worker, struct gcl_view *view);
/// Has clang read a view that has never been read; an older text than the view's is fine.
bool gcl_view_ready(struct gcl_worker *worker, struct gcl_view *view);

/// What clang gets for a file with nvcc's words (char *), of a folder that may be anybody's: a new
/// array that owns its strings, ending with NULL. Mistakes in the words go to `messages`.
GPtrArray *gcl_view_arguments(const struct gcl_installation *installation, const char *path,
                              const GPtrArray *words, GPtrArray *messages);

/// Whether a view that has been read is a part of its includer that begins inside of braces: clang,
/// which reads it as if they were closed, finds mistakes in it that are none.
bool gcl_view_is_fragment(const struct gcl_view *view);

/// The texts that clang reads for a view in place of files: those of all views, and what its
/// includer has in front of it. Freed with g_array_unref; struct gcl_overlay.
GArray *gcl_view_overlays(const struct gcl_worker *worker, const struct gcl_view *view);

/// Frees clang's last completion: it may have depended on other files than the view's text.
void gcl_view_forget_completion(struct gcl_view *view);

#endif
