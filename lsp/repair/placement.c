// The new function stands where the old one does, so all names mean the same there. A template's
// head is copied, and its parameters are named in the call, so that nothing has to be deduced. Of a
// member of a class a method is made.
#include "lsp/repair/placement.h"

#include <string.h>

#include "frontend/cursor.h"
#include "lsp/read/tree.h"

// Conditional text around a definition is around what stands in front of it as well.
static TSNode parent_of(TSNode node) {
    static const char *const conditional[] = {"preproc_elif", "preproc_else",  "preproc_elifdef",
                                              "preproc_if",   "preproc_ifdef", NULL};
    do
        node = ts_node_parent(node);
    while (gcl_node_is_one_of(node, conditional));
    return node;
}

// The name of a template's parameter as an argument, to be freed; NULL if it has none, or is of a
// kind that can't be named in the call as easily.
static char *parameter_name(const struct gcl_view *view, TSNode parameter) {
    TSNode name = {0};
    bool is_pack = gcl_node_is(parameter, "variadic_type_parameter_declaration") ||
                   gcl_node_is(parameter, "variadic_parameter_declaration");
    if (gcl_node_is(parameter, "type_parameter_declaration") ||
        gcl_node_is(parameter, "variadic_type_parameter_declaration"))
        name = ts_node_named_child(parameter, 0);
    else if (gcl_node_is(parameter, "optional_type_parameter_declaration"))
        name = gcl_node_field(parameter, "name");
    else if (gcl_node_is(parameter, "variadic_parameter_declaration"))
        name = ts_node_named_child(gcl_node_field(parameter, "declarator"), 0);
    else if (gcl_node_is(parameter, "parameter_declaration") ||
             gcl_node_is(parameter, "optional_parameter_declaration"))
        name = gcl_node_field(parameter, "declarator");
    if (!gcl_node_is(name, "identifier") && !gcl_node_is(name, "type_identifier"))
        return NULL;
    g_autofree char *words = gcl_node_text(view->text, name);
    return g_strconcat(words, is_pack ? "..." : "", NULL);
}

static bool read_template(const struct gcl_view *view, TSNode declaration,
                          struct gcl_placement *placement) {
    TSNode list = gcl_node_field(declaration, "parameters");
    uint32_t count = ts_node_named_child_count(list);
    for (uint32_t i = 0; i < count; i++) {
        TSNode parameter = ts_node_named_child(list, i);
        char *name = parameter_name(view, parameter);
        bool is_pack = name && g_str_has_suffix(name, "...");
        if (is_pack && i + 1 < count) { // it would take the arguments behind it
            g_free(name);
            return false;
        }
        if (name)
            g_ptr_array_add(placement->names, name);
        else if (!gcl_node_is(parameter, "comment"))
            return false;
    }
    TSNode next = ts_node_next_named_sibling(list);
    g_autofree char *words = gcl_node_text(view->text, list);
    g_ptr_array_add(placement->names, NULL);
    g_autofree char *names = g_strjoinv(", ", (char **)placement->names->pdata);
    g_ptr_array_set_size(placement->names, (int)placement->names->len - 1);
    g_free(placement->head);
    g_free(placement->arguments);
    placement->head = g_strdup_printf("template %s\n", words);
    placement->arguments = g_strdup_printf("<%s>", names);
    return placement->names->len > 0 && !strchr(words, '\n') &&
           gcl_node_is(next, "function_definition");
}

static TSNode root_of(TSNode node) {
    for (TSNode parent = node; !ts_node_is_null(parent); parent = ts_node_parent(parent))
        node = parent;
    return node;
}

// Whether a class is one of a file or namespace, or of such a class.
static bool is_outside_of_functions(TSNode node) {
    while (!ts_node_is_null(node) && !gcl_node_is(node, "compound_statement"))
        node = ts_node_parent(node);
    return ts_node_is_null(node);
}

// Whether a function is of a kind, or a template of such.
static bool is_of_kind(CXCursor function, enum CXCursorKind wanted) {
    enum CXCursorKind kind = clang_getCursorKind(function);
    return kind == wanted ||
           (kind == CXCursor_FunctionTemplate && clang_getTemplateCursorKind(function) == wanted);
}

static const char *place_member(TSNode members, struct gcl_placement *placement) {
    CXCursor function = placement->function;
    if (!is_outside_of_functions(members))
        return "its class is one of a function";
    placement->storage = clang_CXXMethod_isStatic(function) ? "static " : "";
    placement->suffix = clang_CXXMethod_isConst(function) ? " const" : "";
    return NULL;
}

// The scope in front of the name that a function is defined with, "A::", to be freed; NULL: none.
static char *scope_of(const struct gcl_view *view, TSNode function) {
    TSNode declarator = gcl_node_field(function, "declarator");
    while (!ts_node_is_null(declarator) && !gcl_node_is(declarator, "qualified_identifier"))
        declarator = gcl_node_is(declarator, "reference_declarator")
                         ? ts_node_named_child(declarator, 0)
                         : gcl_node_field(declarator, "declarator");
    TSNode name = declarator;
    while (gcl_node_is(name, "qualified_identifier"))
        name = gcl_node_field(name, "name");
    return ts_node_is_null(name) ? NULL
                                 : gcl_line_table_copy(view->text, ts_node_start_byte(declarator),
                                                       ts_node_start_byte(name));
}

static const char *place_outside(const struct gcl_view *view, TSNode function, TSNode root,
                                 struct gcl_placement *placement) {
    CXCursor declared = clang_getCanonicalCursor(placement->function);
    uint32_t begin, end;
    CXCursor class = clang_getCursorSemanticParent(placement->function);
    bool is_template = clang_getCursorKind(class) == CXCursor_ClassTemplate;
    char *scope = scope_of(view, function);
    if ((*placement->head && !is_template) || !scope) {
        g_free(scope);
        return "the function is a template that is defined outside of its class";
    }
    g_free(placement->scope);
    g_free(placement->arguments);
    placement->scope = scope;
    placement->arguments = g_strdup(""); // the head is that of the class
    if (!gcl_tree_name(view, declared, &begin, &end))
        return "its class is in another file";
    TSNode node = ts_node_named_descendant_for_byte_range(root, begin, end);
    while (!ts_node_is_null(node) && !gcl_node_is(ts_node_parent(node), "field_declaration_list"))
        node = ts_node_parent(node);
    if (ts_node_is_null(node))
        return "there is no place for a declaration in its class";
    placement->declaration = node;
    return place_member(ts_node_parent(node), placement);
}

static const char *place_function(const struct gcl_view *view, TSNode definition, TSNode parent,
                                  struct gcl_placement *placement) {
    static const char nowhere[] = "there is no place for a function in front of this one";
    CXCursor function = placement->function;
    TSNode outer = ts_node_parent(parent);
    bool is_linked = gcl_node_is(outer, "linkage_specification");
    bool is_outside = gcl_node_is(parent, "translation_unit") ||
                      (gcl_node_is(parent, "declaration_list") &&
                       (is_linked || gcl_node_is(outer, "namespace_definition")));
    if (gcl_cursor_is_null(function) || !is_outside || (is_linked && *placement->head))
        return nowhere;
    if (gcl_tree_is_member(function))
        return place_outside(view, definition, root_of(parent), placement);
    placement->storage = "static ";
    return is_of_kind(function, CXCursor_FunctionDecl) ? NULL : nowhere;
}

const char *gcl_placement_find(const struct gcl_view *view, TSNode function,
                               struct gcl_placement *placement) {
    TSNode parent = parent_of(function);
    uint32_t body = ts_node_start_byte(gcl_node_field(function, "body"));
    CXCursor cursor = gcl_tree_cursor(view, body);
    while (!gcl_cursor_is_null(cursor) && !gcl_cursor_is_function(clang_getCursorKind(cursor)) &&
           clang_getCursorKind(cursor) != CXCursor_TranslationUnit)
        cursor = clang_getCursorSemanticParent(cursor);
    *placement = (struct gcl_placement){
        .definition = function,
        .function = cursor,
        .suffix = "",
        .head = g_strdup(""),
        .arguments = g_strdup(""),
        .scope = g_strdup(""),
        .names = g_ptr_array_new_with_free_func(g_free),
    };
    if (gcl_node_is(parent, "template_declaration")) {
        placement->definition = parent;
        if (!read_template(view, parent, placement))
            return "its template has parameters that can't be named in a call";
        parent = parent_of(parent);
    }
    g_autofree char *words = gcl_line_table_copy(view->text, ts_node_start_byte(function), body);
    if (strstr(words, "constexpr") || strstr(words, "consteval"))
        return "the function is constexpr";
    return gcl_node_is(parent, "field_declaration_list")
               ? place_member(parent, placement)
               : place_function(view, function, parent, placement);
}

void gcl_placement_finish(struct gcl_placement *placement) {
    g_free(placement->head);
    g_free(placement->arguments);
    g_free(placement->scope);
    if (placement->names)
        g_ptr_array_unref(placement->names);
}
