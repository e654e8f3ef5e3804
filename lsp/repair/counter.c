// A counter has to be the same for all threads: a parameter that nobody changes, a field that one
// leads to, or a variable of the device; and the kernel must not mention it anywhere else.
#include "lsp/repair/counter.h"

#include <assert.h>
#include <string.h>

static CXCursor meant_by(const struct gcl_kernel_text *kernel, TSNode name) {
    return gcl_meaning_of(kernel->meaning, ts_node_start_byte(name));
}

static bool is_parameter(const struct gcl_kernel_text *kernel, TSNode name) {
    return clang_getCursorKind(meant_by(kernel, name)) == CXCursor_ParmDecl;
}

// Whether a parameter is assigned to somewhere.
static bool is_changed(const struct gcl_kernel_text *kernel, TSNode node, const char *name) {
    TSNode target = gcl_node_is(node, "assignment_expression") ? gcl_node_field(node, "left")
                                                               : gcl_node_field(node, "argument");
    if (gcl_node_is(node, "assignment_expression") || gcl_node_is(node, "update_expression") ||
        (gcl_node_is(node, "pointer_expression") && gcl_node_has_operator(node, "&"))) {
        g_autofree char *text = gcl_node_text(kernel->view->text, target);
        if (strcmp(text, name) == 0)
            return true;
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        if (is_changed(kernel, ts_node_named_child(node, i), name))
            return true;
    }
    return false;
}

static bool is_stable(const struct gcl_kernel_text *kernel, TSNode name) {
    g_autofree char *word = gcl_node_text(kernel->view->text, name);
    return is_parameter(kernel, name) && !is_changed(kernel, kernel->body, word);
}

// `p->n`, `p->q.n` or `q.n` of a parameter, whose last field nobody else mentions.
static bool is_field(const struct gcl_kernel_text *kernel, TSNode node) {
    if (!gcl_node_is(node, "field_expression") ||
        gcl_kernel_text_mentions(kernel, gcl_node_field(node, "field")) > 0)
        return false;
    while (gcl_node_is(node, "field_expression") && gcl_node_has_operator(node, "."))
        node = gcl_node_field(node, "argument");
    if (gcl_node_is(node, "field_expression"))
        node = gcl_node_field(node, "argument");
    return gcl_node_is(node, "identifier") && is_stable(kernel, node);
}

// `a[3]`, where the kernel has no other element.
static bool is_element(const struct gcl_kernel_text *kernel, TSNode node) {
    TSNode argument = gcl_node_field(node, "argument"), indices = gcl_node_field(node, "indices");
    return gcl_node_is(node, "subscript_expression") && gcl_node_is(argument, "identifier") &&
           gcl_node_is(ts_node_named_child(indices, 0), "number_literal") &&
           gcl_kernel_text_mentions(kernel, argument) == 0 && is_parameter(kernel, argument);
}

static bool is_device_variable(const struct gcl_kernel_text *kernel, TSNode node) {
    CXCursor variable = meant_by(kernel, node);
    return clang_getCursorKind(variable) == CXCursor_VarDecl && !gcl_meaning_is_local(variable) &&
           gcl_kernel_text_mentions(kernel, node) == 0;
}

static const char *integer_name(CXType type) {
    switch ((unsigned)clang_getCanonicalType(type).kind) {
    case CXType_Int:
        return "int";
    case CXType_UInt:
        return "unsigned";
    case CXType_ULongLong:
        return "unsigned long long";
    default:
        return NULL;
    }
}

// The name whose type says what is counted, of an address that is the same for all threads; null if
// it isn't sure to be.
static TSNode find_name(const struct gcl_kernel_text *kernel, TSNode address, bool *is_passed) {
    TSNode none = {0};
    *is_passed = true;
    if (gcl_node_is(address, "identifier"))
        return is_parameter(kernel, address) && gcl_kernel_text_mentions(kernel, address) == 0
                   ? address
                   : none;
    if (gcl_node_is(address, "field_expression"))
        return is_field(kernel, address) ? gcl_node_field(address, "field") : none;
    if (!gcl_node_is(address, "pointer_expression"))
        return none;
    TSNode target = gcl_node_field(address, "argument");
    *is_passed = !gcl_node_is(target, "identifier");
    if (!*is_passed)
        return is_device_variable(kernel, target) ? target : none;
    if (is_element(kernel, target))
        return gcl_node_field(target, "argument");
    return is_field(kernel, target) ? gcl_node_field(target, "field") : none;
}

bool gcl_counter_find(const struct gcl_kernel_text *kernel, TSNode address,
                      struct gcl_counter *counter) {
    assert(!counter->value && kernel->meaning);
    TSNode name = find_name(kernel, address, &counter->is_passed);
    if (ts_node_is_null(name))
        return false;
    CXType type = clang_getCanonicalType(clang_getCursorType(meant_by(kernel, name)));
    bool leads = !gcl_node_is(address, "pointer_expression") ||
                 gcl_node_is(gcl_node_field(address, "argument"), "subscript_expression");
    counter->address = address;
    counter->type = integer_name(leads ? clang_getPointeeType(type) : type);
    if (gcl_node_is(address, "pointer_expression")) {
        counter->value = gcl_node_text(kernel->view->text, gcl_node_field(address, "argument"));
    } else {
        g_autofree char *text = gcl_node_text(kernel->view->text, address);
        counter->value = g_strdup_printf("*%s", text);
    }
    return counter->type != NULL;
}

void gcl_counter_finish(struct gcl_counter *counter) {
    g_free(counter->value);
}
