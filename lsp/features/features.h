// What the reader of sources answers, and the list of all methods that an editor may use.
//
// A feature takes a query and gives LSP's result, NULL for null. The view's text is current, and
// what clang has read is, too, for features that need that. Features live in three rooms, each of
// which declares its own in its front header:
//
//     names       what stands behind a name, and where else it stands
//     writing     what may be written, and how a text is laid out
//     report      mistakes, what mends them, and how kernels spread
//
// To add a feature: a row here, a file in one of the rooms with gcl_feature_<name>, and its
// declaration in the room's header. Editors are told of the feature by server/capabilities.c; what
// the feature knows of clang's tree, of names and of kernels comes from the rooms below
// (read/view.h, read/occurrences.h, kernel/kernels.h).
#ifndef GCL_LSP_FEATURES_H
#define GCL_LSP_FEATURES_H

#include "lsp/read/worker.h"

/// Rows in the order of the methods' names:
///
///     FEATURE(method, function, needs, takes a position, how the server asks)
///         a request that the reader of sources answers, by gcl_feature_<function>; `needs` is of
///         enum gcl_need; the server passes it on by gcl_requests_<how> (server/requests.h)
///     SERVER(method, kind, when it is allowed, handler)
///         what the server does itself, by gcl_<handler>; when: FIRST, once, before all others;
///         RUNNING, from there to `shutdown`; ALWAYS
// clang-format off
#define GCL_METHODS(FEATURE, SERVER)                                                               \
    SERVER("$/cancelRequest", NOTIFICATION, RUNNING, requests_cancel)                              \
    SERVER("$/setTrace", NOTIFICATION, RUNNING, lifecycle_ignore)                                  \
    FEATURE("callHierarchy/incomingCalls", incoming_calls, FOLDER, false, ask_callers)             \
    FEATURE("callHierarchy/outgoingCalls", outgoing_calls, TREE, false, ask_callees)               \
    FEATURE("completionItem/resolve", completion_resolve, TEXT, false, ask)                        \
    SERVER("exit", NOTIFICATION, ALWAYS, lifecycle_exit)                                           \
    FEATURE("gcluster/explain", explain, TREE, true, ask)                                          \
    SERVER("gcluster/includer", REQUEST, RUNNING, documents_include)                               \
    FEATURE("gcluster/map", map, TREE, true, ask)                                                  \
    FEATURE("gcluster/text", text, TEXT, false, ask)                                               \
    FEATURE("gcluster/trace", trace, FOLDER, false, trace)                                         \
    FEATURE("gcluster/translated", translated, TREE, false, ask)                                   \
    SERVER("initialize", REQUEST, FIRST, lifecycle_initialize)                                     \
    SERVER("initialized", NOTIFICATION, RUNNING, lifecycle_initialized)                            \
    SERVER("shutdown", REQUEST, RUNNING, lifecycle_shut_down)                                      \
    FEATURE("textDocument/codeAction", code_action, TEXT, false, ask)                              \
    FEATURE("textDocument/codeLens", code_lens, TREE, false, ask)                                  \
    FEATURE("textDocument/completion", completion, TEXT, true, ask)                                \
    FEATURE("textDocument/declaration", declaration, TREE, true, ask)                              \
    FEATURE("textDocument/definition", definition, TREE, true, ask)                                \
    SERVER("textDocument/didChange", NOTIFICATION, RUNNING, documents_change)                      \
    SERVER("textDocument/didClose", NOTIFICATION, RUNNING, documents_close)                        \
    SERVER("textDocument/didOpen", NOTIFICATION, RUNNING, documents_open)                          \
    SERVER("textDocument/didSave", NOTIFICATION, RUNNING, documents_save)                          \
    FEATURE("textDocument/documentHighlight", highlight, TREE, true, ask)                          \
    FEATURE("textDocument/documentLink", links, TREE, false, ask)                                  \
    FEATURE("textDocument/documentSymbol", symbols, TREE, false, ask)                              \
    SERVER("textDocument/foldingRange", REQUEST, RUNNING, requests_fold)                           \
    FEATURE("textDocument/formatting", formatting, TEXT, false, ask)                               \
    FEATURE("textDocument/hover", hover, TREE, true, ask)                                          \
    FEATURE("textDocument/implementation", implementation, TREE, true, ask)                        \
    FEATURE("textDocument/inlayHint", inlay_hints, TREE, false, ask)                               \
    FEATURE("textDocument/onTypeFormatting", on_type_formatting, TEXT, true, ask)                  \
    FEATURE("textDocument/prepareCallHierarchy", call_hierarchy, TREE, true, ask)                  \
    FEATURE("textDocument/prepareRename", prepare_rename, TREE, true, ask)                         \
    FEATURE("textDocument/rangeFormatting", range_formatting, TEXT, false, ask)                    \
    FEATURE("textDocument/prepareTypeHierarchy", type_hierarchy, TREE, true, ask)                  \
    FEATURE("textDocument/references", references, TREES, true, ask)                               \
    FEATURE("textDocument/rename", rename, TREES, true, ask_rename)                                \
    FEATURE("textDocument/selectionRange", selection, TEXT, false, ask)                            \
    FEATURE("textDocument/semanticTokens/full", tokens, TREE, false, ask)                          \
    FEATURE("textDocument/semanticTokens/full/delta", tokens_delta, TREE, false, ask)              \
    FEATURE("textDocument/semanticTokens/range", tokens_range, TREE, false, ask)                   \
    FEATURE("textDocument/signatureHelp", signature_help, TEXT, true, ask)                         \
    FEATURE("textDocument/typeDefinition", type_definition, TREE, true, ask)                       \
    FEATURE("typeHierarchy/subtypes", subtypes, TREES, false, ask_callers)                         \
    FEATURE("typeHierarchy/supertypes", supertypes, TREE, false, ask_callees)                      \
    SERVER("workspace/didChangeConfiguration", NOTIFICATION, RUNNING, workspace_configure)         \
    SERVER("workspace/didChangeWatchedFiles", NOTIFICATION, RUNNING, documents_see_files)          \
    SERVER("workspace/didChangeWorkspaceFolders", NOTIFICATION, RUNNING, documents_see_folders)    \
    SERVER("workspace/executeCommand", REQUEST, RUNNING, requests_execute)                         \
    FEATURE("workspace/symbol", workspace_symbols, FOLDER, false, ask_all)
// clang-format on

/// The server's own question, about a text as it is: {version, diagnostics, shapes, pragmas, files,
/// broken}, also of what clang can't read.
#define GCL_METHOD_DIAGNOSE "diagnose"

/// All features, and GCL_METHOD_DIAGNOSE, for gcl_worker_run.
extern const struct gcl_feature gcl_features[];

/// What a method's answer needs; GCL_NEEDS_TEXT of one that is no feature.
enum gcl_need gcl_features_need(const char *method);

#endif
