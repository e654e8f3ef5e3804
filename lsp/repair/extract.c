// The way from an expression up to its statement decides: each step has to be one in which the
// operand is computed exactly once, whenever the statement is reached. What isn't known to be such
// a step is none. The variable is const, so that clang refuses what would change a copy.
#include "lsp/repair/extract.h"

#include "lsp/base/json.h"
#include "lsp/read/node.h"
#include "lsp/repair/edits.h"

// The expression that a range of the text is, the outermost of several; null if it is none that is
// worth a name.
static TSNode find_expression(TSNode root, uint32_t begin, uint32_t end) {
    static const char *const expressions[] = {"binary_expression",
                                              "call_expression",
                                              "cast_expression",
                                              "char_literal",
                                              "compound_literal_expression",
                                              "conditional_expression",
                                              "field_expression",
                                              "number_literal",
                                              "parenthesized_expression",
                                              "pointer_expression",
                                              "sizeof_expression",
                                              "string_literal",
                                              "subscript_expression",
                                              "unary_expression",
                                              NULL};
    TSNode node = ts_node_named_descendant_for_byte_range(root, begin, end), found = {0};
    while (!ts_node_is_null(node) && ts_node_start_byte(node) == begin &&
           ts_node_end_byte(node) == end) {
        if (gcl_node_is_one_of(node, expressions))
            found = node;
        node = ts_node_parent(node);
    }
    return found;
}

// Whether an operand is named to be changed, called or pointed at, or a part of it is.
static bool is_place(TSNode parent, TSNode child) {
    return (gcl_node_is(parent, "assignment_expression") &&
            gcl_node_is_field(parent, "left", child)) ||
           (gcl_node_is(parent, "pointer_expression") && gcl_node_has_operator(parent, "&")) ||
           (gcl_node_is(parent, "call_expression") &&
            gcl_node_is_field(parent, "function", child)) ||
           ((gcl_node_is(parent, "field_expression") ||
             gcl_node_is(parent, "subscript_expression")) &&
            gcl_node_is_field(parent, "argument", child));
}

static bool is_computed_once(TSNode parent, TSNode child) {
    static const char *const always[] = {"argument_list",
                                         "assignment_expression",
                                         "call_expression",
                                         "cast_expression",
                                         "field_expression",
                                         "initializer_list",
                                         "kernel_call_syntax",
                                         "parenthesized_expression",
                                         "pointer_expression",
                                         "subscript_argument_list",
                                         "subscript_expression",
                                         "unary_expression",
                                         NULL};
    if (gcl_node_is(parent, "binary_expression"))
        return gcl_node_is_field(parent, "left", child) ||
               (!gcl_node_has_operator(parent, "&&") && !gcl_node_has_operator(parent, "||"));
    if (gcl_node_is(parent, "conditional_expression"))
        return gcl_node_is_field(parent, "condition", child);
    if (gcl_node_is(parent, "init_declarator")) // those in front of it may declare its names
        return gcl_node_is_field(parent, "value", child) &&
               !gcl_node_is(ts_node_prev_sibling(parent), ",");
    return gcl_node_is_one_of(parent, always);
}

// Whether a node is all that a statement computes first.
static bool is_statement_of(TSNode parent, TSNode child) {
    static const char *const statements[] = {"declaration", "expression_statement",
                                             "return_statement", "throw_statement", NULL};
    if (gcl_node_is(parent, "if_statement") || gcl_node_is(parent, "switch_statement"))
        return gcl_node_is_field(parent, "condition", child);
    return gcl_node_is_one_of(parent, statements);
}

// The statement of a block in front of which an expression can be computed; null if there is none.
static TSNode find_statement(TSNode node) {
    bool is_whole = true; // what `node` has become on the way is the expression in brackets
    for (;;) {
        TSNode parent = ts_node_parent(node);
        if (is_whole && is_place(parent, node))
            break;
        is_whole &= gcl_node_is(parent, "parenthesized_expression");
        if (is_statement_of(parent, node))
            return gcl_node_is(ts_node_parent(parent), "compound_statement") ? parent : (TSNode){0};
        bool is_condition =
            gcl_node_is(parent, "condition_clause") && gcl_node_is_field(parent, "value", node);
        if (!is_condition && !is_computed_once(parent, node))
            break;
        node = parent;
    }
    return (TSNode){0};
}

json_t *gcl_extract_variable(struct gcl_glance *glance, const struct gcl_line_table *text,
                             uint32_t begin, uint32_t end) {
    const char *data = gcl_line_table_data(text, NULL);
    while (begin < end && g_ascii_isspace(data[begin]))
        begin++;
    while (begin < end && g_ascii_isspace(data[end - 1]))
        end--;
    TSTree *tree = begin < end ? gcl_glance_tree(glance, text) : NULL;
    TSNode expression = tree ? find_expression(ts_tree_root_node(tree), begin, end) : (TSNode){0};
    if (ts_node_is_null(expression) || ts_node_has_error(expression) ||
        gcl_node_is(ts_node_parent(expression), "expression_statement"))
        return NULL;
    TSNode statement = find_statement(expression);
    if (ts_node_is_null(statement))
        return NULL;
    g_autofree char *name = gcl_edits_name(text, "value"), *words = gcl_node_text(text, expression);
    g_autofree char *declaration = g_strdup_printf("const auto %s = %s;", name, words);
    json_t *edits = json_array();
    gcl_edits_declare(text, edits, ts_node_start_byte(statement), declaration);
    gcl_edits_replace(text, edits, begin, end, name);
    return json_pack("{s:s, s:o}", "title", "give it a name: extract to a variable", "edits",
                     edits);
}
