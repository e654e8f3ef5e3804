// The arguments of the call, or of the launch configuration, around a place.
#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/report.h"
#include "frontend/text/lexer.h"
#include "lsp/base/json.h"
#include "lsp/features/writing/call.h"
#include "lsp/features/writing/completion.h"
#include "lsp/features/writing/writing.h"
#include "lsp/read/builtin.h"
#include "lsp/read/tree.h"

static json_t *launch_signature(guint commas) {
    static const char *const parameters[] = {"dim3 grid", "dim3 block", "size_t shared = 0",
                                             "cudaStream_t stream = 0"};
    static const char *const texts[] = {"Blocks in the grid.", "Threads in a block, 1024 at most.",
                                        "Bytes of dynamic shared memory for each block.",
                                        "Work of a stream runs in order."};
    json_t *list = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(parameters); i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "label", parameters[i], "documentation", texts[i]));
    return json_pack("{s:[{s:s, s:o}], s:i, s:i}", "signatures", "label",
                     "<<<dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0>>>",
                     "parameters", list, "activeSignature", 0, "activeParameter", (int)commas);
}

// Parameters are the placeholders of a result, some of them in optional parts.
static void add_parameters(CXCompletionString string, json_t *parameters) {
    for (unsigned i = 0; i < clang_getNumCompletionChunks(string); i++) {
        enum CXCompletionChunkKind kind = clang_getCompletionChunkKind(string, i);
        if (kind == CXCompletionChunk_Optional)
            add_parameters(clang_getCompletionChunkCompletionString(string, i), parameters);
        if (kind != CXCompletionChunk_Placeholder && kind != CXCompletionChunk_CurrentParameter)
            continue;
        g_autofree char *text =
            gcl_report_in_cuda_words(gcl_cursor_take_text(clang_getCompletionChunkText(string, i)));
        json_array_append_new(parameters, json_pack("{s:o}", "label", gcl_json_text(text)));
    }
}

// CUDA's functions, with CUDA's names of parameters; NULL of others.
static json_t *describe_builtin(const char *name) {
    const struct gcl_builtin *builtin = gcl_builtin_find(name);
    g_autoptr(GPtrArray) parameters = builtin ? gcl_builtin_parameters(builtin) : NULL;
    json_t *list = parameters ? json_array() : NULL;
    for (guint i = 0; parameters && i < parameters->len; i++)
        json_array_append_new(list,
                              json_pack("{s:o}", "label", gcl_json_text(parameters->pdata[i])));
    return list ? json_pack("{s:s, s:o, s:o}", "label", builtin->signature, "parameters", list,
                            "documentation", gcl_tree_markdown(builtin->text))
                : NULL;
}

static json_t *describe(CXCompletionString string, const char *name) {
    const struct gcl_builtin *builtin = gcl_builtin_find(name);
    g_autoptr(GString) label = g_string_new(NULL);
    g_autofree char *type = NULL,
                    *brief = gcl_cursor_take_text(clang_getCompletionBriefComment(string));
    json_t *parameters = json_array();
    gcl_completion_describe(string, label, &type);
    add_parameters(string, parameters);
    g_autofree char *shown = gcl_report_in_cuda_words(g_strdup(label->str));
    json_t *signature = json_pack("{s:o, s:o}", "label",
                                  json_sprintf("%s%s%s", type ? type : "", type ? " " : "", shown),
                                  "parameters", parameters);
    if (builtin)
        json_object_set_new(signature, "documentation", gcl_tree_markdown(builtin->text));
    else if (*brief)
        json_object_set_new(signature, "documentation", gcl_json_text(brief));
    return signature;
}

json_t *gcl_feature_signature_help(const struct gcl_query *query) {
    size_t size, parameters_needed;
    const char *text = gcl_line_table_data(query->view->text, &size);
    g_autoptr(GArray) tokens = gcl_lexer_read(text, size);
    struct gcl_call call;
    if (!gcl_call_find(tokens, query->offset, &call) || call.name >= tokens->len)
        return NULL;
    if (call.is_configuration)
        return launch_signature(call.commas);
    const struct gcl_token *token = &g_array_index(tokens, struct gcl_token, call.name);
    g_autofree char *name = g_strndup(text + token->begin, token->end - token->begin);
    CXCodeCompleteResults *results = gcl_completion_ask(query, call.open, true);
    json_t *signatures = json_array();
    json_int_t active = 0;
    parameters_needed = call.commas + 1;
    json_t *builtin = NULL;
    for (unsigned i = 0; results && !builtin && i < results->NumResults; i++) {
        if (results->Results[i].CursorKind != CXCursor_OverloadCandidate)
            continue;
        builtin = describe_builtin(name);
        json_t *signature =
            builtin ? builtin : describe(results->Results[i].CompletionString, name);
        size_t last = json_array_size(signatures);
        assert(active == 0 || (size_t)active < last);
        json_t *before = json_object_get(json_array_get(signatures, (size_t)active), "parameters");
        if (last > 0 && json_array_size(before) < parameters_needed &&
            json_array_size(json_object_get(signature, "parameters")) >= parameters_needed)
            active = (json_int_t)last;
        json_array_append_new(signatures, signature);
    }
    if (results)
        clang_disposeCodeCompleteResults(results);
    if (json_array_size(signatures) == 0) {
        json_decref(signatures);
        return NULL;
    }
    return json_pack("{s:o, s:I, s:i}", "signatures", signatures, "activeSignature", active,
                     "activeParameter", (int)call.commas);
}
