// Names of parameters before arguments, types behind `auto`, and what a launch's numbers are. What
// a macro makes gets no hints, which would all stand in front of the macro's name. Neither do the
// arguments of operators and of conversions: nobody wrote these calls.
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/features/writing/writing.h"
#include "lsp/read/tree.h"

enum { TYPE = 1, PARAMETER = 2 };

/// Which hints the user wants.
enum amount { NONE, OF_LAUNCHES, ALL };

struct hints {
    const struct gcl_view *view;
    enum amount amount;
    uint32_t begin, end;
    json_t *list;
    GHashTable *named; // arguments by their first bytes; a macro may have one more than once
};

static void add(const struct hints *hints, uint32_t offset, const char *label, int kind) {
    if (offset < hints->begin || offset > hints->end)
        return;
    json_array_append_new(hints->list,
                          json_pack("{s:o, s:o, s:i, s:b, s:b}", "position",
                                    gcl_line_table_position(hints->view->text, offset), "label",
                                    gcl_json_text(label), "kind", kind, "paddingRight",
                                    kind == PARAMETER, "paddingLeft", 0));
}

// An argument that says its parameter's name needs no hint.
static bool says(const struct gcl_view *view, uint32_t begin, uint32_t end, const char *name) {
    g_autofree char *text = g_strndup(gcl_line_table_data(view->text, NULL) + begin, end - begin);
    g_autofree char *low = g_ascii_strdown(text, -1), *wanted = g_ascii_strdown(name, -1);
    return strstr(low, wanted) != NULL;
}

static bool is_operator(CXCursor function) {
    static const char *const prefix = "operator";
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(function));
    const char *behind = g_str_has_prefix(name, prefix) ? name + strlen(prefix) : "a";
    return !g_ascii_isalnum(*behind) && *behind != '_' && strcmp(behind, "()") != 0;
}

static void see_argument(const struct hints *hints, CXCursor argument, CXCursor parameter) {
    uint32_t begin, end;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(parameter));
    const char *plain = name + strspn(name, "_");
    if (!*plain || !gcl_tree_is_written(argument) ||
        !gcl_tree_extent(hints->view, clang_getCursorExtent(argument), &begin, &end) ||
        begin == end || !g_hash_table_add(hints->named, GUINT_TO_POINTER(begin)))
        return;
    g_autofree char *label = g_strdup_printf("%s:", plain);
    if (!says(hints->view, begin, end, plain))
        add(hints, begin, label, PARAMETER);
}

static void see_call(const struct hints *hints, CXCursor call) {
    CXCursor function = clang_getCursorReferenced(call);
    int count = clang_Cursor_getNumArguments(call);
    if (clang_Cursor_isNull(function) || !gcl_tree_is_written(call) || is_operator(function) ||
        (hints->amount != ALL && !gcl_tree_is_kernel(function)) ||
        count > clang_Cursor_getNumArguments(function))
        return;
    for (int i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if (!clang_equalRanges(clang_getCursorExtent(argument), clang_getCursorExtent(call)))
            see_argument(hints, argument, clang_Cursor_getArgument(function, (unsigned)i));
    }
}

static void see_variable(const struct hints *hints, CXCursor variable) {
    uint32_t begin, end;
    CXType type = clang_getCursorType(variable);
    g_autofree char *written = gcl_cursor_take_text(clang_getTypeSpelling(type));
    g_autofree char *real =
        gcl_cursor_take_text(clang_getTypeSpelling(clang_getCanonicalType(type)));
    bool is_known = strcmp(real, "auto") != 0 && !strstr(real, "dependent type");
    bool is_lambda = strstr(real, "(lambda at ") != NULL;
    if (type.kind != CXType_Auto || !is_known || is_lambda || strlen(real) > 60 ||
        !gcl_tree_is_written(variable) || !gcl_tree_name(hints->view, variable, &begin, &end))
        return;
    g_autofree char *label = g_strdup_printf(": %s", strcmp(written, "auto") ? written : real);
    add(hints, end, label, TYPE);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    const struct hints *hints = data;
    uint32_t begin, end;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (gcl_tree_extent(hints->view, clang_getCursorExtent(cursor), &begin, &end) &&
        (end < hints->begin || begin > hints->end))
        return CXChildVisit_Continue;
    if (kind == CXCursor_CallExpr)
        see_call(hints, cursor);
    else if (kind == CXCursor_VarDecl && hints->amount == ALL)
        see_variable(hints, cursor);
    return CXChildVisit_Recurse;
}

// What is between <<< and >>>, and the arguments behind that.
static void add_launches(const struct hints *hints) {
    static const char *const names[] = {"grid", "block", "shared", "stream"};
    const struct gcl_unit_file *source = gcl_unit_find(hints->view->unit, hints->view->path);
    for (guint i = 0; source && i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        bool is_whole = launch->keep != GCL_KEEP_UNMATCHED && launch->keep != GCL_KEEP_NOT_A_CALL;
        for (uint32_t c = 0; is_whole && c < launch->configuration_count; c++) {
            struct gcl_source_range range = launch->configuration[c];
            g_autofree char *label = g_strdup_printf("%s:", names[c]);
            if (g_hash_table_add(hints->named, GUINT_TO_POINTER(range.begin)) &&
                !says(hints->view, range.begin, range.end, names[c]))
                add(hints, range.begin, label, PARAMETER);
        }
    }
}

static enum amount amount_of(const struct gcl_query *query) {
    const json_t *setting = json_object_get(query->worker->settings, "hints");
    const char *word = json_string_value(setting);
    return g_strcmp0(word, "all") == 0 ? ALL : g_strcmp0(word, "none") == 0 ? NONE : OF_LAUNCHES;
}

json_t *gcl_feature_inlay_hints(const struct gcl_query *query) {
    g_autoptr(GHashTable) named = g_hash_table_new(NULL, NULL);
    // Hints of the whole text answer a question without a good range.
    struct hints hints = {query->view, amount_of(query), 0, UINT32_MAX, json_array(), named};
    if (hints.amount == NONE)
        return hints.list;
    gcl_line_table_range_of(query->view->text, json_object_get(query->params, "range"),
                            &hints.begin, &hints.end);
    add_launches(&hints);
    gcl_tree_visit(query->view, visit, &hints);
    return hints.list;
}
