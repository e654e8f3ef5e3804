// Whether what is read changes with the loop is judged by the text of the loop alone. That nobody
// changes it through another pointer only the user knows, and the title says so.
#include "lsp/repair/hoist.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/rpc.h"
#include "lsp/read/node.h"
#include "lsp/repair/edits.h"

/// A loop whose condition has something to be read in front of it.
struct hoist {
    const struct gcl_line_table *text;
    const char *data;
    TSNode function, loop, condition;
    TSNode what; ///< one of the places where it stands
};

static bool has_text(const struct hoist *h, TSNode node, const char *words, size_t length) {
    uint32_t begin = ts_node_is_null(node) ? 0 : ts_node_start_byte(node);
    return !ts_node_is_null(node) && ts_node_end_byte(node) - begin == length &&
           memcmp(h->data + begin, words, length) == 0;
}

static bool same_text(const struct hoist *h, TSNode a, TSNode b) {
    uint32_t begin = ts_node_start_byte(b);
    return has_text(h, a, h->data + begin, ts_node_end_byte(b) - begin);
}

// Calls `visit` for a node and all in it until one returns true.
typedef bool visitor(struct hoist *h, TSNode node, void *context);

static bool any(struct hoist *h, TSNode node, visitor *visit, void *context) {
    if (visit(h, node, context))
        return true;
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        if (any(h, ts_node_named_child(node, i), visit, context))
            return true;
    }
    return false;
}

// The loop and what its condition reads.

static bool find_condition(struct hoist *h, TSNode root, uint32_t offset) {
    static const char *const loops[] = {"for_statement", "while_statement", "do_statement", NULL};
    TSNode node = ts_node_named_descendant_for_byte_range(root, offset, offset + 1);
    for (; !ts_node_is_null(node); node = ts_node_parent(node)) {
        TSNode parent = ts_node_parent(node);
        if (gcl_node_is(node, "function_definition")) {
            h->function = node;
            return !ts_node_is_null(h->loop);
        }
        if (ts_node_is_null(h->loop) && gcl_node_is_one_of(parent, loops) &&
            ts_node_eq(gcl_node_field(parent, "condition"), node)) {
            h->loop = parent;
            h->condition = node;
        }
    }
    return false;
}

// The whole of what is read by way of a name: `*n`, `p->count`, `__ldg(&a[i])`.
static TSNode whole_of(struct hoist *h, TSNode node) {
    for (;;) {
        TSNode parent = ts_node_parent(node);
        bool goes_on =
            gcl_node_is(parent, "pointer_expression") ||
            ((gcl_node_is(parent, "subscript_expression") ||
              gcl_node_is(parent, "field_expression")) &&
             ts_node_eq(gcl_node_field(parent, "argument"), node)) ||
            (gcl_node_is(parent, "parenthesized_expression") && !ts_node_eq(parent, h->condition));
        if (gcl_node_is(parent, "argument_list") && ts_node_named_child_count(parent) == 1) {
            TSNode call = ts_node_parent(parent);
            goes_on = has_text(h, gcl_node_field(call, "function"), "__ldg", strlen("__ldg"));
            parent = call;
        }
        if (!goes_on)
            return node;
        node = parent;
    }
}

// Whether the condition comes to a node in each turn, and not only behind `&&`.
static bool is_always_read(struct hoist *h, TSNode node) {
    for (; !ts_node_eq(node, h->condition); node = ts_node_parent(node)) {
        TSNode parent = ts_node_parent(node);
        bool decides = gcl_node_is(parent, "binary_expression") &&
                       (gcl_node_has_operator(parent, "&&") || gcl_node_has_operator(parent, "||"));
        if ((decides && !ts_node_eq(gcl_node_field(parent, "left"), node)) ||
            gcl_node_is(parent, "conditional_expression") ||
            gcl_node_is(parent, "comma_expression"))
            return false;
    }
    return true;
}

static bool see_name(struct hoist *h, TSNode node, void *context) {
    const char *name = context;
    if (!gcl_node_is(node, "identifier") || !has_text(h, node, name, strlen(name)))
        return false;
    TSNode whole = whole_of(h, node);
    if (!is_always_read(h, whole))
        return false;
    h->what = whole;
    return true;
}

// Whether what is read stays the same while the loop runs.

static bool see_effect(struct hoist *h, TSNode node, void *context) {
    static const char *const effects[] = {"assignment_expression", "update_expression",
                                          "lambda_expression",     "new_expression",
                                          "delete_expression",     NULL};
    (void)context;
    return gcl_node_is_one_of(node, effects) ||
           (gcl_node_is(node, "call_expression") &&
            !has_text(h, gcl_node_field(node, "function"), "__ldg", strlen("__ldg")));
}

static bool see_same(struct hoist *h, TSNode node, void *context) {
    return gcl_node_is(node, "identifier") && same_text(h, node, *(TSNode *)context);
}

static bool see_identifier_in_what(struct hoist *h, TSNode node, void *context) {
    (void)context;
    return gcl_node_is(node, "identifier") && any(h, h->what, see_same, &node);
}

// Whether a node changes something that the condition reads, or takes its address.
static bool see_change(struct hoist *h, TSNode node, void *context) {
    TSNode target = {0};
    (void)context;
    if (gcl_node_is(node, "assignment_expression"))
        target = gcl_node_field(node, "left");
    else if (gcl_node_is(node, "update_expression"))
        target = gcl_node_field(node, "argument");
    else if (gcl_node_is(node, "pointer_expression") && gcl_node_has_operator(node, "&"))
        target = gcl_node_field(node, "argument");
    while (gcl_node_is(target, "subscript_expression") || gcl_node_is(target, "field_expression"))
        target = gcl_node_field(target, "argument");
    return target.id && any(h, target, see_identifier_in_what, NULL);
}

static bool is_steady(struct hoist *h) {
    assert(!ts_node_is_null(h->loop) && !ts_node_is_null(h->what));
    TSNode begin = gcl_node_field(h->loop, "initializer"), body = gcl_node_field(h->loop, "body");
    TSNode update = gcl_node_field(h->loop, "update");
    if (any(h, h->what, see_effect, NULL) || any(h, body, see_change, NULL) ||
        (!ts_node_is_null(update) && any(h, update, see_change, NULL)))
        return false;
    TSNode declared =
        gcl_node_is(begin, "declaration") ? gcl_node_field(begin, "declarator") : begin;
    if (gcl_node_is(declared, "init_declarator"))
        declared = gcl_node_field(declared, "declarator");
    return ts_node_is_null(begin) ||
           (!any(h, declared, see_identifier_in_what, NULL) && !any(h, begin, see_change, NULL));
}

// The edits.

static bool see_word(struct hoist *h, TSNode node, void *context) {
    const char *word = context;
    return gcl_node_is(node, "identifier") && has_text(h, node, word, strlen(word));
}

// A name that the function doesn't have.
static char *choose_name(struct hoist *h) {
    TSNode field = gcl_node_field(h->what, "field");
    g_autofree char *base =
        ts_node_is_null(field) ? g_strdup("end") : gcl_node_text(h->text, field);
    char *name = g_strdup(base);
    for (unsigned i = 2; any(h, h->function, see_word, name); i++) {
        g_free(name);
        name = g_strdup_printf("%s_%u", base, i);
    }
    return name;
}

struct naming {
    const char *name;
    json_t *edits;
};

static bool replace_same(struct hoist *h, TSNode node, void *context) {
    struct naming *naming = context;
    if (same_text(h, node, h->what) && gcl_node_is(node, ts_node_type(h->what)))
        gcl_edits_replace(h->text, naming->edits, ts_node_start_byte(node), ts_node_end_byte(node),
                          naming->name);
    return false;
}

// Puts the declaration and the loop in braces, as the loop is all that a statement has for a body.
static bool insert_with_braces(const struct hoist *h, const char *declaration, json_t *edits) {
    uint32_t at = ts_node_start_byte(h->loop), end = ts_node_end_byte(h->loop);
    TSNode before = ts_node_prev_sibling(h->loop), parent = ts_node_parent(h->loop);
    if (ts_node_is_null(before) || gcl_node_is(before, "comment") ||
        gcl_node_is(before, "preproc_call"))
        return false;
    uint32_t from = ts_node_end_byte(before);
    assert(from <= at && at < end);
    bool is_apart = memchr(h->data + from, '\n', at - from) != NULL;
    g_autofree char *inner = gcl_line_table_indentation(h->text, at),
                    *outer = gcl_line_table_indentation(h->text, ts_node_start_byte(parent));
    g_autofree char *open = is_apart ? g_strdup_printf(" {\n%s%s\n%s", inner, declaration, inner)
                                     : g_strdup_printf(" { %s ", declaration);
    g_autofree char *close = is_apart ? g_strdup_printf("\n%s}", outer) : g_strdup(" }");
    gcl_edits_replace(h->text, edits, from, at, open);
    gcl_edits_replace(h->text, edits, end, end, close);
    return true;
}

static bool insert(const struct hoist *h, const char *declaration, json_t *edits) {
    static const char *const owners[] = {
        "if_statement",    "else_clause", "for_statement", "do_statement", "for_range_loop",
        "while_statement", NULL};
    TSNode parent = ts_node_parent(h->loop);
    if (gcl_node_is(parent, "compound_statement")) {
        gcl_edits_declare(h->text, edits, ts_node_start_byte(h->loop), declaration);
        return true;
    }
    return gcl_node_is_one_of(parent, owners) && insert_with_braces(h, declaration, edits);
}

json_t *gcl_hoist_edit(struct gcl_glance *glance, const struct gcl_line_table *text,
                       uint32_t offset, const char *name) {
    TSTree *tree = gcl_glance_tree(glance, text);
    struct hoist h = {.text = text, .data = gcl_line_table_data(text, NULL)};
    g_autofree char *root = g_strndup(name, strcspn(name, ".["));
    if (!tree || !find_condition(&h, ts_tree_root_node(tree), offset) ||
        !any(&h, h.condition, see_name, root) || !is_steady(&h))
        return NULL;
    g_autofree char *what = gcl_node_text(h.text, h.what), *fresh = choose_name(&h);
    g_autofree char *declaration = g_strdup_printf("const auto %s = %s;", fresh, what);
    struct naming naming = {fresh, json_array()};
    json_t *advice = NULL;
    if (insert(&h, declaration, naming.edits)) {
        any(&h, h.condition, replace_same, &naming);
        advice = json_pack(
            "{s:o, s:O}", "title",
            json_sprintf("read '%s' once, in front of the loop, which doesn't change it", what),
            "edits", naming.edits);
    }
    json_decref(naming.edits);
    return advice;
}
