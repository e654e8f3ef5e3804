// The child that reads sources: libclang and clang-format are used here, so that what they do to
// some text costs a process and not the session.
//
// It speaks JSON-RPC like the server, one message after the other:
//
//     configure  {encoding, confirms, settings, trace}  at the start, and when they change
//     update     {uri, path, version, text, directory, words}, or `changes` of the text, as LSP
//                has them
//     close      {uri}
//     explained  {uri, kernels}                        what the device analysis has found
//     indexed    {path, symbols, unknown}              what a source has that may not be open
//     index      {path, directory, words} -> entry     reads a source from disk (entry.h)
//     diagnose   {uri} -> {version, diagnostics, shapes, pragmas, files, broken}
//     LSP's own requests about documents, with LSP's parameters and results; with what `index` has
//     as the member `closed`, about a source on disk; `rename` with the number of sources that the
//     index lacks as the member `unread` -> {edit, warning}
//
// The last two read the text again if it has changed. `path` and `directory` are absolute.
#ifndef GCL_LSP_WORKER_H
#define GCL_LSP_WORKER_H

#include "frontend/session.h"
#include "glance.h"
#include "position.h"
#include "rpc.h"
#include "tools.h"

/// A document as the worker knows it.
struct gcl_view {
    char *uri;
    char *path;
    char *directory;  ///< where the command line was meant
    GPtrArray *words; ///< nvcc's, without the file
    json_int_t version;
    struct gcl_lines *text;
    struct gcl_session *session;         ///< NULL until it is read
    bool is_closed;                      ///< it is read once, as it lies on disk
    bool is_current;                     ///< the session has read `text`
    bool is_warm;                        ///< it has read a text more than once
    bool has_new_files;                  ///< other files may have changed since then
    struct gcl_unit *unit;               ///< facts of that reading, NULL if there was none
    GPtrArray *messages;                 ///< struct gcl_diagnostic *: gcluster's own
    struct gcl_occurrences *occurrences; ///< names in the text (occurrences.h), NULL: not asked for
    json_t *symbols;                     ///< the outline of what was read, NULL: not asked for
    json_t *tokens;                      ///< the colours that were asked for last, NULL: never
    unsigned tokens_id;                  ///< of `tokens`
    json_t *kernels;                     ///< explanations of `analysed`, NULL: none yet
    struct gcl_lines *analysed;          ///< the text that they are about
    json_t *spreads;                     ///< what launches of them do (measure.h), or NULL
    struct gcl_completed *completed;     ///< the last completion (completion.h), or NULL
};

struct gcl_worker {
    enum gcl_encoding encoding;
    bool confirms; ///< the editor asks the user about edits that are marked
    json_t *settings;
    json_t *trace; ///< kernels of a run (trace.h) that launches shall show, or NULL
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
    enum gcl_rpc_error *code; ///< of that: unless it is set, GCL_RPC_REQUEST_FAILED
};

/// Answers requests on standard input until it ends. Returns the exit status.
int gcl_worker_run(void);

/// Reads a view's text if it isn't the one that was read last. False if clang can't.
bool gcl_worker_read(struct gcl_worker *worker, struct gcl_view *view);
/// Reads it if it has never been read.
bool gcl_worker_ready(struct gcl_worker *worker, struct gcl_view *view);

/// The texts that clang reads in place of files: those of all views. Freed with g_array_unref;
/// struct gcl_overlay.
GArray *gcl_worker_overlays(const struct gcl_worker *worker);

#endif
