// What may stand here, and which arguments a call takes: asked of clang for the text as it is, with
// the headers that it has read before.
#include "lsp/features/writing/completion.h"

#include <assert.h>
#include <string.h>

#include "base/pragma.h"
#include "frontend/cursor.h"
#include "frontend/report.h"
#include "lsp/base/json.h"
#include "lsp/features/writing/writing.h"
#include "lsp/read/builtin.h"
#include "lsp/read/tree.h"

enum { SHOWN_MAX = 200 };

CXCodeCompleteResults *gcl_completion_ask(const struct gcl_query *query, uint32_t offset,
                                          bool has_comments) {
    struct gcl_view *view = query->view;
    uint32_t line, character, begin, end;
    if (!gcl_view_ready(query->worker, view))
        return NULL;
    gcl_line_table_locate(view->text, offset, &line, &character);
    gcl_line_table_line(view->text, line, &begin, &end);
    g_autoptr(GArray) overlays = gcl_view_overlays(query->worker, view);
    return gcl_session_complete(
        view->session, (const struct gcl_overlay *)(void *)overlays->data, overlays->len,
        (struct gcl_completion){line + 1, offset - begin + 1, has_comments});
}

// clang's answer is about the text up to a word: while that word is typed, the answer stays.

// Whether the texts are the same but for the word.
static bool is_about(const struct gcl_completed *completed, const struct gcl_line_table *text,
                     uint32_t begin, uint32_t end) {
    size_t old_size, size;
    const char *old = g_bytes_get_data(completed->text, &old_size);
    const char *data = gcl_line_table_data(text, &size);
    assert(completed->begin <= completed->end && completed->end <= old_size && end <= size);
    return completed->begin == begin && old_size - completed->end == size - end &&
           memcmp(old, data, begin) == 0 &&
           memcmp(old + completed->end, data + end, size - end) == 0;
}

// clang's answer for a word; borrowed, NULL if it has none.
static CXCodeCompleteResults *results_for(const struct gcl_query *query, uint32_t begin,
                                          uint32_t end) {
    struct gcl_view *view = query->view;
    if (view->completed && !view->has_new_files &&
        is_about(view->completed, view->text, begin, end))
        return view->completed->results;
    gcl_view_forget_completion(view);
    CXCodeCompleteResults *results = gcl_completion_ask(query, begin, false);
    if (!results)
        return NULL;
    assert(!view->completed);
    view->completed = g_new(struct gcl_completed, 1);
    *view->completed = (struct gcl_completed){results, g_bytes_ref(view->text->bytes), begin, end};
    return results;
}

/// A candidate, and how well it fits: less is better.
struct candidate {
    unsigned index;                    // in clang's results
    const struct gcl_builtin *builtin; // that clang keeps to itself, or NULL
    unsigned rank;
    char *name;
};

static void candidate_clear(void *data) {
    g_free(((struct candidate *)data)->name);
}

static int compare(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    int order = strcmp(a->name, b->name);
    return order ? order : (int)a->index - (int)b->index;
}

// g_ascii_tolower is a call for each letter of thousands of names.
static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + 'a' - 'A') : letter;
}

// How `typed` fits `name`: 0 as its beginning, 1 but for case, 2 letter by letter; -1 not at all.
static int fit(const char *name, const char *typed) {
    const char *at = name, *next = typed;
    for (; *next; next++, at++) {
        while (*at && lower(*at) != lower(*next))
            at++;
        if (!*at)
            return -1;
    }
    size_t size = (size_t)(next - typed);
    if (at != name + size)
        return 2;
    return strncmp(name, typed, size) == 0 ? 0 : 1;
}

// Names of our headers' own, and of the C++ library's, which nobody wants unasked.
static bool is_internal(const char *name, const char *typed) {
    bool ours = g_str_has_prefix(name, "__gcl") || g_str_has_prefix(name, "__GCL") ||
                (g_str_has_prefix(name, "gcl") && g_ascii_isupper(name[3])) ||
                g_str_has_prefix(name, "GCL");
    if (ours)
        return g_ascii_strncasecmp(typed, "gcl", 3) != 0 && !g_str_has_prefix(typed, "__gcl");
    return name[0] == '_' && typed[0] != '_' && !gcl_builtin_find(name);
}

static char *chunk_text(CXCompletionString string, unsigned chunk) {
    return gcl_cursor_take_text(clang_getCompletionChunkText(string, chunk));
}

// The name that a result is found by, "" if it has none. The name isn't copied, as there are
// thousands: it lives as long as the results.
static const char *typed_text(CXCompletionString string) {
    for (unsigned i = 0; i < clang_getNumCompletionChunks(string); i++) {
        if (clang_getCompletionChunkKind(string, i) != CXCompletionChunk_TypedText)
            continue;
        CXString text = clang_getCompletionChunkText(string, i);
        const char *name = clang_getCString(text);
        clang_disposeString(text); // it refers to the results
        return name ? name : "";
    }
    return "";
}

static GArray *find_candidates(const CXCodeCompleteResults *results, const char *typed) {
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct candidate));
    g_array_set_clear_func(found, candidate_clear);
    for (unsigned i = 0; i < results->NumResults; i++) {
        CXCompletionString string = results->Results[i].CompletionString;
        const char *name = typed_text(string);
        int how = *name ? fit(name, typed) : -1;
        if (how < 0 || is_internal(name, typed) ||
            clang_getCompletionAvailability(string) == CXAvailability_NotAccessible)
            continue;
        unsigned priority = gcl_builtin_find(name) ? 20 : clang_getCompletionPriority(string);
        struct candidate candidate = {i, NULL, (unsigned)how * 1000 + priority, g_strdup(name)};
        g_array_append_val(found, candidate);
    }
    return found;
}

static bool is_found(const GArray *found, const char *name) {
    for (guint i = 0; i < found->len; i++) {
        if (strcmp(g_array_index(found, struct candidate, i).name, name) == 0)
            return true;
    }
    return false;
}

// clang leaves out names with two underscores that system headers declare, which most of CUDA's
// are.
static void add_builtins(const struct gcl_query *query, uint32_t begin,
                         CXCodeCompleteResults *results, const char *typed, GArray *found) {
    const struct gcl_builtin *builtin;
    unsigned long long members =
        CXCompletionContext_DotMemberAccess | CXCompletionContext_ArrowMemberAccess;
    unsigned long long context = clang_codeCompleteGetContexts(results);
    bool is_qualified = begin > 0 && gcl_line_table_data(query->view->text, NULL)[begin - 1] == ':';
    if (is_qualified || (context != CXCompletionContext_Unknown && (context & members)))
        return;
    for (guint i = 0; (builtin = gcl_builtin_at(i)); i++) {
        int how = *typed ? fit(builtin->name, typed) : -1;
        if (how < 0 || is_found(found, builtin->name))
            continue;
        struct candidate candidate = {0, builtin, (unsigned)how * 1000 + 20,
                                      g_strdup(builtin->name)};
        g_array_append_val(found, candidate);
    }
}

void gcl_completion_describe(CXCompletionString string, GString *label, char **type) {
    for (unsigned i = 0; i < clang_getNumCompletionChunks(string); i++) {
        enum CXCompletionChunkKind kind = clang_getCompletionChunkKind(string, i);
        g_autofree char *text = chunk_text(string, i);
        if (kind == CXCompletionChunk_ResultType)
            *type = gcl_report_in_cuda_words(g_steal_pointer(&text));
        else if (kind == CXCompletionChunk_Optional)
            gcl_completion_describe(clang_getCompletionChunkCompletionString(string, i), label,
                                    type);
        else if (kind != CXCompletionChunk_VerticalSpace)
            g_string_append(label, text);
    }
}

/// LSP's CompletionItemKind.
static int kind_of(enum CXCursorKind kind) {
    enum {
        TEXT = 1,
        METHOD,
        FUNCTION,
        CONSTRUCTOR,
        FIELD,
        VARIABLE,
        CLASS,
        INTERFACE,
        MODULE,
        PROPERTY,
        UNIT,
        VALUE,
        ENUM,
        KEYWORD,
        SNIPPET,
        COLOR,
        FILE_KIND,
        REFERENCE,
        FOLDER,
        ENUM_MEMBER,
        CONSTANT,
        STRUCT
    };
    switch (kind) {
    case CXCursor_CXXMethod:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        return METHOD;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
        return FUNCTION;
    case CXCursor_Constructor:
        return CONSTRUCTOR;
    case CXCursor_FieldDecl:
        return FIELD;
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        return VARIABLE;
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
        return CLASS;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        return STRUCT;
    case CXCursor_Namespace:
        return MODULE;
    case CXCursor_EnumDecl:
        return ENUM;
    case CXCursor_EnumConstantDecl:
        return ENUM_MEMBER;
    case CXCursor_MacroDefinition:
        return CONSTANT;
    case CXCursor_NotImplemented:
        return KEYWORD;
    default:
        return TEXT;
    }
}

static void document(json_t *item, const struct gcl_builtin *builtin) {
    json_object_set_new(item, "detail", json_string(builtin->signature));
    json_object_set_new(item, "documentation", gcl_tree_markdown(builtin->text));
    if (strchr(builtin->signature, '('))
        json_object_set_new(item, "kind", json_integer(kind_of(CXCursor_FunctionDecl)));
}

static json_t *item_of(const struct candidate *candidate, const char *label, enum CXCursorKind kind,
                       json_t *range, guint order) {
    json_t *item = json_pack("{s:o, s:i, s:o, s:o, s:{s:O, s:o}}", "label", gcl_json_text(label),
                             "kind", kind_of(kind), "filterText", gcl_json_text(candidate->name),
                             "sortText", json_sprintf("%05u", order), "textEdit", "range", range,
                             "newText", gcl_json_text(candidate->name));
    const struct gcl_builtin *builtin = gcl_builtin_find(candidate->name);
    if (builtin)
        document(item, builtin);
    return item;
}

// How a result reads in the list; what it gives goes to `type`, as in gcl_completion_describe.
static char *label_of(CXCompletionString string, char **type) {
    g_autoptr(GString) label = g_string_new(NULL);
    gcl_completion_describe(string, label, type);
    return gcl_report_in_cuda_words(g_strdup(label->str));
}

static json_t *describe(const CXCompletionResult *result, const struct candidate *candidate,
                        json_t *range, guint order) {
    CXCompletionString string = result->CompletionString;
    g_autofree char *type = NULL, *shown = label_of(string, &type);
    g_autofree char *brief = gcl_cursor_take_text(clang_getCompletionBriefComment(string));
    json_t *item = item_of(candidate, shown, result->CursorKind, range, order);
    if (type && !json_object_get(item, "detail"))
        json_object_set_new(item, "detail", gcl_json_text(type));
    if (*brief && !json_object_get(item, "documentation"))
        json_object_set_new(item, "documentation", gcl_json_text(brief));
    if (clang_getCompletionAvailability(string) == CXAvailability_Deprecated)
        json_object_set_new(item, "tags", json_pack("[i]", 1));
    return item;
}

// The words of `#pragma gcluster`, on a line that has it before the place; NULL on others.
static json_t *pragma_words(const struct gcl_query *query, json_t *range) {
    static const char *const words[] = {
#define GCL_PRAGMA_WORD(name, keyword) keyword,
        GCL_PRAGMA_KINDS(GCL_PRAGMA_WORD)
#undef GCL_PRAGMA_WORD
    };
    const struct gcl_line_table *text = query->view->text;
    uint32_t line, character, begin, end;
    gcl_line_table_locate(text, query->offset, &line, &character);
    gcl_line_table_line(text, line, &begin, &end);
    g_autofree char *before =
        g_strndup(gcl_line_table_data(text, NULL) + begin, query->offset - begin);
    const char *at = before + strspn(before, " \t#");
    if (!g_str_has_prefix(at, "pragma") || !strstr(at, "gcluster"))
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        json_array_append_new(items,
                              json_pack("{s:s, s:i, s:{s:O, s:s}}", "label", words[i], "kind", 14,
                                        "textEdit", "range", range, "newText", words[i]));
    return items;
}

static json_t *items_of(const struct gcl_query *query, uint32_t begin, uint32_t end, json_t *range,
                        bool *is_partial) {
    const char *text = gcl_line_table_data(query->view->text, NULL);
    assert(begin <= query->offset && query->offset <= end);
    g_autofree char *typed = g_strndup(text + begin, query->offset - begin);
    json_t *items = json_array();
    CXCodeCompleteResults *results = results_for(query, begin, end);
    if (!results)
        return items;
    g_autoptr(GArray) found = find_candidates(results, typed);
    add_builtins(query, begin, results, typed, found);
    g_array_sort(found, compare);
    *is_partial = found->len > SHOWN_MAX;
    for (guint i = 0; i < MIN(found->len, SHOWN_MAX); i++) {
        const struct candidate *candidate = &g_array_index(found, struct candidate, i);
        assert(candidate->builtin || candidate->index < results->NumResults);
        json_t *item = candidate->builtin
                           ? item_of(candidate, candidate->name, CXCursor_FunctionDecl, range, i)
                           : describe(&results->Results[candidate->index], candidate, range, i);
        json_array_append_new(items, item);
    }
    return items;
}

// Gives each item the place where it was asked for, which completionItem/resolve needs.
static void add_data(const struct gcl_query *query, uint32_t begin, json_t *items) {
    json_t *item, *data = json_pack("{s:o, s:o}", "uri", gcl_json_text(query->view->uri),
                                    "position", gcl_line_table_position(query->view->text, begin));
    size_t i;
    json_array_foreach(items, i, item) json_object_set(item, "data", data);
    json_decref(data);
}

json_t *gcl_feature_completion(const struct gcl_query *query) {
    uint32_t begin, end;
    bool is_partial = false;
    gcl_line_table_word(query->view->text, query->offset, &begin, &end);
    json_t *range = gcl_line_table_range(query->view->text, begin, end);
    json_t *items = pragma_words(query, range);
    if (!items)
        items = items_of(query, begin, end, range, &is_partial);
    json_decref(range);
    add_data(query, begin, items);
    return json_pack("{s:b, s:o}", "isIncomplete", is_partial, "items", items);
}

// The comment on what the item stands for, to be freed; "" if there is none any more.
static char *find_comment(const CXCodeCompleteResults *results, const json_t *item) {
    const char *name = json_string_value(json_object_get(item, "filterText"));
    const char *label = json_string_value(json_object_get(item, "label"));
    for (unsigned i = 0; i < results->NumResults; i++) {
        CXCompletionString string = results->Results[i].CompletionString;
        g_autofree char *type = NULL;
        if (g_strcmp0(typed_text(string), name) != 0)
            continue;
        g_autofree char *shown = label_of(string, &type);
        if (g_strcmp0(shown, label) == 0)
            return gcl_cursor_take_text(clang_getCompletionBriefComment(string));
    }
    return g_strdup("");
}

json_t *gcl_feature_completion_resolve(const struct gcl_query *query) {
    const json_t *position = json_object_get(json_object_get(query->params, "data"), "position");
    json_t *item = json_copy((json_t *)query->params);
    uint32_t offset;
    if (json_object_get(item, "documentation") ||
        !gcl_line_table_offset_of(query->view->text, position, &offset))
        return item;
    CXCodeCompleteResults *results = gcl_completion_ask(query, offset, true);
    if (!results)
        return item;
    g_autofree char *comment = find_comment(results, item);
    if (*comment)
        json_object_set_new(item, "documentation", gcl_json_text(comment));
    clang_disposeCodeCompleteResults(results);
    return item;
}
