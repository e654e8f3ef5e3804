// The kernel is parsed alone, by tree-sitter, from where clang says that it begins to where it
// ends: mistakes elsewhere in the file don't matter.
#include "lsp/repair/kernel_text.h"

#include <assert.h>
#include <string.h>

// Names.

bool gcl_kernel_text_is_name(const struct gcl_kernel_text *kernel, const struct gcl_token *token,
                             const char *name) {
    return token->kind == GCL_TOKEN_IDENTIFIER && gcl_token_is(token, kernel->bytes, name);
}

char *gcl_kernel_text_free_name(const struct gcl_kernel_text *kernel, const char *wanted,
                                uint32_t begin, uint32_t end) {
    assert(begin <= end);
    for (unsigned number = 1;; number++) {
        char *name = number == 1 ? g_strdup(wanted) : g_strdup_printf("%s%u", wanted, number);
        bool is_taken = false;
        for (guint i = 0; i < kernel->tokens->len && !is_taken; i++) {
            const struct gcl_token *token = &g_array_index(kernel->tokens, struct gcl_token, i);
            bool is_near = token->begin >= begin && token->begin < end;
            is_taken = (is_near || token->line == GCL_LINE_DEFINE) &&
                       gcl_kernel_text_is_name(kernel, token, name);
        }
        if (!is_taken)
            return name;
        g_free(name);
    }
}

// The kernel.

static TSNode named_child(TSNode node, const char *type) {
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (gcl_node_is(child, type))
            return child;
    }
    return (TSNode){0};
}

bool gcl_kernel_text_find(struct gcl_kernel_text *kernel, TSNode root) {
    TSNode template = named_child(root, "template_declaration");
    kernel->definition =
        named_child(ts_node_is_null(template) ? root : template, "function_definition");
    if (ts_node_is_null(kernel->definition) || ts_node_has_error(root))
        return false;
    kernel->body = gcl_node_field(kernel->definition, "body");
    TSNode declarator = gcl_node_field(kernel->definition, "declarator");
    while (!ts_node_is_null(declarator) && !gcl_node_is(declarator, "function_declarator"))
        declarator = gcl_node_field(declarator, "declarator");
    kernel->parameters = gcl_node_field(declarator, "parameters");
    TSNode name = gcl_node_field(declarator, "declarator");
    return gcl_node_is(kernel->body, "compound_statement") &&
           !ts_node_is_null(kernel->parameters) && gcl_node_is(name, "identifier");
}

TSTree *gcl_kernel_text_parse(const struct gcl_kernel_text *kernel, uint32_t end) {
    size_t size;
    const char *text = gcl_line_table_data(kernel->view->text, &size);
    assert(kernel->begin <= end && end <= size);
    TSParser *parser = gcl_node_parser();
    TSRange range = {.start_byte = kernel->begin, .end_byte = end};
    gcl_line_table_locate(kernel->view->text, kernel->begin, &range.start_point.row,
                          &range.start_point.column);
    gcl_line_table_locate(kernel->view->text, end, &range.end_point.row, &range.end_point.column);
    bool fits = ts_parser_set_included_ranges(parser, &range, 1);
    TSTree *tree = fits ? ts_parser_parse_string(parser, NULL, text, (uint32_t)size) : NULL;
    ts_parser_delete(parser);
    return tree;
}

unsigned gcl_kernel_text_mentions(const struct gcl_kernel_text *kernel, TSNode name) {
    g_autofree char *word = gcl_node_text(kernel->view->text, name);
    unsigned count = 0;
    for (guint i = gcl_token_at(kernel->tokens, ts_node_start_byte(kernel->body));
         i < kernel->tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(kernel->tokens, struct gcl_token, i);
        if (token->begin >= ts_node_end_byte(kernel->body))
            break;
        count += gcl_kernel_text_is_name(kernel, token, word) &&
                 token->begin != ts_node_start_byte(name);
    }
    return count;
}

// Parameters.

static TSNode name_of_parameter(TSNode parameter) {
    TSNode node = gcl_node_field(parameter, "declarator");
    while (!ts_node_is_null(node) && !gcl_node_is(node, "identifier")) {
        TSNode inner = gcl_node_field(node, "declarator");
        node = ts_node_is_null(inner) ? ts_node_named_child(node, 0) : inner;
    }
    return node;
}

char *gcl_kernel_text_list(const struct gcl_kernel_text *kernel, GHashTable *names,
                           bool with_types) {
    GString *out = g_string_new(NULL);
    for (uint32_t i = 0; i < ts_node_named_child_count(kernel->parameters); i++) {
        TSNode parameter = ts_node_named_child(kernel->parameters, i);
        TSNode name = name_of_parameter(parameter);
        if (ts_node_is_null(name))
            continue;
        g_autofree char *word = gcl_node_text(kernel->view->text, name);
        g_autofree char *whole = gcl_node_text(kernel->view->text, parameter);
        if (!names || g_hash_table_contains(names, word))
            g_string_append_printf(out, ", %s", with_types ? whole : word);
    }
    return g_string_free(out, FALSE);
}

bool gcl_kernel_text_can_pass(const struct gcl_kernel_text *kernel) {
    g_autofree char *text = gcl_node_text(kernel->view->text, kernel->parameters);
    if (strstr(text, "__grid_constant__") || strstr(text, "..."))
        return false;
    for (uint32_t i = 0; i < ts_node_named_child_count(kernel->parameters); i++) {
        TSNode parameter = ts_node_named_child(kernel->parameters, i);
        if (!gcl_node_is(parameter, "parameter_declaration") &&
            !gcl_node_is(parameter, "optional_parameter_declaration"))
            return false;
        if (ts_node_is_null(name_of_parameter(parameter)))
            return false;
    }
    return true;
}

char *gcl_kernel_text_templates(const struct gcl_kernel_text *kernel) {
    TSNode whole = ts_node_parent(kernel->definition);
    TSNode parameters = gcl_node_field(whole, "parameters");
    GString *out = g_string_new(NULL);
    if (!gcl_node_is(whole, "template_declaration"))
        return g_string_free(out, FALSE);
    for (uint32_t i = 0; i < ts_node_named_child_count(parameters); i++) {
        TSNode parameter = ts_node_named_child(parameters, i);
        TSNode name = gcl_node_is(parameter, "type_parameter_declaration")
                          ? ts_node_named_child(parameter, 0)
                      : gcl_node_is(parameter, "optional_type_parameter_declaration")
                          ? gcl_node_field(parameter, "name")
                          : name_of_parameter(parameter);
        g_autofree char *word =
            ts_node_is_null(name) ? NULL : gcl_node_text(kernel->view->text, name);
        if (!word || gcl_node_is(parameter, "variadic_type_parameter_declaration") ||
            gcl_node_is(parameter, "variadic_parameter_declaration")) {
            g_string_free(out, TRUE);
            return NULL;
        }
        g_string_append_printf(out, "%s%s", i == 0 ? "<" : ", ", word);
    }
    g_string_append(out, ">");
    return g_string_free(out, FALSE);
}
