// Names are looked up as they are written: "p" and "p.n" are both in the kernel's list.
#include "frontend/pragma_check.h"

#include <string.h>

#include "base/diagnostic.h"
#include "base/spell.h"
#include "frontend/report.h"

// What a name is asked for.
enum role { ROLE_POINTER, ROLE_INTEGER };

static const struct gcl_source_parameter *parameter_at(const struct gcl_source_kernel *kernel,
                                                       guint i) {
    return &g_array_index(kernel->parameters, struct gcl_source_parameter, i);
}

static const struct gcl_source_parameter *find(const struct gcl_source_kernel *kernel,
                                               const char *name) {
    for (guint i = 0; i < kernel->parameters->len; i++) {
        if (strcmp(parameter_at(kernel, i)->name, name) == 0)
            return parameter_at(kernel, i);
    }
    return NULL;
}

static bool is_unknown(const struct gcl_source_parameter *parameter) {
    return !parameter->is_pointer && parameter->type == GCL_PRAGMA_TYPE_UNKNOWN;
}

static bool fits(const struct gcl_source_parameter *parameter, enum role role) {
    if (is_unknown(parameter))
        return true;
    if (role == ROLE_POINTER)
        return parameter->is_pointer;
    return !parameter->is_pointer && (parameter->type == GCL_PRAGMA_TYPE_SIGNED ||
                                      parameter->type == GCL_PRAGMA_TYPE_UNSIGNED);
}

static void fail(const struct gcl_pragma_check *check, const struct gcl_pragma_object *object,
                 const char *help, const char *message) {
    const struct gcl_source_range range = {object->begin, object->end};
    gcl_report_error(check->diagnostics, check->source, range, GCL_CODE_PRAGMA_NAME, help, message);
}

// "did you mean 'in'?", or all names that would fit; to be freed, NULL if there are none.
static char *suggest(const struct gcl_source_kernel *kernel, const char *name, enum role role) {
    static const char *const indexes[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < kernel->parameters->len; i++) {
        const struct gcl_source_parameter *parameter = parameter_at(kernel, i);
        if (!*parameter->name || !fits(parameter, role))
            continue;
        g_ptr_array_add(candidates, parameter->name);
        g_string_append_printf(list, "%s%s", list->len ? ", " : "", parameter->name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(indexes) && role == ROLE_INTEGER; i++)
        g_ptr_array_add(candidates, (gpointer)indexes[i]);
    g_autofree char *word = g_strndup(name, strcspn(name, "."));
    const char *nearest = gcl_spell_nearest(name, candidates);
    nearest = nearest ? nearest : gcl_spell_nearest(word, candidates);
    if (nearest)
        return g_strdup_printf("did you mean '%s'?", nearest);
    return list->len ? g_strdup_printf("%s of the kernel: %s",
                                       role == ROLE_POINTER ? "pointers" : "integers", list->str)
                     : NULL;
}

static void replace(char **text, const char *other) {
    g_free(*text);
    *text = g_strdup(other);
}

// No parameter or field is named so: says what is wrong with the part that isn't known.
static void fail_unknown(const struct gcl_pragma_check *check,
                         const struct gcl_pragma_object *object, enum role role) {
    g_autofree char *outer = g_strdup(object->name), *message = NULL;
    g_autofree char *help = suggest(check->kernel, object->name, role);
    const struct gcl_source_parameter *known = NULL;
    for (char *dot; !known && (dot = strrchr(outer, '.')) != NULL;) {
        *dot = '\0';
        known = find(check->kernel, outer);
    }
    if (!known) {
        message = g_strdup_printf("'%s' is not a parameter of '%s'", outer, check->kernel->name);
    } else if (is_unknown(known)) {
        replace(&help, "pass the field as a parameter of its own");
        message = g_strdup_printf("fields of '%s' depend on arguments of the template", outer);
    } else if (known->is_pointer) {
        replace(&help, "pass the struct by value, or the field as a parameter of its own");
        message = g_strdup_printf("'%s' is a pointer: its fields are in memory", outer);
    } else {
        message =
            g_strdup_printf("'%s' has no field '%s'", outer, object->name + strlen(outer) + 1);
    }
    fail(check, object, help, message);
}

static void fail_unfit(const struct gcl_pragma_check *check, const struct gcl_pragma_object *object,
                       const struct gcl_source_parameter *found, enum role role) {
    g_autofree char *help = suggest(check->kernel, "", role);
    const char *wanted = role == ROLE_POINTER ? "not a pointer"
                         : found->is_pointer  ? "a pointer, not an integer"
                                              : "not an integer";
    g_autofree char *message = g_strdup_printf("'%s' is %s", object->name, wanted);
    fail(check, object, help, message);
}

static bool resolve(const struct gcl_pragma_check *check, struct gcl_pragma_object *object,
                    enum role role) {
    const struct gcl_source_parameter *found = find(check->kernel, object->name);
    if (!found) {
        fail_unknown(check, object, role);
        return false;
    }
    if (!fits(found, role)) {
        fail_unfit(check, object, found, role);
        return false;
    }
    object->parameter = found->index;
    object->offset = found->offset;
    object->size = found->size;
    object->type = (uint8_t)found->type;
    return true;
}

static bool is_bitwise(uint8_t reduction) {
    return reduction == GCL_PRAGMA_REDUCTION_AND || reduction == GCL_PRAGMA_REDUCTION_OR ||
           reduction == GCL_PRAGMA_REDUCTION_XOR;
}

// What a clause says of its pointer must be possible.
static bool check_use(const struct gcl_pragma_check *check,
                      const struct gcl_pragma_clause *clause) {
    const struct gcl_pragma_object *object = &clause->object;
    const struct gcl_source_parameter *pointer = find(check->kernel, object->name);
    bool writes = clause->kind == GCL_PRAGMA_WRITES || clause->kind == GCL_PRAGMA_REDUCES ||
                  clause->kind == GCL_PRAGMA_DISJOINT;
    if (writes && pointer->is_const) {
        g_autofree char *message =
            g_strdup_printf("'%s' points to what is const, so it isn't written", object->name);
        fail(check, object, "name the pointer that the kernel writes through", message);
        return false;
    }
    if (clause->kind == GCL_PRAGMA_REDUCES && is_bitwise(clause->reduction) &&
        pointer->type == GCL_PRAGMA_TYPE_FLOAT) {
        g_autofree char *message = g_strdup_printf(
            "'%s' points to floating-point numbers, which have no bits to combine", object->name);
        fail(check, object, "they can be combined by +, min and max", message);
        return false;
    }
    return true;
}

bool gcl_pragma_check_resolve(const struct gcl_pragma_check *check,
                              struct gcl_pragma_clause *clause) {
    bool good = !clause->object.name ||
                (resolve(check, &clause->object, ROLE_POINTER) && check_use(check, clause));
    for (guint i = 0; clause->nodes && i < clause->nodes->len; i++) {
        struct gcl_pragma_node *node = &g_array_index(clause->nodes, struct gcl_pragma_node, i);
        if (node->kind == GCL_PRAGMA_NODE_OBJECT)
            good = resolve(check, &node->object, ROLE_INTEGER) && good;
    }
    return good;
}

// Two clauses.

static bool is_same_kernel(const struct gcl_source_kernel *kernel, const struct gcl_pragma *other) {
    return g_strcmp0(kernel->symbol, other->symbol) == 0 &&
           strcmp(kernel->name, other->kernel) == 0 &&
           kernel->parameter_count == other->parameter_count;
}

static bool is_same_object(const struct gcl_pragma_object *a, const struct gcl_pragma_object *b) {
    return a->name && b->name && a->parameter == b->parameter && a->offset == b->offset;
}

// Whether clauses of two kinds contradict each other: the first pair for one kernel, the others for
// one object.
static bool excludes(uint8_t a, uint8_t b) {
    static const uint8_t pairs[][2] = {
        {GCL_PRAGMA_SPLIT, GCL_PRAGMA_SINGLE},     {GCL_PRAGMA_REDUCES, GCL_PRAGMA_READS},
        {GCL_PRAGMA_REDUCES, GCL_PRAGMA_WRITES},   {GCL_PRAGMA_REDUCES, GCL_PRAGMA_REPLICATE},
        {GCL_PRAGMA_REDUCES, GCL_PRAGMA_DISJOINT}, {GCL_PRAGMA_REPLICATE, GCL_PRAGMA_READS},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if ((a == pairs[i][0] && b == pairs[i][1]) || (a == pairs[i][1] && b == pairs[i][0]))
            return true;
    }
    return false;
}

static void fail_pair(const struct gcl_pragma_check *check, const struct gcl_pragma_clause *clause,
                      const struct gcl_pragma *other, bool repeats) {
    g_autoptr(GString) first = g_string_new(NULL), second = g_string_new(NULL);
    gcl_pragma_clause_write(first, &other->clause);
    gcl_pragma_clause_write(second, clause);
    g_autofree char *file = strcmp(other->path, check->source->path) == 0
                                ? g_strdup_printf("line %u", other->line)
                                : g_strdup_printf("%s:%u", other->path, other->line);
    g_autofree char *message =
        repeats ? g_strdup_printf("'%s' has been said in %s", second->str, file)
                : g_strdup_printf("'%s' contradicts '%s' in %s", second->str, first->str, file);
    const struct gcl_source_range range = {clause->begin, clause->end};
    gcl_report_error(check->diagnostics, check->source, range, GCL_CODE_PRAGMA_CONFLICT,
                     "remove one of them", message);
}

bool gcl_pragma_check_agrees(const struct gcl_pragma_check *check,
                             const struct gcl_pragma_clause *clause, const struct gcl_pragma *other,
                             bool same_declaration) {
    const struct gcl_pragma_clause *before = &other->clause;
    bool about_objects = clause->object.name || before->object.name;
    if (!is_same_kernel(check->kernel, other) ||
        (about_objects && !is_same_object(&clause->object, &before->object)))
        return true;
    if (excludes(clause->kind, before->kind)) {
        fail_pair(check, clause, other, false);
        return false;
    }
    if (clause->kind != before->kind || clause->nodes) // several ranges add up
        return true;
    bool repeats = clause->axis == before->axis && clause->reduction == before->reduction;
    if (!repeats || same_declaration)
        fail_pair(check, clause, other, repeats);
    return false;
}
