// What may stand here, and which arguments a call takes: asked of clang for the text as it is, with
// the headers that it has read before.
#include "lsp/features/writing/completion.h"

#include <assert.h>
#include <string.h>

#include "frontend/cursor.h"
#include "frontend/report.h"
#include "frontend/text/lexer.h"
#include "lsp/base/json.h"
#include "lsp/features/writing/call.h"
#include "lsp/features/writing/directive.h"
#include "lsp/features/writing/insertion.h"
#include "lsp/features/writing/writing.h"
#include "lsp/read/builtin.h"
#include "lsp/read/tree.h"
#include "support/support.h"

enum {
    SHOWN_MAX = 200,
    FITS = 1000,       // how well a name fits what was typed counts more than any priority
    BUILTIN_RANK = 36, // of CUDA's own names: behind local variables, before the rest
};

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

// What gcluster's headers are made of, and nobody writes.
static bool is_hidden(const char *name) {
    static const char *const beginnings[] = {"__gcl",  "__GCL", "__get_", "__fetch_builtin",
                                             "__cuda", "gcl_",  NULL};
    for (const char *const *beginning = beginnings; *beginning; beginning++) {
        if (g_str_has_prefix(name, *beginning))
            return true;
    }
    return strcmp(name, "gcluster/") == 0 || strcmp(name, "cuda_wrappers/") == 0 ||
           g_str_has_prefix(name, "gcluster_");
}

// Names of gcluster's own API, which nobody wants unasked, and of the C++ library's inside, which
// nobody wants that isn't in the text.
static bool is_internal(const struct gcl_view *view, const char *name, const char *typed) {
    if (is_hidden(name))
        return true;
    if ((g_str_has_prefix(name, "gcl") && g_ascii_isupper(name[3])) ||
        g_str_has_prefix(name, "GCL"))
        return g_ascii_strncasecmp(typed, "gcl", 3) != 0;
    if (name[0] != '_')
        return false;
    size_t size;
    const char *text = gcl_line_table_data(view->text, &size);
    return typed[0] != '_' ||
           !(gcl_builtin_find(name) || gcl_support_find(name).level > GCL_SUPPORT_REFUSED ||
             g_strstr_len(text, (gssize)size, name));
}

// Operators, destructors and the name of the class itself, which are members, too.
static bool is_unusual(const char *name, enum CXCursorKind kind, unsigned long long context,
                       const char *typed) {
    bool is_member =
        context != CXCompletionContext_Unknown &&
        (context & (CXCompletionContext_DotMemberAccess | CXCompletionContext_ArrowMemberAccess));
    bool is_class = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl;
    return is_member && !*typed &&
           (is_class || name[0] == '~' ||
            (g_str_has_prefix(name, "operator") && !g_ascii_isalnum(name[8]) && name[8] != '_'));
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

// The type of a variable, "" of what is none; to be freed.
static char *type_of_variable(const CXCompletionResult *result) {
    bool is_variable = result->CursorKind == CXCursor_VarDecl ||
                       result->CursorKind == CXCursor_ParmDecl ||
                       result->CursorKind == CXCursor_FieldDecl;
    CXCompletionString string = result->CompletionString;
    for (unsigned i = 0; is_variable && i < clang_getNumCompletionChunks(string); i++) {
        if (clang_getCompletionChunkKind(string, i) == CXCompletionChunk_ResultType)
            return gcl_report_in_cuda_words(chunk_text(string, i));
    }
    return g_strdup("");
}

static bool is_integer(const char *type) {
    static const char *const types[] = {
        "int",      "unsigned int", "long",     "unsigned long", "size_t",
        "short",    "uint32_t",     "int32_t",  "long long",     "unsigned long long",
        "uint64_t", "int64_t",      "unsigned", "std::size_t",   NULL};
    return g_strv_contains(types, type);
}

// How well a result serves as an argument between <<< and >>>: less is better.
static unsigned launch_rank(const CXCompletionResult *result, guint argument) {
    enum { BEST, NEXT, OTHER };
    g_autofree char *type = type_of_variable(result);
    const char *plain = g_str_has_prefix(type, "const ") ? type + strlen("const ") : type;
    bool is_stream = strcmp(plain, "cudaStream_t") == 0 || strcmp(plain, "CUstream") == 0;
    if (argument == 3)
        return is_stream ? BEST : OTHER;
    if (argument < 2 && strcmp(plain, "dim3") == 0)
        return BEST;
    return is_integer(plain) ? NEXT : OTHER;
}

/// What is asked for.
struct search {
    const struct gcl_query *query;
    const CXCodeCompleteResults *results;
    const char *typed;
    uint32_t begin, end; // the word
    int argument;        // of a launch's configuration, from 0; -1: it is none
    bool is_include;     // the name of a header
};

// Less is better. Local variables are better than CUDA's names, which are better than the rest.
static unsigned rank_of(const struct search *search, const CXCompletionResult *result,
                        const char *name, int how) {
    unsigned priority = clang_getCompletionPriority(result->CompletionString);
    if (search->argument >= 0)
        priority += 100 * launch_rank(result, (guint)search->argument);
    else if (gcl_builtin_find(name))
        priority = BUILTIN_RANK;
    return (unsigned)how * FITS + priority;
}

static bool is_found(const GArray *found, const char *name) {
    for (guint i = 0; i < found->len; i++) {
        if (strcmp(g_array_index(found, struct candidate, i).name, name) == 0)
            return true;
    }
    return false;
}

static GArray *find_candidates(const struct search *search) {
    const CXCodeCompleteResults *results = search->results;
    unsigned long long context =
        clang_codeCompleteGetContexts((CXCodeCompleteResults *)search->results);
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct candidate));
    g_array_set_clear_func(found, candidate_clear);
    for (unsigned i = 0; i < results->NumResults; i++) {
        const CXCompletionResult *result = &results->Results[i];
        const char *name = typed_text(result->CompletionString);
        int how = *name ? fit(name, search->typed) : -1;
        bool is_overload = how >= 0 && gcl_builtin_find(name) && is_found(found, name);
        if (how < 0 || is_overload || is_internal(search->query->view, name, search->typed) ||
            is_unusual(name, result->CursorKind, context, search->typed) ||
            clang_getCompletionAvailability(result->CompletionString) ==
                CXAvailability_NotAccessible)
            continue;
        struct candidate candidate = {i, NULL, rank_of(search, result, name, how), g_strdup(name)};
        g_array_append_val(found, candidate);
    }
    return found;
}

// clang leaves out names with two underscores that system headers declare, which most of CUDA's
// are.
static void add_builtins(const struct search *search, GArray *found) {
    const struct gcl_builtin *builtin;
    unsigned long long members =
        CXCompletionContext_DotMemberAccess | CXCompletionContext_ArrowMemberAccess;
    unsigned long long context =
        clang_codeCompleteGetContexts((CXCodeCompleteResults *)search->results);
    const char *text = gcl_line_table_data(search->query->view->text, NULL);
    bool is_qualified = search->begin > 0 && text[search->begin - 1] == ':';
    if (is_qualified || search->is_include ||
        (context != CXCompletionContext_Unknown && (context & members)))
        return;
    for (guint i = 0; (builtin = gcl_builtin_at(i)); i++) {
        int how = *search->typed ? fit(builtin->name, search->typed) : -1;
        if (how < 0 || is_found(found, builtin->name))
            continue;
        struct candidate candidate = {0, builtin, (unsigned)how * FITS + BUILTIN_RANK,
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
    case CXCursor_InclusionDirective:
        return FILE_KIND;
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

// "cudaFree(void *devPtr)", with CUDA's names of parameters; NULL: the builtin is no function.
static const char *signature_of(const struct gcl_builtin *builtin) {
    const char *own = builtin ? strstr(builtin->signature, builtin->name) : NULL;
    return own && own[strlen(builtin->name)] == '(' ? own : NULL;
}

// How a result reads in the list; what it gives goes to `type`, as in gcl_completion_describe.
static char *label_of(CXCompletionString string, const char *name, char **type) {
    const char *own = signature_of(gcl_builtin_find(name));
    if (own)
        return g_strdup(own);

    g_autoptr(GString) label = g_string_new(NULL);
    gcl_completion_describe(string, label, type);
    return gcl_report_in_cuda_words(g_strdup(label->str));
}

static void describe_header(json_t *item, const char *name) {
    g_autofree char *plain = g_strndup(name, strcspn(name, ">\""));
    const char *text = gcl_directive_header(plain);
    if (text)
        json_object_set_new(item, "documentation", json_string(text));
}

static void set_snippet(json_t *item, const struct search *search, const CXCompletionResult *result,
                        const char *name) {
    g_autofree char *snippet = gcl_insertion_snippet(search->query, result, name, search->end);
    if (!snippet)
        return;
    json_object_set_new(json_object_get(item, "textEdit"), "newText", gcl_json_text(snippet));
    json_object_set_new(item, "insertTextFormat", json_integer(2));
}

// Whether the name is declared in a list of macros, where clang takes one comment for many.
static bool is_listed(const char *name) {
    return g_str_has_prefix(name, "cuda") && g_ascii_isupper(name[4]);
}

static json_t *describe(const struct search *search, const struct candidate *candidate,
                        json_t *range, guint order) {
    const CXCompletionResult *result = &search->results->Results[candidate->index];
    CXCompletionString string = result->CompletionString;
    enum CXCursorKind kind = search->is_include ? CXCursor_InclusionDirective : result->CursorKind;
    g_autofree char *type = NULL, *shown = label_of(string, candidate->name, &type);
    g_autofree char *brief = gcl_cursor_take_text(clang_getCompletionBriefComment(string));
    json_t *item = item_of(candidate, shown, kind, range, order);
    if (type && !json_object_get(item, "detail"))
        json_object_set_new(item, "detail", gcl_json_text(type));
    if (*brief && !json_object_get(item, "documentation") && !is_listed(candidate->name))
        json_object_set_new(item, "documentation", gcl_json_text(brief));
    if (search->is_include)
        describe_header(item, candidate->name);
    if (clang_getCompletionAvailability(string) == CXAvailability_Deprecated)
        json_object_set_new(item, "tags", json_pack("[i]", 1));
    set_snippet(item, search, result, candidate->name);
    return item;
}

// The argument between <<< and >>> at a place, from 0; -1: it is none.
static int launch_argument(const struct gcl_query *query, uint32_t offset) {
    size_t size;
    struct gcl_call call;
    const char *text = gcl_line_table_data(query->view->text, &size);
    const char *open = g_strrstr_len(text, offset, "<<<");
    if (!open || g_strrstr_len(open, text + offset - open, ">>>"))
        return -1; // all of them are closed: to read all tokens takes milliseconds
    g_autoptr(GArray) tokens = gcl_lexer_read(text, size);
    return gcl_call_find(tokens, offset, &call) && call.is_configuration ? (int)call.commas : -1;
}

static json_t *describe_builtin(const struct search *search, const struct candidate *candidate,
                                json_t *range, guint order) {
    const char *label = signature_of(candidate->builtin);
    json_t *item =
        item_of(candidate, label ? label : candidate->name, CXCursor_NotImplemented, range, order);
    set_snippet(item, search, NULL, candidate->name);
    return item;
}

static json_t *list(const struct search *search, json_t *range, bool *is_partial) {
    json_t *items = json_array();
    g_autoptr(GArray) found = find_candidates(search);
    add_builtins(search, found);
    g_array_sort(found, compare);
    *is_partial = found->len > SHOWN_MAX;
    for (guint i = 0; i < MIN(found->len, SHOWN_MAX); i++) {
        const struct candidate *candidate = &g_array_index(found, struct candidate, i);
        assert(candidate->builtin || candidate->index < search->results->NumResults);
        json_t *item = candidate->builtin ? describe_builtin(search, candidate, range, i)
                                          : describe(search, candidate, range, i);
        json_array_append_new(items, item);
    }
    return items;
}

static json_t *items_of(const struct gcl_query *query, struct search *search, json_t *range,
                        bool *is_partial) {
    const char *text = gcl_line_table_data(query->view->text, NULL);
    assert(search->begin <= query->offset && query->offset <= search->end);
    g_autofree char *typed = g_strndup(text + search->begin, query->offset - search->begin);
    search->typed = typed;
    search->results = results_for(query, search->begin, search->end);
    if (!search->results)
        return json_array();
    search->argument = search->is_include ? -1 : launch_argument(query, search->begin);
    return list(search, range, is_partial);
}

// Whether a character that editors ask behind means nothing here: `<` that compares, for example.
static bool is_idle_trigger(const struct gcl_query *query, bool is_include) {
    const json_t *context = json_object_get(query->params, "context");
    const char *text = gcl_line_table_data(query->view->text, NULL) + query->offset;
    const char *character = json_string_value(json_object_get(context, "triggerCharacter"));
    if (json_integer_value(json_object_get(context, "triggerKind")) != 2 || !character)
        return false;
    switch (*character) {
    case '<':
        return !is_include && (query->offset < 3 || strncmp(text - 3, "<<<", 3) != 0);
    case '"':
    case '/':
        return !is_include;
    case '>':
        return query->offset < 2 || text[-2] != '-';
    case ':':
        return query->offset < 2 || text[-2] != ':';
    default:
        return false;
    }
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
    struct search search = {.query = query};
    bool is_partial = false;
    gcl_line_table_word(query->view->text, query->offset, &search.begin, &search.end);
    search.is_include = gcl_directive_includes(query, &search.begin, &search.end);
    json_t *range = gcl_line_table_range(query->view->text, search.begin, search.end);
    json_t *items = is_idle_trigger(query, search.is_include) ? json_array()
                                                              : gcl_directive_pragmas(query, range);
    if (!items)
        items = items_of(query, &search, range, &is_partial);
    json_decref(range);
    add_data(query, search.begin, items);
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
        g_autofree char *shown = label_of(string, name, &type);
        if (g_strcmp0(shown, label) == 0)
            return is_listed(name) ? g_strdup("")
                                   : gcl_cursor_take_text(clang_getCompletionBriefComment(string));
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
