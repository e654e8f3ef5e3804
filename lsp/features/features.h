// What the worker answers. Each feature is a file; each takes a query and gives LSP's result, NULL
// for null. The text is current, and what is in the session too for those that want it.
#ifndef GCL_LSP_FEATURES_H
#define GCL_LSP_FEATURES_H

#include "../worker.h"

enum gcl_feature_need {
    GCL_NEEDS_TEXT, ///< the text alone
    GCL_NEEDS_TREE, ///< the text has been read
};

// clang-format off
/// X(method, function, needs, takes a position)
#define GCL_FEATURES(X)                                                                            \
    X("callHierarchy/incomingCalls", incoming_calls, TREE, false)                                  \
    X("callHierarchy/outgoingCalls", outgoing_calls, TREE, false)                                  \
    X("completionItem/resolve", completion_resolve, TEXT, false)                                   \
    X("gcluster/explain", explain, TREE, true)                                                     \
    X("gcluster/map", map, TREE, true)                                                             \
    X("gcluster/text", text, TEXT, false)                                                          \
    X("gcluster/translated", translated, TREE, false)                                              \
    X("textDocument/codeAction", code_action, TEXT, false)                                         \
    X("textDocument/codeLens", code_lens, TREE, false)                                             \
    X("textDocument/completion", completion, TEXT, true)                                           \
    X("textDocument/declaration", declaration, TREE, true)                                         \
    X("textDocument/definition", definition, TREE, true)                                           \
    X("textDocument/documentHighlight", highlight, TREE, true)                                     \
    X("textDocument/documentLink", links, TREE, false)                                             \
    X("textDocument/documentSymbol", symbols, TREE, false)                                         \
    X("textDocument/formatting", formatting, TEXT, false)                                          \
    X("textDocument/hover", hover, TREE, true)                                                     \
    X("textDocument/implementation", implementation, TREE, true)                                   \
    X("textDocument/inlayHint", inlay_hints, TREE, false)                                          \
    X("textDocument/prepareCallHierarchy", call_hierarchy, TREE, true)                             \
    X("textDocument/prepareRename", prepare_rename, TREE, true)                                    \
    X("textDocument/rangeFormatting", range_formatting, TEXT, false)                               \
    X("textDocument/references", references, TREE, true)                                           \
    X("textDocument/rename", rename, TREE, true)                                                   \
    X("textDocument/selectionRange", selection, TEXT, false)                                       \
    X("textDocument/semanticTokens/full", tokens, TREE, false)                                     \
    X("textDocument/semanticTokens/full/delta", tokens_delta, TREE, false)                         \
    X("textDocument/semanticTokens/range", tokens_range, TREE, false)                              \
    X("textDocument/signatureHelp", signature_help, TEXT, true)                                    \
    X("textDocument/typeDefinition", type_definition, TREE, true)
// clang-format on

#define GCL_FEATURE(method, function, needs, position)                                             \
    json_t *gcl_feature_##function(const struct gcl_query *query);
GCL_FEATURES(GCL_FEATURE)
#undef GCL_FEATURE

/// LSP's SymbolKind, as far as we use it.
enum {
    GCL_SYMBOL_NAMESPACE = 3,
    GCL_SYMBOL_CLASS = 5,
    GCL_SYMBOL_METHOD = 6,
    GCL_SYMBOL_FIELD = 8,
    GCL_SYMBOL_CONSTRUCTOR = 9,
    GCL_SYMBOL_ENUM = 10,
    GCL_SYMBOL_FUNCTION = 12,
    GCL_SYMBOL_VARIABLE = 13,
    GCL_SYMBOL_CONSTANT = 14,
    GCL_SYMBOL_ENUM_MEMBER = 22,
    GCL_SYMBOL_STRUCT = 23,
    GCL_SYMBOL_TYPE_PARAMETER = 26
};
/// That of a declaration; 0: it is none that people look for.
int gcl_symbol_kind(CXCursor cursor);

/// What the colours of semantic tokens are called, as LSP's legend has it.
json_t *gcl_tokens_legend(void);
/// The number that the legend gives to a type of token; -1: none.
int gcl_tokens_type(const char *name);

/// A token: what the bytes [begin, end) are.
struct gcl_colour {
    uint32_t begin, end;
    uint32_t type;
    uint32_t modifiers; ///< a bit each
};
/// Where the last one was; zeroed in front of the first.
struct gcl_tokens_place {
    uint32_t line, character;
};
/// Appends the five numbers of a token, whose place is counted from `last`.
void gcl_tokens_append(json_t *data, const struct gcl_lines *text, struct gcl_tokens_place *last,
                       const struct gcl_colour *colour);

/// Whether it can call and be called: a function, a method or their like.
bool gcl_calls_is_function(CXCursor cursor);

/// workspace/symbol, which is about no document.
json_t *gcl_feature_workspace_symbols(const struct gcl_query *query);

/// gcluster/trace, likewise: a list of one answer, or of one {mistake}.
json_t *gcl_feature_trace(const struct gcl_query *query);

/// LSP's diagnostics of the view.
json_t *gcl_feature_diagnostics(const struct gcl_query *query);

#endif
