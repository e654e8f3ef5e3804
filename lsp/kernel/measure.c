// What the source says of a launch is read from clang's tree of the host function around it: the
// numbers that are constant there, and what a loop around the launch writes. What can't be read is
// taken for granted where that is usual, and said.
#include "lsp/kernel/measure.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "explain/tables.h"
#include "frontend/cursor.h"
#include "frontend/parameters.h"
#include "frontend/shapes.h"
#include "lsp/kernel/evaluate.h"
#include "lsp/read/tree.h"

enum { MOST_REMEMBERED = 1000 };

// The launch in clang's tree.

struct search {
    const struct gcl_view *view;
    uint32_t offset; ///< of the chevrons
    CXCursor call, configuration;
};

static enum CXChildVisitResult see_configuration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data) {
    struct search *search = data;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr ||
        strcmp(name, "__cudaPushCallConfiguration") != 0)
        return CXChildVisit_Continue;
    search->call = parent;
    search->configuration = cursor;
    return CXChildVisit_Break;
}

static enum CXChildVisitResult see_call(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search *search = data;
    uint32_t begin, end;
    (void)parent;
    if (!gcl_tree_extent(search->view, clang_getCursorExtent(cursor), &begin, &end) ||
        search->offset < begin || search->offset >= end)
        return CXChildVisit_Continue;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr)
        clang_visitChildren(cursor, see_configuration, search);
    return CXChildVisit_Recurse;
}

static bool find_call(const struct gcl_view *view, const struct gcl_source_launch *launch,
                      struct search *search) {
    *search =
        (struct search){view, launch->chevrons.begin, clang_getNullCursor(), clang_getNullCursor()};
    if (launch->evidence == GCL_EVIDENCE_TREE)
        gcl_tree_visit(view, see_call, search);
    return !clang_Cursor_isNull(search->call);
}

// Kernels.

// The instance that clang means, by its name in device code.
static const json_t *instance_of(const struct gcl_view *view, const char *symbol) {
    json_t *kernel;
    size_t i;
    json_array_foreach(view->kernels, i, kernel) {
        const json_t *tables = json_object_get(kernel, "tables");
        if (symbol && g_strcmp0(json_string_value(json_object_get(tables, "symbol")), symbol) == 0)
            return kernel;
    }
    return NULL;
}

static struct gcl_measure *create(const struct gcl_view *view, CXCursor function,
                                  const json_t *named) {
    struct gcl_measure *m = g_new0(struct gcl_measure, 1);
    m->known = g_array_new(FALSE, FALSE, sizeof(struct gcl_known_number));
    m->assumed = g_ptr_array_new_with_free_func(g_free);
    m->fixed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    m->rewritten = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    m->moved = g_ptr_array_new_with_free_func(g_free);
    m->call = m->configuration = clang_getNullCursor();
    m->function.is_template = clang_getCursorKind(function) == CXCursor_FunctionTemplate;
    gcl_parameters_see(&m->function, function);
    const json_t *instance = instance_of(view, m->function.symbol);
    m->kernel = instance ? instance : named;
    m->tables = gcl_tables_read(json_object_get(m->kernel, "tables"));
    if (m->tables && m->tables->parameter_count >= m->function.parameter_count)
        return m;
    gcl_measure_destroy(m);
    return NULL;
}

void gcl_measure_destroy(struct gcl_measure *m) {
    if (!m)
        return;
    g_array_unref(m->function.parameters);
    g_free(m->function.symbol);
    gcl_tables_destroy(m->tables);
    g_array_unref(m->known);
    g_ptr_array_unref(m->assumed);
    g_array_unref(m->fixed);
    g_array_unref(m->rewritten);
    g_ptr_array_unref(m->moved);
    g_free(m);
}

struct gcl_measure *gcl_measure_function(const struct gcl_view *view, CXCursor function) {
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(function));
    return create(view, function, gcl_kernels_named(view, name));
}

// Arguments.

uint32_t gcl_measure_offset(const struct gcl_measure *m, const struct gcl_source_parameter *p) {
    assert(p->index < m->tables->parameter_count);
    return m->tables->parameters[p->index] + p->offset;
}

// Bits that the access program reads of the argument at an offset; 0 if it reads none.
static uint32_t width_at(const struct gcl_program *program, uint32_t offset) {
    for (uint16_t i = 0; i < program->node_count; i++) {
        const struct gcl_node *node = &program->nodes[i];
        if (node->kind == GCL_NODE_ARGUMENT && node->a == offset)
            return node->width;
    }
    return 0;
}

uint32_t gcl_measure_size(const struct gcl_measure *m, const struct gcl_source_parameter *p) {
    if (p->is_pointer || p->type == GCL_PRAGMA_TYPE_OTHER)
        return 0;
    uint32_t width = width_at(m->tables->program, gcl_measure_offset(m, p));
    return p->size > 0 ? MIN(p->size, sizeof(uint64_t)) : (width + 7) / 8;
}

static const struct gcl_known_number *find_known(const struct gcl_measure *m, uint32_t offset) {
    for (guint i = 0; i < m->known->len; i++) {
        const struct gcl_known_number *n = &g_array_index(m->known, struct gcl_known_number, i);
        if (n->offset <= offset && offset < n->offset + n->size)
            return n;
    }
    return NULL;
}

bool gcl_measure_knows(const struct gcl_measure *m, uint32_t offset) {
    return find_known(m, offset) != NULL;
}

void gcl_measure_add(struct gcl_measure *m, struct gcl_known_number number) {
    assert(number.size > 0 && number.size <= sizeof number.value);
    g_array_append_val(m->known, number);
}

// What is written between launches: what is swapped, assigned to, or passed to a kernel that
// writes to it.

struct writers {
    const struct gcl_view *view;
    GArray *variables; ///< CXCursor
};

static void add_writer(const struct writers *writers, CXCursor expression) {
    CXCursor variable = gcl_shapes_variable(expression);
    if (!clang_Cursor_isNull(variable))
        g_array_append_val(writers->variables, variable);
}

static void see_arguments(const struct writers *writers, CXCursor call, bool is_launch) {
    CXCursor function = clang_getCursorReferenced(call);
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(function));
    const json_t *kernel = is_launch ? gcl_kernels_named(writers->view, name) : NULL;
    int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
        g_autofree char *own = gcl_cursor_take_text(clang_getCursorSpelling(parameter));
        if (is_launch ? gcl_kernels_changes(kernel, own) : strcmp(name, "swap") == 0)
            add_writer(writers, clang_Cursor_getArgument(call, (unsigned)i));
    }
}

static enum CXChildVisitResult see_writer(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct search launch = {.configuration = clang_getNullCursor()};
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        clang_visitChildren(cursor, see_configuration, &launch);
        see_arguments(data, cursor, !clang_Cursor_isNull(launch.configuration));
    } else if (clang_getCursorKind(cursor) == CXCursor_BinaryOperator &&
               clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign) {
        add_writer(data, gcl_cursor_first_child(cursor));
    }
    return CXChildVisit_Recurse;
}

// What other launches and copies write between two of this: those in a loop around it.

struct around {
    struct writers writers;
    CXCursor call; ///< this launch
    uint32_t offset;
};

static enum CXChildVisitResult see_other(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct around *around = data;
    struct search launch = {.configuration = clang_getNullCursor()};
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr ||
        clang_equalRanges(clang_getCursorExtent(cursor), clang_getCursorExtent(around->call)))
        return CXChildVisit_Recurse;
    g_autofree char *name = gcl_cursor_take_text(clang_getCursorSpelling(cursor));
    clang_visitChildren(cursor, see_configuration, &launch);
    if (!clang_Cursor_isNull(launch.configuration))
        see_arguments(&around->writers, cursor, true);
    else if (g_str_has_prefix(name, "cudaMemcpy") || g_str_has_prefix(name, "cudaMemset"))
        add_writer(&around->writers, clang_Cursor_getArgument(cursor, 0));
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult see_loop(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct around *around = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    uint32_t begin, end;
    (void)parent;
    if (!gcl_tree_extent(around->writers.view, clang_getCursorExtent(cursor), &begin, &end) ||
        around->offset < begin || around->offset >= end)
        return CXChildVisit_Continue;
    if (kind != CXCursor_ForStmt && kind != CXCursor_WhileStmt && kind != CXCursor_DoStmt &&
        kind != CXCursor_CXXForRangeStmt)
        return CXChildVisit_Recurse;
    clang_visitChildren(cursor, see_other, around);
    return CXChildVisit_Break;
}

static bool holds(const GArray *cursors, CXCursor cursor) {
    for (guint i = 0; i < cursors->len; i++) {
        if (clang_equalCursors(g_array_index(cursors, CXCursor, i), cursor))
            return true;
    }
    return false;
}

static void find_fixed(const struct gcl_view *view, struct gcl_measure *m) {
    g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(CXCursor));
    struct writers writers = {view, variables};
    gcl_tree_visit(view, see_writer, &writers);
    for (guint i = 0; i < m->function.parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(m->function.parameters, struct gcl_source_parameter, i);
        CXCursor variable = gcl_shapes_variable(clang_Cursor_getArgument(m->call, p->index));
        uint32_t offset = gcl_measure_offset(m, p);
        if (!p->is_pointer || p->offset > 0 || clang_Cursor_isNull(variable))
            continue;
        if (holds(variables, variable))
            g_array_append_val(m->rewritten, offset);
        else if (clang_getCursorKind(variable) == CXCursor_VarDecl)
            g_array_append_val(m->fixed, offset);
    }
}

static void find_moved(const struct gcl_view *view, const struct gcl_source_launch *launch,
                       struct gcl_measure *m) {
    g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(CXCursor));
    struct around around = {{view, variables}, m->call, launch->chevrons.begin};
    gcl_tree_visit(view, see_loop, &around);
    for (guint i = 0; i < m->function.parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(m->function.parameters, struct gcl_source_parameter, i);
        CXCursor variable = gcl_shapes_variable(clang_Cursor_getArgument(m->call, p->index));
        if (p->is_pointer && p->offset == 0 && !clang_Cursor_isNull(variable) &&
            holds(variables, variable) && gcl_kernels_reads(m->kernel, p->name))
            g_ptr_array_add(m->moved, g_strdup(p->name));
    }
}

struct gcl_measure *gcl_measure_launch(const struct gcl_view *view,
                                       const struct gcl_source_launch *launch) {
    struct search search;
    if (!find_call(view, launch, &search))
        return NULL;
    struct gcl_measure *m =
        create(view, clang_getCursorReferenced(search.call), gcl_launches_kernel(view, launch));
    if (m) {
        m->call = search.call;
        m->configuration = search.configuration;
        find_fixed(view, m);
        find_moved(view, launch, m);
    }
    return m;
}

// The source.

static bool is_integer(const struct gcl_measure *m, const struct gcl_source_parameter *p) {
    return gcl_measure_size(m, p) > 0 && p->type != GCL_PRAGMA_TYPE_FLOAT && p->offset == 0;
}

// Whether a list has the variable with another value.
static bool is_ambiguous(const GArray *variables, const struct gcl_shapes_variable *v) {
    for (guint i = 0; i < variables->len; i++) {
        const struct gcl_shapes_variable *other =
            &g_array_index(variables, struct gcl_shapes_variable, i);
        if (clang_equalCursors(other->variable, v->variable) && other->value != v->value)
            return true;
    }
    return false;
}

// Variables that are passed for scalars whose value is known have it, too.
static GArray *find_variables(const struct gcl_measure *m) {
    GArray *variables = g_array_new(FALSE, FALSE, sizeof(struct gcl_shapes_variable));
    bool ambiguous = false;
    for (guint i = 0; i < m->function.parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(m->function.parameters, struct gcl_source_parameter, i);
        const struct gcl_known_number *n = find_known(m, gcl_measure_offset(m, p));
        struct gcl_shapes_variable v = {
            .variable = gcl_shapes_variable(clang_Cursor_getArgument(m->call, p->index)),
            .value = n ? (int64_t)n->value : 0};
        if (!n || !is_integer(m, p) || clang_Cursor_isNull(v.variable))
            continue;
        ambiguous |= is_ambiguous(variables, &v);
        g_array_append_val(variables, v);
    }
    if (ambiguous) // nobody knows how it is meant
        g_array_set_size(variables, 0);
    return variables;
}

// Reads a scalar from the launch; one that no access depends on isn't worth an assumption.
static void read_argument(struct gcl_measure *m, const struct gcl_source_parameter *p,
                          struct gcl_shapes_known known) {
    uint32_t offset = gcl_measure_offset(m, p);
    int64_t number;
    if (width_at(m->tables->program, offset) == 0)
        known.assumed = NULL;
    if (is_integer(m, p) && !gcl_measure_knows(m, offset) &&
        gcl_shapes_number(clang_Cursor_getArgument(m->call, p->index), &known, &number))
        gcl_measure_add(
            m, (struct gcl_known_number){offset, gcl_measure_size(m, p), (uint64_t)number});
}

void gcl_measure_read(struct gcl_measure *m) {
    if (clang_Cursor_isNull(m->call))
        return;
    g_autoptr(GArray) variables = find_variables(m);
    const struct gcl_shapes_known known = {variables, m->assumed};
    for (guint i = 0; i < m->function.parameters->len; i++)
        read_argument(m, &g_array_index(m->function.parameters, struct gcl_source_parameter, i),
                      known);
    if (!m->knows_grid)
        m->knows_grid = gcl_shapes_size(clang_Cursor_getArgument(m->configuration, 0), &known,
                                        m->geometry.grid);
    if (!m->knows_block)
        m->knows_block = gcl_shapes_size(clang_Cursor_getArgument(m->configuration, 1), &known,
                                         m->geometry.block);
}

static bool is_rewritten(const struct gcl_measure *m, const char *name) {
    for (guint i = 0; i < m->function.parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(m->function.parameters, struct gcl_source_parameter, i);
        for (guint r = 0; r < m->rewritten->len && strcmp(p->name, name) == 0; r++) {
            if (g_array_index(m->rewritten, uint32_t, r) == gcl_measure_offset(m, p))
                return true;
        }
    }
    return false;
}

char *gcl_measure_assumed(const struct gcl_measure *m, const json_t *spread) {
    GString *out = g_string_new(NULL);
    json_t *pair;
    size_t i;
    for (guint a = 0; a < m->assumed->len; a++)
        g_string_append_printf(out, "%s%s", a > 0 ? ", " : "", (char *)m->assumed->pdata[a]);
    json_array_foreach(json_object_get(spread, "exchanged"), i, pair) {
        const char *read = json_string_value(json_array_get(pair, 0));
        if (!is_rewritten(m, read))
            g_string_append_printf(out, "%s%s and %s change places", out->len ? ", " : "", read,
                                   json_string_value(json_array_get(pair, 1)));
    }
    for (guint i = 0; i < m->moved->len; i++)
        g_string_append_printf(out, "%s%s",
                               i > 0      ? ", "
                               : out->len ? ", nothing else moves "
                                          : "nothing else moves ",
                               (char *)m->moved->pdata[i]);
    return g_string_free(out, FALSE);
}

bool gcl_measure_is_whole(const struct gcl_measure *m) {
    const struct gcl_program *p = m->tables->program;
    for (uint16_t i = 0; i < p->node_count; i++) {
        if (p->nodes[i].kind == GCL_NODE_ARGUMENT && !gcl_measure_knows(m, p->nodes[i].a))
            return false;
    }
    return m->knows_grid && m->knows_block;
}

// What the launch does.

static char *key_of(const struct gcl_measure *m, uint32_t node_count) {
    GString *key = g_string_new(m->tables->symbol);
    g_string_append_printf(key, " %u", node_count);
    for (int i = 0; i < 3; i++)
        g_string_append_printf(key, " %u %u", m->knows_grid ? m->geometry.grid[i] : 0,
                               m->knows_block ? m->geometry.block[i] : 0);
    for (guint i = 0; i < m->fixed->len; i++)
        g_string_append_printf(key, " -%u", g_array_index(m->fixed, uint32_t, i));
    for (guint i = 0; i < m->known->len; i++) {
        const struct gcl_known_number *n = &g_array_index(m->known, struct gcl_known_number, i);
        g_string_append_printf(key, " %u=%" PRIu64, n->offset, n->value);
    }
    return g_string_free(key, FALSE);
}

json_t *gcl_measure_spread(struct gcl_view *view, const struct gcl_measure *m, uint32_t node_count,
                           gint64 *budget_us, char **why) {
    g_autofree char *key = key_of(m, node_count);
    assert(node_count > 0 && !*why);
    json_t *spread = json_object_get(view->spreads, key);
    const struct gcl_spread_launch launch = {
        .kernel = m->tables,
        .known = {.block_size = m->knows_block ? m->geometry.block : m->tables->block_size,
                  .grid_size = m->knows_grid ? m->geometry.grid : NULL,
                  .numbers = (const struct gcl_known_number *)(void *)m->known->data,
                  .number_count = m->known->len},
        .fixed = (const uint32_t *)(void *)m->fixed->data,
        .fixed_count = m->fixed->len,
        .node_count = node_count};
    if (!spread && *budget_us <= 0) {
        *why = g_strdup("other launches took too long to evaluate");
    } else if (!spread) {
        spread = gcl_evaluate_spread(&launch, budget_us, why);
        assert(!spread == (*why != NULL));
        if (!view->spreads || json_object_size(view->spreads) >= MOST_REMEMBERED) {
            json_decref(view->spreads);
            view->spreads = json_object();
        }
        json_object_set_new(view->spreads, key, spread ? spread : json_string(*why));
    } else if (json_is_string(spread)) {
        *why = g_strdup(json_string_value(spread));
    }
    return json_is_object(spread) ? json_incref(spread) : NULL;
}
