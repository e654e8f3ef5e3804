// The child that reads sources: libclang and clang-format are used here, so that what they do to
// some text costs a process and not the session.
//
// The child speaks JSON-RPC like the server, one message after the other:
//
//     configure  {encoding, confirms, snippets, refusals, settings, trace}
//                at the start, and when one of them changes
//     update     {uri, path, version, text, directory, words}, or `changes` of the text, as LSP
//                has them
//     close      {uri}
//     explained  {uri, kernels}                        what the device analysis has found
//     indexed    {path, symbols, unknown}              what a source has that may not be open
//     index      {path, directory, words} -> entry     reads a source from disk (entry.h)
//     the requests of the features that it is started with, with their parameters and results; with
//     what `index` has as the member `closed`, about a source on disk
//
// `path` and `directory` are absolute. With `path`, `directory` and `words` come, where a source
// includes the file, `includers`, `includer` and `before` (struct gcl_view).
#ifndef GCL_LSP_WORKER_H
#define GCL_LSP_WORKER_H

#include "lsp/read/view.h"

/// What a request needs before it can be answered.
enum gcl_need {
    GCL_NEEDS_TEXT,   ///< the text of its document
    GCL_NEEDS_TREE,   ///< clang has read that text
    GCL_NEEDS_TREES,  ///< likewise, and the answer has clang read other open documents
    GCL_NEEDS_FOLDER, ///< no document of its own; the answer has clang read all that are open
};

/// A request that the worker answers.
struct gcl_feature {
    const char *method;
    /// The result, a new reference; NULL for null, or with a mistake in the query.
    json_t *(*answer)(const struct gcl_query *query);
    enum gcl_need needs;
    bool takes_position; ///< params.position, which becomes the query's offset
};

/// The feature that answers a method, of a list that ends with one without a method; NULL: none
/// does.
const struct gcl_feature *gcl_feature_find(const struct gcl_feature *features, const char *method);

/// Answers requests on standard input until it ends. `features` ends with one without a method.
/// Returns the exit status.
int gcl_worker_run(const struct gcl_feature *features);

#endif
