// What a statement reads becomes a parameter, by value where a copy is as good: the variable is a
// number or pointer, and nothing else refers to it. All others are passed by reference, so that the
// function does to them what the statements did. One variable that is all that changes, or that is
// declared in the selection and used behind it, is what the function returns.
#include "lsp/repair/extract_function.h"

#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/read/meaning.h"
#include "lsp/read/tree.h"
#include "lsp/repair/edits.h"
#include "lsp/repair/placement.h"
#include "lsp/repair/variables.h"

/// The statements, and the function around them.
struct selection {
    struct gcl_view *view;
    TSNode block, function;
    uint32_t begin, end;
    struct gcl_placement placement;
    GPtrArray *variables;
    const struct gcl_variable *result; ///< what is returned, NULL: nothing
};

// Statements.

static bool is_selected(const struct selection *selection, TSNode node) {
    return ts_node_start_byte(node) >= selection->begin && ts_node_end_byte(node) <= selection->end;
}

// Finds the block whose children the bytes are, and the function around that.
static bool find_block(struct selection *selection, TSNode root) {
    TSNode node = ts_node_named_descendant_for_byte_range(root, selection->begin, selection->end);
    if (is_selected(selection, node))
        node = ts_node_parent(node); // one statement
    uint32_t count = ts_node_named_child_count(node), ends = 0;
    for (uint32_t i = 0; i < count; i++) {
        TSNode child = ts_node_named_child(node, i);
        ends += ts_node_start_byte(child) == selection->begin;
        ends += ts_node_end_byte(child) == selection->end;
    }
    if (!gcl_node_is(node, "compound_statement") || ends != 2)
        return false;
    selection->block = node;
    while (!ts_node_is_null(node) && !gcl_node_is(node, "function_definition") &&
           !gcl_node_is(node, "lambda_expression"))
        node = ts_node_parent(node);
    selection->function = node;
    return gcl_node_is(node, "function_definition") && !ts_node_has_error(node);
}

// Whether `break` or `continue` stays in the selection.
static bool stays(const struct selection *selection, TSNode jump) {
    static const char *const loops[] = {"do_statement", "for_range_loop", "for_statement",
                                        "while_statement", NULL};
    bool breaks = gcl_node_is(jump, "break_statement");
    for (TSNode node = ts_node_parent(jump); is_selected(selection, node);
         node = ts_node_parent(node)) {
        if (gcl_node_is_one_of(node, loops) || (breaks && gcl_node_is(node, "switch_statement")))
            return true;
    }
    return false;
}

static bool is_declared_as(const struct selection *selection, TSNode declaration) {
    static const char *const words[] = {"__shared__", "static", "extern", "thread_local"};
    g_autofree char *text = gcl_node_text(selection->view->text, declaration);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strstr(text, words[i]))
            return true;
    }
    return false;
}

// The grammar has several kinds of pragmas.
static bool is_pragma(const struct selection *selection, TSNode node) {
    if (ts_node_is_null(node))
        return false;
    g_autofree char *words = gcl_node_text(selection->view->text, node);
    return g_str_has_prefix(g_strchug(words), "#pragma");
}

// Whether a pragma, or the word that begins one, names nothing of the function's.
static bool is_plain_pragma(const struct selection *selection, TSNode pragma) {
    g_autofree char *words = gcl_node_text(selection->view->text, pragma);
    const char *rest = g_strstrip(words) + strlen("#pragma");
    rest += strspn(rest, " ");
    rest += g_str_has_prefix(rest, "unroll") ? strlen("unroll") : 0;
    return rest[strspn(rest, " 0123456789()")] == '\0';
}

// Why a selected node can't be moved; NULL: it can.
static const char *why_fixed(const struct selection *selection, TSNode node) {
    static const struct {
        const char *type, *why;
    } fixed[] = {
        {"co_await_expression", "it is a part of a coroutine"},
        {"co_return_statement", "it is a part of a coroutine"},
        {"co_yield_statement", "it is a part of a coroutine"},
        {"gnu_asm_expression", "it has inline assembly"},
        {"goto_statement", "it has a goto"},
        {"labeled_statement", "it has a label"},
        {"lambda_expression", "it has a lambda"},
        {"preproc_def", "it has directives of the preprocessor"},
        {"preproc_function_def", "it has directives of the preprocessor"},
        {"preproc_if", "it has directives of the preprocessor"},
        {"preproc_ifdef", "it has directives of the preprocessor"},
        {"preproc_include", "it has directives of the preprocessor"},
        {"raw_string_literal", "it has a raw string"},
        {"return_statement", "it returns from the function"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) {
        if (gcl_node_is(node, fixed[i].type))
            return fixed[i].why;
    }
    if (is_pragma(selection, node) && !is_plain_pragma(selection, node))
        return "it has a pragma that may name variables";
    if ((gcl_node_is(node, "break_statement") || gcl_node_is(node, "continue_statement")) &&
        !stays(selection, node))
        return "it leaves a loop or switch around it";
    if (gcl_node_is(node, "declaration") && is_declared_as(selection, node))
        return "it declares a variable that isn't a thread's own";
    return gcl_node_is(node, "case_statement") && ts_node_eq(ts_node_parent(node), selection->block)
               ? "it has a case of the switch around it"
               : NULL;
}

static const char *why_any_fixed(const struct selection *selection, TSNode node) {
    const char *why = is_selected(selection, node) ? why_fixed(selection, node) : NULL;
    uint32_t count = ts_node_named_child_count(node);
    for (uint32_t i = 0; i < count && !why; i++)
        why = why_any_fixed(selection, ts_node_named_child(node, i));
    return why;
}

// Whether a function declares types or names of its own, which another one doesn't have.
static bool has_own_types(TSNode node) {
    static const char *const own[] = {"alias_declaration",          "enum_specifier",
                                      "namespace_alias_definition", "type_definition",
                                      "using_declaration",          NULL};
    if (gcl_node_is_one_of(node, own) ||
        ((gcl_node_is(node, "struct_specifier") || gcl_node_is(node, "class_specifier") ||
          gcl_node_is(node, "union_specifier")) &&
         !ts_node_is_null(gcl_node_field(node, "body"))))
        return true;
    uint32_t count = ts_node_named_child_count(node);
    for (uint32_t i = 0; i < count; i++) {
        if (has_own_types(ts_node_named_child(node, i)))
            return true;
    }
    return false;
}

// A pragma is about the statement behind it.
static bool splits_pragma(const struct selection *selection) {
    TSNode first = ts_node_named_descendant_for_byte_range(selection->block, selection->begin,
                                                           selection->begin + 1);
    TSNode last = ts_node_named_descendant_for_byte_range(selection->block, selection->end - 1,
                                                          selection->end);
    while (!ts_node_eq(ts_node_parent(first), selection->block))
        first = ts_node_parent(first);
    while (!ts_node_eq(ts_node_parent(last), selection->block))
        last = ts_node_parent(last);
    do
        first = ts_node_prev_named_sibling(first);
    while (gcl_node_is(first, "comment"));
    return is_pragma(selection, first) || is_pragma(selection, last);
}

// Variables.

static enum CXChildVisitResult see_destructor(CXCursor cursor, CXCursor parent, CXClientData data);

static bool has_destructor(CXType type) {
    CXType known = clang_getCanonicalType(type);
    bool found = false;
    while (gcl_meaning_is_array(known))
        known = clang_getCanonicalType(clang_getArrayElementType(known));
    if (known.kind == CXType_Record)
        clang_visitChildren(clang_getTypeDeclaration(known), see_destructor, &found);
    return found;
}

static enum CXChildVisitResult see_destructor(CXCursor cursor, CXCursor parent, CXClientData data) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool *found = data;
    (void)parent;
    *found |= kind == CXCursor_Destructor ||
              ((kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier) &&
               has_destructor(clang_getCursorType(cursor)));
    return *found ? CXChildVisit_Break : CXChildVisit_Continue;
}

static char *spell(CXType type) {
    bool is_known = type.kind == CXType_Auto;
    return gcl_cursor_take_text(
        clang_getTypeSpelling(is_known ? clang_getCanonicalType(type) : type));
}

static bool is_reference(CXType type) {
    return clang_getCanonicalType(type).kind == CXType_LValueReference;
}

static bool is_by_value(const struct selection *selection, const struct gcl_variable *variable) {
    return gcl_variables_is_scalar(variable->type) && !variable->is_aliased &&
           !variable->is_shared && (!variable->is_assigned || variable == selection->result);
}

// "float (&tile)[N]", to be freed; NULL if another function may not know what sizes are.
static char *spell_open_array(const struct selection *selection,
                              const struct gcl_variable *variable) {
    g_autofree char *words = spell(variable->type);
    char *sizes = strchr(words, '[');
    if (!sizes || strpbrk(words, "(&"))
        return NULL;
    for (const char *at = sizes; *at; at++) {
        size_t size = strspn(at, G_CSET_A_2_Z G_CSET_a_2_z "_" G_CSET_DIGITS);
        g_autofree char *name = g_strndup(at, size);
        bool is_known = size == 0 || g_ascii_isdigit(*at);
        for (guint i = 0; i < selection->placement.names->len && !is_known; i++)
            is_known = strcmp(name, selection->placement.names->pdata[i]) == 0;
        if (!is_known)
            return NULL;
        at += size > 0 ? size - 1 : 0;
    }
    g_autofree char *dimensions = g_strdup(sizes);
    *sizes = '\0';
    return g_strdup_printf("%s (&%s)%s", g_strchomp(words), variable->name, dimensions);
}

// What an array of constant sizes, of any dimensions, is made of; of another type that itself.
static CXType element_of(CXType type) {
    CXType element = clang_getCanonicalType(type);
    while (element.kind == CXType_ConstantArray)
        element = clang_getCanonicalType(clang_getArrayElementType(element));
    return element;
}

static bool is_open_array(CXType type) {
    return element_of(type).kind == CXType_DependentSizedArray;
}

// "float (&tile)[32][33]", to be freed.
static char *spell_array(const struct gcl_variable *variable) {
    GString *sizes = g_string_new(NULL);
    CXType type = clang_getCanonicalType(variable->type);
    for (; type.kind == CXType_ConstantArray; type = clang_getArrayElementType(type))
        g_string_append_printf(sizes, "[%lld]", clang_getArraySize(type));
    g_autofree char *element = spell(type), *dimensions = g_string_free(sizes, FALSE);
    return g_strdup_printf("%s (&%s)%s", element, variable->name, dimensions);
}

static bool is_pack(const struct gcl_variable *variable) {
    g_autofree char *words = spell(variable->type);
    return g_str_has_suffix(words, "...");
}

// "T &...rest", to be freed. What comes as an rvalue has a name, too.
static char *spell_pack(const struct gcl_variable *variable) {
    g_autofree char *words = spell(variable->type);
    words[strcspn(words, "&.")] = '\0';
    return g_strdup_printf("%s &...%s", g_strchomp(words), variable->name);
}

// How a variable is declared as a parameter, to be freed.
static char *spell_parameter(const struct selection *selection,
                             const struct gcl_variable *variable) {
    g_autofree char *type = spell(variable->type);
    bool is_tight = g_str_has_suffix(type, "*") || g_str_has_suffix(type, "&");
    if (is_open_array(variable->type))
        return spell_open_array(selection, variable);
    if (is_pack(variable))
        return spell_pack(variable);
    if (gcl_meaning_is_array(variable->type))
        return spell_array(variable);
    const char *sign = is_reference(variable->type) || is_by_value(selection, variable) ? "" : "&";
    return g_strdup_printf("%s%s%s%s", type, is_tight ? "" : " ", sign, variable->name);
}

static bool is_defined_outside(const struct selection *selection) {
    return !ts_node_is_null(selection->placement.declaration);
}

// In front of what the new function is declared.
static TSNode first_of(const struct selection *selection) {
    return is_defined_outside(selection) ? selection->placement.declaration
                                         : selection->placement.definition;
}

// Whether the class that a type is made of, or leads to, is declared behind the place of the new
// function.
static bool is_declared_behind(const struct selection *selection, CXType type) {
    CXType known = element_of(type);
    uint32_t begin, end;
    while (known.kind == CXType_Pointer || known.kind == CXType_LValueReference)
        known = element_of(clang_getPointeeType(known));
    CXCursor declaration = clang_getTypeDeclaration(known);
    return !gcl_cursor_is_null(declaration) &&
           gcl_tree_name(selection->view, declaration, &begin, &end) &&
           begin > ts_node_start_byte(first_of(selection));
}

// Whether a function in front of this one can name the type of a parameter.
static bool can_pass(const struct selection *selection, const struct gcl_variable *variable) {
    if (is_open_array(variable->type)) {
        g_autofree char *parameter = spell_open_array(selection, variable);
        return parameter && !variable->is_const_for;
    }
    CXType type = clang_getCanonicalType(variable->type);
    CXType element = element_of(type);
    g_autofree char *words = spell(gcl_meaning_is_array(type) ? element : variable->type);
    return !strchr(words, '(') && !gcl_meaning_is_array(element) && !strstr(words, "auto") &&
           type.kind != CXType_RValueReference && !variable->is_const_for &&
           !is_declared_behind(selection, variable->type);
}

// Whether what a template's arguments decide on may have a destructor that counts.
static bool is_open_on_host(const struct selection *selection, CXType type) {
    g_autofree char *words = gcl_tree_qualifiers(selection->placement.function);
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind == CXType_Unexposed || kind == CXType_Dependent || kind == CXType_Auto) &&
           !strstr(words, "__device__") && !strstr(words, "__global__");
}

// Whether a variable of the selection may be one of a function's own.
static bool can_move(const struct selection *selection, const struct gcl_variable *variable) {
    bool can_return = gcl_variables_is_scalar(variable->type) && !variable->is_aliased &&
                      (variable->has_value || variable->is_assigned) &&
                      (!selection->result || selection->result == variable);
    return (!variable->is_used_on || can_return) && !variable->escapes &&
           !has_destructor(variable->type) && !is_open_on_host(selection, variable->type);
}

// Whether the parameters and the variables of the new function have different names.
static bool has_clear_names(const struct selection *selection) {
    for (guint i = 1; i < selection->variables->len; i++) {
        const struct gcl_variable *one = selection->variables->pdata[i];
        for (guint j = 0; j < i; j++) {
            const struct gcl_variable *other = selection->variables->pdata[j];
            if (strcmp(one->name, other->name) == 0 && one->is_inside != other->is_inside)
                return false;
        }
    }
    return true;
}

// Chooses what is returned; NULL, or the variable that can't be passed or given back.
static const struct gcl_variable *choose(struct selection *selection) {
    guint changed = 0;
    const struct gcl_variable *last = NULL;
    for (guint i = 0; i < selection->variables->len; i++) {
        const struct gcl_variable *variable = selection->variables->pdata[i];
        if (variable->is_inside && variable->is_used_on && !selection->result)
            selection->result = variable;
        changed += !variable->is_inside && variable->is_assigned;
        last = !variable->is_inside && variable->is_assigned ? variable : last;
    }
    if (!selection->result && changed == 1 && last->has_value && !last->is_aliased &&
        !last->is_shared && gcl_variables_is_scalar(last->type))
        selection->result = last;
    for (guint i = 0; i < selection->variables->len; i++) {
        const struct gcl_variable *variable = selection->variables->pdata[i];
        if (variable->is_inside ? !can_move(selection, variable) : !can_pass(selection, variable))
            return variable;
    }
    return NULL;
}

// Why the selection can't become a function, to be freed; NULL: it can.
static char *refuse(struct selection *selection) {
    struct gcl_view *view = selection->view;
    const char *why = gcl_placement_find(view, selection->function, &selection->placement);
    why = why ? why : why_any_fixed(selection, selection->block);
    if (!why && has_own_types(selection->function))
        why = "the function declares types of its own";
    if (!why && splits_pragma(selection))
        why = "the pragma in front is about it";
    if (!why)
        selection->variables =
            gcl_variables_of(view, selection->function, selection->placement.function,
                             selection->begin, selection->end, &why);
    if (!selection->variables)
        return g_strdup(why);
    if (!has_clear_names(selection))
        return g_strdup("it uses two variables of one name");
    const struct gcl_variable *wrong = choose(selection);
    if (!wrong)
        return NULL;
    return g_strdup_printf(wrong->is_inside
                               ? "'%s', which it declares, is used behind it, or ends with it"
                               : "a parameter can't be declared for '%s'",
                           wrong->name);
}

// Edits.

static char *list_variables(const struct selection *selection, bool with_types) {
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < selection->variables->len; i++) {
        const struct gcl_variable *variable = selection->variables->pdata[i];
        if (variable->is_inside)
            continue;
        g_autofree char *parameter =
            with_types ? spell_parameter(selection, variable)
                       : g_strconcat(variable->name, is_pack(variable) ? "..." : "", NULL);
        g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", parameter);
    }
    return g_string_free(list, FALSE);
}

static const char *qualifiers_of(const struct selection *selection) {
    g_autofree char *words = gcl_tree_qualifiers(selection->placement.function);
    bool is_device = strstr(words, "__device__") || strstr(words, "__global__");
    return !is_device ? "" : strstr(words, "__host__") ? "__host__ __device__ " : "__device__ ";
}

// The statements, indented as those of a body are, to be freed.
static char *indent(const struct selection *selection, const char *wanted) {
    const struct gcl_line_table *text = selection->view->text;
    g_autofree char *old = gcl_line_table_indentation(text, selection->begin);
    g_autofree char *words = gcl_line_table_copy(text, selection->begin, selection->end);
    g_auto(GStrv) lines = g_strsplit(words, "\n", -1);
    GString *out = g_string_new(NULL);
    for (char **line = lines; *line; line++) {
        bool has_old = line > lines && g_str_has_prefix(*line, old);
        bool is_first = line == lines;
        g_string_append_printf(out, "%s%s%s\n", (has_old || is_first) && **line ? wanted : "",
                               *line + (has_old ? strlen(old) : 0), "");
    }
    return g_string_free(out, FALSE);
}

// "float " or "float *", to be freed: what the function returns. In front of a scope no name of the
// class is known.
static char *result_type(const struct selection *selection) {
    if (!selection->result)
        return g_strdup("void ");
    CXType type = selection->result->type;
    if (is_defined_outside(selection))
        type = clang_getCanonicalType(type);
    g_autofree char *words = spell(clang_getUnqualifiedType(type));
    return g_strconcat(words, g_str_has_suffix(words, "*") ? "" : " ", NULL);
}

static char *write_function(const struct selection *selection, const char *name) {
    TSNode body = gcl_node_field(selection->function, "body");
    g_autofree char *outer =
        gcl_line_table_indentation(selection->view->text, ts_node_start_byte(selection->function));
    g_autofree char *own = gcl_line_table_indentation(
        selection->view->text, ts_node_start_byte(ts_node_named_child(body, 0)));
    g_autofree char *inner =
        strlen(own) > strlen(outer) ? g_strdup(own) : g_strconcat(outer, "    ", NULL);
    g_autofree char *type = result_type(selection), *statements = indent(selection, inner);
    g_autofree char *parameters = list_variables(selection, true);
    g_autofree char *last = selection->result
                                ? g_strdup_printf("%sreturn %s;\n", inner, selection->result->name)
                                : g_strdup("");
    const struct gcl_placement *placement = &selection->placement;
    const char *again = *placement->head ? outer : "";
    return g_strdup_printf("%s%s%s%s%s%s%s%s(%s)%s {\n%s%s%s}\n\n", outer, placement->head, again,
                           is_defined_outside(selection) ? "" : placement->storage,
                           qualifiers_of(selection), type, placement->scope, name, parameters,
                           placement->suffix, statements, last, outer);
}

static char *write_declaration(const struct selection *selection, const char *name) {
    const struct gcl_placement *placement = &selection->placement;
    g_autofree char *type = result_type(selection), *parameters = list_variables(selection, true);
    return g_strdup_printf("%s%s%s%s(%s)%s;", placement->storage, qualifiers_of(selection), type,
                           name, parameters, placement->suffix);
}

static char *write_call(const struct selection *selection, const char *name) {
    const struct gcl_variable *result = selection->result;
    g_autofree char *arguments = list_variables(selection, false);
    g_autofree char *type = result && result->is_inside ? result_type(selection) : g_strdup("");
    return g_strdup_printf("%s%s%s%s%s(%s);", type, result ? result->name : "", result ? " = " : "",
                           name, selection->placement.arguments, arguments);
}

// The line on which a function begins with the comments and pragmas in front of it.
static uint32_t begin_of(const struct selection *selection, TSNode node) {
    TSNode before = ts_node_prev_named_sibling(node);
    while ((gcl_node_is(before, "comment") || is_pragma(selection, before)) &&
           ts_node_end_point(before).row + 1 >= ts_node_start_point(node).row) {
        node = before;
        before = ts_node_prev_named_sibling(node);
    }
    uint32_t begin, end;
    gcl_line_table_line(selection->view->text, ts_node_start_point(node).row, &begin, &end);
    return begin;
}

// Declares the new function in its class, on the same line where that is all on one.
static void declare(const struct selection *selection, const char *name, json_t *edits) {
    const struct gcl_line_table *text = selection->view->text;
    TSNode next = selection->placement.declaration;
    uint32_t at = begin_of(selection, next), member = ts_node_start_byte(next);
    bool has_line = at > ts_node_start_byte(ts_node_parent(next));
    g_autofree char *declaration = write_declaration(selection, name);
    g_autofree char *indentation = gcl_line_table_indentation(text, member);
    g_autofree char *line = has_line ? g_strdup_printf("%s%s\n", indentation, declaration)
                                     : g_strconcat(declaration, " ", NULL);
    gcl_edits_replace(text, edits, has_line ? at : member, has_line ? at : member, line);
}

static json_t *make_function(const struct selection *selection) {
    const struct gcl_line_table *text = selection->view->text;
    g_autofree char *name = gcl_edits_name(text, "extracted");
    g_autofree char *function = write_function(selection, name);
    g_autofree char *call = write_call(selection, name);
    uint32_t at = begin_of(selection, selection->placement.definition);
    json_t *edits = json_array();
    gcl_edits_replace(text, edits, at, at, function);
    gcl_edits_replace(text, edits, selection->begin, selection->end, call);
    if (is_defined_outside(selection))
        declare(selection, name, edits);
    return edits;
}

json_t *gcl_extract_function(struct gcl_glance *glance, struct gcl_view *view, uint32_t begin,
                             uint32_t end) {
    static const char title[] = "give them a name: extract to a function";
    const char *data = gcl_line_table_data(view->text, NULL);
    while (begin < end && g_ascii_isspace(data[begin]))
        begin++;
    while (begin < end && g_ascii_isspace(data[end - 1]))
        end--;
    struct selection selection = {.view = view, .begin = begin, .end = end};
    TSTree *tree = begin < end ? gcl_glance_tree(glance, view->text) : NULL;
    if (!tree || !find_block(&selection, ts_tree_root_node(tree)))
        return NULL;
    g_autofree char *why = refuse(&selection);
    json_t *found =
        why ? json_pack("{s:s, s:o}", "title", title, "reason", gcl_json_text(why))
            : json_pack("{s:s, s:o}", "title", title, "edits", make_function(&selection));
    if (selection.variables)
        g_ptr_array_unref(selection.variables);
    gcl_placement_finish(&selection.placement);
    return found;
}
