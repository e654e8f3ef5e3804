// What is done with a variable is judged by the way from its name up to the expression that uses
// its value. A way that isn't known to read or to assign may make a reference.
#include "lsp/repair/variables.h"

#include <string.h>

#include "frontend/cursor.h"
#include "lsp/read/meaning.h"
#include "lsp/read/occurrences.h"
#include "lsp/read/tree.h"
#include "lsp/repair/expansions.h"

enum use { READS, ASSIGNS, REFERS };

bool gcl_variables_is_scalar(CXType type) {
    CXType known = clang_getCanonicalType(type);
    return (known.kind >= CXType_Bool && known.kind <= CXType_LongDouble) ||
           known.kind == CXType_Half || known.kind == CXType_Pointer || known.kind == CXType_Enum ||
           known.kind == CXType_NullPtr;
}

static bool is_pointer(CXType type) {
    return clang_getCanonicalType(type).kind == CXType_Pointer;
}

// Calls.

// The function that a call names; null if it isn't a plain name, or one with a template's arguments
// of which none is a reference.
static CXCursor called(struct gcl_view *view, TSNode call) {
    TSNode name = gcl_node_field(call, "function");
    if (gcl_node_is(name, "template_function")) {
        g_autofree char *words = gcl_node_text(view->text, name);
        name = strchr(words, '&') ? (TSNode){0} : gcl_node_field(name, "name");
    }
    const struct gcl_occurrence *o =
        gcl_node_is(name, "identifier") ? gcl_occurrences_at(view, ts_node_start_byte(name)) : NULL;
    enum CXCursorKind kind = o ? clang_getCursorKind(o->target) : CXCursor_InvalidFile;
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate
               ? o->target
               : clang_getNullCursor();
}

static int index_of(TSNode list, TSNode argument) {
    uint32_t count = ts_node_named_child_count(list);
    int index = 0;
    for (uint32_t i = 0; i < count; i++) {
        TSNode child = ts_node_named_child(list, i);
        if (ts_node_eq(child, argument))
            return index;
        index += !gcl_node_is(child, "comment");
    }
    return -1;
}

static enum use use_of_argument(struct gcl_view *view, TSNode list, TSNode argument) {
    CXType function = clang_getCursorType(called(view, ts_node_parent(list)));
    int index = index_of(list, argument), count = clang_getNumArgTypes(function);
    if (count < 0 || index < 0)
        return REFERS;
    if (index >= count)
        return READS; // of `...`
    CXType type = clang_getArgType(function, (unsigned)index);
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_LValueReference || kind == CXType_RValueReference ? REFERS : READS;
}

// cudaMalloc(&p) and its like set what they are given the address of, and forget that.
static enum use use_of_address(struct gcl_view *view, TSNode address) {
    TSNode list = ts_node_parent(address);
    CXCursor function =
        gcl_node_is(list, "argument_list") ? called(view, ts_node_parent(list)) : (CXCursor){0};
    if (!gcl_node_is(list, "argument_list") || clang_Cursor_isNull(function) ||
        !clang_Location_isInSystemHeader(clang_getCursorLocation(function)))
        return REFERS;
    g_autofree char *name = gcl_cursor_name(function);
    bool sets = g_str_has_prefix(name, "cuda") &&
                (strstr(name, "Malloc") || strstr(name, "Create") || strstr(name, "Get"));
    return sets ? ASSIGNS : REFERS;
}

// Expressions.

static enum use use_in(struct gcl_view *view, TSNode parent, TSNode node) {
    static const char *const reading[] = {"array_declarator",
                                          "binary_expression",
                                          "condition_clause",
                                          "do_statement",
                                          "expression_statement",
                                          "for_statement",
                                          "if_statement",
                                          "kernel_call_syntax",
                                          "return_statement",
                                          "subscript_argument_list",
                                          "subscript_expression",
                                          "switch_statement",
                                          "unary_expression",
                                          "while_statement",
                                          NULL};
    if (gcl_node_is(parent, "assignment_expression"))
        return gcl_node_is_field(parent, "left", node) ? ASSIGNS : READS;
    if (gcl_node_is(parent, "update_expression"))
        return ASSIGNS;
    if (gcl_node_is(parent, "pointer_expression"))
        return gcl_node_has_operator(parent, "&") ? use_of_address(view, parent) : READS;
    if (gcl_node_is(parent, "cast_expression")) {
        g_autofree char *type = gcl_node_text(view->text, gcl_node_field(parent, "type"));
        return strchr(type, '&') ? REFERS : READS;
    }
    if (gcl_node_is(parent, "init_declarator"))
        return gcl_node_is(gcl_node_field(parent, "declarator"), "reference_declarator") ? REFERS
                                                                                         : READS;
    if (gcl_node_is(parent, "argument_list"))
        return use_of_argument(view, parent, node);
    return gcl_node_is_one_of(parent, reading) ? READS : REFERS;
}

// The type of the member that a field expression names; invalid if it is none.
static CXType member_type(struct gcl_view *view, TSNode expression) {
    TSNode field = gcl_node_field(expression, "field");
    const struct gcl_occurrence *o = gcl_occurrences_at(view, ts_node_start_byte(field));
    return o && clang_getCursorKind(o->target) == CXCursor_FieldDecl
               ? clang_getCursorType(o->target)
               : (CXType){CXType_Invalid, {NULL, NULL}};
}

// What is done with a variable at its name, or with the part of it that stands there.
static enum use use_of(struct gcl_view *view, TSNode name, CXType type) {
    TSNode node = name, parent = ts_node_parent(node);
    for (;; node = parent, parent = ts_node_parent(node)) {
        bool is_operand = gcl_node_is_field(parent, "argument", node);
        if (gcl_node_is(parent, "parenthesized_expression") ||
            (gcl_node_is(parent, "conditional_expression") &&
             !gcl_node_is_field(parent, "condition", node)))
            continue;
        if (gcl_node_is(parent, "subscript_expression") && is_operand) {
            if (is_pointer(type))
                return READS;
            if (!gcl_meaning_is_array(type))
                return REFERS;
            type = clang_getArrayElementType(clang_getCanonicalType(type));
        } else if (gcl_node_is(parent, "field_expression") && is_operand) {
            if (is_pointer(type))
                return READS;
            type = member_type(view, parent);
        } else {
            break;
        }
    }
    if (gcl_node_is(parent, "conditional_expression"))
        return READS;
    return gcl_variables_is_scalar(type) ? use_in(view, parent, node) : REFERS;
}

static bool is_constant_if(TSNode statement, TSNode condition) {
    return gcl_node_is(statement, "if_statement") &&
           gcl_node_is_field(statement, "condition", condition) &&
           ts_node_child_count(statement) > 1 &&
           gcl_node_is(ts_node_child(statement, 1), "constexpr");
}

// Whether a name stands where only a constant may.
static bool needs_constant(TSNode name, uint32_t begin) {
    static const char *const holders[] = {"array_declarator", "static_assert_declaration",
                                          "template_argument_list", NULL};
    for (TSNode node = name, parent = ts_node_parent(node);
         !ts_node_is_null(parent) && ts_node_start_byte(parent) >= begin;
         node = parent, parent = ts_node_parent(node)) {
        if (gcl_node_is_one_of(parent, holders) || is_constant_if(parent, node) ||
            (gcl_node_is(parent, "case_statement") && gcl_node_is_field(parent, "value", node)))
            return true;
    }
    return false;
}

// Whether a reference that is made at a name goes into a call at most, which it doesn't outlive.
static bool is_for_call(TSNode name, CXType type) {
    TSNode parent = ts_node_parent(name);
    while (gcl_node_is(parent, "subscript_expression") || gcl_node_is(parent, "field_expression") ||
           gcl_node_is(parent, "pointer_expression"))
        parent = ts_node_parent(parent);
    return gcl_node_is(parent, "argument_list") ||
           clang_getCanonicalType(type).kind == CXType_Record;
}

// Variables.

static void variable_free(void *data) {
    struct gcl_variable *variable = data;
    g_free(variable->name);
    g_free(variable);
}

static struct gcl_variable *find(const GPtrArray *list, CXCursor declaration) {
    for (guint i = 0; i < list->len; i++) {
        struct gcl_variable *variable = list->pdata[i];
        if (clang_equalCursors(variable->declaration, declaration))
            return variable;
    }
    return NULL;
}

static struct gcl_variable *add(GPtrArray *list, CXCursor declaration) {
    struct gcl_variable *variable = g_new0(struct gcl_variable, 1);
    g_autofree char *words = gcl_tree_qualifiers(declaration);
    variable->declaration = declaration;
    variable->type = clang_getCursorType(declaration);
    variable->name = gcl_cursor_name(declaration);
    variable->has_value = clang_getCursorKind(declaration) == CXCursor_ParmDecl ||
                          !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(declaration));
    variable->is_shared = strstr(words, "__shared__") ||
                          clang_Cursor_getStorageClass(declaration) == CX_SC_Static ||
                          clang_Cursor_getStorageClass(declaration) == CX_SC_Extern ||
                          clang_isVolatileQualifiedType(variable->type);
    g_ptr_array_add(list, variable);
    return variable;
}

/// The stretch whose variables are gathered.
struct stretch {
    struct gcl_view *view;
    TSNode function;
    uint32_t begin, end;
};

// Whether a name is that of a function which only a template's arguments decide on: it is none of
// those that the function around declares.
static bool is_open_call(const struct stretch *stretch, TSNode name) {
    const GArray *names = gcl_occurrences_of(stretch->view);
    TSNode parent = ts_node_parent(name);
    if (!gcl_node_is(parent, "call_expression") || !gcl_node_is_field(parent, "function", name))
        return false;
    g_autofree char *words = gcl_node_text(stretch->view->text, name);
    for (guint i = 0; i < names->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(names, struct gcl_occurrence, i);
        g_autofree char *declared = o->declares &&
                                            o->begin >= ts_node_start_byte(stretch->function) &&
                                            o->end <= ts_node_end_byte(stretch->function)
                                        ? gcl_cursor_name(o->target)
                                        : NULL;
        if (g_strcmp0(declared, words) == 0)
            return false;
    }
    return true;
}

// Whether a name stands for something that a function of its own has, too: a variable that it can
// be given, or what isn't the function's. A structured binding is neither.
static bool is_within_reach(const struct stretch *stretch, TSNode name) {
    const struct gcl_occurrence *o = gcl_occurrences_at(stretch->view, ts_node_start_byte(name));
    uint32_t begin, end;
    if (!o)
        return is_open_call(stretch, name);
    if (clang_getCursorKind(o->target) == CXCursor_MacroDefinition &&
        clang_Cursor_isMacroBuiltin(o->target))
        return false; // the line, and what else depends on the place
    return gcl_meaning_is_local(o->target) ||
           !gcl_tree_name(stretch->view, o->target, &begin, &end) ||
           begin < ts_node_start_byte(stretch->function) ||
           end > ts_node_end_byte(stretch->function);
}

// Whether that is so of all names in the part of a node that belongs to the stretch, but for types
// and members, which stand behind such names.
static bool knows_names(const struct stretch *stretch, TSNode node) {
    if (ts_node_end_byte(node) <= stretch->begin || ts_node_start_byte(node) >= stretch->end)
        return true;
    if (gcl_node_is(node, "identifier"))
        return is_within_reach(stretch, node);
    uint32_t count = ts_node_named_child_count(node);
    for (uint32_t i = 0; i < count; i++) {
        if (!knows_names(stretch, ts_node_named_child(node, i)))
            return false;
    }
    return true;
}

static bool is_variable_of(const struct stretch *stretch, const struct gcl_occurrence *o) {
    return o->begin >= ts_node_start_byte(stretch->function) &&
           o->end <= ts_node_end_byte(stretch->function) && gcl_meaning_is_local(o->target) &&
           gcl_tree_is_local(o->target);
}

static bool has_ancestor(const struct stretch *stretch, TSNode node, const char *type) {
    while (!ts_node_eq(node, stretch->function) && !gcl_node_is(node, type))
        node = ts_node_parent(node);
    return !ts_node_eq(node, stretch->function);
}

static void see(const struct stretch *stretch, const struct gcl_occurrence *o,
                struct gcl_variable *variable) {
    bool is_inside = o->begin >= stretch->begin && o->end <= stretch->end;
    if (o->declares) {
        variable->is_inside = is_inside;
        return;
    }
    TSNode name = ts_node_named_descendant_for_byte_range(stretch->function, o->begin, o->end);
    enum use use = use_of(stretch->view, name, variable->type);
    variable->is_aliased |= use == REFERS || has_ancestor(stretch, name, "lambda_expression");
    variable->is_assigned |= is_inside && use == ASSIGNS;
    variable->is_used_on |= !is_inside;
    variable->is_const_for |=
        is_inside && (needs_constant(name, stretch->begin) ||
                      (clang_isConstQualifiedType(variable->type) &&
                       has_ancestor(stretch, name, "initializer_list"))); // which may not narrow
    variable->escapes |= use == REFERS && !is_for_call(name, variable->type);
}

static void add_aliases(GPtrArray *list, const GArray *named) {
    for (guint i = 0; i < named->len; i++) {
        struct gcl_variable *variable = find(list, g_array_index(named, CXCursor, i));
        if (variable)
            variable->is_aliased = true;
    }
}

GPtrArray *gcl_variables_of(struct gcl_view *view, TSNode function, CXCursor cursor, uint32_t begin,
                            uint32_t end, const char **why) {
    const struct stretch stretch = {view, function, begin, end};
    const GArray *names = gcl_occurrences_of(view);
    g_autoptr(GArray) named = g_array_new(FALSE, FALSE, sizeof(CXCursor));
    *why = "it has a name that stands for something of the function's, or for what isn't known";
    if (!knows_names(&stretch, function))
        return NULL;
    *why = "a macro in it leaves the function, or names variables of the function";
    if (!gcl_expansions_find(view, cursor, begin, end, named))
        return NULL;
    GPtrArray *list = g_ptr_array_new_with_free_func(variable_free);
    for (guint i = 0; i < names->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(names, struct gcl_occurrence, i);
        if (o->begin >= begin && o->end <= end && is_variable_of(&stretch, o) &&
            !find(list, o->target))
            add(list, o->target);
    }
    for (guint i = 0; i < names->len; i++) {
        const struct gcl_occurrence *o = &g_array_index(names, struct gcl_occurrence, i);
        struct gcl_variable *variable = is_variable_of(&stretch, o) ? find(list, o->target) : NULL;
        if (variable)
            see(&stretch, o, variable);
    }
    add_aliases(list, named);
    return list;
}
