// Not every returned atomic is a place. It is one if what blocks add doesn't depend on what others
// have done meanwhile: nothing that the kernel reads may be written by it, and no fence, loop that
// waits or other operation may order blocks, which the analysis of the device code knows. What
// leads to the operation is cut out of the text (slice.h).
#include "two_phase.h"

#include <string.h>

#include "frontend/cursor.h"
#include "frontend/lexer.h"
#include "launches.h"
#include "slice.h"

enum { LINE_MAX_BYTES = 100, PARSE_MAX_US = 2000000 };

const TSLanguage *tree_sitter_gcluster(void);

/// What the edit is made of.
struct work {
    const struct gcl_view *view;
    const char *text;
    const struct gcl_source *source;
    GArray *tokens;
    CXCursor function;
    char *name;        // the kernel's
    uint32_t begin;    // of its text, with `template <…>`
    TSNode definition; // without that
    TSNode parameters; // a parameter_list
    TSNode body;
    struct gcl_meaning *meaning;
    struct gcl_slice slice;
    TSNode address;
    char *counter;  // what is counted, as an expression of the device: "*count", "p->n"
    bool is_passed; // by a parameter, not a variable of the device
    char *type;     // of the counter
    char *counts, *places, *launch; // names of the new functions
    char *array, *place;            // and of a parameter and a variable of the kernel
    char *blocks, *grid, *block, *shared, *stream; // and of those in `launch`
    bool drops_writes; // the first kernel leaves out what threads may come by before
    unsigned others;   // counters that keep the kernel on one node as well
    bool is_ordered;   // no two launches run at the same time
    GString *out;      // the new functions
    json_t *edits;
};

// What the analysis says.

static bool is_of_counter(const json_t *argument, const json_t *reason) {
    return strcmp(gcl_json_words(argument, "name"), gcl_json_words(reason, "argument")) == 0;
}

/// How often an argument is accessed.
struct accesses {
    unsigned reads;
    unsigned atomics;
    unsigned changes;
    const char *formula; ///< of an atomic operation whose result is used
};

static struct accesses count_accesses(const json_t *argument) {
    struct accesses a = {0};
    json_t *access;
    size_t i;
    json_array_foreach(json_object_get(argument, "accesses"), i, access) {
        const char *kind = gcl_json_words(access, "kind");
        bool is_read = strcmp(kind, "read") == 0, is_atomic = strcmp(kind, "atomic") == 0;
        a.reads += is_read;
        a.atomics += is_atomic;
        a.changes += !is_read && !is_atomic;
        if (is_atomic)
            a.formula = gcl_json_words(access, "formula");
    }
    return a;
}

// Of a structure other members may be read.
static bool reads_counter(const json_t *argument, const char *formula) {
    json_t *access;
    size_t i;
    json_array_foreach(json_object_get(argument, "accesses"), i, access) {
        if (strcmp(gcl_json_words(access, "kind"), "read") == 0 &&
            strcmp(gcl_json_words(access, "formula"), formula) == 0)
            return true;
    }
    return false;
}

// What the kernel changes it mustn't read, nor may the counter be read or changed otherwise.
static bool are_apart(const json_t *explained, const json_t *reason) {
    json_t *argument;
    size_t i;
    json_array_foreach(json_object_get(explained, "arguments"), i, argument) {
        struct accesses a = count_accesses(argument);
        if (is_of_counter(argument, reason)
                ? a.changes > 0 || a.atomics != 1 || reads_counter(argument, a.formula)
                : (a.reads > 0) + (a.atomics > 0) + (a.changes > 0) > 1)
            return false;
    }
    return true;
}

// Whether other reasons keep it on one node, where it would stay, and blocks might wait for each
// other. `counters`: how many are other counters, for which there may be an action as well.
static bool has_others(const json_t *explained, const json_t *reason, unsigned *counters) {
    json_t *other;
    size_t i;
    *counters = 0;
    json_array_foreach(json_object_get(explained, "reasons"), i, other) {
        if (other == reason ||
            strcmp(gcl_json_words(other, "what"), gcl_json_words(reason, "what")) != 0)
            continue;
        if (strcmp(gcl_json_words(other, "code"), gcl_json_words(reason, "code")) != 0)
            return true;
        ++*counters;
    }
    return false;
}

// The text.

static bool is_name(const struct work *w, const struct gcl_token *token, const char *name) {
    return token->kind == GCL_TOKEN_IDENTIFIER && gcl_token_is(token, w->text, name);
}

// A name that isn't taken: in [begin, end), nor by a macro.
static char *free_name(const struct work *w, const char *wanted, uint32_t begin, uint32_t end) {
    for (unsigned number = 1;; number++) {
        char *name = number == 1 ? g_strdup(wanted) : g_strdup_printf("%s%u", wanted, number);
        bool is_taken = false;
        for (guint i = 0; i < w->tokens->len && !is_taken; i++) {
            const struct gcl_token *token = &g_array_index(w->tokens, struct gcl_token, i);
            bool is_near = token->begin >= begin && token->begin < end;
            is_taken = (is_near || token->line == GCL_LINE_DEFINE) && is_name(w, token, name);
        }
        if (!is_taken)
            return name;
        g_free(name);
    }
}

static char *local_name(const struct work *w, const char *wanted) {
    return free_name(w, wanted, w->begin, ts_node_end_byte(w->body));
}

static char *global_name(const struct work *w, const char *before, const char *behind) {
    g_autofree char *wanted = g_strconcat(before, w->name, behind, NULL);
    return free_name(w, wanted, 0, UINT32_MAX);
}

static void name_all(struct work *w) {
    w->counts = global_name(w, "", "_counts");
    w->places = global_name(w, "", "_places");
    w->launch = global_name(w, "launch_", "");
    w->array = local_name(w, "places");
    w->place = local_name(w, "place");
    w->blocks = local_name(w, "blocks");
    w->grid = local_name(w, "grid");
    w->block = local_name(w, "block");
    w->shared = local_name(w, "shared");
    w->stream = local_name(w, "stream");
}

// The kernel.

static TSNode named_child(TSNode node, const char *type) {
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (gcl_node_is(child, type))
            return child;
    }
    return (TSNode){0};
}

static bool find_kernel(struct work *w, TSNode root) {
    TSNode template = named_child(root, "template_declaration");
    w->definition = named_child(ts_node_is_null(template) ? root : template, "function_definition");
    if (ts_node_is_null(w->definition) || ts_node_has_error(root))
        return false;
    w->body = gcl_node_field(w->definition, "body");
    TSNode declarator = gcl_node_field(w->definition, "declarator");
    while (!ts_node_is_null(declarator) && !gcl_node_is(declarator, "function_declarator"))
        declarator = gcl_node_field(declarator, "declarator");
    w->parameters = gcl_node_field(declarator, "parameters");
    TSNode name = gcl_node_field(declarator, "declarator");
    return gcl_node_is(w->body, "compound_statement") && !ts_node_is_null(w->parameters) &&
           gcl_node_is(name, "identifier");
}

// Parses the kernel alone; its places are those in the whole text.
static TSTree *parse(const struct work *w, uint32_t end) {
    size_t size;
    const char *text = gcl_lines_data(w->view->text, &size);
    TSParser *parser = ts_parser_new();
    TSRange range = {.start_byte = w->begin, .end_byte = end};
    gcl_lines_locate(w->view->text, w->begin, &range.start_point.row, &range.start_point.column);
    gcl_lines_locate(w->view->text, end, &range.end_point.row, &range.end_point.column);
    ts_parser_set_timeout_micros(parser, PARSE_MAX_US);
    bool fits = ts_parser_set_language(parser, tree_sitter_gcluster()) &&
                ts_parser_set_included_ranges(parser, &range, 1);
    TSTree *tree = fits ? ts_parser_parse_string(parser, NULL, text, (uint32_t)size) : NULL;
    ts_parser_delete(parser);
    return tree;
}

static TSNode find_call(const struct work *w, uint32_t offset) {
    TSNode node = ts_node_named_descendant_for_byte_range(w->definition, offset, offset + 1);
    while (!ts_node_is_null(node) && !gcl_node_is(node, "call_expression"))
        node = ts_node_parent(node);
    return node;
}

// Operations that give each thread a range of its own.
static bool adds(const struct work *w, TSNode call) {
    g_autofree char *name = gcl_node_text(w->view->text, gcl_node_field(call, "function"));
    TSNode arguments = gcl_node_field(call, "arguments");
    return (strcmp(name, "atomicAdd") == 0 || strcmp(name, "atomicSub") == 0) &&
           ts_node_named_child_count(arguments) == 2;
}

// The counter.

static CXCursor meant_by(const struct work *w, TSNode name) {
    return gcl_meaning_of(w->meaning, ts_node_start_byte(name));
}

static bool is_parameter(const struct work *w, TSNode name) {
    return clang_getCursorKind(meant_by(w, name)) == CXCursor_ParmDecl;
}

// Names of the kernel's text that are spelt like `name`, but it itself.
static unsigned mentions(const struct work *w, TSNode name) {
    g_autofree char *word = gcl_node_text(w->view->text, name);
    unsigned count = 0;
    for (guint i = gcl_token_at(w->tokens, ts_node_start_byte(w->body)); i < w->tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(w->tokens, struct gcl_token, i);
        if (token->begin >= ts_node_end_byte(w->body))
            break;
        count += is_name(w, token, word) && token->begin != ts_node_start_byte(name);
    }
    return count;
}

// Whether a parameter is assigned to somewhere.
static bool is_changed(const struct work *w, TSNode node, const char *name) {
    TSNode target = gcl_node_is(node, "assignment_expression") ? gcl_node_field(node, "left")
                                                               : gcl_node_field(node, "argument");
    if (gcl_node_is(node, "assignment_expression") || gcl_node_is(node, "update_expression") ||
        (gcl_node_is(node, "pointer_expression") &&
         gcl_node_is(gcl_node_field(node, "operator"), "&"))) {
        g_autofree char *text = gcl_node_text(w->view->text, target);
        if (strcmp(text, name) == 0)
            return true;
    }
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        if (is_changed(w, ts_node_named_child(node, i), name))
            return true;
    }
    return false;
}

static bool is_stable(const struct work *w, TSNode name) {
    g_autofree char *word = gcl_node_text(w->view->text, name);
    return is_parameter(w, name) && !is_changed(w, w->body, word);
}

// `p->n`, `p->q.n` or `q.n` of a parameter, whose last field nobody else mentions.
static bool is_field(const struct work *w, TSNode node) {
    if (!gcl_node_is(node, "field_expression") || mentions(w, gcl_node_field(node, "field")) > 0)
        return false;
    while (gcl_node_is(node, "field_expression") &&
           gcl_node_is(gcl_node_field(node, "operator"), "."))
        node = gcl_node_field(node, "argument");
    if (gcl_node_is(node, "field_expression"))
        node = gcl_node_field(node, "argument");
    return gcl_node_is(node, "identifier") && is_stable(w, node);
}

// `a[3]`, where the kernel has no other element.
static bool is_element(const struct work *w, TSNode node) {
    TSNode argument = gcl_node_field(node, "argument"), indices = gcl_node_field(node, "indices");
    return gcl_node_is(node, "subscript_expression") && gcl_node_is(argument, "identifier") &&
           gcl_node_is(ts_node_named_child(indices, 0), "number_literal") &&
           mentions(w, argument) == 0 && is_parameter(w, argument);
}

static bool is_device_variable(const struct work *w, TSNode node) {
    CXCursor variable = meant_by(w, node);
    return clang_getCursorKind(variable) == CXCursor_VarDecl && !gcl_meaning_is_local(variable) &&
           mentions(w, node) == 0;
}

static char *take_integer(CXType type) {
    type = clang_getCanonicalType(type);
    switch ((unsigned)type.kind) {
    case CXType_Int:
        return g_strdup("int");
    case CXType_UInt:
        return g_strdup("unsigned");
    case CXType_ULongLong:
        return g_strdup("unsigned long long");
    default:
        return NULL;
    }
}

// The name whose type says what is counted, of an address that is the same for all threads; null if
// it isn't sure to be.
static TSNode find_counter(struct work *w) {
    TSNode none = {0}, target;
    if (gcl_node_is(w->address, "identifier") ||
        (gcl_node_is(w->address, "field_expression") && is_field(w, w->address))) {
        bool is_sure = !gcl_node_is(w->address, "identifier") ||
                       (is_parameter(w, w->address) && mentions(w, w->address) == 0);
        w->is_passed = true;
        return !is_sure                                ? none
               : gcl_node_is(w->address, "identifier") ? w->address
                                                       : gcl_node_field(w->address, "field");
    }
    if (!gcl_node_is(w->address, "pointer_expression"))
        return none;
    target = gcl_node_field(w->address, "argument");
    w->is_passed = !gcl_node_is(target, "identifier");
    if (gcl_node_is(target, "identifier"))
        return is_device_variable(w, target) ? target : none;
    if (is_element(w, target))
        return gcl_node_field(target, "argument");
    return is_field(w, target) ? gcl_node_field(target, "field") : none;
}

static bool know_counter(struct work *w) {
    TSNode name = find_counter(w);
    if (ts_node_is_null(name))
        return false;
    CXType type = clang_getCanonicalType(clang_getCursorType(meant_by(w, name)));
    bool leads = !gcl_node_is(w->address, "pointer_expression") ||
                 gcl_node_is(gcl_node_field(w->address, "argument"), "subscript_expression");
    w->type = take_integer(leads ? clang_getPointeeType(type) : type);
    if (gcl_node_is(w->address, "pointer_expression")) {
        w->counter = gcl_node_text(w->view->text, gcl_node_field(w->address, "argument"));
    } else {
        g_autofree char *address = gcl_node_text(w->view->text, w->address);
        w->counter = g_strdup_printf("*%s", address);
    }
    return w->type != NULL;
}

// Parameters.

static TSNode name_of_parameter(TSNode parameter) {
    TSNode node = gcl_node_field(parameter, "declarator");
    while (!ts_node_is_null(node) && !gcl_node_is(node, "identifier")) {
        TSNode inner = gcl_node_field(node, "declarator");
        node = ts_node_is_null(inner) ? ts_node_named_child(node, 0) : inner;
    }
    return node;
}

// Those of which `names` has the name, each followed by `behind` if it has the type as well; NULL
// names: all.
static char *list_parameters(const struct work *w, GHashTable *names, bool with_types) {
    GString *out = g_string_new(NULL);
    for (uint32_t i = 0; i < ts_node_named_child_count(w->parameters); i++) {
        TSNode parameter = ts_node_named_child(w->parameters, i);
        TSNode name = name_of_parameter(parameter);
        if (ts_node_is_null(name))
            continue;
        g_autofree char *word = gcl_node_text(w->view->text, name);
        g_autofree char *whole = gcl_node_text(w->view->text, parameter);
        if (!names || g_hash_table_contains(names, word))
            g_string_append_printf(out, ", %s", with_types ? whole : word);
    }
    return g_string_free(out, FALSE);
}

// Each has a name, and could be a host function's.
static bool can_pass(const struct work *w) {
    g_autofree char *text = gcl_node_text(w->view->text, w->parameters);
    if (strstr(text, "__grid_constant__") || strstr(text, "..."))
        return false;
    for (uint32_t i = 0; i < ts_node_named_child_count(w->parameters); i++) {
        TSNode parameter = ts_node_named_child(w->parameters, i);
        if (!gcl_node_is(parameter, "parameter_declaration") &&
            !gcl_node_is(parameter, "optional_parameter_declaration"))
            return false;
        if (ts_node_is_null(name_of_parameter(parameter)))
            return false;
    }
    return true;
}

// "<T, N>", "" if it is no template; NULL if one has no name.
static char *template_arguments(const struct work *w) {
    TSNode whole = ts_node_parent(w->definition);
    TSNode parameters = gcl_node_field(whole, "parameters");
    GString *out = g_string_new(NULL);
    if (!gcl_node_is(whole, "template_declaration"))
        return g_string_free(out, FALSE);
    for (uint32_t i = 0; i < ts_node_named_child_count(parameters); i++) {
        TSNode parameter = ts_node_named_child(parameters, i);
        TSNode name = gcl_node_is(parameter, "type_parameter_declaration")
                          ? ts_node_named_child(parameter, 0)
                      : gcl_node_is(parameter, "optional_type_parameter_declaration")
                          ? gcl_node_field(parameter, "name")
                          : name_of_parameter(parameter);
        g_autofree char *word = ts_node_is_null(name) ? NULL : gcl_node_text(w->view->text, name);
        if (!word || gcl_node_is(parameter, "variadic_type_parameter_declaration") ||
            gcl_node_is(parameter, "variadic_parameter_declaration")) {
            g_string_free(out, TRUE);
            return NULL;
        }
        g_string_append_printf(out, "%s%s", i == 0 ? "<" : ", ", word);
    }
    g_string_append(out, ">");
    return g_string_free(out, FALSE);
}

// Launches.

static bool can_move(const struct gcl_launch *launch) {
    bool is_delimited = launch->keep == GCL_KEEP_NONE || launch->keep == GCL_KEEP_STRINGIFIED;
    return is_delimited && launch->evidence == GCL_EVIDENCE_TREE && !launch->in_macro &&
           launch->configuration_count >= 2;
}

static bool is_launched(const struct gcl_launch *launch, uint32_t at) {
    return launch->keep != GCL_KEEP_UNMATCHED && launch->keep != GCL_KEEP_NOT_A_CALL &&
           launch->kernel.begin <= at && at < launch->kernel.end;
}

static void edit(struct work *w, uint32_t begin, uint32_t end, const char *text) {
    json_array_append_new(w->edits,
                          json_pack("{s:o, s:s}", "range",
                                    gcl_lines_range(w->view->text, begin, end), "newText", text));
}

// launch_keep(grid, block, shared, stream, arguments) in place of keep<<<grid, block>>>(arguments).
static void move_launch(struct work *w, const struct gcl_launch *launch, uint32_t at) {
    static const char *const defaults[] = {", 0, 0", ", 0", ""};
    bool has_arguments = launch->arguments.begin < launch->arguments.end;
    g_autofree char *rest = g_strdup_printf("%s%s", defaults[launch->configuration_count - 2],
                                            has_arguments ? ", " : "");
    uint32_t last = launch->configuration[launch->configuration_count - 1].end;
    edit(w, at, at + (uint32_t)strlen(w->name), w->launch);
    edit(w, launch->chevrons.begin, launch->configuration[0].begin, "(");
    edit(w, last, has_arguments ? launch->arguments.begin : launch->open + 1, rest);
}

// Whether a launch comes after all others that may count with the same: those of other streams may
// run at the same time.
static bool is_ordered(const struct work *w, const struct gcl_launch *launch) {
    static const char *const first[] = {"0", "NULL", "nullptr"};
    struct gcl_range range = launch->configuration[3];
    bool is_first = launch->configuration_count < 4;
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
        is_first |= range.end - range.begin == strlen(first[i]) &&
                    memcmp(w->text + range.begin, first[i], strlen(first[i])) == 0;
    return is_first;
}

// Whether the variable of an argument may lead to memory.
static bool may_lead(const struct work *w, uint32_t at) {
    CXCursor variable = clang_getCursorReferenced(gcl_tree_cursor(w->view, at));
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    bool is_number = type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
                     type.kind != CXType_Dependent;
    return !is_number && type.kind != CXType_Enum && type.kind != CXType_FunctionProto;
}

// Whether two arguments of a launch may be the same memory: by the same variable.
static bool has_twins(const struct work *w, const struct gcl_launch *launch) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    unsigned depth = 0, index = 1;
    for (guint i = gcl_token_at(w->tokens, launch->arguments.begin); i < w->tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(w->tokens, struct gcl_token, i);
        if (token->begin >= launch->arguments.end)
            break;
        depth += token->kind == GCL_TOKEN_ROUND_OPEN || token->kind == GCL_TOKEN_CURLY_OPEN;
        depth -= token->kind == GCL_TOKEN_ROUND_CLOSE || token->kind == GCL_TOKEN_CURLY_CLOSE;
        index += depth == 0 && token->kind == GCL_TOKEN_COMMA;
        if (token->kind != GCL_TOKEN_IDENTIFIER || !may_lead(w, token->begin))
            continue;
        char *name = g_strndup(w->text + token->begin, token->end - token->begin);
        unsigned other = GPOINTER_TO_UINT(g_hash_table_lookup(seen, name));
        g_hash_table_insert(seen, name, GUINT_TO_POINTER(index));
        if (other > 0 && other != index)
            return true;
    }
    return false;
}

static const struct gcl_launch *launch_at(const struct work *w, uint32_t at) {
    for (guint i = 0; i < w->source->launches->len; i++) {
        const struct gcl_launch *launch = &g_array_index(w->source->launches, struct gcl_launch, i);
        if (is_launched(launch, at))
            return launch;
    }
    return NULL;
}

// All mentions of the kernel but its own name have to be launches that can be moved.
static bool move_launches(struct work *w, uint32_t own) {
    unsigned count = 0;
    for (guint i = 0; i < w->tokens->len; i++) {
        const struct gcl_token *token = &g_array_index(w->tokens, struct gcl_token, i);
        if (!is_name(w, token, w->name) || token->begin == own)
            continue;
        const struct gcl_launch *launch = launch_at(w, token->begin);
        if (!launch || !can_move(launch) || token->line != GCL_LINE_TEXT ||
            (w->drops_writes && has_twins(w, launch)))
            return false;
        w->is_ordered &= is_ordered(w, launch);
        move_launch(w, launch, token->begin);
        count++;
    }
    return count > 0;
}

// Writing.

static const char linear[] = "blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)";

// What stands in front of the kernel's name, and, for host functions, only of `template <…>`.
static char *head(const struct work *w, bool is_kernel) {
    uint32_t end = is_kernel ? 0 : ts_node_start_byte(w->definition);
    if (is_kernel) {
        TSNode declarator = gcl_node_field(ts_node_parent(w->parameters), "declarator");
        end = ts_node_start_byte(declarator);
    }
    return g_strndup(w->text + w->begin, end - w->begin);
}

static void write_counts(struct work *w, const char *body, GHashTable *names, const char *margin) {
    g_autofree char *begin = head(w, true);
    g_autofree char *parameters = list_parameters(w, names, true);
    g_string_append_printf(
        w->out, "\n\n%s// Counts what each block of %s adds to %s.\n%s%s%s(%s *%s%s) %s", margin,
        w->name, w->counter, margin, begin, w->counts, w->type, w->array, parameters, body);
}

// One that isn't the counter's, which may be a variable of the device.
static char *name_of_sum(const struct work *w, const char *wanted) {
    return free_name(w, wanted, w->is_passed ? 0 : ts_node_start_byte(w->address),
                     w->is_passed ? 0 : ts_node_end_byte(w->address));
}

static void write_places(struct work *w, const char *margin, const char *step) {
    g_autofree char *array = name_of_sum(w, "places"), *count = name_of_sum(w, "count");
    g_autofree char *blocks = name_of_sum(w, "blocks"), *sum = name_of_sum(w, "sum");
    g_autofree char *i = name_of_sum(w, "i"), *begin = name_of_sum(w, "begin");
    g_autofree char *parameter = g_strdup_printf(", %s *%s", w->type, count);
    g_autofree char *address = gcl_node_text(w->view->text, w->address);
    g_autofree char *counter = w->is_passed ? g_strdup_printf("*%s", count) : g_strdup(w->counter);
    g_string_append_printf(
        w->out,
        "\n\n%s// Makes of these counts the values of %s where blocks begin, and raises it.\n"
        "%s__global__ void %s(%s *%s%s, unsigned %s) {\n",
        margin, w->counter, margin, w->places, w->type, array, w->is_passed ? parameter : "",
        blocks);
    g_autofree char *inner = g_strconcat(margin, step, NULL);
    g_autofree char *loop =
        g_strdup_printf("%sfor (unsigned %s = 0; %s < %s; %s++)", inner, i, i, blocks, i);
    g_string_append_printf(w->out, "%s%s %s = %s;\n", inner, w->type, sum,
                           w->is_ordered ? counter : "0");
    if (!w->is_ordered)
        g_string_append_printf(w->out, "%s\n%s%s%s += %s[%s];\n%s%s = atomicAdd(%s, %s);\n", loop,
                               inner, step, sum, array, i, inner, sum,
                               w->is_passed ? count : address, sum);
    g_string_append_printf(w->out,
                           "%s {\n"
                           "%s%s%s %s = %s;\n"
                           "%s%s%s += %s[%s];\n"
                           "%s%s%s[%s] = %s;\n"
                           "%s}\n",
                           loop, inner, step, w->type, begin, sum, inner, step, sum, array, i,
                           inner, step, array, i, begin, inner);
    if (w->is_ordered)
        g_string_append_printf(w->out, "%s%s = %s;\n", inner, counter, sum);
    g_string_append_printf(w->out, "%s}", margin);
}

static void write_signature(struct work *w, const char *margin) {
    g_autofree char *begin = head(w, false);
    g_autofree char *parameters = list_parameters(w, NULL, true);
    GString *out = g_string_new(NULL);
    g_string_printf(out, "static void %s(dim3 %s, dim3 %s, size_t %s, cudaStream_t %s", w->launch,
                    w->grid, w->block, w->shared, w->stream);
    const char *rest = parameters;
    if (*rest && strlen(margin) + out->len + strlen(rest) + 3 > LINE_MAX_BYTES) {
        g_string_append_printf(out, ",\n%s%*s", margin,
                               (int)strlen("static void (") + (int)strlen(w->launch), "");
        rest += 2;
    }
    g_string_append_printf(
        w->out, "\n\n%s// Launches %s, whose blocks then know their places.\n%s%s%s%s) {\n", margin,
        w->name, margin, begin, out->str, rest);
    g_string_free(out, TRUE);
}

static void write_launch(struct work *w, GHashTable *names, const char *templates,
                         const char *margin, const char *step) {
    g_autofree char *all = list_parameters(w, NULL, false);
    g_autofree char *some = list_parameters(w, names, false);
    g_autofree char *inner = g_strconcat(margin, step, NULL);
    g_autofree char *address = gcl_node_text(w->view->text, w->address);
    g_autofree char *counter = w->is_passed ? g_strdup_printf(", %s", address) : g_strdup("");
    write_signature(w, margin);
    g_string_append_printf(w->out,
                           "%sunsigned %s = %s.x * %s.y * %s.z;\n"
                           "%s%s *%s;\n"
                           "%sif (cudaMallocAsync(&%s, %s * sizeof *%s, %s) != cudaSuccess)\n"
                           "%s%sreturn;\n"
                           "%scudaMemsetAsync(%s, 0, %s * sizeof *%s, %s);\n",
                           inner, w->blocks, w->grid, w->grid, w->grid, inner, w->type, w->array,
                           inner, w->array, w->blocks, w->array, w->stream, inner, step, inner,
                           w->array, w->blocks, w->array, w->stream);
    g_string_append_printf(w->out,
                           "%s%s%s<<<%s, %s, %s, %s>>>(%s%s);\n"
                           "%s%s<<<1, 1, 0, %s>>>(%s%s, %s);\n"
                           "%s%s%s<<<%s, %s, %s, %s>>>(%s%s);\n"
                           "%scudaFreeAsync(%s, %s);\n"
                           "%s}",
                           inner, w->counts, templates, w->grid, w->block, w->shared, w->stream,
                           w->array, some, inner, w->places, w->stream, w->array, counter,
                           w->blocks, inner, w->name, templates, w->grid, w->block, w->shared,
                           w->stream, w->array, all, inner, w->array, w->stream, margin);
}

// The kernel gets the places, a block's counter that begins there, and counts with that.
static void edit_kernel(struct work *w, const char *inner, const char *step) {
    uint32_t open = ts_node_start_byte(w->parameters) + 1, body = ts_node_start_byte(w->body) + 1;
    bool has_parameters = ts_node_named_child_count(w->parameters) > 0;
    g_autofree char *parameter =
        g_strdup_printf("const %s *%s%s", w->type, w->array, has_parameters ? ", " : "");
    g_autofree char *start = g_strdup_printf(
        "\n%s__shared__ %s %s;\n"
        "%sif (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)\n"
        "%s%s%s = %s[%s];\n"
        "%s__syncthreads();",
        inner, w->type, w->place, inner, inner, step, w->place, w->array, linear, inner);
    g_autofree char *address = g_strdup_printf("&%s", w->place);
    edit(w, open, open, parameter);
    edit(w, body, body, start);
    edit(w, ts_node_start_byte(w->address), ts_node_end_byte(w->address), address);
}

static json_t *write_all(struct work *w, const char *body, GHashTable *names) {
    g_autofree char *templates = template_arguments(w);
    g_autofree char *margin = gcl_lines_indentation(w->view->text, ts_node_end_byte(w->body) - 1);
    TSNode first = ts_node_named_child(w->body, 0);
    g_autofree char *inner = gcl_lines_indentation(w->view->text, ts_node_start_byte(first));
    bool is_deeper = strlen(inner) > strlen(margin) && g_str_has_prefix(inner, margin);
    g_autofree char *step = g_strdup(is_deeper ? inner + strlen(margin) : "    ");
    g_autofree char *deep = g_strconcat(margin, step, NULL);
    if (!templates)
        return NULL;
    w->out = g_string_new(NULL);
    write_counts(w, body, names, margin);
    write_places(w, margin, step);
    write_launch(w, names, templates, margin, step);
    edit_kernel(w, deep, step);
    uint32_t end = ts_node_end_byte(w->body);
    edit(w, end, end, w->out->str);
    g_string_free(w->out, TRUE);
    return json_pack(
        "{s:o, s:O}", "title",
        json_sprintf("count before what each block adds to %s: %s counts, adds up and launches %s "
                     "(the order of results becomes that of blocks%s)",
                     w->counter, w->launch, w->name,
                     w->others > 0 ? "; it stays on one node until others are counted, too" : ""),
        "edits", w->edits);
}

// All together.

static char *instead(const struct work *w) {
    TSNode call = w->slice.call, arguments = gcl_node_field(call, "arguments");
    g_autofree char *name = gcl_node_text(w->view->text, gcl_node_field(call, "function"));
    g_autofree char *amount = gcl_node_text(w->view->text, ts_node_named_child(arguments, 1));
    return g_strdup_printf("%s(&%s[%s], %s);", name, w->array, linear, amount);
}

static json_t *make(struct work *w, TSNode root, uint32_t offset) {
    if (!find_kernel(w, root) || !can_pass(w))
        return NULL;
    TSNode call = find_call(w, offset);
    w->meaning = gcl_meaning_create(w->view, w->function, w->definition);
    if (!w->meaning || ts_node_is_null(call) || !adds(w, call))
        return NULL;
    w->slice = (struct gcl_slice){w->view, w->meaning, w->body, call, NULL};
    if (!gcl_slice_is_atomic(&w->slice, call, &w->address))
        return NULL;
    TSNode name = gcl_node_field(ts_node_parent(w->parameters), "declarator");
    if (!know_counter(w))
        return NULL;
    name_all(w);
    g_autofree char *statement = instead(w);
    w->slice.instead = statement;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *body = gcl_slice_text(&w->slice, names, &w->drops_writes);
    if (!body || !move_launches(w, ts_node_start_byte(name)))
        return NULL;
    return write_all(w, body, names);
}

static void finish(struct work *w) {
    char *texts[] = {w->name,  w->counter, w->type, w->counts, w->places, w->launch, w->array,
                     w->place, w->blocks,  w->grid, w->block,  w->shared, w->stream};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    gcl_meaning_destroy(w->meaning);
    json_decref(w->edits);
    g_array_unref(w->tokens);
}

// What the analysis says has to be about this very text.
static bool is_analysed(const struct gcl_view *view) {
    return view->is_current && view->analysed &&
           g_bytes_equal(view->analysed->bytes, view->text->bytes);
}

json_t *gcl_two_phase(const struct gcl_view *view, const json_t *explained, const json_t *reason,
                      uint32_t offset) {
    CXCursor function = gcl_launches_function(view, offset);
    const struct gcl_source *source = view->unit ? gcl_unit_find(view->unit, view->path) : NULL;
    uint32_t begin, end;
    unsigned others;
    size_t size;
    if (clang_Cursor_isNull(function) || !source || view->unit->has_errors || !is_analysed(view) ||
        !are_apart(explained, reason) || has_others(explained, reason, &others) ||
        !gcl_tree_extent(view, clang_getCursorExtent(function), &begin, &end) ||
        !clang_equalCursors(function, clang_getCanonicalCursor(function)))
        return NULL;
    const char *text = gcl_lines_data(view->text, &size);
    struct work w = {.view = view,
                     .text = text,
                     .source = source,
                     .tokens = gcl_lex(text, size),
                     .function = function,
                     .begin = begin,
                     .edits = json_array(),
                     .is_ordered = true,
                     .others = others,
                     .name = gcl_cursor_take_text(clang_getCursorSpelling(function))};
    TSTree *tree = parse(&w, end);
    json_t *advice = tree ? make(&w, ts_tree_root_node(tree), offset) : NULL;
    if (tree)
        ts_tree_delete(tree);
    finish(&w);
    return advice;
}
