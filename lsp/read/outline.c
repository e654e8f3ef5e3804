// One walk that looks into everything but the bodies of functions. It says what clang's outline
// (features/names/symbols.c) says, as far as that can be known from one file: types only as they
// are written, and what macros make isn't there.
#include "lsp/read/outline.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/rpc.h"
#include "lsp/read/node.h"
#include "lsp/read/symbol.h"

enum { DEPTH_MAX = 200 }; // of the tree; brackets may be nested as deep as somebody likes

/// What a part of the tree is in, and where its symbols go.
struct scope {
    json_t *symbols;
    const char *type; // the class whose members these are, or NULL
    TSNode whole;     // the outermost template_declaration around; null: there is none
    unsigned depth;
};

static void visit(const struct gcl_line_table *text, TSNode node, struct scope scope);
static void visit_children(const struct gcl_line_table *text, TSNode node, struct scope scope);

static bool is_kernel(const struct gcl_line_table *text, TSNode node) {
    for (uint32_t i = 0; i < ts_node_child_count(node); i++) {
        TSNode child = ts_node_child(node, i);
        g_autofree char *word =
            gcl_node_is(child, "type_qualifier") ? gcl_node_text(text, child) : NULL;
        if (g_strcmp0(word, "__global__") == 0)
            return true;
    }
    return false;
}

static json_t *add(const struct gcl_line_table *text, struct scope scope, TSNode node, TSNode at,
                   const char *name, int kind) {
    TSNode whole = ts_node_is_null(scope.whole) ? node : scope.whole;
    assert(ts_node_start_byte(whole) <= ts_node_start_byte(at) &&
           ts_node_end_byte(at) <= ts_node_end_byte(whole));
    json_t *symbol = json_pack(
        "{s:o, s:i, s:o, s:o}", "name", gcl_json_text(name), "kind", kind, "range",
        gcl_line_table_range(text, ts_node_start_byte(whole), ts_node_end_byte(whole)),
        "selectionRange", gcl_line_table_range(text, ts_node_start_byte(at), ts_node_end_byte(at)));
    json_array_append_new(scope.symbols, symbol);
    return symbol;
}

// Something with a name and, if it isn't only mentioned, a body.
static void visit_named(const struct gcl_line_table *text, TSNode node, int kind,
                        struct scope scope) {
    TSNode name = gcl_node_field(node, "name"), body = gcl_node_field(node, "body");
    bool is_alias = gcl_node_is(node, "alias_declaration");
    if (ts_node_is_null(body) && !is_alias && kind != GCL_SYMBOL_ENUM_MEMBER)
        return;
    bool has_name = !ts_node_is_null(name);
    g_autofree char *own = has_name ? gcl_node_text(text, name) : g_strdup("(anonymous)");
    TSNode first = ts_node_child(node, 0);
    json_t *symbol = add(text, scope, node, has_name ? name : first, own, kind);
    if (ts_node_is_null(body))
        return;
    bool is_type = kind == GCL_SYMBOL_CLASS || kind == GCL_SYMBOL_STRUCT;
    struct scope inner = {
        .symbols = json_array(), .type = is_type ? own : NULL, .depth = scope.depth};
    json_object_set_new(symbol, "children", inner.symbols);
    visit_children(text, body, inner);
}

// The name that a declarator is about, and whether it is a function: `*f(int)` is one, `(*f)(int)`
// is none.
static TSNode declared(TSNode node, bool *is_function) {
    for (TSNode next = node; !ts_node_is_null(next);) {
        node = next;
        if (gcl_node_is(node, "function_declarator"))
            *is_function = true;
        else if (gcl_node_is(node, "parenthesized_declarator"))
            *is_function = false;
        if (gcl_node_is(node, "reference_declarator") ||
            gcl_node_is(node, "parenthesized_declarator"))
            next = ts_node_named_child(node, ts_node_named_child_count(node) - 1);
        else if (gcl_node_is(node, "qualified_identifier"))
            next = gcl_node_field(node, "name");
        else
            next = gcl_node_field(node, "declarator");
    }
    return node;
}

static int function_kind(const char *name, struct scope scope) {
    if (!scope.type)
        return GCL_SYMBOL_FUNCTION;
    return strcmp(name, scope.type) == 0 ? GCL_SYMBOL_CONSTRUCTOR : GCL_SYMBOL_METHOD;
}

static void add_declared(const struct gcl_line_table *text, TSNode node, TSNode declarator,
                         int kind, struct scope scope) {
    bool is_function = false;
    TSNode at = declared(declarator, &is_function);
    g_autofree char *name = gcl_node_text(text, at);
    if (is_function && kind != GCL_SYMBOL_TYPE_PARAMETER)
        kind = function_kind(name, scope);
    bool launches = is_kernel(text, node);
    if (launches && kind == GCL_SYMBOL_FUNCTION)
        kind = GCL_SYMBOL_KERNEL;
    json_t *symbol = add(text, scope, node, at, name, kind);
    if (launches)
        json_object_set_new(symbol, "detail", json_string("__global__"));
}

// A type, which may have members here, and names after it. Bodies of functions aren't looked into.
static void visit_declaration(const struct gcl_line_table *text, TSNode node, int kind,
                              struct scope scope) {
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    bool more = ts_tree_cursor_goto_first_child(&cursor);
    for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
        const char *field = ts_tree_cursor_current_field_name(&cursor);
        TSNode child = ts_tree_cursor_current_node(&cursor);
        if (g_strcmp0(field, "type") == 0)
            visit(text, child, scope);
        if (g_strcmp0(field, "declarator") == 0)
            add_declared(text, node, child, kind, scope);
    }
    ts_tree_cursor_delete(&cursor);
}

struct row {
    const char *type;
    void (*visit)(const struct gcl_line_table *text, TSNode node, int kind, struct scope scope);
    int kind;
};

static const struct row *find_row(const char *type) {
    static const struct row rows[] = {
        {"alias_declaration", visit_named, GCL_SYMBOL_TYPE_PARAMETER},
        {"class_specifier", visit_named, GCL_SYMBOL_CLASS},
        {"compound_statement", NULL, 0},
        {"declaration", visit_declaration, GCL_SYMBOL_VARIABLE},
        {"enum_specifier", visit_named, GCL_SYMBOL_ENUM},
        {"enumerator", visit_named, GCL_SYMBOL_ENUM_MEMBER},
        {"field_declaration", visit_declaration, GCL_SYMBOL_FIELD},
        {"function_definition", visit_declaration, GCL_SYMBOL_FUNCTION},
        {"namespace_definition", visit_named, GCL_SYMBOL_NAMESPACE},
        {"struct_specifier", visit_named, GCL_SYMBOL_STRUCT},
        {"type_definition", visit_declaration, GCL_SYMBOL_TYPE_PARAMETER},
        {"union_specifier", visit_named, GCL_SYMBOL_STRUCT},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].type, type) == 0)
            return &rows[i];
    }
    return NULL;
}

static void visit_children(const struct gcl_line_table *text, TSNode node, struct scope scope) {
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    bool more = ++scope.depth < DEPTH_MAX && ts_tree_cursor_goto_first_child(&cursor);
    for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor))
        visit(text, ts_tree_cursor_current_node(&cursor), scope);
    ts_tree_cursor_delete(&cursor);
}

static void visit(const struct gcl_line_table *text, TSNode node, struct scope scope) {
    const struct row *row = find_row(ts_node_type(node));
    if (row && row->visit)
        row->visit(text, node, row->kind, scope);
    if (row || !ts_node_is_named(node))
        return;
    if (gcl_node_is(node, "template_declaration") && ts_node_is_null(scope.whole))
        scope.whole = node;
    visit_children(text, node, scope);
}

json_t *gcl_outline_create(const struct gcl_line_table *text, TSTree *tree) {
    struct scope scope = {.symbols = json_array()};
    visit(text, ts_tree_root_node(tree), scope);
    return scope.symbols;
}
