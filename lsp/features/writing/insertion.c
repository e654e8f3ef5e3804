// clang says what stands around and between parameters; that a function is a kernel it doesn't say
// here, but the facts of the last reading do.
#include "lsp/features/writing/insertion.h"

#include <string.h>

#include "base/names.h"
#include "frontend/cursor.h"
#include "lsp/read/builtin.h"

static bool is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod;
}

static bool is_kernel(const struct gcl_view *view, const char *name) {
    for (guint s = 0; view->unit && s < view->unit->sources->len; s++) {
        const struct gcl_unit_file *source = view->unit->sources->pdata[s];
        for (guint k = 0; k < source->kernels->len; k++) {
            const struct gcl_source_kernel *kernel =
                &g_array_index(source->kernels, struct gcl_source_kernel, k);
            if (strcmp(gcl_name_last(kernel->name), name) == 0)
                return true;
        }
    }
    return false;
}

// Whether an argument list, or what a launch or a template has in front of it, is there already.
static bool has_arguments(const struct gcl_query *query, uint32_t end) {
    size_t size;
    const char *text = gcl_line_table_data(query->view->text, &size);
    while (end < size && (text[end] == ' ' || text[end] == '\t'))
        end++;
    return end < size && (text[end] == '(' || text[end] == '<');
}

static void append_escaped(GString *out, const char *text) {
    for (; *text; text++) {
        if (strchr("\\$}", *text))
            g_string_append_c(out, '\\');
        g_string_append_c(out, *text);
    }
}

// "in" of "const float *in", else all of it.
static const char *parameter_name(const char *text) {
    const char *at = text + strlen(text);
    while (at > text && (g_ascii_isalnum(at[-1]) || at[-1] == '_'))
        at--;
    bool is_name = *at && !g_ascii_isdigit(*at) && at > text && strchr(" *&", at[-1]);
    return is_name ? at : text;
}

struct snippet {
    GString *text;
    int places;
};

static void append_place(struct snippet *snippet, const char *text) {
    g_string_append_printf(snippet->text, "${%d:", ++snippet->places);
    append_escaped(snippet->text, text);
    g_string_append_c(snippet->text, '}');
}

// Optional parts, which have defaults, are left out.
static void append_chunks(struct snippet *snippet, CXCompletionString string, bool is_kernel) {
    bool behind_name = false;
    for (unsigned i = 0; i < clang_getNumCompletionChunks(string); i++) {
        enum CXCompletionChunkKind kind = clang_getCompletionChunkKind(string, i);
        g_autofree char *text = gcl_cursor_take_text(clang_getCompletionChunkText(string, i));
        if (kind == CXCompletionChunk_TypedText) {
            behind_name = true;
            append_escaped(snippet->text, text);
        } else if (kind == CXCompletionChunk_LeftParen && is_kernel) {
            g_string_append(snippet->text, "<<<");
            append_place(snippet, "grid");
            g_string_append(snippet->text, ", ");
            append_place(snippet, "block");
            g_string_append(snippet->text, ">>>(");
            is_kernel = false;
        } else if (kind == CXCompletionChunk_Placeholder) {
            append_place(snippet, parameter_name(text));
        } else if (kind == CXCompletionChunk_RightParen) {
            g_string_append_c(snippet->text, ')');
            return; // what follows belongs to the type
        } else if (behind_name && kind != CXCompletionChunk_Optional &&
                   kind != CXCompletionChunk_Informative) {
            append_escaped(snippet->text, text);
        }
    }
}

// What CUDA's functions take, by CUDA's names; what has a default is left out.
static void append_builtin(struct snippet *snippet, const char *name, const GPtrArray *parameters) {
    g_string_append_printf(snippet->text, "%s(", name);
    for (guint i = 0; i < parameters->len && !strchr(parameters->pdata[i], '='); i++) {
        g_string_append(snippet->text, i > 0 ? ", " : "");
        append_place(snippet, parameter_name(parameters->pdata[i]));
    }
    g_string_append_c(snippet->text, ')');
}

char *gcl_insertion_snippet(const struct gcl_query *query, const CXCompletionResult *result,
                            const char *name, uint32_t end) {
    if (!query->worker->snippets || (result && !is_function(result->CursorKind)) ||
        has_arguments(query, end) || strncmp(name, "operator", strlen("operator")) == 0)
        return NULL;
    const struct gcl_builtin *builtin = gcl_builtin_find(name);
    g_autoptr(GPtrArray) parameters = builtin ? gcl_builtin_parameters(builtin) : NULL;
    if (!result && !parameters)
        return NULL;
    struct snippet snippet = {g_string_new(NULL), 0};
    if (parameters)
        append_builtin(&snippet, name, parameters);
    else
        append_chunks(&snippet, result->CompletionString, is_kernel(query->view, name));
    return g_string_free(snippet.text, FALSE);
}
