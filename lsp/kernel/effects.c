// Names stand for all variables that are called so; whatever isn't known to do less is unclear.
// Both err on the safe side.
#include "lsp/kernel/effects.h"

#include <assert.h>
#include <string.h>

// Memory.

static CXCursor meant_by(const struct gcl_effects_scope *scope, TSNode name) {
    return gcl_meaning_of(scope->meaning, ts_node_start_byte(name));
}

static CXType type_of(const struct gcl_effects_scope *scope, TSNode node) {
    CXType none = {.kind = CXType_Invalid};
    if (gcl_node_is(node, "identifier"))
        return clang_getCanonicalType(clang_getCursorType(meant_by(scope, node)));
    if (gcl_node_is(node, "field_expression")) {
        TSNode field = gcl_node_field(node, "field");
        return clang_getCanonicalType(clang_getCursorType(meant_by(scope, field)));
    }
    if (gcl_node_is(node, "parenthesized_expression"))
        return type_of(scope, ts_node_named_child(node, 0));
    if (gcl_node_is(node, "subscript_expression")) {
        CXType type = type_of(scope, gcl_node_field(node, "argument"));
        if (gcl_meaning_is_array(type))
            return clang_getCanonicalType(clang_getArrayElementType(type));
        if (type.kind == CXType_Pointer)
            return clang_getCanonicalType(clang_getPointeeType(type));
    }
    return none;
}

static enum gcl_memory memory_of_name(const struct gcl_effects_scope *scope, TSNode name,
                                      TSNode *root) {
    CXCursor variable = meant_by(scope, name);
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    *root = name;
    if (clang_Cursor_isNull(variable) || type.kind == CXType_LValueReference ||
        type.kind == CXType_RValueReference)
        return GCL_MEMORY_UNKNOWN;
    return gcl_meaning_is_local(variable) ? GCL_MEMORY_LOCAL : GCL_MEMORY_GLOBAL;
}

enum gcl_memory gcl_effects_memory(const struct gcl_effects_scope *scope, TSNode lvalue,
                                   TSNode *root) {
    TSNode argument = gcl_node_field(lvalue, "argument");
    if (gcl_node_is(lvalue, "identifier"))
        return memory_of_name(scope, lvalue, root);
    if (gcl_node_is(lvalue, "parenthesized_expression"))
        return gcl_effects_memory(scope, ts_node_named_child(lvalue, 0), root);
    if (gcl_node_is(lvalue, "field_expression"))
        return gcl_node_has_operator(lvalue, "->") ? GCL_MEMORY_GLOBAL
                                                   : gcl_effects_memory(scope, argument, root);
    if (gcl_node_is(lvalue, "subscript_expression")) {
        CXType type = type_of(scope, argument);
        if (gcl_meaning_is_array(type))
            return gcl_effects_memory(scope, argument, root);
        return type.kind == CXType_Pointer || gcl_node_is(argument, "parenthesized_expression")
                   ? GCL_MEMORY_GLOBAL
                   : GCL_MEMORY_UNKNOWN;
    }
    if (gcl_node_is(lvalue, "pointer_expression") && gcl_node_has_operator(lvalue, "*"))
        return gcl_meaning_is_array(type_of(scope, argument))
                   ? gcl_effects_memory(scope, argument, root)
                   : GCL_MEMORY_GLOBAL;
    return GCL_MEMORY_UNKNOWN;
}

// Effects.

static void change(const struct gcl_effects_scope *scope, TSNode lvalue,
                   struct gcl_effects *effects) {
    TSNode root = lvalue;
    switch (gcl_effects_memory(scope, lvalue, &root)) {
    case GCL_MEMORY_LOCAL:
        assert(gcl_node_is(root, "identifier"));
        g_hash_table_add(effects->changed, gcl_node_text(scope->view->text, root));
        break;
    case GCL_MEMORY_GLOBAL:
        effects->outside = true;
        break;
    case GCL_MEMORY_UNKNOWN:
        effects->unclear = true;
        break;
    }
}

// The name of the function that is called; null: it is no name.
static TSNode called(TSNode call) {
    TSNode function = gcl_node_field(call, "function");
    while (gcl_node_is(function, "template_function") ||
           gcl_node_is(function, "qualified_identifier"))
        function = gcl_node_field(function, "name");
    if (gcl_node_is(function, "field_expression"))
        return gcl_node_field(function, "field");
    return function;
}

// Only CUDA's own operations count: the program's function of such a name may do anything.
bool gcl_effects_is_atomic(const struct gcl_effects_scope *scope, TSNode call, TSNode *address) {
    if (!gcl_node_is(call, "call_expression"))
        return false;
    CXCursor function = meant_by(scope, called(call));
    g_autofree char *name = gcl_node_text(scope->view->text, gcl_node_field(call, "function"));
    *address = ts_node_named_child(gcl_node_field(call, "arguments"), 0);
    return g_str_has_prefix(name, "atomic") && !ts_node_is_null(*address) &&
           !clang_Cursor_isNull(function) &&
           clang_Location_isInSystemHeader(clang_getCursorLocation(function));
}

// The result of an atomic operation on memory of all threads can't be known before: what gets it is
// left out. Of an operation on a block's own variable only the sum matters.
static void see_atomic(const struct gcl_effects_scope *scope, TSNode call, TSNode address,
                       struct gcl_effects *effects) {
    bool is_used = !gcl_node_is(ts_node_parent(call), "expression_statement");
    TSNode lvalue = address, root;
    if (gcl_node_is(address, "pointer_expression") && gcl_node_has_operator(address, "&"))
        lvalue = gcl_node_field(address, "argument");
    else if (!gcl_meaning_is_array(type_of(scope, address)))
        lvalue = (TSNode){0};
    if (!ts_node_is_null(lvalue) && gcl_effects_memory(scope, lvalue, &root) == GCL_MEMORY_LOCAL) {
        change(scope, lvalue, effects);
        effects->ranks += is_used;
        effects->rank = call;
        return;
    }
    effects->outside = true;
}

static void see_call(const struct gcl_effects_scope *scope, TSNode call,
                     struct gcl_effects *effects) {
    TSNode name = called(call);
    if (gcl_node_is(name, "primitive_type") || gcl_node_is(name, "sized_type_specifier"))
        return;
    g_autofree char *word = gcl_node_text(scope->view->text, name);
    effects->waits |= strstr(word, "sync") || strstr(word, "shfl") || strstr(word, "ballot");
    if (g_str_has_prefix(word, "__sync"))
        return;
    CXCursor function = meant_by(scope, name);
    enum CXCursorKind kind = clang_getCursorKind(function);
    if (clang_Cursor_isNull(function))
        effects->unclear |= !gcl_meaning_is_macro(scope->meaning, ts_node_start_byte(name));
    else if (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
             kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl ||
             kind == CXCursor_TemplateTypeParameter)
        return;
    else
        effects->unclear |= !gcl_meaning_is_pure(function);
}

// Naming an array, but for one of its elements, is taking its address, whose use isn't known.
static void see_name(const struct gcl_effects_scope *scope, TSNode name,
                     struct gcl_effects *effects) {
    TSNode parent = ts_node_parent(name);
    CXCursor variable = meant_by(scope, name);
    if (clang_Cursor_isNull(variable) || !gcl_meaning_is_local(variable) ||
        !gcl_meaning_is_array(clang_getCursorType(variable)))
        return;
    bool is_element = gcl_node_is(parent, "subscript_expression") &&
                      ts_node_eq(gcl_node_field(parent, "argument"), name);
    effects->unclear |= !is_element;
}

static bool is_unclear(const struct gcl_effects_scope *scope, TSNode node) {
    static const char *const types[] = {
        "lambda_expression",    "new_expression",  "delete_expression",    "gnu_asm_expression",
        "throw_statement",      "try_statement",   "labeled_statement",    "goto_statement",
        "reference_declarator", "preproc_if",      "preproc_ifdef",        "preproc_def",
        "preproc_function_def", "preproc_include", "attributed_statement", "macro_definition"};
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (gcl_node_is(node, types[i]))
            return true;
    }
    if (!gcl_node_is(node, "declaration"))
        return false;
    g_autofree char *text = gcl_node_text(scope->view->text, node);
    return g_str_has_prefix(text, "static ") && !strstr(text, "__shared__");
}

static void see_node(const struct gcl_effects_scope *scope, TSNode node,
                     struct gcl_effects *effects) {
    TSNode root, argument = gcl_node_field(node, "argument");
    if (gcl_node_is(node, "assignment_expression"))
        change(scope, gcl_node_field(node, "left"), effects);
    else if (gcl_node_is(node, "update_expression"))
        change(scope, argument, effects);
    else if (gcl_node_is(node, "call_expression"))
        see_call(scope, node, effects);
    else if (gcl_node_is(node, "identifier"))
        see_name(scope, node, effects);
    else if (gcl_node_is(node, "pointer_expression") && gcl_node_has_operator(node, "&"))
        effects->unclear |= gcl_effects_memory(scope, argument, &root) != GCL_MEMORY_GLOBAL;
    else if (gcl_node_is(node, "return_statement") || gcl_node_is(node, "break_statement") ||
             gcl_node_is(node, "continue_statement"))
        effects->leaves = true;
    else
        effects->unclear |= is_unclear(scope, node);
}

static void collect(const struct gcl_effects_scope *scope, TSNode node,
                    struct gcl_effects *effects) {
    TSNode address = {0};
    bool is_call = ts_node_eq(node, scope->skipped);
    bool is_atomic = !is_call && gcl_effects_is_atomic(scope, node, &address);
    if (is_atomic)
        see_atomic(scope, node, address, effects);
    else if (!is_call)
        see_node(scope, node, effects);
    if (is_call || is_atomic)
        node = gcl_node_field(node, "arguments");
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (!(is_call || is_atomic) || i > 0)
            collect(scope, child, effects);
        else if (is_atomic && effects->outside)
            collect(scope, child, effects);
    }
}

struct gcl_effects gcl_effects_of(const struct gcl_effects_scope *scope, TSNode node) {
    struct gcl_effects effects = {.changed =
                                      g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    if (!ts_node_is_null(node))
        collect(scope, node, &effects);
    assert((effects.ranks > 0) <= !ts_node_is_null(effects.rank));
    return effects;
}

void gcl_effects_finish(struct gcl_effects *effects) {
    g_hash_table_unref(effects->changed);
}
