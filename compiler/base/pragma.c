// Lists of pragmas, and their clauses as text for people.
#include "pragma.h"

#include <assert.h>
#include <string.h>

#include "pragma_words.h"

#define OPERATOR(name, operands, binding, text) {operands, binding, text},
const struct gcl_pragma_operator gcl_pragma_operators[GCL_PRAGMA_NODE_COUNT] = {
    GCL_PRAGMA_NODES(OPERATOR)};
#undef OPERATOR

void gcl_pragma_clause_clear(struct gcl_pragma_clause *clause) {
    g_clear_pointer(&clause->object.name, g_free);
    g_clear_pointer(&clause->nodes, g_array_unref);
}

static const struct gcl_pragma_node *node_at(const struct gcl_pragma_clause *clause, guint i) {
    return &g_array_index(clause->nodes, struct gcl_pragma_node, i);
}

static void write_node(GString *out, const struct gcl_pragma_clause *clause, uint16_t index,
                       uint8_t binding);

static void write_operation(GString *out, const struct gcl_pragma_clause *clause,
                            const struct gcl_pragma_node *node) {
    const struct gcl_pragma_operator *info = &gcl_pragma_operators[node->kind];
    uint8_t own = info->binding, tighter = (uint8_t)(own + 1);
    if (info->operand_count == 1) {
        g_string_append(out, info->text);
        write_node(out, clause, node->a, own);
    } else if (node->kind == GCL_PRAGMA_NODE_MIN || node->kind == GCL_PRAGMA_NODE_MAX) {
        g_string_append_printf(out, "%s(", info->text);
        write_node(out, clause, node->a, 0);
        g_string_append(out, ", ");
        write_node(out, clause, node->b, 0);
        g_string_append_c(out, ')');
    } else if (node->kind == GCL_PRAGMA_NODE_SELECT) {
        write_node(out, clause, node->a, tighter);
        g_string_append(out, " ? ");
        write_node(out, clause, node->b, own);
        g_string_append(out, " : ");
        write_node(out, clause, node->c, own);
    } else {
        write_node(out, clause, node->a, own);
        g_string_append_printf(out, " %s ", info->text);
        write_node(out, clause, node->b, tighter);
    }
}

// Writes a node, in parentheses if its operator binds less tightly than `binding`.
static void write_node(GString *out, const struct gcl_pragma_clause *clause, uint16_t index,
                       uint8_t binding) {
    const struct gcl_pragma_node *node = node_at(clause, index);
    const struct gcl_pragma_operator *info = &gcl_pragma_operators[node->kind];
    if (node->kind == GCL_PRAGMA_NODE_CONSTANT)
        g_string_append_printf(out, "%" G_GINT64_FORMAT, node->value);
    else if (node->kind == GCL_PRAGMA_NODE_OBJECT)
        g_string_append(out, node->object.name);
    else if (info->operand_count == 0)
        g_string_append_printf(out, "%s.%c", info->text, 'x' + node->axis);
    else {
        bool inside = info->binding < binding;
        g_string_append(out, inside ? "(" : "");
        write_operation(out, clause, node);
        g_string_append(out, inside ? ")" : "");
    }
}

static void write_range(GString *out, const struct gcl_pragma_clause *clause) {
    const struct gcl_pragma_node *count = node_at(clause, clause->count);
    g_string_append_c(out, '[');
    write_node(out, clause, clause->first, 0);
    if (count->kind != GCL_PRAGMA_NODE_CONSTANT || count->value != 1) {
        g_string_append(out, " : ");
        write_node(out, clause, clause->count, 0);
    }
    g_string_append_c(out, ']');
}

void gcl_pragma_clause_write(GString *out, const struct gcl_pragma_clause *clause) {
    static const char *const reductions[] = {
#define TEXT(name, text) text,
        GCL_PRAGMA_REDUCTIONS(TEXT)
#undef TEXT
    };
    assert(clause->kind < GCL_PRAGMA_KIND_COUNT);
    assert(clause->reduction < G_N_ELEMENTS(reductions));
    g_string_append(out, gcl_pragma_words_clauses[clause->kind]);
    if (clause->kind == GCL_PRAGMA_SINGLE)
        return;
    g_string_append_c(out, '(');
    if (clause->kind == GCL_PRAGMA_SPLIT)
        g_string_append_c(out, (char)('x' + clause->axis));
    else if (clause->kind == GCL_PRAGMA_REDUCES)
        g_string_append_printf(out, "%s: ", reductions[clause->reduction]);
    if (clause->object.name)
        g_string_append(out, clause->object.name);
    if (clause->nodes)
        write_range(out, clause);
    g_string_append_c(out, ')');
}

static void destroy(gpointer data) {
    struct gcl_pragma *pragma = data;
    g_free(pragma->kernel);
    g_free(pragma->symbol);
    g_free(pragma->path);
    gcl_pragma_clause_clear(&pragma->clause);
    g_free(pragma);
}

GPtrArray *gcl_pragmas_create(void) {
    return g_ptr_array_new_with_free_func(destroy);
}

// Prints an object: its name, which parameter it is or is a field of, and its type.
static void print_object(const struct gcl_pragma_object *object, FILE *out) {
    static const char *const words[] = {
#define TEXT(name, word) word,
        GCL_PRAGMA_TYPES(TEXT)
#undef TEXT
    };
    assert(object->name && object->type < G_N_ELEMENTS(words));
    fprintf(out, " %s = %u+%u %s %u", object->name, object->parameter, object->offset,
            words[object->type], object->size);
}

static void print_pragma(const struct gcl_pragma *pragma, FILE *out) {
    const struct gcl_pragma_clause *clause = &pragma->clause;
    g_autoptr(GString) text = g_string_new(NULL);
    gcl_pragma_clause_write(text, clause);
    fprintf(out, "  %u:%u %s%s", pragma->line, pragma->column, text->str,
            clause->object.name ? "," : "");
    if (clause->object.name)
        print_object(&clause->object, out);
    for (guint i = 0; clause->nodes && i < clause->nodes->len; i++) {
        if (node_at(clause, i)->kind == GCL_PRAGMA_NODE_OBJECT) {
            fputc(',', out);
            print_object(&node_at(clause, i)->object, out);
        }
    }
    fputc('\n', out);
}

static bool is_same_kernel(const struct gcl_pragma *a, const struct gcl_pragma *b) {
    return strcmp(a->kernel, b->kernel) == 0 && g_strcmp0(a->symbol, b->symbol) == 0 &&
           strcmp(a->path, b->path) == 0 && a->parameter_count == b->parameter_count;
}

void gcl_pragmas_print(const GPtrArray *pragmas, FILE *out) {
    for (guint i = 0; i < pragmas->len; i++) {
        const struct gcl_pragma *pragma = pragmas->pdata[i];
        if (i == 0 || !is_same_kernel(pragma, pragmas->pdata[i - 1]))
            fprintf(out, "%s %s %u %s\n", pragma->kernel,
                    pragma->symbol ? pragma->symbol : "template", pragma->parameter_count,
                    pragma->path);
        print_pragma(pragma, out);
    }
}
