// Pragmas of a kernel are found by its symbol, those of a template by its name. Their expressions
// become nodes of the kernel's graph, in which threads and blocks count in 64 bits as pragmas do.
#include "device/access/declare.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/value.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/shapes.h"
#include "device/ir/shim.h"

// Which pragmas.

static bool is_same(const struct gcl_pragma *a, const struct gcl_pragma *b) {
    return a->line == b->line && a->column == b->column && strcmp(a->path, b->path) == 0;
}

// Several inputs may include the same header.
static void add_once(GPtrArray *list, struct gcl_pragma *pragma) {
    for (guint i = 0; i < list->len; i++) {
        if (is_same(list->pdata[i], pragma))
            return;
    }
    g_ptr_array_add(list, pragma);
}

static void add_of_symbol(const GPtrArray *said, const char *symbol, GPtrArray *list) {
    for (guint i = 0; i < said->len; i++) {
        struct gcl_pragma *pragma = said->pdata[i];
        if (pragma->symbol && strcmp(pragma->symbol, symbol) == 0)
            add_once(list, pragma);
    }
}

static void add_of_template(const GPtrArray *said, const char *symbol, unsigned parameter_count,
                            GPtrArray *list) {
    char *name = gcl_shim_qualified_name(symbol);
    for (guint i = 0; i < said->len && name; i++) {
        struct gcl_pragma *pragma = said->pdata[i];
        if (!pragma->symbol && pragma->parameter_count == parameter_count &&
            strcmp(pragma->kernel, name) == 0)
            add_once(list, pragma);
    }
    free(name);
}

GPtrArray *gcl_declared_pragmas(const struct gcl_module *m,
                                const struct gcl_device_kernel *kernel) {
    GPtrArray *list = g_ptr_array_copy(kernel->said, NULL, NULL);
    g_ptr_array_set_free_func(list, NULL);
    unsigned parameter_count = kernel->parameter_names->len;
    for (guint i = 0; i < m->entries->len; i++) {
        const struct gcl_device_entry *entry = m->entries->pdata[i];
        const GPtrArray *said = m->inputs[entry->input].pragmas;
        if (entry->kernel != kernel || !said)
            continue;
        g_autofree char *symbol = gcl_shapes_source_symbol(entry->name);
        guint before = list->len;
        add_of_symbol(said, symbol, list);
        if (list->len == before)
            add_of_template(said, symbol, parameter_count, list);
    }
    return list;
}

// Objects.

static uint32_t byte_of(const struct gcl_extraction *x, const struct gcl_pragma_object *object) {
    if (!object->name || object->parameter >= LLVMCountParams(x->function))
        return GCL_NOTHING;
    return gcl_parameter_offset(x->m, x->function, object->parameter) + object->offset;
}

uint32_t gcl_declared_pointer(const struct gcl_extraction *x,
                              const struct gcl_pragma_clause *clause) {
    return byte_of(x, &clause->object);
}

// Bytes of what the kernel indexes a pointer by, 0 if it doesn't or in several ways. Where offsets
// are constant, clang counts in bytes.
static uint32_t indexed_element(const struct gcl_extraction *x, LLVMValueRef pointer) {
    uint64_t found = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer ||
            LLVMIsAConstant(LLVMGetOperand(user, 1)))
            continue;
        uint64_t size = LLVMABISizeOfType(x->m->layout, LLVMGetGEPSourceElementType(user));
        if (found && found != size)
            return 0;
        found = size;
    }
    return (uint32_t)MIN(found, UINT16_MAX);
}

uint32_t gcl_declared_element(const struct gcl_extraction *x,
                              const struct gcl_pragma_clause *clause) {
    if (clause->object.size > 0 || clause->object.offset > 0 ||
        clause->object.parameter >= LLVMCountParams(x->function))
        return clause->object.size;
    return indexed_element(x, LLVMGetParam(x->function, clause->object.parameter));
}

uint32_t gcl_declared_reason(struct gcl_extraction *x, const struct gcl_pragma *pragma) {
    struct gcl_source_position place = {.line = pragma->line,
                                        .column = (uint16_t)MIN(pragma->column, 0xffff),
                                        .file = gcl_access_file(x, pragma->path)};
    return gcl_access_reason_at(x, GCL_REASON_DECLARED, &place);
}

// A line of a file, NULL if it can't be read.
static char *read_line(const char *path, uint32_t line) {
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    g_auto(GStrv) lines = g_strsplit(text, "\n", (gint)line + 1);
    return g_strv_length(lines) >= line ? g_strdup(lines[line - 1]) : NULL;
}

void gcl_declared_contradiction(struct gcl_extraction *x, const struct gcl_pragma *pragma,
                                const struct gcl_source_position *place, const char *help,
                                const char *format, ...) {
    if (x->m->options->is_part) // what isn't seen yet may make it true
        return;
    const struct gcl_source_location where = {pragma->path, pragma->line, pragma->column,
                                              pragma->length};
    g_autoptr(GString) text = g_string_new(NULL), line = g_string_new(NULL);
    gcl_pragma_clause_write(text, &pragma->clause);
    if (place->line > 0)
        g_string_printf(line, " (%s:%u)", (char *)x->files->pdata[place->file], place->line);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    struct gcl_diagnostic *d =
        gcl_diagnostics_add(x->m->diagnostics, GCL_CODE_PRAGMA_CONTRADICTION, &where, help,
                            "'%s' isn't true: %s%s", text->str, what, line->str);
    d->source = read_line(pragma->path, pragma->line);
    x->m->failed = true;
}

void gcl_declared_ignored(struct gcl_extraction *x, const struct gcl_pragma *pragma,
                          const char *why) {
    const struct gcl_source_location where = {pragma->path, pragma->line, pragma->column,
                                              pragma->length};
    g_autoptr(GString) text = g_string_new(NULL);
    gcl_pragma_clause_write(text, &pragma->clause);
    struct gcl_diagnostic *d =
        gcl_diagnostics_add(x->m->diagnostics, GCL_CODE_PRAGMA_IGNORED, &where,
                            "use an atomic operation, or write the kernel for one type",
                            "'%s' has no effect: %s", text->str, why);
    d->source = read_line(pragma->path, pragma->line);
}

// Expressions.

struct conversion {
    struct gcl_extraction *x;
    const struct gcl_pragma *pragma;
};

static uint32_t convert(const struct conversion *c, uint16_t index);

static const struct gcl_pragma_node *node_at(const struct conversion *c, uint16_t index) {
    return &g_array_index(c->pragma->clause.nodes, struct gcl_pragma_node, index);
}

// Where an expression has no value, the pragma says nothing: anything may be touched.
static uint32_t nothing(const struct conversion *c) {
    return gcl_graph_unknown(&c->x->graph, 64, gcl_declared_reason(c->x, c->pragma), 0);
}

static uint32_t object_value(const struct conversion *c, const struct gcl_pragma_object *object) {
    uint32_t byte = byte_of(c->x, object);
    bool is_signed = object->type == GCL_PRAGMA_TYPE_SIGNED;
    if (byte == GCL_NOTHING || (!is_signed && object->type != GCL_PRAGMA_TYPE_UNSIGNED) ||
        object->size == 0 || object->size > 8)
        return nothing(c);
    uint32_t value = gcl_graph_leaf(&c->x->graph, GCL_NODE_ARGUMENT, 8 * object->size, byte, 0);
    return gcl_graph_cast(&c->x->graph, is_signed ? GCL_NODE_SEXT : GCL_NODE_ZEXT, 64, value);
}

static uint32_t number(const struct conversion *c, uint32_t condition) {
    return gcl_graph_cast(&c->x->graph, GCL_NODE_ZEXT, 64, condition);
}

// Whether an expression is not 0.
static uint32_t truth(const struct conversion *c, uint16_t index) {
    struct gcl_graph *g = &c->x->graph;
    uint32_t value = convert(c, index);
    struct gcl_graph_node n = *gcl_graph_at(g, value);
    if (n.kind == GCL_NODE_ZEXT && gcl_graph_at(g, n.a)->width == 1)
        return n.a;
    return gcl_graph_not(g, gcl_graph_binary(g, GCL_NODE_EQ, value, gcl_graph_constant(g, 64, 0)));
}

static uint32_t comparison(const struct conversion *c, enum gcl_node_kind kind, uint16_t a,
                           uint16_t b, bool holds) {
    struct gcl_graph *g = &c->x->graph;
    uint32_t left = convert(c, a), condition = gcl_graph_binary(g, kind, left, convert(c, b));
    return number(c, holds ? condition : gcl_graph_not(g, condition));
}

static uint32_t shift(const struct conversion *c, enum gcl_node_kind kind, uint32_t value,
                      uint32_t by) {
    struct gcl_graph *g = &c->x->graph;
    uint32_t fits = gcl_graph_binary(g, GCL_NODE_ULT, by, gcl_graph_constant(g, 64, 64));
    return gcl_graph_select(g, fits, gcl_graph_binary(g, kind, value, by), nothing(c));
}

static uint32_t operation(const struct conversion *c, const struct gcl_pragma_node *n) {
    static const uint8_t kinds[GCL_PRAGMA_NODE_COUNT] = {
        [GCL_PRAGMA_NODE_MULTIPLY] = GCL_NODE_MULTIPLY, [GCL_PRAGMA_NODE_DIVIDE] = GCL_NODE_SDIV,
        [GCL_PRAGMA_NODE_REMAINDER] = GCL_NODE_SREM,    [GCL_PRAGMA_NODE_ADD] = GCL_NODE_ADD,
        [GCL_PRAGMA_NODE_SUBTRACT] = GCL_NODE_SUBTRACT, [GCL_PRAGMA_NODE_SHIFT_LEFT] = GCL_NODE_SHL,
        [GCL_PRAGMA_NODE_SHIFT_RIGHT] = GCL_NODE_ASHR,  [GCL_PRAGMA_NODE_BIT_AND] = GCL_NODE_AND,
        [GCL_PRAGMA_NODE_BIT_XOR] = GCL_NODE_XOR,       [GCL_PRAGMA_NODE_BIT_OR] = GCL_NODE_OR,
        [GCL_PRAGMA_NODE_MIN] = GCL_NODE_SMIN,          [GCL_PRAGMA_NODE_MAX] = GCL_NODE_SMAX,
    };
    uint32_t a = convert(c, n->a), b = convert(c, n->b);
    if (n->kind == GCL_PRAGMA_NODE_SHIFT_LEFT || n->kind == GCL_PRAGMA_NODE_SHIFT_RIGHT)
        return shift(c, kinds[n->kind], a, b);
    return gcl_graph_binary(&c->x->graph, kinds[n->kind], a, b);
}

static uint32_t logical(const struct conversion *c, const struct gcl_pragma_node *n) {
    enum gcl_node_kind kind = n->kind == GCL_PRAGMA_NODE_AND ? GCL_NODE_AND : GCL_NODE_OR;
    uint32_t a = truth(c, n->a), b = truth(c, n->b);
    return number(c, gcl_graph_binary(&c->x->graph, kind, a, b));
}

static uint32_t choice(const struct conversion *c, const struct gcl_pragma_node *n) {
    uint32_t condition = truth(c, n->a), a = convert(c, n->b), b = convert(c, n->c);
    return gcl_graph_select(&c->x->graph, condition, a, b);
}

static uint32_t convert(const struct conversion *c, uint16_t index) {
    struct gcl_graph *g = &c->x->graph;
    const struct gcl_pragma_node *n = node_at(c, index);
    switch ((enum gcl_pragma_node_kind)n->kind) {
    case GCL_PRAGMA_NODE_CONSTANT:
        return gcl_graph_constant(g, 64, n->value);
    case GCL_PRAGMA_NODE_OBJECT:
        return object_value(c, &n->object);
    case GCL_PRAGMA_NODE_THREAD_INDEX:
        return gcl_graph_leaf(g, GCL_NODE_THREAD_INDEX, 64, n->axis, 0);
    case GCL_PRAGMA_NODE_BLOCK_INDEX:
        return gcl_graph_leaf(g, GCL_NODE_BLOCK_INDEX, 64, n->axis, 0);
    case GCL_PRAGMA_NODE_BLOCK_SIZE:
        return gcl_graph_leaf(g, GCL_NODE_BLOCK_SIZE, 64, n->axis, 0);
    case GCL_PRAGMA_NODE_GRID_SIZE:
        return gcl_graph_leaf(g, GCL_NODE_GRID_SIZE, 64, n->axis, 0);
    case GCL_PRAGMA_NODE_NEGATE:
        return gcl_graph_negate(g, convert(c, n->a));
    case GCL_PRAGMA_NODE_COMPLEMENT:
        return gcl_graph_binary(g, GCL_NODE_XOR, convert(c, n->a), gcl_graph_constant(g, 64, -1));
    case GCL_PRAGMA_NODE_NOT:
        return number(c, gcl_graph_not(g, truth(c, n->a)));
    case GCL_PRAGMA_NODE_LESS:
        return comparison(c, GCL_NODE_SLT, n->a, n->b, true);
    case GCL_PRAGMA_NODE_GREATER:
        return comparison(c, GCL_NODE_SLT, n->b, n->a, true);
    case GCL_PRAGMA_NODE_LESS_EQUAL:
        return comparison(c, GCL_NODE_SLT, n->b, n->a, false);
    case GCL_PRAGMA_NODE_GREATER_EQUAL:
        return comparison(c, GCL_NODE_SLT, n->a, n->b, false);
    case GCL_PRAGMA_NODE_EQUAL:
        return comparison(c, GCL_NODE_EQ, n->a, n->b, true);
    case GCL_PRAGMA_NODE_UNEQUAL:
        return comparison(c, GCL_NODE_EQ, n->a, n->b, false);
    case GCL_PRAGMA_NODE_AND:
    case GCL_PRAGMA_NODE_OR:
        return logical(c, n);
    case GCL_PRAGMA_NODE_SELECT:
        return choice(c, n);
    default:
        return operation(c, n);
    }
}

uint32_t gcl_declared_value(struct gcl_extraction *x, const struct gcl_pragma *pragma,
                            uint16_t expression) {
    const struct conversion c = {x, pragma};
    return convert(&c, expression);
}
