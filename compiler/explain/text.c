// Programs as text, for people: one line an access,
//
//     write out[4*sext(blockIdx.x*blockDim.x + threadIdx.x)] 4 bytes if … < n   stencil.cu:12:5
//
// with C's operators; `u` behind one means unsigned. i0, i1, … count the iterations of loops, and
// last(i0) is the last of them; ?name is something that isn't known, with the reason's name.
#include "text.h"

#include <assert.h>
#include <string.h>

#include "gcluster/reasons.h"

enum {
    DEEPEST = 40,
    LONGEST = 2000, // bytes of a formula, in which what is computed once may stand many times
};

struct printer {
    const struct gcl_explained_kernel *kernel;
    const struct gcl_program *p;
    GString *out;
    int depth;
    bool is_short; ///< threads of the grid are x, y, z
};

static void print_node(struct printer *t, uint16_t index, int context);
static void print_elements(struct printer *t, const struct gcl_access *access);

static const struct gcl_node *node_at(const struct printer *t, uint16_t index) {
    assert(index < t->p->node_count);
    return &t->p->nodes[index];
}

static const struct gcl_access *access_at(const struct printer *t, uint16_t index) {
    assert(index < t->p->access_count);
    return &t->p->accesses[index];
}

static const struct gcl_guard *guard_at(const struct printer *t, uint16_t index) {
    assert(index < t->p->guard_count);
    return &t->p->guards[index];
}

/// "DATA_INDEX"
static const char *name_of_reason(uint16_t code) {
    switch (code) {
#define GCL_REASON(name, number, what, why, advice)                                                \
    case number:                                                                                   \
        return #name;
        GCL_REASONS
#undef GCL_REASON
    default:
        return "?";
    }
}

static void print_reason_name(struct printer *t, uint16_t reason) {
    assert(reason < t->p->reason_count);
    g_autofree char *name = g_ascii_strdown(name_of_reason(t->p->reasons[reason].code), -1);
    g_string_append_printf(t->out, "?%s", name);
}

static uint16_t without_casts(const struct printer *t, uint16_t index) {
    while (node_at(t, index)->kind >= GCL_NODE_ZEXT)
        index = node_at(t, index)->a;
    return index;
}

// Byte `offset` of the arguments: the parameter, and if need be how far into it.
static void print_argument(struct printer *t, uint32_t offset) {
    const struct gcl_explained_kernel *k = t->kernel;
    unsigned found = 0;
    for (unsigned i = 0; i < k->parameter_count; i++) {
        if (k->parameters[i] <= offset)
            found = i;
    }
    const char *name = k->program->names[found];
    if (*name)
        g_string_append(t->out, name);
    else
        g_string_append_printf(t->out, "#%u", found);
    uint32_t begin = k->parameters[found];
    const char *field = NULL;
    for (unsigned i = 0; i < k->field_count; i++) {
        if (k->fields[i].offset <= offset && k->fields[i].offset >= begin) {
            field = k->fields[i].name;
            begin = k->fields[i].offset;
        }
    }
    if (field)
        g_string_append_printf(t->out, ".%s", field);
    if (offset > begin)
        g_string_append_printf(t->out, "+%u", offset - begin);
}

static void print_base(struct printer *t, uint16_t index) {
    const struct gcl_base *base = &t->p->bases[index];
    switch (base->kind) {
    case GCL_BASE_ARGUMENT:
        print_argument(t, base->index);
        break;
    case GCL_BASE_VARIABLE:
        g_string_append(t->out, t->kernel->variables[base->index]);
        break;
    case GCL_BASE_LOADED:
        if (t->is_short && (base->flags & GCL_BASE_TEXTURE)) {
            print_base(t, access_at(t, base->index)->base);
            break;
        }
        if (t->is_short) {
            print_elements(t, access_at(t, base->index));
            break;
        }
        g_string_append_c(t->out, '(');
        print_base(t, access_at(t, base->index)->base);
        g_string_append_printf(t->out, "->%u)", base->index);
        break;
    default:
        if (t->is_short)
            g_string_append(t->out, "anything");
        else
            print_reason_name(t, base->index);
    }
}

static void print_place(struct printer *t, const struct gcl_access *access) {
    print_base(t, access->base);
    g_string_append_c(t->out, '[');
    if (access->offset != GCL_NONE)
        print_node(t, access->offset, 0);
    g_string_append_c(t->out, ']');
}

// Operators with how tightly they bind, as in C.
static const struct {
    const char *text;
    int level;
} operators[] = {
    [GCL_NODE_ADD] = {" + ", 8},   [GCL_NODE_SUBTRACT] = {" - ", 8}, [GCL_NODE_MULTIPLY] = {"*", 9},
    [GCL_NODE_UDIV] = {" /u ", 9}, [GCL_NODE_SDIV] = {" / ", 9},     [GCL_NODE_UREM] = {" %u ", 9},
    [GCL_NODE_SREM] = {" % ", 9},  [GCL_NODE_SHL] = {" << ", 7},     [GCL_NODE_LSHR] = {" >>u ", 7},
    [GCL_NODE_ASHR] = {" >> ", 7}, [GCL_NODE_AND] = {" & ", 4},      [GCL_NODE_OR] = {" | ", 2},
    [GCL_NODE_XOR] = {" ^ ", 3},   [GCL_NODE_EQ] = {" == ", 5},      [GCL_NODE_ULT] = {" <u ", 6},
    [GCL_NODE_SLT] = {" < ", 6},   [GCL_NODE_SELECT] = {NULL, 1},    [GCL_NODE_TRUNC] = {NULL, 0},
};

static bool is_constant(const struct printer *t, uint16_t index, int64_t *value) {
    const struct gcl_node *n = node_at(t, index);
    if (n->kind == GCL_NODE_CONSTANT)
        *value = t->p->constants[n->a];
    return n->kind == GCL_NODE_CONSTANT;
}

/// Numbers without a sign have operators of their own, but where people read it, who write the same
/// ones for both.
static void print_operator(const struct printer *t, uint8_t kind) {
    const char *text = operators[kind].text;
    const char *unsigned_mark = t->is_short ? strchr(text, 'u') : NULL;
    if (unsigned_mark)
        g_string_append_printf(t->out, "%.*s ", (int)(unsigned_mark - text), text);
    else
        g_string_append(t->out, text);
}

static void print_pair(struct printer *t, const struct gcl_node *n, int level) {
    int64_t value;
    if (n->kind == GCL_NODE_XOR && n->width == 1 && is_constant(t, n->b, &value)) {
        g_string_append_c(t->out, '!');
        print_node(t, n->a, 10);
    } else if (n->kind == GCL_NODE_MULTIPLY && is_constant(t, n->b, &value)) {
        g_string_append_printf(t->out, "%" G_GINT64_FORMAT "*", value);
        print_node(t, n->a, level + 1);
    } else if (n->kind == GCL_NODE_ADD && is_constant(t, n->b, &value) && value < 0) {
        print_node(t, n->a, level);
        g_string_append_printf(t->out, " - %" G_GUINT64_FORMAT, -(uint64_t)value);
    } else {
        print_node(t, n->a, level);
        print_operator(t, n->kind);
        print_node(t, n->b, t->is_short && n->kind == GCL_NODE_ADD ? level : level + 1);
    }
}

static void print_call(struct printer *t, const char *name, const struct gcl_node *n) {
    g_string_append_printf(t->out, "%s(", name);
    print_node(t, n->a, 0);
    if (n->kind <= GCL_NODE_SMAX) {
        g_string_append(t->out, ", ");
        print_node(t, n->b, 0);
    }
    g_string_append_c(t->out, ')');
}

static void print_cast(struct printer *t, const struct gcl_node *n) {
    static const char *const names[] = {"zext", "sext", "trunc"};
    assert(n->kind >= GCL_NODE_ZEXT && n->kind <= GCL_NODE_TRUNC);
    g_autofree char *name = g_strdup_printf("%s%u", names[n->kind - GCL_NODE_ZEXT], n->width);
    bool usual = n->kind != GCL_NODE_TRUNC && n->width == 64;
    print_call(t, usual ? names[n->kind - GCL_NODE_ZEXT] : name, n);
}

// The loops are numbered by their guards.
static unsigned loop_number(const struct printer *t, uint16_t guard) {
    unsigned number = 0;
    for (uint16_t i = 0; i < guard; i++)
        number += guard_at(t, i)->kind == GCL_GUARD_LOOP;
    return number;
}

static void print_leaf(struct printer *t, const struct gcl_node *n) {
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    switch (n->kind) {
    case GCL_NODE_CONSTANT:
        g_string_append_printf(t->out, "%" G_GINT64_FORMAT, t->p->constants[n->a]);
        break;
    case GCL_NODE_ARGUMENT:
        print_argument(t, n->a);
        break;
    case GCL_NODE_ITERATION:
        g_string_append_printf(t->out, "i%u", loop_number(t, n->a));
        break;
    case GCL_NODE_LAST:
        g_string_append_printf(t->out, "last(i%u)", loop_number(t, n->a));
        break;
    case GCL_NODE_LOAD:
        if (t->is_short)
            print_elements(t, access_at(t, n->a));
        else
            print_place(t, access_at(t, n->a));
        break;
    case GCL_NODE_UNKNOWN:
        print_reason_name(t, n->a);
        break;
    default:
        g_string_append_printf(t->out, "%s.%c", names[n->kind - GCL_NODE_THREAD_INDEX], 'x' + n->a);
    }
}

static void print_inside(struct printer *t, const struct gcl_node *n, int level) {
    static const char *const bounds[] = {"umin", "umax", "min", "max"};
    if (n->kind == GCL_NODE_GLOBAL_INDEX) {
        char axis = (char)('x' + n->a);
        if (t->is_short)
            g_string_append_c(t->out, axis);
        else
            g_string_append_printf(t->out, "blockIdx.%c*blockDim.%c + threadIdx.%c", axis, axis,
                                   axis);
    } else if (n->kind < GCL_NODE_ADD) {
        print_leaf(t, n);
    } else if (n->kind == GCL_NODE_SELECT) {
        print_node(t, n->a, level + 1);
        g_string_append(t->out, " ? ");
        print_node(t, n->b, level + 1);
        g_string_append(t->out, " : ");
        print_node(t, n->c, level);
    } else if (n->kind >= GCL_NODE_ZEXT) {
        print_cast(t, n);
    } else if (n->kind >= GCL_NODE_UMIN && n->kind <= GCL_NODE_SMAX) {
        print_call(t, bounds[n->kind - GCL_NODE_UMIN], n);
    } else {
        print_pair(t, n, level);
    }
}

static int level_of(const struct printer *t, const struct gcl_node *n) {
    if (n->kind == GCL_NODE_GLOBAL_INDEX && !t->is_short)
        return operators[GCL_NODE_ADD].level;
    int level = n->kind < G_N_ELEMENTS(operators) ? operators[n->kind].level : 0;
    return level ? level : 10;
}

// Prints a node, in parentheses if the operator around it binds more tightly.
static void print_node(struct printer *t, uint16_t index, int context) {
    if (t->is_short)
        index = without_casts(t, index);
    const struct gcl_node *n = node_at(t, index);
    int level = level_of(t, n);
    if (t->depth >= DEEPEST || (t->is_short && t->out->len >= LONGEST)) {
        g_string_append(t->out, "…");
        return;
    }
    t->depth++;
    if (level < context)
        g_string_append_c(t->out, '(');
    print_inside(t, n, level);
    if (level < context)
        g_string_append_c(t->out, ')');
    t->depth--;
}

static void print_guards(struct printer *t, uint16_t index) {
    if (index == GCL_NONE)
        return;
    const struct gcl_guard *guard = guard_at(t, index);
    print_guards(t, guard->outer);
    if (guard->kind == GCL_GUARD_LOOP)
        g_string_append_printf(t->out, " for i%u while ", loop_number(t, index));
    else
        g_string_append(t->out, guard->kind == GCL_GUARD_FAILS ? " if !" : " if ");
    if (guard->node == GCL_NONE)
        g_string_append_c(t->out, '1');
    else
        print_node(t, guard->node, guard->kind == GCL_GUARD_FAILS ? 10 : 0);
}

static void print_source(struct printer *t, const struct gcl_source_position *place) {
    if (place->line == 0)
        return;
    g_autofree char *name = g_path_get_basename(t->p->files[place->file]);
    g_string_append_printf(t->out, "%s:%u", name, place->line);
    if (place->column > 0) // else all of the line
        g_string_append_printf(t->out, ":%u", place->column);
}

static const char *access_name(const struct gcl_access *access) {
    static const char *const kinds[] = {"read", "write", "reduce", "atomic"};
    static const char *const reductions[] = {"add",  "add", "and", "or",   "xor", "umin",
                                             "umax", "min", "max", "fmin", "fmax"};
    return access->kind == GCL_ACCESS_REDUCE ? reductions[access->reduction] : kinds[access->kind];
}

static void print_access(struct printer *t, const struct gcl_access *access) {
    g_string_append_printf(t->out, "  %s ", access_name(access));
    print_place(t, access);
    if (access->length != GCL_NONE) {
        g_string_append_c(t->out, ' ');
        print_node(t, access->length, 10);
        g_string_append(t->out, " bytes");
    } else if (access->size > 0) {
        g_string_append_printf(t->out, " %u bytes", access->size);
    }
    print_guards(t, access->guard);
    g_string_append(t->out, "   ");
    print_source(t, &access->place);
    g_string_append_c(t->out, '\n');
}

static void print_reason(struct printer *t, const struct gcl_reason *reason) {
    g_string_append_printf(t->out, "  GCL%u %s", reason->code, name_of_reason(reason->code));
    if (reason->access != GCL_NONE)
        g_string_append_printf(t->out, " of access %u", reason->access);
    g_string_append(t->out, "   ");
    print_source(t, &reason->place);
    g_string_append_c(t->out, '\n');
}

static struct printer begin(const struct gcl_explained_kernel *kernel) {
    return (struct printer){.kernel = kernel, .p = kernel->program, .out = g_string_new(NULL)};
}

char *gcl_text_program(const struct gcl_explained_kernel *kernel) {
    struct printer t = begin(kernel);
    for (uint16_t i = 0; i < t.p->access_count; i++)
        print_access(&t, &t.p->accesses[i]);
    for (uint16_t i = 0; i < t.p->reason_count; i++)
        print_reason(&t, &t.p->reasons[i]);
    return g_string_free(t.out, FALSE);
}

char *gcl_text_base(const struct gcl_explained_kernel *kernel, uint16_t base) {
    struct printer t = begin(kernel);
    t.is_short = true;
    print_base(&t, base);
    return g_string_free(t.out, FALSE);
}

char *gcl_text_name(const struct gcl_explained_kernel *kernel, uint32_t offset) {
    static const char letters[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_.";
    struct printer t = begin(kernel);
    print_argument(&t, offset);
    char *name = g_string_free(t.out, FALSE);
    return *name && strspn(name, letters) == strlen(name) ? name : (g_free(name), NULL);
}

char *gcl_text_place(const struct gcl_explained_kernel *kernel,
                     const struct gcl_source_position *place) {
    struct printer t = begin(kernel);
    print_source(&t, place);
    return g_string_free(t.out, FALSE);
}

// Formulas in elements, as in the source.

// Whether a number of bytes certainly is one of elements.
static bool is_scaled(const struct printer *t, uint16_t index, int64_t element) {
    assert(element > 0);
    const struct gcl_node *n = node_at(t, index);
    int64_t value;
    if (element == 1)
        return false;
    if (is_constant(t, index, &value))
        return value % element == 0;
    if (n->kind == GCL_NODE_MULTIPLY)
        return is_constant(t, n->b, &value) && value % element == 0;
    if (n->kind == GCL_NODE_SELECT)
        return is_scaled(t, n->b, element) && is_scaled(t, n->c, element);
    return (n->kind == GCL_NODE_ADD || n->kind == GCL_NODE_SUBTRACT) &&
           is_scaled(t, n->a, element) && is_scaled(t, n->b, element);
}

static void print_scaled(struct printer *t, uint16_t index, int64_t element, int context) {
    const struct gcl_node *n = node_at(t, index);
    int64_t value = 0;
    if (is_constant(t, index, &value)) {
        g_string_append_printf(t->out, "%" G_GINT64_FORMAT, value / element);
    } else if (n->kind == GCL_NODE_MULTIPLY) {
        is_constant(t, n->b, &value);
        if (value != element)
            g_string_append_printf(t->out, "%" G_GINT64_FORMAT "*", value / element);
        print_node(t, without_casts(t, n->a), value == element ? context : 10);
    } else if (n->kind == GCL_NODE_SELECT) {
        g_string_append(t->out, context > 0 ? "(" : "");
        print_node(t, n->a, operators[GCL_NODE_SELECT].level + 1);
        g_string_append(t->out, " ? ");
        print_scaled(t, n->b, element, operators[GCL_NODE_SELECT].level + 1);
        g_string_append(t->out, " : ");
        print_scaled(t, n->c, element, 0);
        g_string_append(t->out, context > 0 ? ")" : "");
    } else {
        bool minus = n->kind == GCL_NODE_SUBTRACT;
        bool flips = is_constant(t, n->b, &value) && value < 0;
        print_scaled(t, n->a, element, 8);
        g_string_append(t->out, minus != flips ? " - " : " + ");
        if (flips)
            g_string_append_printf(t->out, "%" G_GINT64_FORMAT, -(value / element));
        else
            print_scaled(t, n->b, element, minus ? 9 : 8);
    }
}

// Prints an access in elements if its offset is a number of elements, else in bytes.
static void print_elements(struct printer *t, const struct gcl_access *access) {
    if (access->offset == GCL_NONE || access->element == 0 ||
        !is_scaled(t, access->offset, access->element)) {
        print_place(t, access);
        return;
    }
    print_base(t, access->base);
    g_string_append_c(t->out, '[');
    print_scaled(t, access->offset, access->element, 0);
    g_string_append_c(t->out, ']');
}

char *gcl_text_access(const struct gcl_explained_kernel *kernel, uint16_t index) {
    struct printer t = begin(kernel);
    const struct gcl_access *access = &t.p->accesses[index];
    t.is_short = true;
    const struct gcl_base *base = &t.p->bases[access->base];
    if ((base->flags & GCL_BASE_TEXTURE) || base->kind == GCL_BASE_ANY)
        print_base(&t, access->base);
    else
        print_elements(&t, access);
    return g_string_free(t.out, FALSE);
}
