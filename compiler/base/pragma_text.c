// Pragmas as text between the compiler's stages: a clause a line, fields between tabs:
//
//     symbol kernel parameters kind axis reduction object first count line column length path
//
// An expression is in reverse Polish notation with blanks between: `n:2:0:4:1 blockIdx.x *`. An
// object is its name, parameter, offset, size and type. `.` stands for what there isn't.
#include <assert.h>
#include <string.h>

#include "pragma.h"

static const char none[] = ".";

enum {
    FIELD_SYMBOL,
    FIELD_KERNEL,
    FIELD_PARAMETERS,
    FIELD_KIND,
    FIELD_AXIS,
    FIELD_REDUCTION,
    FIELD_OBJECT,
    FIELD_FIRST,
    FIELD_COUNT,
    FIELD_LINE,
    FIELD_COLUMN,
    FIELD_LENGTH,
    FIELD_PATH,
    FIELDS,
};

// Writing.

static void append_object(GString *out, const struct gcl_pragma_object *object) {
    if (object->name)
        g_string_append_printf(out, "%s:%u:%u:%u:%u", object->name, object->parameter,
                               object->offset, object->size, object->type);
    else
        g_string_append(out, none);
}

static void append_expression(GString *out, const GArray *nodes, uint16_t index) {
    assert(index < nodes->len);
    const struct gcl_pragma_node *node = &g_array_index(nodes, struct gcl_pragma_node, index);
    const struct gcl_pragma_operator *info = &gcl_pragma_operators[node->kind];
    const uint16_t operands[] = {node->a, node->b, node->c};
    for (uint8_t i = 0; i < info->operand_count; i++) {
        append_expression(out, nodes, operands[i]);
        g_string_append_c(out, ' ');
    }
    if (node->kind == GCL_PRAGMA_NODE_CONSTANT)
        g_string_append_printf(out, "%" G_GINT64_FORMAT, node->value);
    else if (node->kind == GCL_PRAGMA_NODE_OBJECT)
        append_object(out, &node->object);
    else if (info->operand_count == 0)
        g_string_append_printf(out, "%s.%c", info->text, 'x' + node->axis);
    else
        // `-` is a difference, so the sign is written with its operand's number.
        g_string_append_printf(out, "%s%s", info->operand_count == 1 ? "1" : "", info->text);
}

static void append_root(GString *out, const struct gcl_pragma_clause *clause, uint16_t index) {
    if (clause->nodes)
        append_expression(out, clause->nodes, index);
    else
        g_string_append(out, none);
    g_string_append_c(out, '\t');
}

static void append_word(GString *out, const char *word) {
    g_autofree char *clean = g_strdup(word && *word ? word : none);
    g_string_append_printf(out, "%s\t", g_strdelimit(clean, "\t\n\r", '?'));
}

static void append_pragma(GString *out, const struct gcl_pragma *pragma) {
    const struct gcl_pragma_clause *clause = &pragma->clause;
    append_word(out, pragma->symbol);
    append_word(out, pragma->kernel);
    g_string_append_printf(out, "%u\t%u\t%u\t%u\t", pragma->parameter_count, clause->kind,
                           clause->axis, clause->reduction);
    append_object(out, &clause->object);
    g_string_append_c(out, '\t');
    append_root(out, clause, clause->first);
    append_root(out, clause, clause->count);
    g_string_append_printf(out, "%u\t%u\t%u\t", pragma->line, pragma->column, pragma->length);
    append_word(out, pragma->path);
    out->str[out->len - 1] = '\n';
}

char *gcl_pragmas_format(const GPtrArray *pragmas) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < pragmas->len; i++)
        append_pragma(text, pragmas->pdata[i]);
    return g_string_free(text, FALSE);
}

// Reading. Each function returns false for what no writer writes.

static bool read_number(const char *text, uint64_t limit, uint64_t *number) {
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, 0, limit, &value, NULL))
        return false;
    *number = value;
    return true;
}

static bool read_u32(const char *text, uint32_t *number) {
    uint64_t value;
    bool good = read_number(text, G_MAXUINT32, &value);
    if (good)
        *number = (uint32_t)value;
    return good;
}

static bool read_u8(const char *text, uint8_t limit, uint8_t *number) {
    uint64_t value;
    bool good = read_number(text, limit, &value);
    if (good)
        *number = (uint8_t)value;
    return good;
}

static bool read_object(const char *text, struct gcl_pragma_object *object) {
    g_auto(GStrv) words = g_strsplit(text, ":", 6);
    if (g_strv_length(words) != 5 || !*words[0] || !read_u32(words[1], &object->parameter) ||
        !read_u32(words[2], &object->offset) || !read_u32(words[3], &object->size) ||
        !read_u8(words[4], GCL_PRAGMA_TYPE_OTHER, &object->type))
        return false;
    object->name = g_strdup(words[0]);
    return true;
}

// The kind of node that an operator or index is, GCL_PRAGMA_NODE_COUNT if it is none.
static enum gcl_pragma_node_kind find_kind(const char *word, uint8_t *axis) {
    const char *dot = strchr(word, '.');
    size_t length = dot ? (size_t)(dot - word) : strlen(word);
    for (int kind = GCL_PRAGMA_NODE_THREAD_INDEX; kind < GCL_PRAGMA_NODE_COUNT; kind++) {
        const struct gcl_pragma_operator *info = &gcl_pragma_operators[kind];
        size_t skipped = info->operand_count == 1 ? 1 : 0;
        if ((dot != NULL) != (info->operand_count == 0) || (skipped && *word != '1') ||
            length != strlen(info->text) + skipped ||
            memcmp(word + skipped, info->text, length - skipped) != 0)
            continue;
        if (dot && (dot[1] < 'x' || dot[1] > 'z' || dot[2]))
            break;
        *axis = dot ? (uint8_t)(dot[1] - 'x') : 0;
        return (enum gcl_pragma_node_kind)kind;
    }
    return GCL_PRAGMA_NODE_COUNT;
}

static bool read_node(const char *word, struct gcl_pragma_node *node) {
    uint64_t value;
    *node = (struct gcl_pragma_node){0};
    enum gcl_pragma_node_kind kind = find_kind(word, &node->axis);
    if (kind == GCL_PRAGMA_NODE_COUNT && read_number(word, G_MAXINT64, &value)) {
        kind = GCL_PRAGMA_NODE_CONSTANT;
        node->value = (int64_t)value;
    } else if (kind == GCL_PRAGMA_NODE_COUNT && read_object(word, &node->object)) {
        kind = GCL_PRAGMA_NODE_OBJECT;
    }
    node->kind = (uint8_t)kind;
    return kind != GCL_PRAGMA_NODE_COUNT;
}

// Nodes that are nobody's operand yet.
struct stack {
    uint16_t nodes[GCL_PRAGMA_NODES_MAX];
    size_t size;
};

static bool push(struct stack *stack, GArray *nodes, struct gcl_pragma_node *node) {
    assert(node->kind < GCL_PRAGMA_NODE_COUNT && stack->size <= nodes->len);
    uint16_t *const operands[] = {&node->a, &node->b, &node->c};
    uint8_t count = gcl_pragma_operators[node->kind].operand_count;
    if (stack->size < count || nodes->len >= GCL_PRAGMA_NODES_MAX)
        return false;
    stack->size -= count;
    for (uint8_t i = 0; i < count; i++)
        *operands[i] = stack->nodes[stack->size + i];
    stack->nodes[stack->size++] = (uint16_t)nodes->len;
    return true;
}

static bool read_expression(const char *text, GArray *nodes, uint16_t *root) {
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    struct stack stack = {.size = 0};
    for (char **word = words; *word; word++) {
        struct gcl_pragma_node node;
        if (!read_node(*word, &node))
            return false;
        if (!push(&stack, nodes, &node)) {
            g_free(node.object.name);
            return false;
        }
        g_array_append_val(nodes, node);
    }
    if (stack.size != 1)
        return false;
    *root = stack.nodes[0];
    return true;
}

static void clear_node(gpointer data) {
    struct gcl_pragma_node *node = data;
    g_free(node->object.name);
}

static bool has_object(const struct gcl_pragma_clause *clause) {
    return clause->kind != GCL_PRAGMA_SPLIT && clause->kind != GCL_PRAGMA_SINGLE;
}

static bool read_clause(char *const *fields, struct gcl_pragma_clause *clause) {
    if (!read_u8(fields[FIELD_KIND], GCL_PRAGMA_DISJOINT, &clause->kind) ||
        !read_u8(fields[FIELD_AXIS], 2, &clause->axis) ||
        !read_u8(fields[FIELD_REDUCTION], GCL_PRAGMA_REDUCTION_MAX, &clause->reduction))
        return false;
    if (has_object(clause) && !read_object(fields[FIELD_OBJECT], &clause->object))
        return false;
    if (clause->kind != GCL_PRAGMA_READS && clause->kind != GCL_PRAGMA_WRITES)
        return true;
    clause->nodes = g_array_new(FALSE, FALSE, sizeof(struct gcl_pragma_node));
    g_array_set_clear_func(clause->nodes, clear_node);
    return read_expression(fields[FIELD_FIRST], clause->nodes, &clause->first) &&
           read_expression(fields[FIELD_COUNT], clause->nodes, &clause->count);
}

static bool read_pragma(const char *line, struct gcl_pragma *pragma) {
    g_auto(GStrv) fields = g_strsplit(line, "\t", FIELDS + 1);
    if (g_strv_length(fields) != FIELDS ||
        !read_u32(fields[FIELD_PARAMETERS], &pragma->parameter_count) ||
        !read_u32(fields[FIELD_LINE], &pragma->line) ||
        !read_u32(fields[FIELD_COLUMN], &pragma->column) ||
        !read_u32(fields[FIELD_LENGTH], &pragma->length) || !read_clause(fields, &pragma->clause))
        return false;
    pragma->symbol = strcmp(fields[FIELD_SYMBOL], none) ? g_strdup(fields[FIELD_SYMBOL]) : NULL;
    pragma->kernel = g_strdup(fields[FIELD_KERNEL]);
    pragma->path = g_strdup(fields[FIELD_PATH]);
    return true;
}

void gcl_pragmas_read(GPtrArray *pragmas, const char *text) {
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree char *before = gcl_pragmas_format(pragmas);
    g_auto(GStrv) old = g_strsplit(before, "\n", -1);
    for (char **line = old; *line; line++)
        g_hash_table_add(known, *line);
    for (char **line = lines; *line; line++) {
        // A list with one element first, because that is what frees it.
        g_autoptr(GPtrArray) one = gcl_pragmas_create();
        struct gcl_pragma *pragma = g_new0(struct gcl_pragma, 1);
        g_ptr_array_add(one, pragma);
        if (read_pragma(*line, pragma) && g_hash_table_add(known, *line))
            g_ptr_array_add(pragmas, g_ptr_array_steal_index(one, 0));
    }
}
